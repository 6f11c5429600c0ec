//! What is true of every state, one named function each.

use crate::action::MeldKind;
use crate::card::{Card, Cards, Class};
use crate::check::{Requirement, may_be_stranded, may_go_out, missing_to_go_out, must_go_out};
use crate::rejection::Field;
use crate::rules::{
    AskCheck, AskWhom, Courtesy as CourtesyKnob, DiscardWilds, LastThree, PileSteps, RuleSet, SideChoice,
    SideFormation, ThreesKeep, WildTop,
};
use crate::seat::{MAX_SEATS, Seat, Side};
use crate::sequence::Sequence;
use crate::table::{
    Courtesy, Cut, EndReason, Found, Kept, Loose, MAX_KEPT, MAX_MELDS, MAX_POINTS, MAX_RULINGS, Meld, Part,
    Permission, Phase, Rulings, Sentence, Setup, SetupFault, Source, Standing, Table, TakenTop, Talon,
    TalonPlace, are_all_loose, say,
};
use crate::violations::Code;
use crate::way_out;
use alloc::vec::Vec;

/// An invariant: its name and the test, which says what it found.
pub type Invariant = (&'static str, fn(&Table) -> Result<(), Found>);

/// All invariants.
pub const ALL: &[Invariant] = &[
    ("every card is in exactly one place, or the cards are gathered up", census),
    ("no hand holds a red three that is laid by itself", no_red_three_held),
    ("a foot is whole until it is in play", feet_whole),
    ("only threes of the kind that is laid are laid", only_threes_laid),
    ("every meld has the shape of its kind", melds_shaped),
    ("melds stand by side and id, each id once", melds_ordered),
    ("a side has opened exactly if it has a meld", opened_if_melded),
    ("a seat that has melded belongs to a side that has opened", melded_seats_opened),
    ("what freezes the pile lies in it", freeze_follows),
    ("the start of the pile is no longer than the pile", start_within_pile),
    ("cards that may still return were laid in this turn", loose_fits),
    ("a taken top waits or lies among them", taken_top_fits),
    ("exact cuts are noted where they are paid for, once cards are dealt", cut_is_paid),
    ("the seat in turn has a card", turn_has_cards),
    ("the source of the turn's cards fits the phase", source_fits),
    ("a question is open exactly while it is asked", question_fits),
    ("melding after the discard is asked for, and only then possible", courtesy_fits),
    ("a turn has no discard only after a last three that ends so", no_discard_fits),
    ("a seat that must play its only card may go out", last_card_may_go),
    ("a seat that asked, or was answered yes, can go out", asker_can_go_out),
    ("a refusal waits for the other answers", answer_fits),
    ("a round that is over says how it ended", over_fits),
    ("sides have formed exactly where somebody took the pile or went out", lone_fits),
    ("every player has one seat", players_seated),
    ("rounds count from 1, or from the draw for seats", rounds_from_one),
    ("seats and sides that do not exist have nothing", nobody_has_nothing),
    ("seats that are named exist", named_seats_exist),
    ("threes that are fresh are held and can be laid", fresh_threes_held),
    ("rulings concern what there is", rulings_fit),
    ("talons have the sizes that they are dealt in, until they are used", talons_have_sizes),
    ("a talon is offered, and a hand to be shown, only of the seat before", offers_fit),
    ("a special hand is named only where it has ended the round", special_fits),
    ("a card lies face down only where somebody went out", face_down_fits),
    ("a draw that left all wilds was a draw", wild_draw_fits),
];

/// Those that a token's bytes can break. The others hold for whatever is read: [`canasta_game::token`] counts
/// cards against the pack, numbers melds as they come and derives the rest.
pub(crate) const OF_FACTS: &[Invariant] = &[
    ("a foot is whole until it is in play", feet_whole),
    ("a seat that has melded belongs to a side that has opened", melded_seats_opened),
    ("the start of the pile is no longer than the pile", start_within_pile),
    ("cards that may still return were laid in this turn", loose_fits),
    ("a taken top waits or lies among them", taken_top_fits),
    ("exact cuts are noted where they are paid for, once cards are dealt", cut_is_paid),
    ("the seat in turn has a card", turn_has_cards),
    ("the source of the turn's cards fits the phase", source_fits),
    ("a question is open exactly while it is asked", question_fits),
    ("melding after the discard is asked for, and only then possible", courtesy_fits),
    ("a turn has no discard only after a last three that ends so", no_discard_fits),
    ("a seat that must play its only card may go out", last_card_may_go),
    ("a seat that asked, or was answered yes, can go out", asker_can_go_out),
    ("a refusal waits for the other answers", answer_fits),
    ("a round that is over says how it ended", over_fits),
    ("sides have formed exactly where somebody took the pile or went out", lone_fits),
    ("every player has one seat", players_seated),
    ("rounds count from 1, or from the draw for seats", rounds_from_one),
    ("seats that are named exist", named_seats_exist),
    ("threes that are fresh are held and can be laid", fresh_threes_held),
    ("rulings concern what there is", rulings_fit),
    ("a talon is offered, and a hand to be shown, only of the seat before", offers_fit),
    ("a special hand is named only where it has ended the round", special_fits),
    ("a card lies face down only where somebody went out", face_down_fits),
    ("a draw that left all wilds was a draw", wild_draw_fits),
];

impl Setup {
    /// Validates the setup.
    ///
    /// # Errors
    /// Everything that is wrong with it, at once.
    pub fn into_table(self) -> Result<Table, Vec<SetupFault>> {
        let faults = self.size_faults();
        if !faults.is_empty() {
            return Err(faults);
        }
        let table = self.build();
        let broken = ALL.iter().filter_map(|&(expected, test)| Some((expected, test(&table).err()?)));
        let faults: Vec<SetupFault> = broken
            .flat_map(|(expected, found)| found.0.into_iter().map(move |sentence| (expected, sentence)))
            .map(|(expected, sentence)| {
                SetupFault::new(expected, sentence, table.set(), &table.rules().books())
            })
            .collect();
        if faults.is_empty() { Ok(table) } else { Err(faults) }
    }
}

/// Tests all of them; the first that fails, with what it found.
///
/// # Errors
/// Name of the invariant and what was found.
pub fn check_all(state: &Table) -> Result<(), (&'static str, Found)> {
    ALL.iter().try_for_each(|&(name, test)| test(state).map_err(|found| (name, found)))
}

fn ensure(holds: bool, found: impl FnOnce() -> Sentence) -> Result<(), Found> {
    if holds { Ok(()) } else { Err(Found(alloc::vec![found()])) }
}

fn none(found: impl Iterator<Item = Sentence>) -> Result<(), Found> {
    let found: Vec<Sentence> = found.collect();
    if found.is_empty() { Ok(()) } else { Err(Found(found)) }
}

/// Rules on the pack, of all books.
const PACK: &str = "CL-001 MA-001 HN-069 HF-010 GR-009";
/// Rules on a red three that comes to a hand, of all books.
const RED_THREE: &str = "CL-069 WH-060 HN-031 S3-027 GR-020 HF-043";

/// Cards are gathered up from the end of a round to the next deal. A game may end in either way.
fn census(state: &Table) -> Result<(), Found> {
    let mut found: Cards = state.stock.iter().chain(&state.pile).copied().collect();
    if let Some(top) = state.taken_top.filter(|top| top.meld.is_none()) {
        found.insert(top.card);
    }
    state.talons.iter().flat_map(|talon| &talon.cards).for_each(|&card| found.insert(card));
    let melds = state.melds.iter().map(|m| &m.cards);
    for cards in state.hands.iter().chain(&state.feet).chain(&state.laid).chain(melds) {
        found.add(cards);
    }
    state.face_down.iter().for_each(|&card| found.insert(card));
    let expected = match state.phase {
        Phase::Setup | Phase::Deal => Cards::EMPTY,
        Phase::RoundOver if state.round.number == 0 => Cards::EMPTY,
        // A deal that is void at once.
        Phase::RoundOver if found.is_empty() && is_voided(state) => Cards::EMPTY,
        Phase::GameOver if found.is_empty() => Cards::EMPTY,
        _ => state.rules.census(),
    };
    let differs = Card::all().filter(|&card| found.count(card) != expected.count(card));
    none(differs.map(|card| {
        let (found, pack) = (found.count(card), expected.count(card));
        match expected.is_empty() {
            true => say!(""; card, " lies on the table before the deal or after the round"),
            false => say!(PACK; card, " is there ", found, " times; the pack has ", pack),
        }
    }))
}

fn is_voided(state: &Table) -> bool {
    state.round.over.is_some_and(|over| over.reason == EndReason::Voided)
}

fn no_red_three_held(state: &Table) -> Result<(), Found> {
    if state.set().lays_threes_by_choice() {
        return Ok(());
    }
    let held = state.seats().map(|seat| (seat, of_class(state.hand(seat), Class::RedThree)));
    none(held.filter(|(_, threes)| !threes.is_empty()).map(|(seat, threes)| {
        say!(RED_THREE; seat, " holds ", threes, "; a red three is laid as soon as it comes to a hand")
    }))
}

fn of_class(cards: &Cards, class: Class) -> Cards {
    cards.iter().filter(|card| card.class() == class).collect()
}

fn feet_whole(state: &Table) -> Result<(), Found> {
    let size = u16::from(state.set().foot_size);
    let count = usize::from(if size > 0 { state.set().seats } else { 0 });
    ensure(
        state.feet.len() == count,
        || say!(""; "there are ", state.feet.len(), " feet; expected ", count),
    )?;
    let parts = (0..).map(Seat).zip(&state.feet).filter(|(_, foot)| !foot.is_empty() && foot.len() != size);
    none(parts.map(|(seat, foot)| {
        say!("HF-028"; "the foot of ", seat, " has ", foot.len(), " cards; a foot that waits has ", size)
    }))
}

fn only_threes_laid(state: &Table) -> Result<(), Found> {
    let others =
        |laid: &Cards| -> Cards { laid.iter().filter(|card| !state.set().lays(card.class())).collect() };
    let laid = (0..).map(Seat).zip(&state.laid).map(|(seat, laid)| (seat, others(laid)));
    none(laid.filter(|(_, cards)| !cards.is_empty()).map(|(seat, cards)| {
        say!("CL-005"; seat, " has laid ", cards, " with the threes; only threes that are laid by themselves lie there")
    }))
}

/// A meld that is loose need only be of one kind: the rest is tested at the turn's end (HN-015).
pub(crate) fn melds_shaped(state: &Table) -> Result<(), Found> {
    none(state.melds.iter().flat_map(|meld| faults_of_meld(state, meld)))
}

/// Everything that is wrong with the shape of a meld.
fn faults_of_meld(state: &Table, m: &Meld) -> Vec<Sentence> {
    let set = state.set();
    let loose = m.side == state.side_of(state.turn.seat) && state.loose_of(m.id).is_some();
    let own = |code: Code, problem: &'static str, found: Cards| say!(code.entry().row(); m.side, "'s meld ", m.cards, problem, found);
    let few = |code: Code, found: u16, what: &'static str, least: u8| {
        let has = if found == 1 { what.trim_end_matches('s') } else { what };
        let row = code.entry().row();
        say!(row; m.side, "'s meld ", m.cards, " has ", found, " ", has, "; a meld has ", least, " or more")
    };
    let belongs = |card: &Card| match (m.kind, card.class()) {
        (MeldKind::Set, Class::Natural) => m.rank == Some(card.rank()),
        (MeldKind::Set | MeldKind::Wild, Class::Wild) => true,
        (MeldKind::BlackThrees, Class::BlackThree) => true,
        (MeldKind::Sequence, Class::Natural) => true,
        _ => false,
    };
    let strays: Cards = m.cards.iter().filter(|card| !belongs(card)).collect();
    let naturals = m.len() - u16::from(m.wilds());
    let mut found = Vec::new();
    if !strays.is_empty() {
        found.push(own(Code::MeldMixedRanks, " holds cards that do not belong to it: ", strays));
    }
    if m.rank.is_some() != (m.kind == MeldKind::Set) || loose && m.kind == MeldKind::Set && naturals == 0 {
        found.push(own(Code::MeldTooFewNaturals, " is of no rank: ", m.cards));
    }
    if m.len() < if loose { 1 } else { u16::from(set.meld_min) } {
        found.push(few(Code::MeldTooSmall, m.len(), "cards", set.meld_min));
    }
    if !loose && m.kind == MeldKind::Set && naturals < u16::from(set.min_naturals) {
        found.push(few(Code::MeldTooFewNaturals, naturals, "natural cards", set.min_naturals));
    }
    if !loose && m.kind == MeldKind::Sequence && strays.is_empty() {
        found.extend(sequence_fault(set, m));
    }
    found
}

