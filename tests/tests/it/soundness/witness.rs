//! An accepted batch has a witness, and a refused batch has none (clarifications 29 and 30). A witness is an order of
//! actions with one group each, which `check` accepts one after the other and which lead to the same table. A take
//! starts with the top and the cards of `with` that entitle to the pile.
//!
//! The codes of [`SUSPENDED`] judge a whole turn, so they count for neither side: a batch or a step with no other
//! code is treated as accepted. The steps are carried out here, card by card, without `apply`.
//!
//! Some batches are more than their steps, and are left out: cards that a side lays first if they open it to other
//! rules of shape (ALG-11, IR-063), limits that going out lifts (clarification 8), wilds left over by a canasta
//! (AMB-HF-13), melds that may return to the hand (ALG-07), sides that a take forms (ALG-22), and a natural meld that
//! must stay natural (GR-032).

use super::{Rng, Tally, actor, after, rule_sets, sample};
use canasta_engine::action::{Action, Group, Groups, MeldId, MeldKind, Onto, TakePile};
use canasta_engine::card::{Card, Cards, Class, Rank};
use canasta_engine::game::Game;
use canasta_engine::rules::{
    CanastaAccepts, FrozenTake, PresetId, RuleSet, Rules, SideFormation, TakeLayoff, TakeNaturalWild,
};
use canasta_engine::table::{Meld, Permission, Phase, Setup, Source};
use canasta_engine::violations::Code;
use canasta_tests::games::at;
use canasta_tests::notation::{line, show};
use std::sync::Arc;

/// The codes that judge the turn as a whole: the initial minimum, going out, duties.
const SUSPENDED: &[Code] = &[
    Code::ThreeMustBeLaid,
    Code::StockMustTakePile,
    Code::PileInitialMeldFirst,
    Code::InitialBelowMinimum,
    Code::InitialContentMissing,
    Code::ThreeBlackNotGoingOut,
    Code::GoOutDiscardRequired,
    Code::GoOutNotAsked,
    Code::GoOutRefused,
    Code::MeldLeavesTooFewCards,
    Code::GoOutNeedsCanastas,
    Code::GoOutNeedsClean,
    Code::GoOutNeedsWild,
    Code::GoOutNeedsSequence,
    Code::GoOutNeedsHandsFinished,
    Code::GoOutIncompleteMeld,
    Code::MeldLeavesNoFinish,
    Code::GoOutBound,
];

/// Number of batches that are judged.
const BATCHES: u64 = 100_000;

/// Cards that a batch adds to one meld, or with which it begins one meld.
#[derive(Clone)]
struct Column {
    onto: Onto,
    kind: MeldKind,
    cards: Vec<Card>,
    /// Whether the top of the pile goes to this meld.
    top: bool,
}

type Change = fn(&mut RuleSet);

/// Returns house rules under which the order of a take matters in other ways than under the presets.
fn houses() -> impl Iterator<Item = Arc<Rules>> {
    let house = |(base, change): (&str, Change)| {
        let base = PresetId::from_name(base).expect("a preset");
        let mut set = base.rule_set();
        change(&mut set);
        Arc::new(Rules::house(base, set, Some("witness")).expect("a house rule that can be played"))
    };
    let houses: [(&str, Change); 5] = [
        ("classic-4p", |set| set.canasta_accepts = CanastaAccepts::Naturals),
        ("samba-4p", |set| set.take_layoff = TakeLayoff::Any),
        ("samba-4p", |set| set.take_natural_wild = TakeNaturalWild::Allow),
        ("bolivia-4p", |set| set.canasta_size = 5),
        ("classic-4p", |set| (set.take_result_max, set.max_wilds) = (7, 0)),
    ];
    houses.into_iter().map(house)
}

