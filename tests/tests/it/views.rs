//! Two states that differ only in hidden cards look the same, in every preset and through the service: the bytes of
//! views, legal actions, suggestions and refusals, of the answers to the next action, and the length of the sealed
//! states.

mod service;

use canasta_engine::action::{Action, As, Group};
use canasta_engine::card::{Card, Cards, Rank};
use canasta_engine::check::Legal;
use canasta_engine::deal::GameSecret;
use canasta_engine::dealing::DealSource;
use canasta_engine::event::Event;
use canasta_engine::game::Game;
use canasta_engine::legal;
use canasta_engine::rules::{Courtesy, PresetId, Rules, TalonAward};
use canasta_engine::scoring;
use canasta_engine::seat::Seat;
use canasta_engine::table::{Phase, Setup};
use canasta_engine::view::{events, view};
use canasta_tests::games::{Policy, Rng, actor, is_on, new_game};
use canasta_tests::notation::{line, show};
use canasta_tests::probes::probe;
use service::Service;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Pairs of states compared, unless `CANASTA_PAIRS` names another number.
const PAIRS: usize = 100_000;

/// A preset, and knobs that differ from it.
type Changed = (&'static str, &'static [(&'static str, &'static str)]);

/// Rule sets besides the presets, with switches that add actions.
const SWITCHED: &[Changed] = &[
    ("american-4p", &[("talon_award", "\"manual\"")]),
    ("hand-and-foot-4p", &[("courtesy", "\"on_request\"")]),
    ("hand-and-foot-4p", &[("foot_size", "4"), ("more_feet", "[3,5]")]),
    ("classic-4p", &[("black_three_table", "[5,10,15,100]")]),
    ("hand-and-foot-6p", &[("courtesy", "\"with_consent\"")]),
    ("classic-4p", &[("pile_look", "\"three\"")]),
];

#[test]
#[allow(clippy::disallowed_methods, reason = "the environment says how many pairs")]
fn nobody_is_told_what_they_cannot_see() {
    let pairs = std::env::var("CANASTA_PAIRS").ok().and_then(|n| n.parse().ok()).unwrap_or(PAIRS);
    let presets = PresetId::all().map(|id| (id.name(), &[][..]));
    let sets: Vec<_> = presets.chain(SWITCHED.iter().copied()).collect();
    let wanted = pairs.div_ceil(sets.len());
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let total: usize = std::thread::scope(|scope| {
        let (sets, next) = (&sets, &next);
        let work = move |thread: usize| {
            let service = Service::new(&format!("views-{thread}"));
            std::iter::from_fn(|| sets.get(next.fetch_add(1, Ordering::Relaxed)))
                .map(|(base, knobs)| compare_games(&service, &rules(base, knobs), wanted))
                .sum::<usize>()
        };
        let running: Vec<_> = (0..threads).map(|thread| scope.spawn(move || work(thread))).collect();
        running.into_iter().map(|thread| thread.join().expect("no pair differs")).sum()
    });
    assert!(total >= pairs, "{total} pairs");
}

/// Plays games of a rule set until so many pairs are compared. Returns the number of pairs.
fn compare_games(service: &Service, rules: &Arc<Rules>, wanted: usize) -> usize {
    let mut seen = Seen { wanted, ..Seen::default() };
    let mut rng = Rng(17);
    for game in 0.. {
        if seen.pairs >= seen.wanted {
            break;
        }
        let policy = Policy::ALL[game as usize % Policy::ALL.len()];
        play(service, rules, game, policy, &mut rng, &mut seen);
    }
    println!("{}: {seen:?}", rules.id());
    assert!(seen.differ * 10 > seen.pairs * 7, "twins differ: {seen:?}");
    let reached = [seen.refusals, seen.draws, seen.seats, seen.tables, seen.officials, seen.answers];
    assert!(reached.into_iter().all(|count| count > 0), "{seen:?}");
    let set = rules.set();
    let has_asides = set.talon_award == TalonAward::Manual || set.courtesy != Courtesy::Off;
    assert!(seen.asides > 0 || !has_asides, "talons are taken, and melds laid late: {seen:?}");
    seen.pairs
}

/// The counts of what the pairs have covered.
#[derive(Default, Debug)]
struct Seen {
    wanted: usize,
    pairs: usize,
    /// Pairs that differ in a card.
    differ: usize,
    refusals: usize,
    /// Draws from the stock, done in both.
    draws: usize,
    /// Pairs by viewer: a seat, the table, officials (who see everything except the secret).
    seats: usize,
    tables: usize,
    officials: usize,
    /// Answers to the actor's own action, compared as a whole.
    answers: usize,
    /// Actions done out of turn.
    asides: usize,
}

impl Seen {
    fn differs(&mut self, one: &Game, two: &Game) {
        self.differ += usize::from(view(&one.table, As::Judge) != view(&two.table, As::Judge));
    }
}