fn sequence_fault(set: &RuleSet, m: &Meld) -> Option<Sentence> {
    let fault = |code: Code, problem| say!(code.entry().row(); m.side, "'s meld ", m.cards, problem);
    if !set.sequences {
        return Some(fault(Code::MeldSequenceOff, " is a sequence; the rule set has none"));
    }
    match Sequence::of_meld(m) {
        None => Some(fault(Code::MeldSequenceGap, " is no unbroken sequence of one suit")),
        Some(sequence) if sequence.len > set.sequence_max => {
            Some(fault(Code::MeldTooLarge, " is longer than a sequence may be"))
        }
        Some(_) => None,
    }
}

fn melds_ordered(state: &Table) -> Result<(), Found> {
    let ordered = state.melds.is_sorted_by(|a, b| (a.side, a.id) < (b.side, b.id));
    let bounded = state.melds.iter().all(|m| m.id.0 < state.round.next_id[m.side.index()]);
    ensure(
        ordered && bounded && state.melds.len() <= MAX_MELDS,
        || say!(""; "the ", state.melds.len(), " melds are too many, or two of a side have one number"),
    )
}

/// Melds that are all loose do not open a side: the turn's test is still to come.
fn opened_if_melded(state: &Table) -> Result<(), Found> {
    let in_turn = state.side_of(state.turn.seat);
    let loose = |side: Side| if side == in_turn { state.loose() } else { &[] };
    let melded = |side: Side| !are_all_loose(&state.melds, loose(side), side);
    let bad = state.sides().filter(|&side| state.opened(side) != melded(side));
    none(bad.map(|side| match melded(side) {
        true => say!(""; side, " has melds, and does not count as having melded"),
        false => say!(""; side, " counts as having melded, and has no meld"),
    }))
}

