//! Two states that differ in hidden cards only look the same, in every preset: the views, the legal actions, every
//! refusal, and the events of whatever is done next.

use canasta_engine::action::{About, Action, As, CardList, Group, MeldId, MeldKind, Onto, TakePile};
use canasta_engine::apply::apply;
use canasta_engine::card::{Card, Cards, Rank};
use canasta_engine::check::{Legal, check};
use canasta_engine::event::Event;
use canasta_engine::legal;
use canasta_engine::rules::{Courtesy, PresetId, Rules, TalonAward};
use canasta_engine::scoring;
use canasta_engine::seat::Seat;
use canasta_engine::state::{DealSource, Phase, Setup, State};
use canasta_engine::view::{events, view};
use canasta_tests::games::{Policy, Rng, actor, is_on, new_game};
use canasta_tests::notation::{line, show};
use std::sync::Arc;

/// Positions compared of each rule set, with every viewer.
const POSITIONS: usize = 1000;

/// A preset, and knobs that differ from it.
type Changed = (&'static str, &'static [(&'static str, &'static str)]);

/// Rule sets besides the presets: switches that bring actions of their own.
const SWITCHED: &[Changed] = &[
    ("american-4p", &[("talon_award", "\"manual\"")]),
    ("hand-and-foot-4p", &[("courtesy", "\"on_request\"")]),
    ("hand-and-foot-6p", &[("courtesy", "\"with_consent\"")]),
    ("classic-4p", &[("pile_look", "\"three\"")]),
];

#[test]
fn nobody_is_told_what_they_cannot_see() {
    let presets = PresetId::all().map(|id| (id.name(), &[][..]));
    for (base, knobs) in presets.chain(SWITCHED.iter().copied()) {
        let rules = rules(base, knobs);
        let mut seen = Seen::default();
        let mut rng = Rng(17);
        for game in 0.. {
            if seen.positions >= POSITIONS {
                break;
            }
            let policy = Policy::ALL[game as usize % Policy::ALL.len()];
            play(&rules, game, policy, &mut rng, &mut seen);
        }
        println!("{}: {seen:?}", rules.id());
        assert!(seen.differ * 10 > seen.pairs * 8, "twins differ: {seen:?}");
        assert!(seen.refusals > 0 && seen.actions > 0, "{seen:?}");
        let set = rules.set();
        let has_asides = set.talon_award == TalonAward::Manual || set.courtesy != Courtesy::Off;
        assert!(seen.asides > 0 || !has_asides, "talons are taken, and melds laid late: {seen:?}");
    }
}

/// What the pairs have covered.
#[derive(Default, Debug)]
struct Seen {
    positions: usize,
    pairs: usize,
    /// Pairs that differ in a card.
    differ: usize,
    refusals: usize,
    /// Actions done in both.
    actions: usize,
    /// Things done out of turn.
    asides: usize,
}

fn rules(base: &str, knobs: &[(&str, &str)]) -> Arc<Rules> {
    let id = PresetId::from_name(base).expect("a preset");
    let mut set = id.rule_set();
    for &(name, value) in knobs {
        set.change(name, value).expect("a value of a knob");
    }
    Arc::new(Rules::house(id, set, None).expect("played"))
}

fn play(rules: &Arc<Rules>, game: u32, policy: Policy, rng: &mut Rng, seen: &mut Seen) {
    let mut state = new_game(rules, 5, game);
    for _ in 0..3 {
        state.register();
        while is_on(&state) && seen.positions < POSITIONS {
            let steps = legal::steps(&state).actions;
            let mut next = (actor(&state), policy.choose(&state, &steps, rng).clone());
            let asides = state.seats().flat_map(|seat| {
                legal::aside(&state, seat).into_iter().map(move |action| (As::Seat(seat), action))
            });
            let asides: Vec<(As, Action)> = asides.collect();
            if !asides.is_empty() && rng.chance(60) {
                next = asides[rng.below(asides.len())].clone();
                seen.asides += 1;
            }
            if state.to_act().is_some() && rng.chance(30) {
                compare(&state, &next, rng, seen);
            }
            let legal = check(&state, next.0, &next.1).expect("a listed action is legal");
            apply(&mut state, legal);
        }
        if state.phase() != Phase::RoundOver {
            return;
        }
        scoring::book(&mut state);
        if state.phase() != Phase::Setup {
            return;
        }
    }
}

