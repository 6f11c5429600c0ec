//! The invariants of every state, each as one named function.

use crate::card::{Card, Cards, Class};
use crate::rules::{
    AskWhom, Courtesy as CourtesyKnob, DiscardWilds, LastThree, SideChoice, SideFormation, ThreesKeep,
};
use crate::seat::{SEATS_MAX, Seat, Side};
use crate::table::{
    AS_GIVEN, Courtesy, Cut, EndReason, Found, KEPT_MAX, Kept, MELDS_MAX, POINTS_MAX, Permission, Phase,
    RULINGS_MAX, Rulings, Sentence, Source, Standing, Table, Talon, TalonPlace, are_all_loose, say,
};
use crate::violations::Code;
use alloc::vec::Vec;
use going_out::{asker_can_go_out, last_card_may_go, question_fits};
pub(crate) use melds::melds_shaped;
use pile::start_within_pile;
pub use standing::OF_PLAY;
use tentative::{loose_fits, taken_top_fits};

mod going_out;
mod melds;
mod pile;
mod standing;
mod tentative;
mod unpacked;

pub(crate) use unpacked::check_unpacked;

/// A fact that is true of every table: a sentence, and the test that finds what contradicts it.
#[derive(Clone, Copy)]
pub struct Invariant {
    /// The sentence, without a full stop.
    pub sentence: &'static str,
    /// Returns what contradicts the sentence.
    pub test: fn(&Table) -> Result<(), Found>,
    /// Whether a packed table is tested for the sentence. Most of the others hold for whatever [`crate::pack`] reads:
    /// it counts cards against the pack, numbers melds in their order, and derives the rest.
    pub tested_when_unpacked: bool,
    /// Whether the test needs a search.
    pub searches: bool,
    /// Ids of the laws on the irregularity that leads to a table without this fact, the nearest first. Actions can be
    /// judged on such a table. Empty if no irregularity of play leads to it: then the position only contradicts itself.
    pub laws: &'static [&'static str],
}

impl Invariant {
    /// Returns the invariant with the laws on breaking it.
    const fn under(self, laws: &'static [&'static str]) -> Self {
        Self { laws, ..self }
    }
}

/// Returns an invariant that holds for every packed table.
const fn derived(sentence: &'static str, test: fn(&Table) -> Result<(), Found>) -> Invariant {
    Invariant { sentence, test, tested_when_unpacked: false, searches: false, laws: &[] }
}

/// Returns an invariant that packed tables are tested for.
const fn stored(sentence: &'static str, test: fn(&Table) -> Result<(), Found>) -> Invariant {
    Invariant { tested_when_unpacked: true, ..derived(sentence, test) }
}

/// Returns an invariant whose test needs a search. Packed tables are not tested for it: the search has been made when
/// the action was accepted that led to the table, and nobody can make a server search by sending a token.
const fn proven(sentence: &'static str, test: fn(&Table) -> Result<(), Found>) -> Invariant {
    Invariant { searches: true, ..derived(sentence, test) }
}