fn melded_seats_opened(state: &Table) -> Result<(), Found> {
    let bad = state.seats().filter(|&seat| state.has_melded(seat) && !state.opened(state.side_of(seat)));
    none(bad.map(|seat| say!(""; seat, " counts as having melded, and its side has no meld")))
}

fn freeze_follows(state: &Table) -> Result<(), Found> {
    let expected = state.causes_of_pile();
    ensure(state.freeze == expected, || say!(""; "the pile counts as frozen by other cards than lie in it"))
}

fn start_within_pile(state: &Table) -> Result<(), Found> {
    let taken = usize::from(state.taken_top.is_some());
    let (start, pile) = (usize::from(state.round.start_len), state.pile.len() + taken);
    ensure(start <= pile, || say!(""; "the deal turned ", start, " cards; the pile has ", pile))
}

fn loose_fits(state: &Table) -> Result<(), Found> {
    let loose = &state.turn.loose;
    let side = state.side_of(state.turn.seat);
    let lies = |l: &Loose| {
        !l.cards.is_empty() && state.meld(side, l.meld).is_some_and(|m| m.cards.contains(&l.cards))
    };
    let in_order = loose.is_sorted_by(|a, b| a.meld < b.meld);
    let playing = matches!(state.phase, Phase::Play | Phase::Taking | Phase::Asked);
    let allowed = loose.is_empty() || playing && state.set().undo_meld;
    ensure(allowed, || say!("HN-013"; "cards that lie on the table may not return to the hand here"))?;
    ensure(in_order, || say!(""; "a meld is named twice among those whose cards may return"))?;
    none(loose.iter().filter(|l| !lies(l)).map(|l| {
        say!(""; l.cards, " may return to the hand, and does not lie in meld ", i64::from(l.meld.0), " of ", side)
    }))
}