fn compare(state: &State, next: &(As, Action), rng: &mut Rng, seen: &mut Seen) {
    seen.positions += 1;
    for viewer in state.seats().map(As::Seat).chain([As::Table]) {
        let other = twin(state, viewer, &Pins::NONE, rng, |_| true);
        seen.pairs += 1;
        seen.differ += usize::from(view(state, As::Judge) != view(&other, As::Judge));
        assert_eq!(view(state, viewer), view(&other, viewer), "{viewer:?}\n{}", show(state));
        for _ in 0..4 {
            let probe = probe(state, viewer, rng);
            let (one, two) = (check(state, viewer, &probe).err(), check(&other, viewer, &probe).err());
            assert_eq!(one, two, "{viewer:?}: {}\n{}\n{}", line(&probe), show(state), show(&other));
            seen.refusals += usize::from(one.is_some());
        }
        if let As::Seat(seat) = viewer {
            assert_eq!(legal::aside(state, seat), legal::aside(&other, seat), "{}", show(state));
        }
        if viewer == actor(state) {
            assert_eq!(legal::steps(state), legal::steps(&other), "{}\n{}", show(state), show(&other));
        }
        compare_after(state, viewer, next, rng);
        seen.actions += 1;
    }
}

/// The same action in two states that look the same to `viewer` before and, as far as it may, after it.
fn compare_after(state: &State, viewer: As, (who, action): &(As, Action), rng: &mut Rng) {
    let acts = |state: &State| check(state, *who, action).map(|legal| after(state, legal));
    let (one, first) = acts(state).expect("a step is legal");
    let shown = first.iter().find_map(|event| match event {
        Event::Revealed { seat, .. } | Event::SpecialHand { seat, .. } => Some(*seat),
        _ => None,
    });
    let pins = Pins { named: (*who, named(action)), stock: viewer == *who, coming: true, shown };
    let other = twin(state, viewer, &pins, rng, |twin| check(twin, *who, action).is_ok());
    let (two, second) = acts(&other).expect("legal for the actor's own hand");
    assert_eq!(
        events(&first, viewer),
        events(&second, viewer),
        "{viewer:?} {}\n{}",
        line(action),
        show(state)
    );
    assert_eq!(view(&one, viewer), view(&two, viewer), "{viewer:?} {}\n{}", line(action), show(state));
}

fn after(state: &State, legal: Legal) -> (State, Vec<Event>) {
    let mut next = state.clone();
    let events = apply(&mut next, legal).to_vec();
    (next, events)
}

/// What a twin must keep although the viewer does not see it yet.
struct Pins {
    /// Who acts, and the cards that stay in its hand: the action shows them.
    named: (As, Cards),
    /// The stock stays: the viewer is to draw from it.
    stock: bool,
    /// Talons and the viewer's own foot stay: they may come to the viewer's hand.
    coming: bool,
    /// The seat whose hand is shown by the action.
    shown: Option<Seat>,
}

impl Pins {
    const NONE: Self = Self { named: (As::Table, Cards::EMPTY), stock: false, coming: false, shown: None };
}

/// A place where a card lies that a viewer cannot see.
#[derive(Clone, Copy)]
enum Place {
    Hand(Seat),
    Foot(Seat),
    Stock(usize),
    Talon(usize, usize),
    FaceDown,
}

/// A twin that is a position and for which `holds`. Where a public fact speaks of a whole hand (whoever asks can
/// go out), the hands of whoever is in turn and whoever acts stay as they are.
fn twin(state: &State, viewer: As, pins: &Pins, rng: &mut Rng, holds: impl Fn(&State) -> bool) -> State {
    let dealt = |whole, rng: &mut Rng| dealt_anew(state, viewer, pins, whole, rng).into_state();
    match dealt(false, rng) {
        Ok(twin) if holds(&twin) => return twin,
        _ => {}
    }
    let twin = dealt(true, rng).unwrap_or_else(|faults| panic!("{faults:?}\n{}", show(state)));
    assert!(
        holds(&twin),
        "nothing else depends on a hidden card: {viewer:?}\n{}\n{}",
        show(state),
        show(&twin)
    );
    twin
}

/// The position with the cards that `viewer` cannot see dealt anew among the places where they lie; `whole` keeps
/// the hands of the seat in turn and of who acts.
fn dealt_anew(state: &State, viewer: As, pins: &Pins, whole: bool, rng: &mut Rng) -> Setup {
    let hidden = hidden(state, viewer, pins, whole);
    let mut setup = Setup::of(state);
    // Secrets are hidden from everyone.
    setup.origin.source = DealSource::Unknown;
    for &(place, card) in &hidden {
        match place {
            Place::Hand(seat) => _ = setup.hands[seat.index()].remove(card),
            Place::Foot(seat) => _ = setup.feet[seat.index()].remove(card),
            _ => {}
        }
    }
    let mut cards: Vec<Card> = hidden.iter().map(|&(_, card)| card).collect();
    rng.shuffle(&mut cards);
    for ((place, _), card) in hidden.into_iter().zip(cards) {
        match place {
            Place::Hand(seat) => setup.hands[seat.index()].insert(card),
            Place::Foot(seat) => setup.feet[seat.index()].insert(card),
            Place::Stock(at) => setup.stock[at] = card,
            Place::Talon(talon, at) => setup.talons[talon].cards[at] = card,
            Place::FaceDown => setup.face_down = Some(card),
        }
    }
    setup
}