/// All invariants.
pub const ALL: &[Invariant] = &[
    derived("every card is in exactly one place, or the cards are gathered up", census).under(&["IR-008"]),
    derived("no hand holds a red three that is laid by itself", no_red_three_held)
        .under(&["IR-041", "IR-040"]),
    stored("a foot is whole until it is in play", feet_whole),
    derived("only threes of the kind that is laid are laid", only_threes_laid),
    derived("every meld has the shape of its kind", melds_shaped).under(&["IR-022", "IR-023"]),
    derived("melds stand by side and id, each id once", melds_ordered),
    derived("a side has opened exactly if it has a meld", opened_if_melded),
    stored("a seat that has melded belongs to a side that has opened", melded_seats_opened),
    derived("what freezes the pile lies in it", freeze_follows),
    stored("the start of the pile is no longer than the pile", start_within_pile),
    stored("cards that may still return were laid in this turn", loose_fits),
    stored("a taken top waits or lies among them", taken_top_fits),
    stored("exact cuts are noted where they are paid for, once cards are dealt", cut_is_paid),
    stored("the seat in turn has a card", turn_has_cards),
    stored("the source of the turn's cards fits the phase", source_fits),
    stored("a question is open exactly while it is asked, or until a ruling ends the round", question_fits),
    stored("melding after the discard is asked for, and only then possible", courtesy_fits),
    stored("a turn has no discard only after a last three that ends so", no_discard_fits),
    stored("a seat that must play its only card may go out", last_card_may_go).under(&["IR-054", "IR-022"]),
    proven("a seat that asked, or was answered yes, can go out", asker_can_go_out)
        .under(&["IR-050", "IR-053"]),
    stored("a refusal waits for the other answers", answer_fits),
    stored("a round that is over says how it ended", over_fits),
    stored("sides have formed exactly where somebody took the pile or went out", lone_fits),
    stored("every player has one seat", players_seated),
    stored("rounds count from 1, or from the draw for seats", rounds_from_one),
    derived("seats and sides that do not exist have nothing", nobody_has_nothing),
    stored("seats that are named exist", named_seats_exist),
    stored("threes that are fresh are held and can be laid", fresh_threes_held),
    stored("rulings concern what there is", rulings_fit),
    derived("talons have the sizes that they are dealt in, until they are used", talons_have_sizes),
    stored("a talon is offered, and a hand to be shown, only of the seat before", offers_fit),
    stored("a special hand is named only where it has ended the round", special_fits),
    stored("a card lies face down only where somebody went out", face_down_fits),
    stored("a draw that left all wilds was a draw", wild_draw_fits),
];

/// Tests all invariants.
///
/// # Errors
/// The sentence of the first invariant that does not hold, and what contradicts it.
pub fn check_all(table: &Table) -> Result<(), (&'static str, Found)> {
    first_broken(table, ALL.iter())
}

/// Tests the invariants that hold for every table that [`crate::pack`] reads: all that need no search.
///
/// # Errors
/// As [`check_all`].
pub fn check_without_search(table: &Table) -> Result<(), (&'static str, Found)> {
    first_broken(table, ALL.iter().filter(|each| !each.searches))
}

fn first_broken<'a>(
    table: &Table,
    mut invariants: impl Iterator<Item = &'a Invariant>,
) -> Result<(), (&'static str, Found)> {
    invariants.try_for_each(|each| (each.test)(table).map_err(|found| (each.sentence, found)))
}

fn ensure(holds: bool, found: impl FnOnce() -> Sentence) -> Result<(), Found> {
    if holds { Ok(()) } else { Err(Found(alloc::vec![found()])) }
}

fn none(found: impl Iterator<Item = Sentence>) -> Result<(), Found> {
    let found: Vec<Sentence> = found.collect();
    if found.is_empty() { Ok(()) } else { Err(Found(found)) }
}

/// The rules on the pack, of all books.
const PACK: &str = "CL-001 MA-001 HN-069 HF-010 GR-009";
/// The rules on a red three that comes to a hand, of all books.
const RED_THREE: &str = "CL-069 WH-060 HN-031 S3-027 GR-020 HF-043";

/// Counts the cards against the pack. Before a deal no card is in play; after the game, none or all are.
fn census(table: &Table) -> Result<(), Found> {
    let mut found: Cards = table.stock.iter().chain(&table.pile).copied().collect();
    if let Some(top) = table.taken_top.filter(|top| top.meld.is_none()) {
        found.insert(top.card);
    }
    table.talons.iter().flat_map(|talon| &talon.cards).for_each(|&card| found.insert(card));
    let melds = table.melds.iter().map(|m| &m.cards);
    for cards in table.hands.iter().chain(&table.feet).chain(&table.laid).chain(melds) {
        found.add(cards);
    }
    table.face_down.iter().for_each(|&card| found.insert(card));
    let expected = match table.phase {
        Phase::Setup | Phase::Deal => Cards::EMPTY,
        Phase::RoundOver if table.round.number == 0 => Cards::EMPTY,
        // The deal was voided at once: no card was dealt.
        Phase::RoundOver if found.is_empty() && is_voided(table) => Cards::EMPTY,
        Phase::GameOver if found.is_empty() => Cards::EMPTY,
        _ => table.rules.census(),
    };
    let (all, pack) = (found.len(), expected.len());
    if expected.is_empty() {
        return ensure(
            all == 0,
            || say!(""; found, " {lies|lie} on the table before the deal or after the round"),
        );
    }
    if all != pack {
        let differs = if all > pack { " too many" } else { " missing" };
        return ensure(
            false,
            || say!(PACK; "the zones together have ", all, " {card|cards}, the pack has ", pack, ": ", all.abs_diff(pack), " {is|are}", differs),
        );
    }
    let differs = Card::all().filter(|&card| found.count(card) != expected.count(card));
    none(differs.map(|card| {
        let (found, pack) = (found.count(card), expected.count(card));
        match found {
            0 => say!(PACK; card, " lies nowhere; the pack has ", pack),
            _ => say!(PACK; card, " lies there ", found, " {time|times}; the pack has ", pack),
        }
    }))
}