fn rules(base: &str, knobs: &[(&str, &str)]) -> Arc<Rules> {
    let id = PresetId::from_name(base).expect("a preset");
    let mut set = id.rule_set();
    for &(name, value) in knobs {
        set.change(name, value).expect("a value of a knob");
    }
    Arc::new(Rules::house(id, set, None).expect("played"))
}

fn play(service: &Service, rules: &Arc<Rules>, game: u32, policy: Policy, rng: &mut Rng, seen: &mut Seen) {
    let mut state = new_game(rules, 5, game);
    for _ in 0..3 {
        state.register_due();
        while is_on(&state) && seen.pairs < seen.wanted {
            let steps = legal::steps(&state.table).actions;
            let mut next = (actor(&state), policy.choose(&state, &steps, rng).clone());
            let asides = state.table.seats().flat_map(|seat| {
                legal::aside(&state.table, seat)
                    .actions
                    .into_iter()
                    .map(move |action| (As::Seat(seat), action))
            });
            let asides: Vec<(As, Action)> = asides.collect();
            if !asides.is_empty() && rng.chance(60) {
                next = asides[rng.below(asides.len())].clone();
                seen.asides += 1;
            }
            if state.table.to_act().is_some() && rng.chance(30) {
                compare(service, &state, &next, rng, seen);
            }
            let legal = state.check(next.0, &next.1).expect("a listed action is legal");
            state.apply(legal);
        }
        if state.table.phase() != Phase::RoundOver {
            return;
        }
        scoring::book(&mut state.table);
        if state.table.phase() != Phase::Setup {
            return;
        }
    }
}

fn compare(service: &Service, state: &Game, next: &(As, Action), rng: &mut Rng, seen: &mut Seen) {
    for viewer in state.table.seats().map(As::Seat).chain([As::Table]) {
        let other = twin(state, viewer, &Pins::NONE, rng, |_| true);
        seen.pairs += 1;
        *if viewer == As::Table { &mut seen.tables } else { &mut seen.seats } += 1;
        seen.differs(state, &other);
        let both = service.seal(state, &other);
        let told = || format!("{viewer:?}\n{}\n{}", show(&state.table), show(&other.table));
        both.looks_alike(viewer, rng.bits(), told);
        let probe = probe(state, viewer, rng);
        let told = || format!("{viewer:?}: {}\n{}\n{}", line(&probe), show(&state.table), show(&other.table));
        seen.refusals += usize::from(both.refuses_alike(viewer, &probe, told));
        compare_after(service, state, viewer, next, rng, seen);
    }
    // Officials see every card, but not the secret from which the next deals follow.
    let both = service.seal(state, &other_secret(state));
    for viewer in [As::Judge, As::Director] {
        both.looks_alike(viewer, rng.bits(), || format!("{viewer:?}\n{}", show(&state.table)));
        seen.officials += 1;
    }
}

/// Returns the state with the same cards and another secret.
fn other_secret(state: &Game) -> Game {
    let mut other = state.clone();
    other.dealing.source = DealSource::Seeded(GameSecret([0x5e; 64]));
    other
}

/// Applies an action in two states that look the same to `viewer` before it, and compares what the viewer may see
/// after it.
fn compare_after(
    service: &Service,
    state: &Game,
    viewer: As,
    next: &(As, Action),
    rng: &mut Rng,
    seen: &mut Seen,
) {
    let (who, action) = next;
    let first = after(state, state.check(*who, action).expect("a step is legal"));
    let shown = first.iter().find_map(|event| match event {
        Event::Revealed { seat, .. } | Event::SpecialHand { seat, .. } => Some(*seat),
        _ => None,
    });
    let pins = Pins { named: (*who, named(action)), stock: viewer == *who, coming: true, shown };
    let other = twin(state, viewer, &pins, rng, |twin| twin.check(*who, action).is_ok());
    let second = after(&other, other.check(*who, action).expect("legal for the actor's own hand"));
    let told = || format!("{viewer:?} {}\n{}\n{}", line(action), show(&state.table), show(&other.table));
    seen.differs(state, &other);
    seen.pairs += 1;
    seen.draws += usize::from(*action == Action::DrawStock);
    assert_eq!(events(&first, viewer), events(&second, viewer), "{}", told());
    seen.answers += usize::from(service.seal(state, &other).goes_on_alike(viewer, next, told));
}

fn after(state: &Game, legal: Legal) -> Vec<Event> {
    state.clone().apply(legal).to_vec()
}

/// The cards that a twin must keep although the viewer does not see them yet.
struct Pins {
    /// The actor, and the cards of the actor's hand that the action shows.
    named: (As, Cards),
    /// Whether the stock stays, because the viewer draws from it.
    stock: bool,
    /// Whether talons and the viewer's own foot stay, because they may come to the viewer's hand.
    coming: bool,
    /// The seat whose hand the action shows.
    shown: Option<Seat>,
}