fn taken_top_fits(state: &Table) -> Result<(), Found> {
    let taking = state.phase == Phase::Taking;
    let fits = match state.taken_top {
        None => !taking,
        Some(TakenTop { card, meld: Some(id) }) => {
            taking && state.loose_of(id).is_some_and(|loose| loose.count(card) > 0)
        }
        Some(TakenTop { .. }) => taking,
    };
    let takable = |class| match class {
        Class::Natural => true,
        Class::Wild => state.set().wild_top == WildTop::WildPair,
        Class::RedThree | Class::BlackThree => false,
    };
    let natural = state.taken_top.is_none_or(|top| takable(top.card.class()));
    let allowed = !taking || state.set().pile_steps == PileSteps::Two;
    ensure(fits && natural && allowed, || match state.taken_top {
        Some(top) => {
            say!(""; "the top ", top.card, " is taken tentatively, and cannot wait for its meld here")
        }
        None => say!(""; "a top is being taken tentatively, and no card is named as that top"),
    })
}

fn cut_is_paid(state: &Table) -> Result<(), Found> {
    let (cut, set) = (state.round.cut, state.set());
    let dealt = !matches!(state.phase, Phase::Setup | Phase::Deal);
    let paid = (!cut.hands || set.cut_bonus > 0) && (!cut.feet || set.foot_cut_bonus > 0);
    ensure(
        paid && (dealt || cut == Cut::default()),
        || say!("WH-013 HF-025"; "an exact cut is noted; the rule set pays none, or no card is dealt"),
    )
}