fn is_voided(table: &Table) -> bool {
    table.round.over.is_some_and(|over| over.reason == EndReason::Voided)
}

fn no_red_three_held(table: &Table) -> Result<(), Found> {
    if table.set().holds_red_threes() {
        return Ok(());
    }
    let held = table.seats().map(|seat| (seat, of_class(table.hand(seat), Class::RedThree)));
    none(held.filter(|(_, threes)| !threes.is_empty()).map(|(seat, threes)| {
        say!(RED_THREE; seat, " holds ", threes, "; a red three is laid as soon as it comes to a hand")
    }))
}

fn of_class(cards: &Cards, class: Class) -> Cards {
    cards.iter().filter(|card| card.class() == class).collect()
}

fn feet_whole(table: &Table) -> Result<(), Found> {
    let count = table.set().feet().count();
    ensure(
        table.feet.len() == count,
        || say!(""; "there are ", table.feet.len(), " feet; expected ", count),
    )?;
    let feet = table.set().feet().zip(&table.feet);
    let feet = feet.map(|((seat, size), foot)| (seat, foot.len(), u16::from(size)));
    none(feet.filter(|&(_, count, size)| count != 0 && count != size).map(|(seat, count, size)| {
        say!("HF-028"; "the foot of ", seat, " has ", count, " {card|cards}; a foot that waits has ", size)
    }))?;
    let later = table.feet.iter().skip(table.set().seats.into()).zip(&table.feet);
    let early = table.set().feet().zip(later).find(|(_, (later, foot))| later.is_empty() && !foot.is_empty());
    none(early.into_iter().map(|((seat, _), _)| {
        say!("HF-115"; "a foot of ", seat, " has come before another that waits; they come in their order")
    }))
}

fn only_threes_laid(table: &Table) -> Result<(), Found> {
    let others =
        |laid: &Cards| -> Cards { laid.iter().filter(|card| !table.set().lies_laid(card.class())).collect() };
    let laid = (0..).map(Seat).zip(&table.laid).map(|(seat, laid)| (seat, others(laid)));
    none(laid.filter(|(_, cards)| !cards.is_empty()).map(|(seat, cards)| {
        say!("CL-005"; seat, " has laid ", cards, " with the threes; only threes that are laid by themselves lie there")
    }))
}

fn melds_ordered(table: &Table) -> Result<(), Found> {
    let ordered = table.melds.is_sorted_by(|a, b| (a.side, a.id) < (b.side, b.id));
    let bounded = table.melds.iter().all(|m| m.id.0 < table.round.next_id[m.side.index()]);
    ensure(
        ordered && bounded && table.melds.len() <= MELDS_MAX,
        || say!(""; "the ", table.melds.len(), " melds are too many, or two of a side have one number"),
    )
}

/// Tests who has opened. Melds that are all loose do not open a side: their test is at the end of the turn.
fn opened_if_melded(table: &Table) -> Result<(), Found> {
    let in_turn = table.side_of(table.turn.seat);
    let loose = |side: Side| if side == in_turn { table.loose() } else { &[] };
    let melded = |side: Side| !are_all_loose(&table.melds, loose(side), side);
    let bad = table.sides().filter(|&side| table.opened(side) != melded(side));
    none(bad.map(|side| match melded(side) {
        true => say!(""; side, " has melds, and does not count as having melded"),
        false => say!(""; side, " counts as having melded, and has no meld"),
    }))
}