impl Pins {
    const NONE: Self = Self { named: (As::Table, Cards::EMPTY), stock: false, coming: false, shown: None };
}

/// A place where a card lies that a viewer cannot see.
#[derive(Clone, Copy)]
enum Place {
    Hand(Seat),
    Foot(usize),
    Stock(usize),
    Talon(usize, usize),
    FaceDown,
}

/// Returns a twin that is a position and for which `holds` is true. If a public fact depends on a whole hand (a seat
/// that asks can go out), the hands of the seat in turn and of the actor stay as they are.
fn twin(state: &Game, viewer: As, pins: &Pins, rng: &mut Rng, holds: impl Fn(&Game) -> bool) -> Game {
    let dealt = |whole, rng: &mut Rng| {
        let table = dealt_anew(state, viewer, pins, whole, rng).into_table()?;
        let mut twin = Game { table, ..state.clone() };
        // Secrets are hidden from everyone.
        twin.dealing.source = DealSource::Seeded(GameSecret([0x7a; 64]));
        Ok::<_, Vec<_>>(twin)
    };
    match dealt(false, rng) {
        Ok(twin) if holds(&twin) => return twin,
        _ => {}
    }
    let twin = dealt(true, rng).unwrap_or_else(|faults| panic!("{faults:?}\n{}", show(&state.table)));
    assert!(
        holds(&twin),
        "nothing else depends on a hidden card: {viewer:?}\n{}\n{}",
        show(&state.table),
        show(&twin.table)
    );
    twin
}

/// Returns the position with the cards that `viewer` cannot see dealt anew among their places; `whole` keeps the
/// hands of the seat in turn and of the actor.
fn dealt_anew(state: &Game, viewer: As, pins: &Pins, whole: bool, rng: &mut Rng) -> Setup {
    let hidden = hidden(state, viewer, pins, whole);
    let mut setup = Setup::of(&state.table);
    for &(place, card) in &hidden {
        match place {
            Place::Hand(seat) => _ = setup.hands[seat.index()].remove(card),
            Place::Foot(at) => _ = setup.feet[at].remove(card),
            _ => {}
        }
    }
    let mut cards: Vec<Card> = hidden.iter().map(|&(_, card)| card).collect();
    rng.shuffle(&mut cards);
    for ((place, _), card) in hidden.into_iter().zip(cards) {
        match place {
            Place::Hand(seat) => setup.hands[seat.index()].insert(card),
            Place::Foot(at) => setup.feet[at].insert(card),
            Place::Stock(at) => setup.stock[at] = card,
            Place::Talon(talon, at) => setup.talons[talon].cards[at] = card,
            Place::FaceDown => setup.face_down = Some(card),
        }
    }
    setup
}

/// Returns the cards that `viewer` cannot see, by place. Threes are left out: if they are laid at once, no hand can
/// hold one, and the card drawn in its place is public. Cards in the pile are known: each was shown when it was laid.
fn hidden(state: &Game, viewer: As, pins: &Pins, whole: bool) -> Vec<(Place, Card)> {
    let mut hidden: Vec<(Place, Card)> = Vec::new();
    let turn = state.table.turn_seat();
    for seat in state.table.seats() {
        let own = viewer == As::Seat(seat);
        let mut hand = *state.table.hand(seat);
        let open = state.table.rulings().penalty_cards(seat);
        let acts = pins.named.0 == As::Seat(seat);
        let named = if acts { pins.named.1 } else { Cards::EMPTY };
        open.iter().chain(named.iter()).for_each(|card| _ = hand.remove(card));
        if !(own || pins.shown == Some(seat) || whole && (seat == turn || acts)) {
            hidden.extend(hand.iter().map(|card| (Place::Hand(seat), card)));
        }
        let feet = (0..).zip(state.table.feet()).skip(seat.index()).step_by(state.table.seats().count());
        for (at, foot) in feet.filter(|_| !(own && pins.coming)) {
            hidden.extend(foot.iter().map(|card| (Place::Foot(at), card)));
        }
    }
    if !pins.stock {
        hidden.extend(state.table.stock().iter().enumerate().map(|(at, &card)| (Place::Stock(at), card)));
    }
    for (number, talon) in state.table.talons().iter().enumerate().filter(|_| !pins.coming) {
        hidden.extend(talon.cards.iter().enumerate().map(|(at, &card)| (Place::Talon(number, at), card)));
    }
    hidden.extend(state.table.face_down().map(|card| (Place::FaceDown, card)));
    hidden.retain(|(_, card)| card.rank() != Rank::Three);
    hidden
}

/// Returns the hand cards that `action` shows.
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
