//! Tests that the two legal sets are sound and exact, on positions from whole games of several kinds of players and
//! on constructed positions.
//!
//! `CANASTA_POSITIONS` sets the number of positions to examine, `CANASTA_SEED` their seed, `CANASTA_RULES` the
//! beginnings of the rule sets' ids (`classic,miller-6p`; all by default). The default takes about a minute in a
//! debug build and tries everything on every third position that is small enough. A longer run tries everything on as
//! many positions in all, and examines fewer actions of each other position.
//!
//! Hands of up to 8 cards are covered with arbitrary groupings (every card kept, with the top, onto any own meld or
//! in any new group) if the ways are few enough; hands of up to 12 with naturals only where their rank is; larger
//! hands by random batches. See `sample` for the origin of positions.

use canasta_engine::action::{Action, As, Group, Groups, MeldKind, Onto, TakePile};
use canasta_engine::card::{Card, Cards, Class};
use canasta_engine::game::Game;
use canasta_engine::invariant::check_all;
use canasta_engine::legal;
use canasta_engine::notation::Position;
use canasta_engine::rules::{
    Ask, AskCheck, AskLimit, AskWhom, AskWindow, BlackThreeMeld, CanastaAccepts, DiscardThrees, DiscardWilds,
    EmptyPileSafe, Exempt, FinalDiscard, FootThrees, ForcedTake, FrozenTake, GoOutBar, InitialContent,
    InitialCount, LastThree, MeldCheck, MeldsPerRank, NoCanastaScore, OneCardPile, OppCanastaRank, PileSteps,
    PileUnopened, PresetId, RuleSet, Rules, Set, TakeCanastaRank, TakeLayoff, TakeNaturalWild, TalonAward,
    ThreesDealt, ThreesDrawn, ThreesKeep, WildCapScope, WildRatio, WildValue,
};
use canasta_engine::seat::{Seat, Side};
use canasta_engine::table::{Phase, Setup, Source};
use canasta_engine::violations::Code;
use canasta_tests::games::{Rng, actor, after, at, is_on};
use canasta_tests::notation::{line, show};
use canasta_tests::reference;
use canasta_tests::variations::{each_once, ways};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

mod asking;
mod brute;
mod drawn;
mod proposals;
mod sample;
mod witness;

use asking::{Ends, ask_agrees};
use brute::key;
use proposals::proposal;

/// The extent to which one position is examined.
struct Depth {
    /// Maximum number of actions of `all` that are examined.
    actions: usize,
    /// Maximum number of assignments that the brute force tries, on one position in `every`.
    trials: u64,
    every: u64,
    /// Number of random batches that are proposed.
    batches: usize,
    /// Maximum number of actions of `all_within` among which an action is looked for.
    within: usize,
}