fn melded_seats_opened(table: &Table) -> Result<(), Found> {
    if table.round.has_melded == 0 {
        return Ok(());
    }
    let bad = table.seats().filter(|&seat| table.has_melded(seat) && !table.opened(table.side_of(seat)));
    none(bad.map(|seat| say!(""; seat, " counts as having melded, and its side has no meld")))
}

fn freeze_follows(table: &Table) -> Result<(), Found> {
    let expected = table.causes_of_pile();
    ensure(table.freeze == expected, || say!(""; "the pile counts as frozen by other cards than lie in it"))
}

fn cut_is_paid(table: &Table) -> Result<(), Found> {
    let (cut, set) = (table.round.cut, table.set());
    let dealt = !matches!(table.phase, Phase::Setup | Phase::Deal);
    let paid = (!cut.hands || set.cut_bonus > 0) && (!cut.feet || set.foot_cut_bonus > 0);
    ensure(
        paid && (dealt || cut == Cut::default()),
        || say!("WH-013 HF-025"; "an exact cut is noted; the rule set pays none, or no card is dealt"),
    )
}

/// Tests that the seat in turn has a card. A foot of only red threes leaves no card (HF-079), nor do threes that had to
/// be laid and were not replaced. A foot that waits comes to the empty hand.
fn turn_has_cards(table: &Table) -> Result<(), Found> {
    let playing = table.is_dealt();
    let seat = table.turn.seat;
    let forced = table.set().threes_keep != ThreesKeep::Free && table.stock.is_empty();
    let forced = forced || table.turn.no_discard;
    let may_be_empty = (table.set().foot_size > 0 && table.foot(seat).is_empty()) || forced;
    let empty = table.hands.get(seat.index()).is_none_or(Cards::is_empty);
    ensure(
        seat.0 < table.set().seats && !(playing && empty && !may_be_empty),
        || say!("CL-078 MA-120 HN-019 WH-080 HF-081"; seat, " is in turn and has no card; the round has ended"),
    )
}

/// The rules on the course of a turn, of all books.
const TURN: &str = Code::TurnDrawFirst.entry().row();

fn source_fits(table: &Table) -> Result<(), Found> {
    let none = table.turn.source == Source::None;
    let fits = match table.phase {
        Phase::Start => none,
        Phase::Taking => table.turn.source == Source::Pile,
        Phase::Play | Phase::Asked => !none,
        _ => true,
    };
    ensure(fits, || match none {
        true => say!(TURN; table.turn.seat, " is said to play on, and has neither drawn nor taken the pile"),
        false => {
            say!(TURN; table.turn.seat, " has its cards of this turn, and is said to be at another point of it")
        }
    })
}

/// Tests that melding after the discard is asked for and allowed only where the rules permit it (AMB-HF-14).
fn courtesy_fits(table: &Table) -> Result<(), Found> {
    let (set, turn) = (table.set(), &table.turn);
    if turn.courtesy == Courtesy::None && table.round.courteous == 0 {
        return Ok(());
    }
    let opponent = |seat: Seat| seat.0 < set.seats && table.side_of(seat) != table.side_of(turn.seat);
    let (consent, plays) = (set.courtesy == CourtesyKnob::WithConsent, table.phase == Phase::Play);
    let asked = match turn.courtesy {
        Courtesy::None => true,
        Courtesy::Asked(to) => consent && opponent(to) && table.phase == Phase::Asked,
        Courtesy::Granted => set.courtesy != CourtesyKnob::Off && (plays || table.phase == Phase::Asked),
        Courtesy::Refused(by) => consent && opponent(by) && (plays || table.phase == Phase::Asked),
    };
    let may = |seat: Seat| table.is_dealt() && seat != turn.seat && !table.hand(seat).is_empty();
    let seats = table.round.courteous == 0 || set.courtesy != CourtesyKnob::Off;
    let late = seats && (0..SEATS_MAX as u8).map(Seat).all(|seat| !table.is_courteous(seat) || may(seat));
    let over = matches!(table.phase, Phase::RoundOver | Phase::GameOver);
    ensure(
        (asked || over) && late,
        || say!("HF-073"; "melding after the discard is asked for or allowed where that cannot be"),
    )
}

