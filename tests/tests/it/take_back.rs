//! Take-backs: how far a seat may go back agrees with what the views show, the ruling goes there, and the log is clean.

use canasta_engine::action::{Action, As};
use canasta_engine::card::Cards;
use canasta_engine::deal::simulate;
use canasta_engine::event::Event;
use canasta_engine::game::{
    FollowError, Game, NewDeal, NewGame, Stamp, TAKE_BACK_FRAMES_MAX, TakeBack, TakeBackRefusal,
};
use canasta_engine::legal;
use canasta_engine::log::audit::{Expect, audit};
use canasta_engine::log::record::{Author, Remark};
use canasta_engine::rules::{FirstDealer, PresetId, Rules};
use canasta_engine::seat::Seat;
use canasta_engine::table::{Phase, Table};
use canasta_engine::view::view;
use canasta_tests::games::{Policy, Rng, actor};
use canasta_tests::notation::{line, show};
use std::sync::Arc;

/// Take-backs per preset that are asked for.
const ASKED: usize = 300;

/// A moment of a game: the game, the actor and the events of the action that led to it, and the frames.
struct Moment {
    game: Game,
    by: As,
    shown: Vec<Seat>,
    frames: Vec<u8>,
}

#[derive(Default, Debug)]
struct Seen {
    asked: usize,
    /// Answers by the number of actions that may be taken back: none, one, more.
    back: [usize; 3],
    card_seen: usize,
    other_acted: usize,
    not_this_deal: usize,
    unstopped: usize,
    audited: usize,
}

#[test]
fn a_seat_goes_back_as_far_as_nothing_new_was_in_view() {
    for id in PresetId::all() {
        let rules = Arc::new(Rules::preset(id.name()).expect("a preset"));
        let (mut seen, mut rng) = (Seen::default(), Rng(41));
        for game in 0.. {
            if seen.asked >= ASKED {
                break;
            }
            let policy = [Policy::Greedy, Policy::Random, Policy::Late][game as usize % 3];
            play(&rules, game, policy, &mut rng, &mut seen);
        }
        println!("{}: {seen:?}", id.name());
        let Seen { back, card_seen, other_acted, not_this_deal, unstopped, .. } = seen;
        let reached = [back[0], back[1], back[2], card_seen, other_acted, not_this_deal, unstopped];
        assert!(reached.into_iter().all(|count| count > 0), "{}: {seen:?}", id.name());
    }
}

fn begin(rules: &Arc<Rules>, game: u32) -> (Game, Vec<u8>) {
    let secret = simulate::game_secret(47, game);
    let given = rules.set().first_dealer == FirstDealer::Given;
    let created = Game::create(NewGame {
        dealer: given.then_some(Seat(0)),
        ..NewGame::new(rules.clone(), simulate::game_id(&secret), NewDeal::Seeded(secret))
    });
    let created = created.expect("a game");
    (created.game, created.frames)
}

fn play(rules: &Arc<Rules>, number: u32, policy: Policy, rng: &mut Rng, seen: &mut Seen) {
    let (mut game, mut log) = begin(rules, number);
    let mut moments = vec![Moment { game: game.clone(), by: As::Table, shown: vec![], frames: vec![] }];
    for _ in 0..600 {
        if game.table.phase() == Phase::GameOver || seen.asked >= ASKED {
            return;
        }
        let mut steps = legal::steps(&game.table);
        steps.leave_out_ways_back();
        let (by, action) = (actor(&game), policy.choose(&game, &steps.actions, rng).clone());
        let acted = game.act(by, &action, Stamp::default()).expect("a step is legal");
        let mut frames = acted.frames;
        if rng.chance(10) {
            // A remark and a refused action have records, and change nothing.
            frames.extend(game.remark(Remark::note(Author::Table, None, "tea")).expect("short"));
            if let Err(rejection) = game.check(As::Seat(Seat(0)), &Action::TakeTop) {
                let refused = game.refuse(As::Seat(Seat(0)), &Action::TakeTop, &rejection, Stamp::default());
                frames.extend(refused.expect("room"));
            }
        }
        log.extend_from_slice(&frames);
        let shown = acted.events.iter().filter_map(|event| match event {
            Event::Revealed { seat, .. } => Some(*seat),
            _ => None,
        });
        moments.push(Moment { game: game.clone(), by, shown: shown.collect(), frames });
        if rng.chance(30) {
            ask(&moments, &log, rng, seen);
        }
    }
}