#[test]
fn a_batch_is_accepted_if_it_has_a_witness_and_only_then() {
    let is_judged =
        |set: &RuleSet| !set.undo_meld && !set.overfill_out && set.side_formation != SideFormation::LoneTaker;
    let rule_sets: Vec<Arc<Rules>> =
        rule_sets().into_iter().chain(houses()).filter(|rules| is_judged(rules.set())).collect();
    let mut rng = Rng(7);
    let mut tally = Tally::default();
    let (mut judged, mut number) = (0, 0);
    while judged < BATCHES {
        number += 1;
        let rules = &rule_sets[number % rule_sets.len()];
        let closing = rng.chance(60);
        let state = sample::construct(rules, &mut rng).filter(|state| state.table.rulings().last == 0);
        let state = state.and_then(|state| if closing { close(&state, &mut rng) } else { Some(state) });
        let Some(state) = state.filter(is_steady) else { continue };
        for _ in 0..12 {
            judged += u64::from(judge(&state, &mut rng, &mut tally));
        }
    }
    for (what, times) in &tally.0 {
        println!("  {what:48} {times:10}");
    }
    for (what, least) in [
        ("accepted, with a witness", 10_000),
        ("refused, without one", 10_000),
        ("refused: a wild follows a closed canasta", 300),
        ("accepted: a take with more than entitles", 1_000),
        ("accepted: a take closes a canasta", 500),
        ("sequences", 1_000),
        ("wild melds", 500),
        ("black threes", 500),
    ] {
        let times = tally.0.get(what).copied().unwrap_or(0);
        assert!(times >= least, "{what}: {times} of {judged}, expected at least {least}");
    }
}

/// Whether a batch in this position is no more than its steps; see the module.
fn is_steady(state: &Game) -> bool {
    let (set, side) = (state.table.set(), state.table.side_of(state.table.turn_seat()));
    let opening = set.wild_add_base > set.min_naturals || !set.rank_wilds.is_empty();
    let natural = set.frozen_take == FrozenTake::NaturalMeld && !state.table.frozen(side).is_empty();
    matches!(state.table.phase(), Phase::Start | Phase::Play)
        && (state.table.opened(side) || !opening)
        && !(natural && state.table.phase() == Phase::Start)
}

/// Returns the position with a top that an own set may receive, and with a few fitting cards in hand.
fn close(state: &Game, rng: &mut Rng) -> Option<Game> {
    let (seat, mut setup) = (state.table.turn_seat(), Setup::of(&state.table));
    let next = seat.left(state.table.set().seats).index();
    let sets: Vec<Rank> =
        state.table.melds_of(state.table.side_of(seat)).filter_map(|meld| meld.rank).collect();
    let rank = *sets.get(rng.below(sets.len().max(1)))?;
    let mut free: Vec<Card> = setup.stock.drain(..).chain(setup.pile.drain(..)).collect();
    free.extend(setup.hands[seat.index()].iter());
    rng.shuffle(&mut free);
    let mut take = |wanted: &dyn Fn(Card) -> bool| {
        free.iter().position(|&card| wanted(card)).map(|at| free.swap_remove(at))
    };
    let top = take(&|card| card.rank() == rank)?;
    let (naturals, wilds, others) = (rng.below(4), rng.below(4), 1 + rng.below(4));
    let of_rank = (0..naturals).filter_map(|_| take(&|card| card.rank() == rank)).collect::<Vec<_>>();
    let wilds = (0..wilds).filter_map(|_| take(&|card| card.is_wild())).collect::<Vec<_>>();
    let others = (0..others).filter_map(|_| take(&|card| card.class() == Class::Natural)).collect::<Vec<_>>();
    setup.hands[seat.index()] = of_rank.into_iter().chain(wilds).chain(others).collect();
    setup.pile = (0..3).filter_map(|_| take(&|card| card.class() == Class::Natural)).chain([top]).collect();
    let (stock, rest) = free.split_at(free.len() / 2);
    setup.stock = stock.to_vec();
    rest.iter().for_each(|&card| setup.hands[next].insert(card));
    (setup.phase, setup.source, setup.start_len) = (Phase::Start, Source::None, 0);
    (setup.fresh, setup.melded_since_draw, setup.no_discard) = (Cards::EMPTY, false, false);
    (setup.melded_before, setup.touched_old, setup.new_from) = (None, false, None);
    setup.permission = Permission::None;
    setup.into_table().ok().map(at)
}