/// Tests that a turn has no discard only after a last three that ends the turn so (clarification 7).
fn no_discard_fits(table: &Table) -> Result<(), Found> {
    let after_three = table.set().last_three == LastThree::MeldNoDiscard
        && table.stock.is_empty()
        && table.turn.source != Source::None;
    ensure(
        !table.turn.no_discard || after_three,
        || say!("CL-093 CL-094"; "the turn of ", table.turn.seat, " has no discard, and its last card was no last red three"),
    )
}

/// Tests that an answer is kept only while the other of two mates who were asked has not answered (AMB-WH-04).
fn answer_fits(table: &Table) -> Result<(), Found> {
    let fits = |by: Seat| match table.turn.permission {
        Permission::Pending { to, .. } => {
            let mut mates = table.mates(table.turn.seat);
            table.set().ask_whom == AskWhom::All && to != by && mates.any(|mate| mate == by)
        }
        _ => false,
    };
    ensure(
        table.turn.answered.is_none_or(|answer| fits(answer.by)),
        || say!("AMB-WH-04"; "a mate has answered, and no other mate is waited for"),
    )
}

fn over_fits(table: &Table) -> Result<(), Found> {
    let (over, playing) = (table.round.over.is_some(), table.is_dealt());
    let must = table.phase == Phase::RoundOver;
    ensure(!(over && playing) && (over || !must), || match over {
        true => say!(""; "the round is over, and a seat is said to be in turn"),
        false => say!(""; "the round is said to be over, and nothing says how it ended"),
    })
}

/// Tests that a lone seat is named (P3-004, P3-006), and that the side number which its pair gave up has no meld.
fn lone_fits(table: &Table) -> Result<(), Found> {
    let lone = table.round.lone;
    let forms = table.set().side_formation == SideFormation::LoneTaker;
    let dealt = !matches!(table.phase, Phase::Setup | Phase::Deal);
    let out = dealt && table.round.over.is_some_and(|over| over.reason == EndReason::WentOut);
    // A tentative take does not count yet.
    let took = table.turn.source == Source::Pile && table.taken_top.is_none();
    let must = forms && (out || took);
    let emptied = |side| table.seats_of(side).next().is_none();
    // Until sides form, every side has a seat.
    let gone = lone.is_none()
        || table
            .sides()
            .filter(|&side| emptied(side))
            .all(|side| table.melds_of(side).next().is_none() && table.round.next_id[side.index()] == 0);
    ensure(
        (lone.is_some() || !must) && (lone.is_none() || forms && dealt) && gone,
        || say!("P3-004"; "the seat that plays alone is named too early or not at all"),
    )
}

/// Tests that players and seats pair off (ALG-27). Before a draw, and without one, player `n` sits on seat `n`.
fn players_seated(table: &Table) -> Result<(), Found> {
    let set = table.set();
    let seating = table.seating();
    let undrawn = table.round.number == 0 && table.phase != Phase::RoundOver;
    let fits = if set.side_choice == SideChoice::Given || undrawn {
        table.seating == AS_GIVEN || seating.iter().zip(table.seats()).all(|(&player, seat)| player == seat)
    } else {
        seating.iter().fold(0u8, |found, player| found | 1 << player.0) == (1 << set.seats) - 1
    };
    ensure(fits, || say!(""; "a player has no seat, or two"))
}

/// Tests the number of the round against the phase. Round 0 is the draw for seats.
fn rounds_from_one(table: &Table) -> Result<(), Found> {
    let phase = matches!(table.phase, Phase::Setup | Phase::Deal | Phase::RoundOver);
    let drawing = table.round.number == 0;
    let drawn = table.round.over.is_some_and(|over| over.reason == EndReason::Drawn);
    let over = table.phase != Phase::RoundOver || drawing == drawn;
    ensure(
        over && (!drawing || phase && table.set().draws_cards()),
        || say!(""; "round ", table.round.number, " cannot be at this point: rounds count from 1, or from the draw for seats"),
    )
}