/// Number of times that each property was tested.
#[derive(Default)]
struct Tally(BTreeMap<&'static str, u64>);

impl Tally {
    fn count(&mut self, what: &'static str, times: u64) {
        *self.0.entry(what).or_default() += times;
    }

    fn print(&self) {
        self.0.iter().for_each(|(what, times)| println!("  {what:48} {times:10}"));
    }
}

/// Maximum number of steps in the search for an action of a large hand.
const STEPS: u64 = 300_000;
/// Number of positions that a default run examines.
const DEFAULT: u64 = 6_000;

fn number_from(variable: &str) -> Option<u64> {
    std::env::var(variable).ok().and_then(|text| text.parse().ok())
}

/// Returns the presets that are played, and house rules that switch on what the presets do not have.
fn rule_sets() -> Vec<Arc<Rules>> {
    let preset = |name: &str| Arc::new(Rules::preset(name).expect("a preset that is played"));
    let house = |base: &str, name: &str, change: fn(&mut RuleSet)| {
        let base = PresetId::from_name(base).expect("a preset");
        let mut set = base.rule_set();
        change(&mut set);
        Arc::new(Rules::house(base, set, Some(name)).expect("a house rule that can be played"))
    };
    vec![
        preset("classic-4p"),
        preset("classic-2p"),
        preset("classic-6p-3x2"),
        preset("classic-6p-2x3"),
        preset("miller-6p-2x3"),
        preset("classic-3p"),
        preset("classic-3p-11"),
        preset("wahhi-6p"),
        house("classic-3p", "second", |s| {
            s.take_layoff = TakeLayoff::Incomplete;
            s.melds_per_rank = MeldsPerRank::OneOpen;
            s.wild_melds = true;
            s.go_out_total = 2;
        }),
        house("classic-4p", "asked", |s| s.ask = Ask::Required),
        house("classic-6p-2x3", "next", |s| {
            s.ask = Ask::Required;
            s.ask_whom = AskWhom::Next;
            s.ask_limit = AskLimit::RoundSide;
            s.ask_window = AskWindow::InPlay;
        }),
        house("classic-6p-2x3", "any", |s| {
            s.ask_whom = AskWhom::Any;
            s.ask_check = AskCheck::Penalty;
        }),
        house("wahhi-6p", "advice", |s| {
            s.ask = Ask::Advisory;
            s.ask_check = AskCheck::None;
            s.ask_limit = AskLimit::RoundSeat;
        }),
        preset("wahhi-4p"),
        preset("wahhi-2p"),
        preset("wahhi-3p"),
        preset("wahhi-5p"),
        preset("s3-4p"),
        preset("gr-4p"),
        house("gr-4p", "substituted", |s| s.wild_value = WildValue::Substituted),
        house("s3-4p", "forced", |s| {
            s.pile_unopened = PileUnopened::Normal;
            s.frozen_take = FrozenTake::NaturalMeld;
            s.take_layoff = TakeLayoff::Any;
        }),
        house("wahhi-4p", "stop", |s| s.last_three = LastThree::MeldNoDiscard),
        house("wahhi-4p", "go on", |s| {
            s.last_three = LastThree::GoOn;
            s.max_wilds = 0;
            s.forced_take = ForcedTake::OwnMeld;
        }),
        preset("manzana-2p"),
        preset("hoyle-2p"),
        house("hoyle-2p", "at once", |s| {
            s.meld_check = MeldCheck::Immediate;
            s.initial_count = InitialCount::WithoutTop;
            s.initial_bonus = true;
            s.wild_melds = false;
            s.bonus_wild = 0;
        }),
        house("hoyle-2p", "one step", |s| {
            (s.pile_steps, s.pile_restore, s.restore_penalty) = (PileSteps::One, false, 0);
            s.pass_discard = false;
            s.go_out_total = 2;
            s.forced_take = ForcedTake::OwnMeld;
            s.one_card_pile = OneCardPile::Allow;
        }),
        house("hoyle-2p", "fixed", |s| {
            (s.pile_steps, s.pile_restore, s.restore_penalty) = (PileSteps::One, false, 0);
            (s.meld_check, s.undo_meld) = (MeldCheck::Immediate, false);
            s.no_canasta_score = NoCanastaScore::AllNegative;
            (s.threes_drawn, s.late_three_replaced) = (ThreesDrawn::Auto, false);
            (s.discard_threes, s.held_three_red) = (DiscardThrees::Black, 0);
            s.discard_freezes = Set::of(&[Class::Wild]);
            s.forced_take = ForcedTake::Off;
        }),
        preset("samba-4p"),
        preset("bolivia-4p"),
        house("samba-4p", "blockers", |s| {
            s.threes_drawn = ThreesDrawn::Choice;
            s.discard_threes = DiscardThrees::Any;
        }),
        house("classic-4p", "second", |s| {
            s.take_layoff = TakeLayoff::Incomplete;
            s.melds_per_rank = MeldsPerRank::OneOpen;
        }),
        house("classic-4p", "unlimited", |s| {
            s.take_layoff = TakeLayoff::Incomplete;
            s.wild_cap_scope = WildCapScope::ToCanasta;
        }),
        house("classic-4p", "full", |s| {
            s.take_layoff = TakeLayoff::Incomplete;
            s.take_canasta_rank = TakeCanastaRank::UnlessWildsFull;
        }),
        house("classic-4p", "never", |s| {
            s.take_canasta_rank = TakeCanastaRank::Never;
            s.take_natural_wild = TakeNaturalWild::Never;
            s.frozen_always = true;
        }),
        house("classic-4p", "closed", |s| {
            s.opp_canasta_rank = OppCanastaRank::NoNewMeld;
            s.initial_exempt = Set::of(&[Exempt::ConcealedAny]);
        }),
        house("classic-4p", "locked", |s| {
            s.wild_melds = true;
            s.wild_lock = true;
            s.go_out_total = 2;
        }),
        house("classic-2p", "wild", |s| {
            s.wild_melds = true;
            s.melds_per_rank = MeldsPerRank::OneOpen;
            s.canasta_accepts = CanastaAccepts::Naturals;
            s.go_out_clean = 1;
        }),
        house("classic-4p", "capped", |s| {
            s.meld_max = 8;
            s.one_card_pile = OneCardPile::UnlessStockEmpty;
            s.black_three_meld = BlackThreeMeld::Never;
        }),
        house("classic-4p", "strict", |s| {
            s.final_discard = FinalDiscard::Required;
            s.wild_ratio = WildRatio::NotAboveNaturals;
            s.initial_exempt = Set::of(&[]);
        }),
        preset("american-4p"),
        preset("american-wikipedia-4p"),
        // A meld of one natural and wilds may be all a seat that must go out has left to lay.
        house("american-4p", "one natural", |s| {
            s.min_naturals = 1;
            s.discard_wilds = DiscardWilds::Any;
        }),
        house("american-4p", "strict", |s| {
            s.threes_keep = ThreesKeep::Never;
            s.late_three_replaced = false;
            s.empty_pile_safe = EmptyPileSafe::Forbid;
            s.go_out_bars = Set::of(&[GoOutBar::Sevens, GoOutBar::PureAces]);
            s.discard_wilds = DiscardWilds::AllWildHand;
            s.wild_add_base = 5;
        }),
        house("american-4p", "free", |s| {
            s.overfill_out = true;
            s.initial_content = InitialContent::None;
            s.wild_lock = false;
            s.talon_award = TalonAward::Manual;
            s.final_discard = FinalDiscard::Optional;
        }),
        preset("hand-and-foot-6p"),
        preset("hand-and-foot-4p"),
        house("hand-and-foot-4p", "bound", |s| {
            s.ask = Ask::Binding;
            s.ask_check = AskCheck::Strict;
            s.foot_threes = FootThrees::Choice;
            s.pile_portion = 0;
        }),
        // Short hands and feet reach the end of the round by going out.
        house("hand-and-foot-6p", "short", |s| {
            (s.hand_size, s.foot_size, s.more_feet) = (5, 4, vec![3]);
            (s.go_out_clean, s.go_out_wild) = (1, 0);
            s.threes_dealt = ThreesDealt::Auto;
            s.late_three_replaced = false;
        }),
        house("classic-4p", "open", |s| {
            s.pile_unopened = PileUnopened::Normal;
            s.wild_ratio = WildRatio::BelowNaturals;
            s.max_wilds = 0;
        }),
    ]
}

/// Returns every variation that is offered by name, each with one of the presets that have it.
fn varied() -> impl Iterator<Item = Arc<Rules>> {
    each_once().into_iter().flat_map(|(base, one)| {
        let rules = move |(chosen, set): (Vec<&str>, _)| Rules::house(base, set, Some(&chosen.join(" ")));
        ways(base, &one).into_iter().map(move |way| Arc::new(rules(way).expect("a variation is played")))
    })
}

#[test]
fn the_legal_sets_are_sound_and_exact() {
    let count = number_from("CANASTA_POSITIONS").unwrap_or(DEFAULT);
    let seed = number_from("CANASTA_SEED").unwrap_or(1);
    let words = std::env::var("CANASTA_RULES").unwrap_or_default();
    let mut chosen: Vec<Arc<Rules>> = rule_sets().into_iter().chain(varied()).collect();
    chosen.retain(|rules| words.split(',').any(|word| rules.id().starts_with(word)));
    let (actions, batches, within) = if count > DEFAULT { (40, 1, 1_000) } else { (200, 4, 20_000) };
    // An odd number, because every second position may be of one kind.
    let every = (2 * count / DEFAULT).max(2) | 1;
    let depth = Depth { actions, trials: 15_000, every, batches, within };
    let mut tally = Tally::default();
    let began = Instant::now();
    let mut number = 0u64;
    let mut slowest = (Duration::ZERO, String::new());
    let histogram = sample::sample(&chosen, seed, count, |state, rng| {
        number += 1;
        if number.is_multiple_of(50_000) {
            println!("{number} positions after {:.0} s", began.elapsed().as_secs_f64());
        }
        let start = began.elapsed();
        examine(state, rng, &depth, number, &mut tally);
        let took = began.elapsed() - start;
        if took > slowest.0 {
            slowest = (took, show(&state.table));
        }
    });
    println!("seed {seed}");
    histogram.print();
    tally.print();
    println!("the slowest position took {:.3} s: {}", slowest.0.as_secs_f64(), slowest.1);
    println!("{:.1} s", began.elapsed().as_secs_f64());
    // A run over few rule sets or positions need not reach all classes.
    let is_whole = words.is_empty() && count >= DEFAULT;
    for (name, count) in sample::CLASSES.iter().zip(histogram.by_class).filter(|_| is_whole) {
        let least = histogram.positions * sample::LEAST_PERCENT;
        assert!(count * 100 >= least, "only {count} positions with {name} of {}", histogram.positions);
    }
    for name in [sample::DISPUTE, sample::RULED].iter().filter(|_| is_whole) {
        let count = histogram.by_origin.get(name).copied().unwrap_or(0);
        assert!(count * 250 >= histogram.positions, "only {count} positions where {name}");
    }
}

/// Checks that no duty to take exists if no take is legal, so that the round can be ended (AMB-22 d, e). A case has
/// the hand, the own melds and the only card of the pile; the stock is empty.
#[test]
fn no_seat_must_take_what_it_cannot() {
    let cases = [
        // The meld is as large as melds may be.
        ("capped", "3c 8d 3s", ["2c 5c 5c 5d 5d 5s 5s X", "Qd Qh Qs Qs"], "5h", true),
        // With the top the meld is no canasta, and the last card must be kept for the discard.
        ("strict", "2s", ["5c 5c 5d 2h 5h 5s", "2c 8d 8h 8s"], "8d", true),
        // If all cards may be laid, the two makes the canasta.
        ("full", "2s", ["5c 5c 5d 2h 5h 5s", "2c 8d 8h 8s"], "8d", false),
    ];
    for (name, hand, melds, top, may_end) in cases {
        let rules = rule_sets().into_iter().find(|r| r.id().ends_with(name)).expect("a rule set of ours");
        let mut setup = Setup::new(rules, Seat(0));
        setup.hands[0] = cards(hand);
        melds.iter().for_each(|meld| setup.meld(Side(0), MeldKind::Set, cards(meld)));
        setup.pile = cards(top).iter().collect();
        for card in setup.missing() {
            let zone = if card.class() == Class::RedThree { &mut setup.laid } else { &mut setup.hands };
            zone[1].insert(card);
        }
        let state = at(setup.into_table().expect("a position"));
        let ended = state.check(actor(&state), &Action::EndRound);
        assert_eq!(ended.is_ok(), may_end, "{name}: {ended:?}");
        let takes = reference::all(&state.table).any(|action| matches!(action, Action::TakePile(_)));
        assert_eq!(takes, !may_end, "{name}");
        assert!(!legal::steps(&state.table).actions.is_empty(), "{name}");
    }
}

/// Checks that with an empty stock the round can be ended exactly if no take is legal (ANY_LEGAL, S3-036).
#[test]
fn whoever_can_take_must() {
    let forced = |rules: &Arc<Rules>| rules.set().forced_take == ForcedTake::AnyLegal;
    let rule_sets: Vec<Arc<Rules>> = rule_sets().into_iter().filter(forced).collect();
    let mut rng = Rng(11);
    let (mut judged, mut bound, mut unopened) = (0, 0, 0);
    while judged < 2_500 {
        let Some(state) = sample::construct(&rule_sets[judged % rule_sets.len()], &mut rng) else { continue };
        // A dispute suspends the duty, and a ruling can take away the right.
        if state.table.rulings().last > 0 || state.table.is_suspended() {
            continue;
        }
        let mut setup = Setup::of(&state.table);
        let hand = setup.hands[state.table.turn_seat().index()].len();
        if state.table.pile().is_empty() || state.table.phase() != Phase::Start || hand > 11 {
            continue;
        }
        if rng.chance(50) {
            let own = state.table.side_of(state.table.turn_seat());
            let (melds, kept) = setup.melds.into_iter().partition(|m| m.side == own);
            setup.melds = kept;
            setup.has_melded.retain(|&seat| state.table.side_of(seat) != own);
            let melds: Vec<_> = melds;
            let cards = melds.iter().flat_map(|m| m.cards.iter());
            let next = state.table.turn_seat().left(state.table.set().seats);
            cards.for_each(|card| setup.hands[next.index()].insert(card));
        }
        setup.pile.splice(0..0, setup.stock.drain(..));
        if rng.chance(70) {
            let under = setup.pile.len().saturating_sub(1 + rng.below(3));
            let next = state.table.turn_seat().left(state.table.set().seats);
            setup.pile.drain(..under).for_each(|card| setup.hands[next.index()].insert(card));
        }
        setup.start_len = 0;
        let Ok(state) = setup.into_table().map(at) else { continue };
        let takes = reference::all(&state.table).any(|action| matches!(action, Action::TakePile(_)));
        let ended = state.check(actor(&state), &Action::EndRound);
        assert_eq!(ended.is_ok(), !takes, "{ended:?}: {}", show(&state.table));
        let steps = legal::steps(&state.table).actions;
        assert_eq!(steps.iter().any(|a| matches!(a, Action::TakePile(_))), takes, "{}", show(&state.table));
        judged += 1;
        bound += u32::from(takes);
        unopened += u32::from(takes && !state.table.opened(state.table.side_of(state.table.turn_seat())));
    }
    println!("{judged} judged, {bound} must take, {unopened} of them with an initial meld");
    assert!(bound > 100 && unopened >= 20);
}

/// Checks that a meld which empties the first hand is listed while a foot waits, however few canastas the side has
/// (HF-077).
#[test]
fn a_first_hand_may_be_laid_out() {
    let position = "classic-4p foot_size=11; to move N; drew; hand N Kc Kd Ks Kh; melds NS AsAhAd";
    let setup = Position::parse(position).expect("a position").setup();
    let state = at(setup.into_table().expect("a position that can arise"));
    let steps = legal::steps(&state.table).actions;
    let named: BTreeSet<u16> =
        steps.iter().filter(|step| matches!(step, Action::Meld(_))).map(|step| named(step).len()).collect();
    assert_eq!(named, BTreeSet::from([3, 4]));
    steps.iter().for_each(|step| assert_legal_and_canonical(&state, step, "steps"));
}

/// Checks that six black threes are laid as one meld, never as two melds of three (AMB-48).
#[test]
fn black_threes_are_laid_as_one_meld() {
    let rules = Arc::new(Rules::preset("classic-6p-3x2").expect("a preset that is played"));
    let mut rng = Rng(5);
    let mut tested = 0;
    while tested < 20 {
        let Some(state) = sample::construct(&rules, &mut rng) else { continue };
        let threes: Vec<Card> = state
            .table
            .hand(state.table.turn_seat())
            .iter()
            .filter(|card| card.class() == Class::BlackThree)
            .collect();
        if state.table.phase() != Phase::Play || threes.len() < 6 {
            continue;
        }
        let group = |cards: &[Card]| {
            let cards = cards.iter().copied().collect();
            Group { kind: MeldKind::BlackThrees, onto: Onto::New, top: false, cards }
        };
        let two = Action::Meld([group(&threes[..3]), group(&threes[3..])].into_iter().collect());
        let refused = state.check(actor(&state), &two).expect_err("two melds of black threes");
        assert!(refused.codes().contains(&Code::MeldRankDuplicate), "{refused}");
        tested += 1;
    }
}

/// Checks that new melds of wilds stand in the order of their counts, as sets of one rank do, with any wild first.
#[test]
fn two_new_wild_melds_have_one_order() {
    let rules = rule_sets().into_iter().find(|r| r.id().ends_with("+wild")).expect("a rule set of ours");
    let mut setup = Setup::new(rules, Seat(0));
    setup.hands[0] = cards("2c 2d 2d 2h 2h 2s 2s X X X 4c 5c 6c");
    setup.meld(Side(0), MeldKind::Set, cards("7c 7d 7h"));
    setup.phase = Phase::Play;
    setup.source = Source::Stock;
    for card in setup.missing() {
        let zone = if card.class() == Class::RedThree { &mut setup.laid } else { &mut setup.hands };
        zone[1].insert(card);
    }
    let state = at(setup.into_table().expect("a position"));
    let two_melds = |action: &Action| match action {
        Action::Meld(groups) => groups.len() == 2 && groups.iter().all(|g| g.kind == MeldKind::Wild),
        _ => false,
    };
    let wilds = cards("2c 2d 2d 2h 2h 2s 2s X X X");
    let found: Vec<Action> = reference::all_within(&state.table, &wilds).filter(two_melds).collect();
    assert!(!found.is_empty());
    found.iter().for_each(|action| assert_legal_and_canonical(&state, action, "all"));
}

fn cards(text: &str) -> Cards {
    text.split(' ').map(|t| Card::parse(t).expect("a card")).collect()
}

fn examine(state: &Game, rng: &mut Rng, depth: &Depth, number: u64, tally: &mut Tally) {
    check_all(&state.table).expect("every invariant holds");
    let steps = legal::steps(&state.table).actions;
    assert!(!steps.is_empty() || !is_on(state), "stuck: {}", show(&state.table));
    for step in &steps {
        assert_legal_and_canonical(state, step, "steps");
    }
    tally.count("steps accepted, each canonical", steps.len() as u64);

    let mut some = reference::all(&state.table).within_steps(STEPS);
    let all: Vec<Action> = some.by_ref().take(depth.actions).collect();
    tally.count("exact sets given up in the midst", u64::from(some.is_cut_short()));
    let mut keys = BTreeSet::new();
    for action in &all {
        assert_legal_and_canonical(state, action, "all");
        assert!(keys.insert(key(action)), "{} twice in all: {}", line(action), show(&state.table));
    }
    tally.count("actions of all accepted, each canonical", all.len() as u64);

    let hand = state.table.to_act().map_or(0, |seat| state.table.hand(seat).len());
    let on_turn = matches!(state.table.phase(), Phase::Start | Phase::Play | Phase::Taking);
    // While a dispute is open, the only listed action closes it.
    let on_turn = on_turn && !state.table.is_suspended();
    if hand <= 12 && on_turn && number.is_multiple_of(depth.every) {
        exact(state, &steps, depth, number, tally);
    } else if let Some(step) =
        steps.get(rng.below(steps.len().max(1))).filter(|_| number % 8 < 2 * depth.batches as u64)
    {
        found_within(state, step, depth, tally);
    }
    if on_turn {
        for _ in 0..depth.batches {
            let Some(action) = proposal(state, rng) else { continue };
            tally.count("proposals", 1);
            if state.check(actor(state), &action).is_ok() {
                found_within(state, &action, depth, tally);
            } else {
                refused_changes_nothing(state, actor(state), &action, tally);
            }
        }
    }
    if let Some(action) = steps.get(rng.below(steps.len().max(1))) {
        let action = all.get(rng.below(2 * all.len().max(1))).unwrap_or(action);
        scrambled(state, action, rng, depth, tally);
        let next = after(state, action);
        check_all(&next.table).expect("every invariant holds after an action");
        let other = As::Seat(Seat(rng.below(usize::from(state.table.set().seats)) as u8));
        if other != actor(state) {
            refused_changes_nothing(state, other, action, tally);
        }
    }
}

fn assert_legal_and_canonical(state: &Game, action: &Action, set: &str) {
    if let Err(rejection) = state.check(actor(state), action) {
        panic!("{} of {set} is refused: {rejection}\n{}", line(action), show(&state.table));
    }
    let canonical = legal::canonical(&state.table, action);
    assert!(
        canonical == *action,
        "{} of {set} should be {}\n{}",
        line(action),
        line(&canonical),
        show(&state.table)
    );
}

/// Compares `all` with the brute force on a small hand, both ways, and `steps` and `ask` with `all`.
fn exact(state: &Game, steps: &[Action], depth: &Depth, number: u64, tally: &mut Tally) {
    let small = state.table.hand(state.table.turn_seat()).len() <= 8;
    // With `undo_meld` almost every action is accepted for a time and carried out, so fewer are tried.
    let most = if state.table.set().undo_meld { depth.trials / 10 } else { 4 * depth.trials };
    let anywhere = (small && !number.is_multiple_of(4)).then(|| brute::exhaustive(state, most)).flatten();
    tally.count("small positions, arbitrary groupings tried", u64::from(anywhere.is_some()));
    let by_kind = || {
        let found = brute::by_kind(state, depth.trials);
        tally.count("small positions, groupings by rank tried", u64::from(found.is_some()));
        tally.count("small positions, too many ways to try", u64::from(found.is_none()));
        found
    };
    let Some(brute) = anywhere.or_else(by_kind) else { return };
    let mut all = BTreeSet::new();
    let mut ends = Ends::default();
    for action in reference::all(&state.table) {
        ends.add(state, &action);
        let key = key(&action);
        assert!(
            brute.contains(&key),
            "{key} of all is not found by trying everything: {}",
            show(&state.table)
        );
        assert!(all.insert(key), "{} twice in all: {}", line(&action), show(&state.table));
    }
    if let Some(missing) = brute.difference(&all).next() {
        panic!("{missing} is missing from all: {}", show(&state.table));
    }
    tally.count("actions found both ways", all.len() as u64);
    let mut listed = Ends::default();
    for step in steps {
        assert!(all.contains(&key(step)), "{} of steps is not in all: {}", line(step), show(&state.table));
        listed.add(state, step);
    }
    // While a take is pending, its release leads to the ways to go out at once.
    if state.table.phase() == Phase::Taking {
        return;
    }
    // With one card left the last discard follows: the ways out differ by its rank.
    if state.table.phase() == Phase::Play {
        assert!(listed.kept == ends.kept, "steps {listed:?} all {ends:?}: {}", show(&state.table));
    }
    assert!(listed.out == ends.out, "steps {listed:?}, all {ends:?}: {}", show(&state.table));
    tally.count("positions with a way out", u64::from(ends.out || !ends.kept.is_empty()));
    if state.table.phase() == Phase::Play {
        ask_agrees(state, &ends, tally);
    }
}

/// Returns the cards of the hand that an action names.
fn named(action: &Action) -> Cards {
    let of = |groups: &Groups| -> Vec<Card> { groups.iter().flat_map(|g| g.cards.iter().copied()).collect() };
    match action {
        Action::Meld(groups) => of(groups).into_iter().collect(),
        Action::TakePile(take) => of(&take.also).into_iter().chain(take.with.iter().copied()).collect(),
        Action::Discard(card) => std::iter::once(*card).collect(),
        Action::LayThrees(cards) => cards.iter().copied().collect(),
        _ => Cards::EMPTY,
    }
}

/// Checks that the canonical form of an accepted action is in `all_within` its cards.
fn found_within(state: &Game, action: &Action, depth: &Depth, tally: &mut Tally) {
    let canonical = legal::canonical(&state.table, action);
    // Of threes, the canonical form may name fewer: what follows the one that ends the round is not laid.
    let cards = named(&canonical);
    if cards.wilds() > 3 && cards.len() > 12 {
        // There are millions of ways to share the wilds out.
        tally.count("not looked for: many wilds to share out", 1);
        return;
    }
    let mut looked = 0;
    let mut within = reference::all_within(&state.table, &cards).within_steps(10 * STEPS);
    let found = within.by_ref().take(depth.within).any(|other| {
        looked += 1;
        other == canonical
    });
    if !found && (looked >= depth.within || within.is_cut_short()) {
        tally.count("looked for among too many", 1);
        return;
    }
    assert!(found, "{} is missing, as {}: {}", line(action), line(&canonical), show(&state.table));
    tally.count("accepted actions found by all_within", 1);
}

fn refused_changes_nothing(state: &Game, by: As, action: &Action, tally: &mut Tally) {
    let mut same = state.clone();
    if same.play(by, action).is_err() {
        assert!(same == *state, "a refused {} changed {}", line(action), show(&state.table));
        tally.count("refused actions that changed nothing", 1);
    }
}

/// Tries another form of an action: split groups, another order, AUTO. Checks that its canonical form is canonical,
/// and, if the form is accepted, that the canonical form does the same and is in `all_within`.
fn scrambled(state: &Game, action: &Action, rng: &mut Rng, depth: &Depth, tally: &mut Tally) {
    let form = match action {
        Action::Meld(groups) => Action::Meld(scramble(groups, rng)),
        Action::TakePile(take) => {
            let mut with = take.with.clone();
            rng.shuffle(&mut with);
            let mut also = scramble(&take.also, rng);
            if with.len() > 2 && matches!(take.onto, Onto::Meld { .. }) && rng.chance(50) {
                let card = with.remove(0);
                let kind = MeldKind::Set;
                also.push(Group {
                    kind,
                    onto: take.onto,
                    top: false,
                    cards: std::iter::once(card).collect(),
                });
            }
            let onto = if rng.chance(50) { Onto::Auto } else { take.onto };
            Action::TakePile(TakePile { with, onto, also })
        }
        Action::Ask { about, .. } => Action::Ask { about: *about, to: None, with: None },
        other => other.clone(),
    };
    let canonical = legal::canonical(&state.table, &form);
    assert!(
        legal::canonical(&state.table, &canonical) == canonical,
        "not idempotent on {}: {}",
        line(&form),
        show(&state.table)
    );
    let Ok(legal) = state.check(actor(state), &form) else { return };
    let mut next = state.clone();
    next.apply(legal);
    let same = effect(&next) == effect(&after(state, &canonical));
    assert!(same, "{} and {} differ: {}", line(&form), line(&canonical), show(&state.table));
    found_within(state, &form, depth, tally);
    tally.count("other forms that do the same as their canonical one", 1);
}

fn scramble(groups: &Groups, rng: &mut Rng) -> Groups {
    let mut scrambled = Vec::new();
    for group in groups {
        let mut group = group.clone();
        rng.shuffle(&mut group.cards);
        if rng.chance(40) {
            group.onto = Onto::Auto;
        }
        if group.cards.len() > 1 && rng.chance(40) {
            let rest = group.cards.drain(1 + rng.below(group.cards.len() - 1)..).collect();
            scrambled.push(Group { cards: rest, ..group.clone() });
        }
        scrambled.push(group);
    }
    rng.shuffle(&mut scrambled);
    scrambled.into_iter().collect()
}

/// Returns everything in a state except the numbers of its melds and the order in which they were begun.
fn effect(state: &Game) -> String {
    let mut melds: Vec<String> =
        state.table.melds().iter().map(|m| format!("{:?}", (m.side, m.kind, m.rank, m.cards))).collect();
    melds.sort();
    let hands: Vec<_> = state
        .table
        .seats()
        .map(|s| (state.table.hand(s), state.table.laid(s), state.table.has_melded(s)))
        .collect();
    let zones = (hands, state.table.pile(), state.table.stock(), melds);
    format!(
        "{:?}",
        (
            zones,
            state.table.phase(),
            state.table.to_act(),
            state.table.turn_seat(),
            state.table.round_over(),
            state.link
        )
    )
}