/// Judges a random batch in both ways. Returns whether a batch was judged.
fn judge(state: &Game, rng: &mut Rng, tally: &mut Tally) -> bool {
    let Some(action) = batch(state, rng) else { return false };
    let columns = columns(state, &action);
    let verdict = state.check(actor(state), &action);
    let codes = verdict.as_ref().err().map_or(Vec::new(), |rejection| rejection.codes());
    let accepted = codes.iter().all(|code| SUSPENDED.contains(code));
    let left_over = match &verdict {
        Ok(_) => !lies_as_named(state, &after(state, &action), &columns),
        Err(_) => accepted && columns.iter().any(|column| leaves_over(state, column.onto, &column.cards)),
    };
    if left_over {
        let some = columns.iter().any(|column| leaves_over(state, column.onto, &column.cards));
        assert!(some, "{} is laid otherwise: {}", line(&action), show(&state.table));
        tally.count("left out: wilds left over", 1);
        return false;
    }
    let witness = match &action {
        Action::TakePile(take) => first_steps(state, take).iter().any(|first| {
            is_accepted(state, &Action::TakePile(first.clone())) && follows(state, first, &columns)
        }),
        _ => ends_from(Setup::of(&state.table), &columns),
    };
    assert!(
        accepted == witness,
        "{} is {}, a witness {}\n{codes:?}\n{}",
        line(&action),
        if accepted { "accepted" } else { "refused" },
        if witness { "stands against it" } else { "is missing" },
        show(&state.table)
    );
    tally.count(if accepted { "accepted, with a witness" } else { "refused, without one" }, 1);
    count(state, &action, &columns, accepted, &codes, tally);
    true
}

fn count(
    state: &Game,
    action: &Action,
    columns: &[Column],
    accepted: bool,
    codes: &[Code],
    tally: &mut Tally,
) {
    let has = |kind| u64::from(columns.iter().any(|column| column.kind == kind));
    tally.count("sequences", has(MeldKind::Sequence));
    tally.count("wild melds", has(MeldKind::Wild));
    tally.count("black threes", has(MeldKind::BlackThrees));
    let (Action::TakePile(take), Some(top)) = (action, columns.iter().find(|column| column.top)) else {
        return;
    };
    let old = own(state, top.onto).map_or(0, |meld| usize::from(meld.len()));
    let full = usize::from(state.table.set().canasta_size);
    let closes = old < full && old + top.cards.len() + 1 >= full;
    let more = top.cards.len() > 2 || (take.with.len() < 2 && !top.cards.is_empty());
    tally.count("accepted: a take closes a canasta", u64::from(accepted && closes));
    tally.count("accepted: a take with more than entitles", u64::from(accepted && more));
    let wild = old < full && codes == [Code::MeldCanastaClosed];
    tally.count("refused: a wild follows a closed canasta", u64::from(wild));
}

/// Whether these cards may close a canasta and leave wilds over, which begin a meld of their own (AMB-HF-13).
fn leaves_over(state: &Game, onto: Onto, cards: &[Card]) -> bool {
    let set = state.table.set();
    let overflows =
        set.wild_melds && set.wild_meld_max == 0 && set.canasta_accepts == CanastaAccepts::Naturals;
    let old = own(state, onto).map_or(0, |meld| usize::from(meld.len()));
    let wilds = cards.iter().filter(|card| card.is_wild()).count();
    // The top and a pair may come first.
    overflows && wilds > 0 && old + wilds + 3 > usize::from(set.canasta_size)
}

fn is_accepted(state: &Game, action: &Action) -> bool {
    let codes = state.check(actor(state), action).err().map_or(Vec::new(), |rejection| rejection.codes());
    codes.iter().all(|code| SUSPENDED.contains(code))
}

/// Returns the possible first steps of a take: the top with a pair of `with`, or alone if `with` has no pair; and
/// also with a natural and a wild if these entitle to the pile.
fn first_steps(state: &Game, take: &TakePile) -> Vec<TakePile> {
    let top = *state.table.pile().last().expect("a take has a top");
    let of_rank: Vec<Card> = take.with.iter().copied().filter(|card| card.rank() == top.rank()).collect();
    let wilds: Vec<Card> = take.with.iter().copied().filter(|card| card.is_wild()).collect();
    let step = |with: Vec<Card>| TakePile { with: with.into(), onto: take.onto, also: Groups::new() };
    let pair = if top.is_wild() { &wilds } else { &of_rank };
    let mut steps = vec![step(pair.iter().copied().take(2).filter(|_| pair.len() >= 2).collect())];
    // These cards entitle as the three cards that they are, so their meld has a largest size (SAD-06).
    let set = state.table.set();
    let size = own(state, take.onto).map_or(0, |meld| meld.len() as u8) + 3;
    let fits = [set.take_result_max, set.meld_max].into_iter().all(|most| most == 0 || size <= most);
    if let (Some(&natural), Some(&wild)) = (of_rank.first(), wilds.first())
        && !top.is_wild()
        && (fits || of_rank.len() < 2)
        && set.take_natural_wild == TakeNaturalWild::Allow
    {
        steps.push(step(vec![natural, wild]));
    }
    steps
}