/// The cards that `viewer` cannot see, by place. Threes are left out: where they are laid at once no hand can hold
/// one, and what is drawn in their place is public. Cards in the pile are known: each was shown when it was laid.
fn hidden(state: &State, viewer: As, pins: &Pins, whole: bool) -> Vec<(Place, Card)> {
    let mut hidden: Vec<(Place, Card)> = Vec::new();
    let turn = state.turn_seat();
    for seat in state.seats() {
        let own = viewer == As::Seat(seat);
        let mut hand = *state.hand(seat);
        let open = state.rulings().penalty_cards(seat);
        let acts = pins.named.0 == As::Seat(seat);
        let named = if acts { pins.named.1 } else { Cards::EMPTY };
        open.iter().chain(named.iter()).for_each(|card| _ = hand.remove(card));
        if !(own || pins.shown == Some(seat) || whole && (seat == turn || acts)) {
            hidden.extend(hand.iter().map(|card| (Place::Hand(seat), card)));
        }
        if !(own && pins.coming) {
            hidden.extend(state.foot(seat).iter().map(|card| (Place::Foot(seat), card)));
        }
    }
    if !pins.stock {
        hidden.extend(state.stock().iter().enumerate().map(|(at, &card)| (Place::Stock(at), card)));
    }
    for (number, talon) in state.talons().iter().enumerate().filter(|_| !pins.coming) {
        hidden.extend(talon.cards.iter().enumerate().map(|(at, &card)| (Place::Talon(number, at), card)));
    }
    hidden.extend(state.face_down().map(|card| (Place::FaceDown, card)));
    hidden.retain(|(_, card)| card.rank() != Rank::Three);
    hidden
}

/// The hand cards that `action` shows.
fn named(action: &Action) -> Cards {
    let of_groups = |groups: &[Group]| groups.iter().flat_map(|g| g.cards.iter().copied()).collect::<Cards>();
    match action {
        Action::TakePile(take) => {
            let mut cards = of_groups(&take.also);
            take.with.iter().for_each(|&card| cards.insert(card));
            cards
        }
        Action::Meld(groups) => of_groups(groups),
        Action::Discard(card) => [*card].into_iter().collect(),
        Action::LayThrees(cards) => cards.iter().copied().collect(),
        _ => Cards::EMPTY,
    }
}

/// An action that is mostly illegal, with cards from the viewer's hand, the pile and anywhere.
fn probe(state: &State, viewer: As, rng: &mut Rng) -> Action {
    let set = state.set();
    match rng.below(12) {
        0 => Action::DrawStock,
        1 => Action::EndRound,
        2 => Action::Discard(card(state, viewer, rng)),
        3 => Action::Answer { yes: rng.chance(50) },
        4 => Action::Ask { about: [About::GoOut, About::Courtesy][rng.below(2)], to: None },
        5 => Action::CallReveal { of: Seat(rng.below(usize::from(set.seats)) as u8) },
        6 => [Action::TakeTalon, Action::TakeTop, Action::RestorePile, Action::Pass][rng.below(4)].clone(),
        7 => Action::LayThrees(list(state, viewer, rng)),
        8 | 9 => Action::TakePile(TakePile {
            with: list(state, viewer, rng),
            onto: onto(rng),
            also: (0..rng.below(2)).map(|_| group(state, viewer, rng)).collect(),
        }),
        _ => Action::Meld((0..=rng.below(2)).map(|_| group(state, viewer, rng)).collect()),
    }
}

fn card(state: &State, viewer: As, rng: &mut Rng) -> Card {
    let own: Vec<Card> = match viewer {
        As::Seat(seat) => state.hand(seat).iter().collect(),
        _ => Vec::new(),
    };
    match rng.below(8) {
        0 => Card::from_kind(rng.below(53) as u8).expect("below 53 are kinds"),
        1 if !state.pile().is_empty() => state.pile()[rng.below(state.pile().len())],
        _ if own.is_empty() => Card::JOKER,
        _ => own[rng.below(own.len())],
    }
}

/// Mostly cards of one rank, from the hand.
fn list(state: &State, viewer: As, rng: &mut Rng) -> CardList {
    let first = card(state, viewer, rng);
    let mut cards: CardList = std::iter::once(first).collect();
    if let As::Seat(seat) = viewer {
        let fits = |card: &Card| card.rank() == first.rank() || card.is_wild();
        cards.extend(state.hand(seat).iter().filter(fits).take(rng.below(5)));
    }
    cards
}

fn group(state: &State, viewer: As, rng: &mut Rng) -> Group {
    let kinds = [MeldKind::Set, MeldKind::Set, MeldKind::Wild, MeldKind::Sequence, MeldKind::BlackThrees];
    let kind = kinds[rng.below(kinds.len())];
    Group { kind, onto: onto(rng), top: false, cards: list(state, viewer, rng) }
}

fn onto(rng: &mut Rng) -> Onto {
    match rng.below(4) {
        0 => Onto::New,
        1 => Onto::Meld { side: None, id: MeldId(rng.below(4) as u8) },
        _ => Onto::Auto,
    }
}