/// A foot of nothing but red threes leaves none (HF-079); one that waits comes to the hand. Nor do threes that had to be
/// laid and that nothing replaced.
fn turn_has_cards(state: &Table) -> Result<(), Found> {
    let playing = matches!(state.phase, Phase::Start | Phase::Play | Phase::Asked | Phase::Taking);
    let seat = state.turn.seat;
    let forced = state.set().threes_keep != ThreesKeep::Free && state.stock.is_empty();
    let forced = forced || state.turn.no_discard;
    let may_be_empty = (state.set().foot_size > 0 && state.foot(seat).is_empty()) || forced;
    let empty = state.hands.get(seat.index()).is_none_or(Cards::is_empty);
    ensure(
        seat.0 < state.set().seats && !(playing && empty && !may_be_empty),
        || say!("CL-078 MA-120 HN-019 WH-080 HF-081"; seat, " is in turn and has no card; the round has ended"),
    )
}

/// Rules on the course of a turn, of all books.
const TURN: &str = Code::TurnDrawFirst.entry().row();

fn source_fits(state: &Table) -> Result<(), Found> {
    let none = state.turn.source == Source::None;
    let fits = match state.phase {
        Phase::Start => none,
        Phase::Taking => state.turn.source == Source::Pile,
        Phase::Play | Phase::Asked => !none,
        _ => true,
    };
    ensure(fits, || match none {
        true => say!(TURN; state.turn.seat, " is said to play on, and has neither drawn nor taken the pile"),
        false => {
            say!(TURN; state.turn.seat, " has its cards of this turn, and is said to be at another point of it")
        }
    })
}

fn question_fits(state: &Table) -> Result<(), Found> {
    let pending = state.pending().is_some();
    // CL-086: nobody asks before the draw.
    let early =
        matches!(state.phase, Phase::Start | Phase::Taking) && state.turn.permission != Permission::None;
    ensure(pending == (state.phase == Phase::Asked), || match pending {
        true => say!("CL-087"; "a question is open, and play is said to go on"),
        false => say!("CL-087"; "an answer is waited for, and no question is open"),
    })?;
    ensure(!early, || say!(Code::AskTooLate.entry().row(); state.turn.seat, " has asked before the draw"))
}

/// AMB-HF-14.
fn courtesy_fits(state: &Table) -> Result<(), Found> {
    let (set, turn) = (state.set(), &state.turn);
    let opponent = |seat: Seat| seat.0 < set.seats && state.side_of(seat) != state.side_of(turn.seat);
    let (consent, plays) = (set.courtesy == CourtesyKnob::WithConsent, state.phase == Phase::Play);
    let asked = match turn.courtesy {
        Courtesy::None => true,
        Courtesy::Asked(to) => consent && opponent(to) && state.phase == Phase::Asked,
        Courtesy::Granted => set.courtesy != CourtesyKnob::Off && (plays || state.phase == Phase::Asked),
        Courtesy::Refused(by) => consent && opponent(by) && (plays || state.phase == Phase::Asked),
    };
    let may = |seat: Seat| state.is_dealt() && seat != turn.seat && !state.hand(seat).is_empty();
    let seats = state.round.courteous == 0 || set.courtesy != CourtesyKnob::Off;
    let late = seats && (0..MAX_SEATS as u8).map(Seat).all(|seat| !state.is_courteous(seat) || may(seat));
    let over = matches!(state.phase, Phase::RoundOver | Phase::GameOver);
    ensure(
        (asked || over) && late,
        || say!("HF-073"; "melding after the discard is asked for or allowed where that cannot be"),
    )
}

/// Clarification 7.
fn no_discard_fits(state: &Table) -> Result<(), Found> {
    let after_three = state.set().last_three == LastThree::MeldNoDiscard
        && state.stock.is_empty()
        && state.turn.source != Source::None;
    ensure(
        !state.turn.no_discard || after_three,
        || say!("CL-093 CL-094"; "the turn of ", state.turn.seat, " has no discard, and its last card was no last red three"),
    )
}

/// CL-084: otherwise it could neither discard nor keep the card. It keeps it by a pass, or takes cards back.
fn last_card_may_go(state: &Table) -> Result<(), Found> {
    let seat = state.turn.seat;
    let back = state.set().pass_discard || !state.turn.loose.is_empty();
    let only = state.phase == Phase::Play && state.hand(seat).len() == 1 && !back;
    let canastas = state.canastas(state.side_of(seat));
    let waits = !state.foot(seat).is_empty();
    let other_end = state.turn.no_discard || waits || may_be_stranded(state);
    let stays = only && !may_go_out(state, canastas) && !other_end;
    let last = |needed: Requirement| {
        let row = needed.violation(Field::Action);
        let one = " has one card left in its turn and cannot keep it; going out needs ";
        match needed.kind() {
            Some(kind) => {
                let (side, plural) = (state.side_of(seat), if needed.needs == 1 { "" } else { "s" });
                let has = if needed.has == 0 { "none".into() } else { Part::from(needed.has) };
                say!(row; seat, one, needed.needs, " ", kind, plural, ", and ", side, " has ", has)
            }
            None => {
                say!(row; seat, " has one card left in its turn and cannot keep it; ", needed.code.entry().summary)
            }
        }
    };
    none(stays.then(|| missing_to_go_out(state, canastas)).into_iter().flatten().map(last))
}