/// Whether the rest of a take can be laid after its first step.
fn follows(state: &Game, first: &TakePile, columns: &[Column]) -> bool {
    let top = *state.table.pile().last().expect("a take has a top");
    let (mut setup, seat) = (Setup::of(&state.table), state.table.turn_seat());
    setup.pile.pop();
    let mut rest = columns.to_vec();
    let Some(at) = rest.iter().position(|column| column.top) else { return false };
    rest[at].top = false;
    for card in &first.with {
        let there = rest[at].cards.iter().position(|other| other == card).expect("a card of `with`");
        rest[at].cards.swap_remove(there);
        setup.hands[seat.index()].remove(*card);
    }
    let laid: Vec<Card> = first.with.iter().copied().chain([top]).collect();
    rest[at].onto = lay(&mut setup, rest[at].kind, rest[at].onto, &laid);
    for card in std::mem::take(&mut setup.pile) {
        let zone = if card.class() == Class::RedThree { &mut setup.laid } else { &mut setup.hands };
        zone[seat.index()].insert(card);
    }
    (setup.phase, setup.source, setup.start_len) = (Phase::Play, Source::Pile, 0);
    setup.fresh = Cards::EMPTY;
    ends_from(setup, &rest)
}

/// Whether these columns can be laid, group by group.
fn ends(state: &Game, columns: &[Column]) -> bool {
    columns.iter().enumerate().any(|(at, column)| {
        parts(&column.cards).into_iter().any(|part| {
            let group = Group {
                kind: column.kind,
                onto: column.onto,
                top: false,
                cards: part.iter().copied().collect(),
            };
            let wilds = part.iter().filter(|card| card.is_wild()).count();
            let old = own(state, column.onto).map_or(0, |meld| usize::from(meld.len()));
            let over = leaves_over(state, column.onto, &part)
                && old + wilds > usize::from(state.table.set().canasta_size);
            if over || !is_accepted(state, &Action::Meld([group].into_iter().collect())) {
                return false;
            }
            let (mut setup, mut rest) = (Setup::of(&state.table), columns.to_vec());
            for card in &part {
                let there = rest[at].cards.iter().position(|other| other == card).expect("its own card");
                rest[at].cards.swap_remove(there);
                setup.hands[state.table.turn_seat().index()].remove(*card);
            }
            rest[at].onto = lay(&mut setup, column.kind, column.onto, &part);
            ends_from(setup, &rest)
        })
    })
}

fn ends_from(mut setup: Setup, columns: &[Column]) -> bool {
    let rest: Vec<Column> = columns.iter().filter(|column| !column.cards.is_empty()).cloned().collect();
    // Promises, and hands that could not end their turn, concern the turn: cards that nobody names fill the hand up.
    setup.permission = Permission::None;
    let seats = setup.hands.len();
    let next = (setup.turn.index() + 1) % seats;
    while setup.hands[setup.turn.index()].len() < 12 {
        let held = setup.hands[next].iter().next().filter(|_| setup.hands[next].len() > 1);
        if let Some(card) = held {
            setup.hands[next].remove(card);
        }
        let Some(card) = held.or_else(|| setup.stock.pop()) else { break };
        setup.hands[setup.turn.index()].insert(card);
    }
    // If the setup is not a position, only another order of the steps can succeed.
    rest.is_empty() || setup.into_table().is_ok_and(|table| ends(&at(table), &rest))
}