fn nobody_has_nothing(table: &Table) -> Result<(), Found> {
    let seats = usize::from(table.set().seats);
    let hands =
        table.hands[seats..SEATS_MAX].iter().chain(&table.laid[seats..SEATS_MAX]).all(Cards::is_empty);
    let (sides, units) = (usize::from(table.set().side_count), usize::from(table.set().unit_count()));
    let scores = table.scores[units..].iter().all(|&score| score == 0);
    let melds = table.melds.iter().all(|m| m.side.index() < sides);
    let ids = table.round.next_id[sides..].iter().all(|&next| next == 0);
    let restores =
        table.round.restores.iter().skip(if table.set().pile_restore { sides } else { 0 }).all(|&r| r == 0);
    ensure(
        hands && scores && melds && ids && restores,
        || say!(""; "a seat or a side that does not exist has cards, points or melds"),
    )
}

fn named_seats_exist(table: &Table) -> Result<(), Found> {
    let (round, turn, seats) = (&table.round, &table.turn, table.set().seats);
    let asked_or_refusing = match turn.permission {
        Permission::Pending { to: seat, .. } | Permission::No { by: seat } => Some(seat),
        Permission::None | Permission::Yes => None,
    };
    let ender = round.over.and_then(|over| over.seat);
    let named = [Some(round.dealer), Some(turn.seat), asked_or_refusing, ender, round.lone];
    let sets = u32::from(round.has_melded | round.asked | round.played) >> seats == 0;
    let beyond = named.into_iter().flatten().find(|seat| seat.0 >= seats);
    ensure(sets && beyond.is_none(), || match beyond {
        Some(seat) => say!(""; seat, " is named; the rule set has ", seats, " {seat|seats}"),
        None => say!(""; "a seat is named that does not exist; the rule set has ", seats, " {seat|seats}"),
    })
}

fn rulings_fit(table: &Table) -> Result<(), Found> {
    let Some(rulings) = table.rulings.as_deref() else { return Ok(()) };
    let (seats, sides) = (table.set().seats, table.set().side_count);
    let goes_on = table.is_dealt() || table.phase == Phase::RoundOver;
    let numbered = rulings.kept.is_sorted_by(|a, b| a.id < b.id)
        && rulings.last <= RULINGS_MAX
        && rulings.kept.iter().all(|kept| (1..=rulings.last).contains(&kept.id));
    let held = table.seats().all(|seat| table.hand(seat).contains(&rulings.penalty_cards(seat)));
    let points = -POINTS_MAX..=POINTS_MAX;
    let fits = |kept: &Kept| {
        let stands = match &kept.standing {
            Standing::None => true,
            Standing::Surcharge(by) => goes_on && points.contains(by) && *by > 0,
            Standing::Penalty(seat, cards) => goes_on && seat.0 < seats && !cards.is_empty(),
            Standing::Forfeit(seat, turns) => goes_on && seat.0 < seats && *turns > 0,
            Standing::Talon(seat, number) => {
                let talon = table.talons.get(usize::from(*number));
                goes_on && seat.0 < seats && talon.is_some_and(|talon| talon.place == TalonPlace::Centre)
            }
            Standing::Adjusted(by_side) => {
                let [changed, nothing] = [&by_side[..usize::from(sides)], &by_side[usize::from(sides)..]];
                let sound = |change: &i32| points.contains(change) && change % 5 == 0;
                changed.iter().all(sound)
                    && *by_side != [0; SEATS_MAX]
                    && nothing.iter().all(|&change| change == 0)
            }
            // The number of a side that was given up when three players formed sides stands for no seat: no seat loses.
            Standing::Lost(award) => {
                let forms = table.set().side_formation == SideFormation::LoneTaker;
                points.contains(award) && *award >= 0 && (rulings.forfeited != 0 || forms)
            }
        };
        let named = points.contains(&kept.points)
            && kept.side.0 < sides
            && kept.offender.is_none_or(|seat| seat.0 < seats);
        named && stands && !(kept.reversed && kept.standing != Standing::None)
    };
    let sets = rulings.signed >> sides == 0 && rulings.forfeited >> table.set().unit_count() == 0;
    let ended = table.phase == Phase::GameOver || rulings.signed == 0;
    let lost = rulings.forfeited == 0 || matches!(table.phase, Phase::RoundOver | Phase::GameOver);
    let booked =
        rulings.adjustments[usize::from(table.set().unit_count())..].iter().all(|&points| points == 0)
            && (table.phase != Phase::GameOver || rulings.adjustments == [0; SEATS_MAX])
            && rulings.adjustments.iter().all(|points| points.unsigned_abs() <= 1_000_000_000);
    let bounded = rulings.kept.len() <= KEPT_MAX && *rulings != Rulings::default();
    let all = numbered && held && rulings.kept.iter().all(fits) && sets && ended && lost && booked && bounded;
    ensure(all, || say!("IR-105"; "a ruling concerns a seat, a side, a card or a number that cannot be"))
}