/// AMB-16: "yes, but unable" cannot arise, unless questions are not checked.
fn asker_can_go_out(state: &Table) -> Result<(), Found> {
    let playing = matches!(state.phase, Phase::Play | Phase::Asked);
    let pending = matches!(state.turn.permission, Permission::Pending { .. })
        && state.set().ask_check == AskCheck::Strict;
    // What lies loose can be taken back.
    let fixed = state.turn.loose.is_empty();
    let stuck = playing
        && fixed
        && (pending || must_go_out(state))
        && way_out::is_ruled_out(&way_out::Reach::of(state));
    ensure(!stuck, || {
        let (seat, hand) = (state.turn.seat, *state.hand(state.turn.seat));
        say!(Code::AskCannotGoOut.entry().row(); seat, " has asked or must go out, and cannot go out with ", hand)
    })
}

/// AMB-WH-04: of two mates that are asked one has answered, and the other is waited for.
fn answer_fits(state: &Table) -> Result<(), Found> {
    let fits = |by: Seat| match state.turn.permission {
        Permission::Pending { to, .. } => {
            let mut mates = state.mates(state.turn.seat);
            state.set().ask_whom == AskWhom::All && to != by && mates.any(|mate| mate == by)
        }
        _ => false,
    };
    ensure(
        state.turn.answered.is_none_or(|answer| fits(answer.by)),
        || say!("AMB-WH-04"; "a mate has answered, and no other mate is waited for"),
    )
}

fn over_fits(state: &Table) -> Result<(), Found> {
    let (over, playing) = (
        state.round.over.is_some(),
        matches!(state.phase, Phase::Start | Phase::Play | Phase::Asked | Phase::Taking),
    );
    let must = state.phase == Phase::RoundOver;
    ensure(!(over && playing) && (over || !must), || match over {
        true => say!(""; "the round is over, and a seat is said to be in turn"),
        false => say!(""; "the round is said to be over, and nothing says how it ended"),
    })
}

/// P3-004, P3-006. The number that a pair gave up has nothing.
fn lone_fits(state: &Table) -> Result<(), Found> {
    let lone = state.round.lone;
    let forms = state.set().side_formation == SideFormation::LoneTaker;
    let dealt = !matches!(state.phase, Phase::Setup | Phase::Deal);
    let out = dealt && state.round.over.is_some_and(|over| over.reason == EndReason::WentOut);
    // A tentative take is none yet.
    let took = state.turn.source == Source::Pile && state.phase != Phase::Taking;
    let must = forms && (out || took);
    let emptied = |side| state.seats_of(side).next().is_none();
    let gone = state
        .sides()
        .filter(|&side| emptied(side))
        .all(|side| state.melds_of(side).next().is_none() && state.round.next_id[side.index()] == 0);
    ensure(
        (lone.is_some() || !must) && (lone.is_none() || forms && dealt) && gone,
        || say!("P3-004"; "the seat that plays alone is named too early or not at all"),
    )
}

/// ALG-27: before the draw, and without one, every player sits where the list has him.
fn players_seated(state: &Table) -> Result<(), Found> {
    let set = state.set();
    let seating = state.seating();
    let undrawn = state.round.number == 0 && state.phase != Phase::RoundOver;
    let fits = if set.side_choice == SideChoice::Given || undrawn {
        seating.iter().zip(state.seats()).all(|(&player, seat)| player == seat)
    } else {
        seating.iter().fold(0u8, |found, player| found | 1 << player.0) == (1 << set.seats) - 1
    };
    ensure(fits, || say!(""; "a player has no seat, or two"))
}

/// Round 0 is the draw for seats.
fn rounds_from_one(state: &Table) -> Result<(), Found> {
    let phase = matches!(state.phase, Phase::Setup | Phase::Deal | Phase::RoundOver);
    let drawing = state.round.number == 0;
    let drawn = state.round.over.is_some_and(|over| over.reason == EndReason::Drawn);
    let over = state.phase != Phase::RoundOver || drawing == drawn;
    ensure(
        over && (!drawing || phase && state.set().draws_cards()),
        || say!(""; "round ", state.round.number, " cannot be at this point: rounds count from 1, or from the draw for seats"),
    )
}

