//! Everything that a game accepts opens: after every action, decision, note, checkpoint, refusal, take-back, register and
//! deal, in every phase of every rule set, the token of the game is valid and gives the same game again.

use canasta_engine::action::{Action, As};
use canasta_engine::bot::suggest;
use canasta_engine::card::Card;
use canasta_engine::deal::{WallSalt, simulate};
use canasta_engine::dealing::Registration;
use canasta_engine::game::{Game, NewDeal, NewGame, RegisterEntry, Stamp};
use canasta_engine::invariant::check_without_search;
use canasta_engine::legal::{Steps, steps_into};
use canasta_engine::log::record::{Author, Remark};
use canasta_engine::rules::{FirstDealer, PresetId, Rules};
use canasta_engine::seat::Seat;
use canasta_engine::table::{Courtesy, Permission, Phase};
use canasta_engine::token::{Catalogue, decode, encode, max_len};
use canasta_engine::view::view;
use canasta_tests::games::{Policy, Rng, actor};
use canasta_tests::notation::{line, show};
use canasta_tests::pairs::committed;
use canasta_tests::rulings::every_decision;
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(Catalogue::new);

/// Checks that the game's token is valid, is not too long, and gives the game again.
fn opens(game: &Game, after: &str) {
    let token = encode(game);
    let about = || format!("{}, after {after}: {}", game.table.rules().id(), show(&game.table));
    assert_eq!(check_without_search(&game.table), Ok(()), "{}", about());
    assert!(token.len() <= max_len(game), "{} bytes: {}", token.len(), about());
    match decode(&token, &CATALOGUE) {
        Ok(read) => assert!(read == *game, "another game: {}", about()),
        Err(error) => panic!("{error}: {}", about()),
    }
}

/// Returns the facts of a moment that decide which fields its token has.
fn kind_of_moment(game: &Game) -> String {
    let (table, turn) = (&game.table, game.table.turn());
    let asked = match turn.permission {
        Permission::None => 0,
        Permission::Pending { .. } => 1 + u8::from(turn.answered.is_some()),
        Permission::Yes => 3,
        Permission::No { .. } => 4,
    };
    let courtesy = matches!(turn.courtesy, Courtesy::Asked(_));
    let top = table.taken_top().map(|top| top.meld.is_some());
    let round = table.round();
    let open = (table.loose().len().min(2), top, courtesy, round.offered.is_some(), round.reveal.is_some());
    let few =
        (table.has_rulings(), table.lone().is_some(), table.round_number().min(2), table.attempt().min(2));
    format!("{:?} {asked} {open:?} {few:?}", table.phase())
}

/// Returns the game after an action, once it has been checked to open; `None` if the action is refused.
fn after(game: &Game, earlier: Option<&Game>, (who, action): &(As, Action)) -> Option<Game> {
    let mut next = game.clone();
    next.act_resuming(earlier, *who, action, Stamp::default()).ok()?;
    opens(&next, &line(action));
    Some(next)
}

/// Makes every decision about a game, and after each that is possible decides again, notes something and plays on.
fn decide(game: &Game, earlier: &Game, rng: &mut Rng, counts: &mut BTreeMap<&'static str, usize>) {
    let seq = earlier.table.step();
    let refused = game.check(As::Judge, &Action::DrawStock).expect_err("a judge does not draw");
    let mut noted = game.clone();
    noted.refuse(As::Judge, &Action::DrawStock, &refused, Stamp::default()).expect("a refusal");
    noted.remark(Remark::note(Author::Table, None, "noted")).expect("a note");
    noted.remark(Remark::checkpoint("canasta-log/1/00\n1\nAA==\n\n\u{2014} ann 00\n")).expect("a checkpoint");
    opens(&noted, "a refusal, a note and a checkpoint");
    for decision in every_decision(game, seq) {
        let Some(next) = after(game, Some(earlier), &decision) else { continue };
        *counts.entry(game.table.phase().name()).or_default() += 1;
        let more = every_decision(&next, seq);
        for again in [rng.below(more.len()), rng.below(more.len())].map(|at| &more[at]) {
            after(&next, Some(earlier), again);
        }
        for side in next.table.sides() {
            // After the end, the sides sign one after the other.
            let (who, action) = (As::Director, Action::Sign { side });
            after(&next, None, &(who, action));
        }
        let mut steps = Steps::default();
        steps_into(&next.table, &mut steps);
        if !steps.actions.is_empty() {
            let action = steps.actions.swap_remove(rng.below(steps.actions.len()));
            after(&next, None, &(actor(&next), action));
        }
    }
}

/// Takes back what each seat has done since `earlier`, as far as it may. `frames` are the frames since then. Returns the
/// number of seats that went back.
fn take_back(game: &Game, earlier: &Game, frames: &[u8]) -> usize {
    let mut taken = 0;
    for seat in game.table.seats() {
        let Ok(back) = game.take_back(earlier, frames, seat) else { continue };
        opens(&back.game, "a take-back");
        if *back.game != *game {
            after(game, Some(&back.game), &(As::Director, back.ruling(seat)))
                .expect("a take-back is accepted");
            taken += 1;
        }
    }
    taken
}