fn ask(moments: &[Moment], log: &[u8], rng: &mut Rng, seen: &mut Seen) {
    let last = moments.len() - 1;
    let from = last - rng.below(12.min(moments.len()));
    let (then, now) = (&moments[from].game, &moments[last].game);
    let asker = match moments[last].by {
        As::Seat(seat) if rng.chance(80) => seat,
        _ => Seat(rng.below(usize::from(now.table.set().seats)) as u8),
    };
    let frames: Vec<u8> = moments[from + 1..].iter().flat_map(|moment| moment.frames.clone()).collect();
    let told =
        || format!("{asker:?} from {} to {}\n{}", then.table.step(), now.table.step(), show(&now.table));
    let back = now.take_back(then, &frames, asker).unwrap_or_else(|error| panic!("{error} {}", told()));
    let (expected, refusal) = expected(&moments[from..], asker);
    assert_eq!(back.stopped.map(|(reason, _)| reason), refusal, "{}", told());
    let goal = &moments[from + expected];
    assert_eq!(back.game.table, goal.game.table, "{}", told());
    seen.asked += 1;
    seen.back[(last - from - expected).min(2)] += 1;
    match refusal {
        Some(TakeBackRefusal::CardSeen) => seen.card_seen += 1,
        Some(TakeBackRefusal::OtherActed) => seen.other_acted += 1,
        Some(TakeBackRefusal::NotThisDeal) => seen.not_this_deal += 1,
        None => seen.unstopped += 1,
    }
    if back.game.table.step() < now.table.step() {
        let (after, ruled) = rule(now, &back, asker, log, seen);
        // A later request can be about the ruling, behind which nobody goes back.
        let again = after
            .take_back(then, &[&frames[..], &ruled].concat(), asker)
            .expect("a game on the way is restored");
        assert_eq!(again.game.table, after.table);
        assert_eq!(again.stopped, Some((TakeBackRefusal::OtherActed, Some(after.table.step()))));
        assert_eq!(after.take_back(now, &ruled, asker), Err(FollowError::Restored));
    }
    reject_other_frames(then, now, &frames, asker);
}

/// Applies the ruling, and checks that the table is the one of that time and that the log is clean. Returns the game
/// after it and the frame of the ruling.
fn rule(now: &Game, back: &TakeBack, asker: Seat, log: &[u8], seen: &mut Seen) -> (Game, Vec<u8>) {
    let (mut after, ruling) = (now.clone(), back.ruling(asker));
    let acted = after.act_resuming(Some(&back.game), As::Director, &ruling, Stamp::default());
    let acted = acted.unwrap_or_else(|error| panic!("{}: {error}", line(&ruling)));
    assert_eq!(after.table.step(), now.table.step() + 1);
    assert_eq!(play_of(&after.table), play_of(&back.game.table));
    // The restored game goes on as before.
    assert_eq!(legal::steps(&after.table), legal::steps(&back.game.table));
    if seen.audited < 25 {
        seen.audited += 1;
        let log = [log, &acted.frames].concat();
        assert_eq!(audit(&log, Expect { live: true, ..Expect::default() }).findings, []);
    }
    (after, acted.frames)
}