fn nobody_has_nothing(state: &Table) -> Result<(), Found> {
    let seats = usize::from(state.set().seats);
    let hands =
        state.hands[seats..MAX_SEATS].iter().chain(&state.laid[seats..MAX_SEATS]).all(Cards::is_empty);
    let (sides, units) = (usize::from(state.set().side_count), usize::from(state.set().unit_count()));
    let scores = state.scores[units..].iter().all(|&score| score == 0);
    let melds = state.melds.iter().all(|m| m.side.index() < sides);
    let ids = state.round.next_id[sides..].iter().all(|&next| next == 0);
    let restores =
        state.round.restores.iter().skip(if state.set().pile_restore { sides } else { 0 }).all(|&r| r == 0);
    ensure(
        hands && scores && melds && ids && restores,
        || say!(""; "a seat or a side that does not exist has cards, points or melds"),
    )
}

fn named_seats_exist(state: &Table) -> Result<(), Found> {
    let (round, turn, seats) = (&state.round, &state.turn, state.set().seats);
    let asked_or_refusing = match turn.permission {
        Permission::Pending { to: seat, .. } | Permission::No { by: seat } => Some(seat),
        Permission::None | Permission::Yes => None,
    };
    let ender = round.over.and_then(|over| over.seat);
    let others = asked_or_refusing.into_iter().chain(ender).chain(round.lone);
    let mut named = [round.dealer, turn.seat].into_iter().chain(others);
    let sets = u32::from(round.has_melded | round.asked | round.played) >> seats == 0;
    let beyond = named.find(|seat| seat.0 >= seats);
    ensure(sets && beyond.is_none(), || match beyond {
        Some(seat) => say!(""; seat, " is named; the rule set has ", seats, " seats"),
        None => say!(""; "a seat is named that does not exist; the rule set has ", seats, " seats"),
    })
}

fn rulings_fit(state: &Table) -> Result<(), Found> {
    let Some(rulings) = state.rulings.as_deref() else { return Ok(()) };
    let (seats, sides) = (state.set().seats, state.set().side_count);
    let goes_on = state.is_dealt() || state.phase == Phase::RoundOver;
    let numbered = rulings.kept.is_sorted_by(|a, b| a.id < b.id)
        && rulings.last <= MAX_RULINGS
        && rulings.kept.iter().all(|kept| (1..=rulings.last).contains(&kept.id));
    let held = state.seats().all(|seat| state.hand(seat).contains(&rulings.penalty_cards(seat)));
    let points = -MAX_POINTS..=MAX_POINTS;
    let fits = |kept: &Kept| {
        let stands = match &kept.standing {
            Standing::None => true,
            Standing::Surcharge(by) => goes_on && points.contains(by) && *by > 0,
            Standing::Penalty(seat, cards) => goes_on && seat.0 < seats && !cards.is_empty(),
            Standing::Forfeit(seat, turns) => goes_on && seat.0 < seats && *turns > 0,
            Standing::Talon(seat, number) => {
                let talon = state.talons.get(usize::from(*number));
                goes_on && seat.0 < seats && talon.is_some_and(|talon| talon.place == TalonPlace::Centre)
            }
            Standing::Lost(award) => points.contains(award) && *award >= 0 && rulings.forfeited != 0,
        };
        let named = points.contains(&kept.points)
            && kept.side.0 < sides
            && kept.offender.is_none_or(|seat| seat.0 < seats);
        named && stands && !(kept.reversed && kept.standing != Standing::None)
    };
    let sets = rulings.signed >> sides == 0 && rulings.forfeited >> state.set().unit_count() == 0;
    let ended = state.phase == Phase::GameOver || rulings.signed == 0;
    let lost = rulings.forfeited == 0 || matches!(state.phase, Phase::RoundOver | Phase::GameOver);
    let booked =
        rulings.adjustments[usize::from(state.set().unit_count())..].iter().all(|&points| points == 0)
            && (state.phase != Phase::GameOver || rulings.adjustments == [0; MAX_SEATS])
            && rulings.adjustments.iter().all(|points| points.unsigned_abs() <= 1_000_000_000);
    let bounded = rulings.kept.len() <= MAX_KEPT && *rulings != Rulings::default();
    let all = numbered && held && rulings.kept.iter().all(fits) && sets && ended && lost && booked && bounded;
    ensure(all, || say!("IR-105"; "a ruling concerns a seat, a side, a card or a number that cannot be"))
}