/// Returns all cards of a column, its wilds alone, and its other cards alone.
fn parts(cards: &[Card]) -> Vec<Vec<Card>> {
    let (wilds, others): (Vec<Card>, Vec<Card>) = cards.iter().partition(|card| card.is_wild());
    let mut parts = vec![cards.to_vec()];
    if !wilds.is_empty() && !others.is_empty() {
        parts.extend([wilds, others]);
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// Puts cards of the seat in turn onto a meld. Returns the target that names this meld.
fn lay(setup: &mut Setup, kind: MeldKind, onto: Onto, cards: &[Card]) -> Onto {
    let side = setup.side_of(setup.turn);
    setup.melded_since_draw = true;
    if !setup.has_melded.contains(&setup.turn) {
        setup.has_melded.push(setup.turn);
    }
    if let Onto::Meld { id, .. } = onto {
        let meld = setup.melds.iter_mut().find(|meld| meld.side == side && meld.id == id);
        let meld = meld.expect("a meld that is named");
        cards.iter().for_each(|&card| meld.cards.insert(card));
        return onto;
    }
    let natural = cards.iter().find(|card| !card.is_wild());
    let rank = natural.filter(|_| kind == MeldKind::Set).map(|card| card.rank());
    let last = setup.melds.iter().filter(|meld| meld.side == side).map(|meld| meld.id.0 + 1).max();
    let id = MeldId(last.unwrap_or(0).max(setup.next_id[side.index()]));
    let at = setup.melds.partition_point(|meld| (meld.side, meld.id) < (side, id));
    setup.melds.insert(at, Meld { side, id, kind, rank, cards: cards.iter().copied().collect() });
    Onto::Meld { side: None, id }
}

fn own(state: &Game, onto: Onto) -> Option<&Meld> {
    let Onto::Meld { id, .. } = onto else { return None };
    state.table.meld(state.table.side_of(state.table.turn_seat()), id)
}

/// Returns the cards that the groups of a batch add to each meld, as the groups name it.
fn columns(state: &Game, action: &Action) -> Vec<Column> {
    let mut columns: Vec<Column> = Vec::new();
    let groups = match action {
        Action::TakePile(take) => {
            let top = *state.table.pile().last().expect("a take has a top");
            let kind = if top.is_wild() { MeldKind::Wild } else { MeldKind::Set };
            let kind = own(state, take.onto).map_or(kind, |meld| meld.kind);
            columns.push(Column { onto: take.onto, kind, cards: take.with.to_vec(), top: true });
            &take.also
        }
        Action::Meld(groups) => groups,
        _ => unreachable!("a batch takes or melds"),
    };
    for group in groups {
        let known = columns.iter_mut().find(|column| column.onto == group.onto && group.onto != Onto::New);
        match known {
            Some(column) => column.cards.extend(&group.cards),
            None => columns.push(Column {
                onto: group.onto,
                kind: group.kind,
                cards: group.cards.to_vec(),
                top: false,
            }),
        }
    }
    columns
}

/// Whether the melds lie as the columns name them, so that no canasta has left wilds over.
fn lies_as_named(before: &Game, after: &Game, columns: &[Column]) -> bool {
    let side = before.table.side_of(before.table.turn_seat());
    let mut named = Setup::of(&before.table);
    for column in columns {
        let top = before.table.pile().last().copied().filter(|_| column.top);
        let cards: Vec<Card> = column.cards.iter().copied().chain(top).collect();
        lay(&mut named, column.kind, column.onto, &cards);
    }
    let table = |melds: &[Meld]| {
        let own = melds.iter().filter(|meld| meld.side == side);
        let mut own: Vec<String> = own.map(|meld| format!("{:?}", (meld.kind, meld.cards))).collect();
        own.sort();
        own
    };
    table(&named.melds) == table(after.table.melds())
}

/// Returns a random, plausible batch of groups that name their melds.
fn batch(state: &Game, rng: &mut Rng) -> Option<Action> {
    let seat = state.table.turn_seat();
    let own: Vec<&Meld> = state.table.melds_of(state.table.side_of(seat)).collect();
    let mut hand: Vec<Card> = state.table.hand(seat).iter().collect();
    rng.shuffle(&mut hand);
    if state.table.phase() == Phase::Play {
        let groups: Groups =
            (0..1 + rng.below(3)).filter_map(|_| group(state, &own, &mut hand, rng)).collect();
        return (!groups.is_empty()).then_some(Action::Meld(groups));
    }
    let top = *state.table.pile().last()?;
    let fits: Vec<&&Meld> = own
        .iter()
        .filter(|meld| meld.rank == Some(top.rank()) || meld.kind == MeldKind::Sequence)
        .filter(|meld| meld.kind != MeldKind::Sequence || meld.cards.iter().all(|c| c.suit() == top.suit()))
        .collect();
    let target = fits.get(rng.below(fits.len() + 1));
    let onto = target.map_or(Onto::New, |meld| Onto::Meld { side: None, id: meld.id });
    let mut with = Vec::new();
    // A sequence takes the top alone (clarification 14).
    if target.is_none_or(|meld| meld.kind != MeldKind::Sequence) {
        with = draw(&mut hand, rng.below(4), |card| card.rank() == top.rank() && !card.is_wild());
        let wilds = if rng.chance(60) { rng.below(3) } else { 0 };
        with.extend(draw(&mut hand, wilds, |card| card.is_wild()));
    }
    let mut also = Groups::new();
    if let Some(meld) = target.filter(|_| rng.chance(40)) {
        let mut cards = draw(&mut hand, rng.below(3), |card| card.rank() == top.rank());
        cards.extend(draw(&mut hand, rng.below(2), |card| card.is_wild() && meld.kind == MeldKind::Set));
        if !cards.is_empty() {
            also.push(Group { kind: meld.kind, onto, top: false, cards: cards.into() });
        }
    }
    also.extend((0..rng.below(2)).filter_map(|_| group(state, &own, &mut hand, rng)));
    Some(Action::TakePile(TakePile { with: with.into(), onto, also }))
}

/// Takes at most `most` of the wanted cards out of the hand.
fn draw(hand: &mut Vec<Card>, most: usize, wanted: impl Fn(Card) -> bool) -> Vec<Card> {
    let mut drawn = Vec::new();
    hand.retain(|&card| {
        let takes = drawn.len() < most && wanted(card);
        drawn.extend(takes.then_some(card));
        !takes
    });
    drawn
}

fn group(state: &Game, own: &[&Meld], hand: &mut Vec<Card>, rng: &mut Rng) -> Option<Group> {
    let first = *hand.first()?;
    let old = own.get(rng.below(own.len() + 1));
    let sequences = state.table.set().sequences && rng.chance(50);
    let kind = match old {
        Some(meld) => meld.kind,
        None if first.is_wild() => MeldKind::Wild,
        None if first.rank() == Rank::Three => MeldKind::BlackThrees,
        None if sequences => MeldKind::Sequence,
        None => MeldKind::Set,
    };
    let rank = old.and_then(|meld| meld.rank).unwrap_or(first.rank());
    let suit = old.map_or(first.suit(), |meld| meld.cards.iter().next().and_then(Card::suit));
    let most = 1 + rng.below(5);
    let wilds = if rng.chance(50) { 1 + rng.below(3) } else { 0 };
    let mut cards = match kind {
        MeldKind::Wild => draw(hand, most, Card::is_wild),
        MeldKind::BlackThrees => draw(hand, most, |card| card.class() == Class::BlackThree),
        MeldKind::Sequence => run(hand, old.map(|meld| meld.cards), suit, most),
        MeldKind::Set => draw(hand, most, |card| card.rank() == rank),
    };
    if kind == MeldKind::Set {
        cards.extend(draw(hand, wilds, Card::is_wild));
    }
    let onto = old.map_or(Onto::New, |meld| Onto::Meld { side: None, id: meld.id });
    (!cards.is_empty()).then(|| Group { kind, onto, top: false, cards: cards.into() })
}

/// Takes cards of one suit out of the hand, one per rank, whether or not they continue `old`.
fn run(hand: &mut Vec<Card>, old: Option<Cards>, suit: Option<u8>, most: usize) -> Vec<Card> {
    let mut ranks: u16 =
        old.map_or(0, |cards| cards.iter().fold(0, |ranks, c| ranks | 1 << c.rank().index()));
    let mut drawn = Vec::new();
    hand.retain(|&card| {
        let fits = card.class() == Class::Natural && card.suit() == suit;
        let takes = fits && drawn.len() < most && ranks & 1 << card.rank().index() == 0;
        if takes {
            ranks |= 1 << card.rank().index();
            drawn.push(card);
        }
        !takes
    });
    drawn
}