/// Creates a game with another source of cards, other keys and other registers for each seed.
fn created(rules: &Arc<Rules>, seed: u64, rng: &mut Rng) -> Game {
    let secret = simulate::game_secret(seed, 0);
    let mut wall: Vec<Card> = rules.census().iter().collect();
    rng.shuffle(&mut wall);
    let deal = match seed % 4 {
        1 => NewDeal::Committed(secret.clone()),
        2 => NewDeal::Explicit { wall, salt: WallSalt([7; 32]) },
        _ => NewDeal::Seeded(secret.clone()),
    };
    let new = NewGame::new(rules.clone(), simulate::game_id(&secret), deal);
    let keyed = seed.is_multiple_of(2);
    let given = rules.set().first_dealer == FirstDealer::Given;
    let created = Game::create(NewGame {
        dealer: if given { Some(Seat((seed % u64::from(rules.set().seats)) as u8)) } else { new.dealer },
        registration: if seed.is_multiple_of(3) { Registration::Auto } else { Registration::ByTable },
        expires_at: keyed.then_some(1_900_000_000_000),
        director: keyed.then_some([9; 32]),
        ..new
    });
    created.unwrap_or_else(|error| panic!("{error}")).game
}

/// Registers a round. Where seats may contribute to the deal, some register a contribution that they do not make, which
/// makes the deal void.
fn register(game: &mut Game, rng: &mut Rng) -> bool {
    let mut entry = RegisterEntry::default();
    if game.dealing.entries.is_some() && rng.chance(30) {
        entry.seats = vec![Some([3; 32])];
    }
    let registered =
        game.register(As::Table, entry).or_else(|_| game.register(As::Table, RegisterEntry::default()));
    registered.is_ok()
}

/// Plays a game, and decides at the first moments of each kind.
fn play(
    rules: &Arc<Rules>,
    seed: u64,
    most: usize,
    seen: &mut BTreeMap<String, usize>,
) -> BTreeMap<&'static str, usize> {
    let mut rng = Rng(seed);
    let mut game = created(rules, seed, &mut rng);
    let (mut steps, mut earlier, mut counts) = (Steps::default(), game.clone(), BTreeMap::new());
    // The frames since the earlier game.
    let mut frames = Vec::new();
    let policy = Policy::ALL[seed as usize % Policy::ALL.len()];
    for _ in 0..600 {
        let times = seen.entry(kind_of_moment(&game)).or_default();
        *times += 1;
        if *times <= most {
            opens(&game, "play");
            decide(&game, &earlier, &mut rng, &mut counts);
            *counts.entry("take-backs").or_default() += take_back(&game, &earlier, &frames);
        }
        if game.table.phase() == Phase::Setup {
            // An explicit deal needs a wall of its own.
            if !register(&mut game, &mut rng) {
                break;
            }
            // Nobody may go back over a register.
            (earlier, frames) = (game.clone(), Vec::new());
            continue;
        }
        steps_into(&game.table, &mut steps);
        if steps.actions.is_empty() {
            break;
        }
        let by = actor(&game);
        let action = match by {
            As::Seat(_) if rng.chance(30) => suggest(&view(&game.table, by), &steps.actions, seed),
            _ if rng.chance(50) => steps.actions[rng.below(steps.actions.len())].clone(),
            _ => policy.choose(&game, &steps.actions, &mut rng).clone(),
        };
        if rng.chance(10) {
            (earlier, frames) = (game.clone(), Vec::new());
        }
        // The draw for seats with a given wall names the cards that were drawn, which no list of steps knows.
        let Ok(acted) = game.act(by, &action, Stamp::default()) else { break };
        frames.extend(acted.frames);
    }
    counts
}

#[test]
fn whatever_a_preset_accepts_opens() {
    let mut all = BTreeMap::new();
    for preset in PresetId::all() {
        let rules = CATALOGUE.get(preset).expect("every preset is played");
        let mut seen = BTreeMap::new();
        for seed in 0..12 {
            for (phase, count) in play(rules, seed, 2, &mut seen) {
                *all.entry(phase).or_insert(0) += count;
            }
        }
    }
    println!("{all:?}");
    let decided = Phase::ALL.iter().filter(|phase| all.contains_key(phase.name()));
    assert_eq!(decided.count(), Phase::ALL.len() - 1, "every phase that is written: {all:?}");
    assert!(all["take-backs"] > 100, "{all:?}");
}

#[test]
fn whatever_house_rules_accept_opens() {
    for (number, row) in committed().1.iter().enumerate() {
        let rules = Arc::new(Rules::house(row.base, row.short(), Some("opens")).expect("it was validated"));
        let mut seen = BTreeMap::new();
        play(&rules, number as u64, 1, &mut seen);
    }
}