/// Only the seat in turn has any; only the rule sets that ask for it mark them, and turns that are over.
fn fresh_threes_held(state: &Table) -> Result<(), Found> {
    let (set, fresh) = (state.set(), &state.turn.fresh);
    let laid = fresh.iter().all(|card| set.lays(card.class()));
    let marked =
        (set.marks_fresh_threes() || fresh.is_empty()) && (set.marks_turns() || state.round.played == 0);
    ensure(
        laid && marked && state.hand(state.turn.seat).contains(fresh),
        || say!("MA-033 HF-043"; *fresh, " came to the hand of ", state.turn.seat, " in this turn, and cannot be laid from it"),
    )
}

fn talons_have_sizes(state: &Table) -> Result<(), Found> {
    let sizes = &state.set().talons;
    let size = |talon: &Talon, size: u8| match talon.place {
        TalonPlace::Used => talon.cards.is_empty(),
        TalonPlace::Centre => talon.cards.len() == usize::from(size),
        TalonPlace::Before(seat) => talon.cards.len() == usize::from(size) && seat.0 < state.set().seats,
    };
    let whole = sizes.len() == state.talons.len() && state.talons.iter().zip(sizes).all(|(t, &s)| size(t, s));
    let gathered =
        state.talons.is_empty() && !matches!(state.phase, Phase::Start | Phase::Play | Phase::Asked);
    ensure(whole || gathered, || say!("MA-012"; "the talons are not those that were set aside"))
}

/// The seat whose discard was the last action.
fn offers_fit(state: &Table) -> Result<(), Found> {
    let (set, round) = (state.set(), &state.round);
    let before = Seat((state.turn.seat.0 + set.seats - 1) % set.seats);
    let fits = |seat: Option<Seat>, known: bool| {
        seat.is_none_or(|seat| known && state.phase == Phase::Start && seat == before)
    };
    let earned = round.offered.is_none_or(|seat| {
        let talon = state.talons.get(state.talon_of(state.side_of(seat)));
        talon.is_some_and(|talon| talon.place == TalonPlace::Centre)
    });
    ensure(
        earned && fits(round.offered, set.offers_talons()) && fits(round.reveal, set.reveal),
        || say!("IR-060 MA-082"; "a talon is offered, or a hand may be called for, of another seat than the one before"),
    )
}

fn special_fits(state: &Table) -> Result<(), Found> {
    let ended =
        state.round.over.is_some_and(|over| over.reason == EndReason::SpecialHand && over.seat.is_some());
    let named = state.round.special.is_some();
    ensure(
        named <= ended && (named || !ended || state.phase != Phase::RoundOver),
        || say!("MA-142"; "a special hand is named, and the round did not end by one; or it did, and none is named"),
    )
}

fn face_down_fits(state: &Table) -> Result<(), Found> {
    let ended = state.round.over.is_some_and(|over| over.reason == EndReason::WentOut);
    ensure(
        state.face_down.is_none() || (ended && state.set().final_face_down),
        || say!(""; "a card lies face down on the pile, and nobody has gone out with it"),
    )
}

fn wild_draw_fits(state: &Table) -> Result<(), Found> {
    let known = state.set().discard_wilds == DiscardWilds::ForcedByDraw;
    ensure(
        !state.turn.all_wild_draw || (known && state.turn.source == Source::Stock),
        || say!("MA-085"; "the draw of this turn left nothing but wild cards, and there was no draw for which that counts"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What every token keeps, whatever its bytes. An invariant that is new belongs to
    /// [`OF_FACTS`], unless the way cards are read makes it true.
    const KEPT_BY_TOKENS: [&str; 9] = [
        "every card is in exactly one place, or the cards are gathered up",
        "no hand holds a red three that is laid by itself",
        "only threes of the kind that is laid are laid",
        "every meld has the shape of its kind",
        "melds stand by side and id, each id once",
        "a side has opened exactly if it has a meld",
        "what freezes the pile lies in it",
        "seats and sides that do not exist have nothing",
        "talons have the sizes that they are dealt in, until they are used",
    ];

    #[test]
    fn every_invariant_is_kept_or_tested_when_a_token_is_read() {
        let tested: Vec<&str> = OF_FACTS.iter().map(|(name, _)| *name).collect();
        let rest: Vec<&str> =
            ALL.iter().map(|(name, _)| *name).filter(|name| !tested.contains(name)).collect();
        assert_eq!(rest, KEPT_BY_TOKENS);
        assert_eq!(tested.len() + rest.len(), ALL.len());
    }
}