/// Returns what a ruling restores: zones, turn and phase.
fn play_of(table: &Table) -> impl PartialEq + std::fmt::Debug {
    let hands: Vec<[Cards; 3]> =
        table.seats().map(|seat| [*table.hand(seat), *table.foot(seat), *table.laid(seat)]).collect();
    let zones = (table.melds().to_vec(), table.pile().to_vec(), table.stock().to_vec());
    (hands, zones, table.phase(), table.to_act(), table.turn().clone(), table.round().clone())
}

/// Checks that frames which were cut, changed or made up are refused.
fn reject_other_frames(then: &Game, now: &Game, frames: &[u8], asker: Seat) {
    let refused = |frames: &[u8]| now.take_back(then, frames, asker).err();
    let is_one_deal = !matches!(
        now.take_back(then, frames, asker).map(|back| back.stopped),
        Ok(Some((TakeBackRefusal::NotThisDeal, _)))
    );
    if !is_one_deal {
        return;
    }
    let twice = [frames, frames].concat();
    if let Some((last, rest)) = frames.split_last() {
        let flipped = [rest, &[last ^ 1]].concat();
        for wrong in [&[][..], rest, &flipped, &twice, &frames[1..]] {
            assert_eq!(refused(wrong), Some(FollowError::Unlinked));
        }
    }
    let mut remarked = now.clone();
    let mut notes = frames.to_vec();
    for _ in 0..=TAKE_BACK_FRAMES_MAX {
        notes.extend(remarked.remark(Remark::note(Author::Table, None, "")).expect("short"));
    }
    assert_eq!(remarked.take_back(then, &notes, asker), Err(FollowError::TooMany));
}

/// Returns the index of the moment to go back to, and why not further: by what the views of all seats show, without a
/// look at events.
fn expected(moments: &[Moment], asker: Seat) -> (usize, Option<TakeBackRefusal>) {
    let last = moments.len() - 1;
    let (then, now) = (&moments[0].game.table, &moments[last].game.table);
    let plays = |table: &Table| {
        !matches!(table.phase(), Phase::Setup | Phase::Deal | Phase::RoundOver | Phase::GameOver)
    };
    let deal = |table: &Table| (table.round_number(), table.attempt());
    if !plays(then) || !plays(now) || deal(then) != deal(now) {
        return (last, Some(TakeBackRefusal::NotThisDeal));
    }
    for at in (1..=last).rev() {
        if moments[at].by != As::Seat(asker) {
            return (at, Some(TakeBackRefusal::OtherActed));
        }
        if shows_more(&moments[at - 1].game.table, &moments[at], asker) {
            return (at, Some(TakeBackRefusal::CardSeen));
        }
    }
    (0, None)
}

/// Whether somebody sees a card after an action that the asker did not see before, or a hidden zone has given a card.
fn shows_more(before: &Table, moment: &Moment, asker: Seat) -> bool {
    let after = &moment.game.table;
    let gave = before.stock() != after.stock()
        || before.seats().any(|seat| before.foot(seat) != after.foot(seat))
        || moment.shown.iter().any(|seat| *seat != asker);
    let known = visible(before, asker);
    gave || before.seats().any(|seat| {
        let mut new = visible(after, seat);
        visible(before, seat).iter().for_each(|card| _ = new.remove(card));
        // What others see new must come from the asker; the asker itself sees nothing new.
        if seat == asker { !new.is_empty() } else { !known.contains(&new) }
    })
}

/// Returns all cards that a seat's view shows.
fn visible(table: &Table, seat: Seat) -> Cards {
    let view = view(table, As::Seat(seat));
    let mut cards = *view.own_hand().expect("a seat");
    view.table.melds.iter().for_each(|meld| cards.add(&meld.meld.cards));
    view.table.seats.iter().for_each(|seat| cards.add(&seat.laid));
    view.table.pile.top.iter().chain(&view.table.pile.under).for_each(|&card| cards.insert(card));
    let held = view.table.taken_top.filter(|taken| taken.meld.is_none());
    held.iter().for_each(|taken| cards.insert(taken.card));
    cards
}