/// Tests that fresh threes can be laid by the seat in turn, and that marks exist only if the rule set needs them.
fn fresh_threes_held(table: &Table) -> Result<(), Found> {
    let (set, fresh) = (table.set(), &table.turn.fresh);
    let laid = || fresh.iter().all(|card| set.lays(card.class()));
    let held = || table.hand(table.turn.seat).contains(fresh);
    let marked =
        (set.marks_fresh_threes() || fresh.is_empty()) && (set.marks_turns() || table.round.played == 0);
    ensure(
        marked && (fresh.is_empty() || laid() && held()),
        || say!("MA-033 HF-043"; *fresh, " came to the hand of ", table.turn.seat, " in this turn, and cannot be laid from it"),
    )
}

fn talons_have_sizes(table: &Table) -> Result<(), Found> {
    let sizes = &table.set().talons;
    let size = |talon: &Talon, size: u8| match talon.place {
        TalonPlace::Used => talon.cards.is_empty(),
        TalonPlace::Centre => talon.cards.len() == usize::from(size),
        TalonPlace::Before(seat) => talon.cards.len() == usize::from(size) && seat.0 < table.set().seats,
    };
    let whole = sizes.len() == table.talons.len() && table.talons.iter().zip(sizes).all(|(t, &s)| size(t, s));
    let gathered =
        table.talons.is_empty() && !matches!(table.phase, Phase::Start | Phase::Play | Phase::Asked);
    ensure(whole || gathered, || say!("MA-012"; "the talons are not those that were set aside"))
}

/// Tests that a talon is offered, and a hand may be called for, only of the seat that discarded last. That is the seat in
/// turn if its discard ended the round.
fn offers_fit(table: &Table) -> Result<(), Found> {
    let (set, round) = (table.set(), &table.round);
    let last = match table.phase {
        Phase::Start => Some(Seat((table.turn.seat.0 + set.seats - 1) % set.seats)),
        Phase::RoundOver | Phase::GameOver => Some(table.turn.seat),
        _ => None,
    };
    let fits = |seat: Option<Seat>, known: bool| seat.is_none() || known && seat == last;
    let earned = round.offered.is_none_or(|seat| {
        let talon = table.talons.get(table.talon_of(table.side_of(seat)));
        talon.is_some_and(|talon| talon.place == TalonPlace::Centre)
    });
    ensure(
        earned && fits(round.offered, set.offers_talons()) && fits(round.reveal, set.reveal),
        || say!("IR-060 MA-082"; "a talon is offered, or a hand may be called for, of another seat than the one before"),
    )
}

fn special_fits(table: &Table) -> Result<(), Found> {
    let ended =
        table.round.over.is_some_and(|over| over.reason == EndReason::SpecialHand && over.seat.is_some());
    let named = table.round.special.is_some();
    ensure(
        named <= ended && (named || !ended || table.phase != Phase::RoundOver),
        || say!("MA-142"; "a special hand is named, and the round did not end by one; or it did, and none is named"),
    )
}

fn face_down_fits(table: &Table) -> Result<(), Found> {
    let ended = table.round.over.is_some_and(|over| over.reason == EndReason::WentOut);
    ensure(
        table.face_down.is_none() || (ended && table.set().final_face_down),
        || say!(""; "a card lies face down on the pile, and nobody has gone out with it"),
    )
}

fn wild_draw_fits(table: &Table) -> Result<(), Found> {
    let known = table.set().discard_wilds == DiscardWilds::ForcedByDraw;
    ensure(
        !table.turn.all_wild_draw || (known && table.turn.source == Source::Stock),
        || say!("MA-085"; "the draw of this turn left nothing but wild cards, and there was no draw for which that counts"),
    )
}
