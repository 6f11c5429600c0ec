//! `simulate`: plays whole games, the same bytes for the same seed.

use crate::files::saved;
use crate::rulesets::house::RuleSetFile;
use crate::shared::io::{Exit, Io, OutputFormat, progress_bar};
use crate::shared::output::OutputFile;
use crate::shared::parallel;
use crate::shared::paths::EXTENSION;
use crate::shared::text::{PlayerNames, action_line, count, hex, join, levels, number};
use anyhow::{Context, bail};
use canasta_engine::LoggedGame;
use canasta_engine::action::{Action, As};
use canasta_engine::bot::{self, Draws, Level, RoundMemory};
use canasta_engine::deal::Board;
use canasta_engine::deal::simulate::{bot_seed, game_secret};
use canasta_engine::game::{ActError, Game, NewGame};
use canasta_engine::legal::{Steps, aside, steps_into};
use canasta_engine::notation::Position;
use canasta_engine::rules::Rules;
use canasta_engine::seat::{SEATS_MAX, Seat, Unit};
use canasta_engine::table::Phase;
use canasta_engine::view::{events, view};
use canasta_tournament::boards::NamedBoard;
use clap::ValueEnum;
use keys::SeatKeys;
use rayon::prelude::*;
use serde_json::json;
use sha2::{Digest, Sha256};
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use table::SimulatedTable;

mod keys;
mod table;

/// The arguments of `simulate`.
#[derive(clap::Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// The rule set: a preset that `rules list` shows as played, or a file of house rules (*.toml)
    #[arg(long, value_name = "ID|FILE", default_value = "classic-4p")]
    ruleset: String,
    /// The position that every game is taken up from, in notation or saved by another program (docs/judge/CLI.md#export-and-import);
    /// it names the rules. Cards that it does not name are dealt anew for each game
    #[arg(long, value_name = "FILE", conflicts_with = "ruleset")]
    position: Option<PathBuf>,
    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    games: u32,
    /// Maximum number of rounds per game; a longer game is an error
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u16).range(1..))]
    rounds: u16,
    /// Seed of all secrets and bots; equal seeds give equal logs
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    /// Directory of the logs, game-000000.clog and following; it is created if it does not exist
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Source of the cards
    #[arg(long, value_enum, default_value_t)]
    mode: SimulatedDeals,
    /// The board whose walls all games have, a file as keygen --board writes it; with --mode explicit
    #[arg(long, value_name = "FILE")]
    board: Option<PathBuf>,
    /// Players of all seats
    #[arg(long, value_enum, default_value_t)]
    bots: Bots,
    /// The strength of the bots, 1 to 6 (docs/play/BOT.md)
    #[arg(long, value_name = "N", default_value = "2", value_parser = levels(1))]
    level: Level,
    /// Give every player a key: seats sign their actions and, in committed deals, their contributions. The public
    /// keys go to players.toml beside the logs, as a policy names them. Same players, same keys
    #[arg(long)]
    signed: bool,
    /// Overwrite existing logs
    #[arg(long)]
    force: bool,
    /// Number of games played at once; 0 means one per processor. Does not change the logs
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// Format of the summary
    #[arg(long, value_enum, default_value_t)]
    format: OutputFormat,
}

const EXAMPLES: &str = "\
Cards, game ids and bots follow from the seed and the number of the game (docs/DEALING.md), so equal \
seeds give equal bytes everywhere. The last line has one digest over all logs: compare the digest instead \
of the files. These games are predictable on purpose: never deal for play from them.

Examples:
  canasta-replay simulate --games 100 --seed 1 --out games
  canasta-replay simulate --ruleset classic-2p --seed 7 --out duel
  canasta-replay simulate --ruleset american-4p --bots random --rounds 1000 --out long
  canasta-replay simulate --mode committed --signed --seed 1 --out committed
  canasta-replay simulate --ruleset club.toml --out club
  canasta-replay simulate --position position.txt --games 50 --out endings";

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
enum SimulatedDeals {
    /// All cards from the game's secret
    #[default]
    Seeded,
    /// Every seat contributes to every deal; now and then a seat withholds its value and voids the deal
    Committed,
    /// The walls of seeded games, given with a salt
    Explicit,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
enum Bots {
    /// The engine's player: it sees what its seat sees
    #[default]
    Bot,
    /// Any legal step, all equally likely
    Random,
}

/// Number of actions per deal after which random players no longer take anything back: otherwise a game could
/// become too long for a log.
const MOST_AIMLESS: u64 = 4_000;

/// The beginning that all games have.
struct Beginning {
    rules: Arc<Rules>,
    /// The board whose walls they have.
    board: Option<Board>,
    /// The position that they are taken up from.
    position: Option<Position>,
}

/// The numbers of one played game.
struct SimulatedGame {
    actions: u64,
    rounds: u64,
    bytes: u64,
    head: [u8; 32],
    /// Listed steps that were refused, each with its game and position: faults of the engine.
    refused: Vec<String>,
}

pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    let position = args.position.as_deref().map(|file| saved::read(file, io)).transpose()?;
    let rules = match &position {
        Some(position) => position.rules().clone(),
        None => Arc::new(RuleSetFile::find(&args.ruleset, io)?.playable()?),
    };
    let board = args.board.as_deref().map(NamedBoard::read).transpose()?.map(|named| named.board);
    let is_explicit = args.mode == SimulatedDeals::Explicit;
    anyhow::ensure!(
        board.is_none() || is_explicit,
        "--board: expected --mode explicit, which has given walls"
    );
    let beginning = Beginning { rules, board, position };
    fs::create_dir_all(&args.out).with_context(|| args.out.display().to_string())?;
    let bar = progress_bar(args.games.into(), "{pos}/{len} games", io.progress && args.games > 1);
    let pool = parallel::pool(args.threads)?;
    let games: anyhow::Result<Vec<SimulatedGame>> = pool.install(|| {
        let game = |game: u32| {
            let played = write_game(args, &beginning, game);
            bar.inc(1);
            played
        };
        (0..args.games).into_par_iter().map(game).collect()
    });
    bar.finish_and_clear();
    let games = games?;
    let refused: Vec<&String> = games.iter().flat_map(|game| &game.refused).collect();
    for one in &refused {
        writeln!(io.err, "{one}")?;
    }
    let exit = Exit::clean_if(refused.is_empty());
    let rules = beginning.rules;
    if args.signed {
        let path = args.out.join("players.toml");
        let names = names(rules.set().seats);
        OutputFile::new(&path, args.force, [&args.ruleset])?
            .write(keys::register(args.seed, names).as_bytes(), &mut io.out)?;
    }
    let sum = |of: fn(&SimulatedGame) -> u64| games.iter().map(of).sum::<u64>();
    let mut digest = Sha256::new();
    games.iter().for_each(|game| digest.update(game.head));
    let digest = hex(&digest.finalize());
    if args.format == OutputFormat::Json {
        io.write_value(&json!({
            "format": "canasta-simulation/1",
            "ruleset": rules.id(),
            "seed": args.seed,
            "games": args.games,
            "rounds": sum(|game| game.rounds),
            "actions": sum(|game| game.actions),
            "bytes": sum(|game| game.bytes),
            "digest": digest,
        }))?;
        return Ok(exit);
    }
    let parts = [
        count(args.games, "game"),
        count(sum(|game| game.rounds), "round"),
        count(sum(|game| game.actions), "action"),
        count(sum(|game| game.bytes), "byte"),
    ];
    writeln!(io.out, "{} · {} seed {} · digest {digest}", parts.join(" · "), rules.id(), args.seed)?;
    Ok(exit)
}

fn write_game(args: &Args, beginning: &Beginning, game: u32) -> anyhow::Result<SimulatedGame> {
    let path = args.out.join(format!("game-{game:06}.{EXTENSION}"));
    let (log, played) = play(beginning, args, game)?;
    OutputFile::new(&path, args.force, [&args.ruleset])?;
    // A game that is lost is played again: it need not reach the disk at once.
    fs::write(&path, log).with_context(|| path.display().to_string())?;
    Ok(played)
}

/// Plays game number `game` and returns its log.
fn play(beginning: &Beginning, args: &Args, game: u32) -> anyhow::Result<(Vec<u8>, SimulatedGame)> {
    let Beginning { rules, board, position } = beginning;
    let secret = game_secret(args.seed, game);
    let mut random: Vec<Draws> =
        (0..SEATS_MAX as u8).map(|seat| Draws(bot_seed(&secret, Seat(seat)))).collect();
    let keys = SeatKeys(args.signed.then_some(args.seed));
    let table = SimulatedTable { mode: args.mode, rules, secret, keys, board: board.as_ref() };
    let new = NewGame {
        dealer: if position.is_some() { None } else { table.first_dealer() },
        players: table.keys.players(names(rules.set().seats)),
        registration: table.registration(),
        position: position.clone().map(Box::new),
        ..NewGame::new(rules.clone(), table.game_id(), table.first_deal())
    };
    let mut played =
        LoggedGame::create(new).map_err(|error| anyhow::anyhow!("a game of {}: {error}", rules.id()))?;
    let (mut steps, mut actions, mut deal, mut began) = (Steps::default(), 0, (0, 0), 0);
    let (mut refused, mut memory) = (Vec::new(), RoundMemory::default());
    while !played.is_over() {
        anyhow::ensure!(
            played.table().round_number() <= args.rounds,
            "game {game} of {}",
            endless(played.game())
        );
        if played.table().phase() == Phase::Setup {
            let entry = table.entry(played.game());
            played
                .register(As::Table, entry)
                .map_err(|error| anyhow::anyhow!("game {game}: a register was refused: {error:?}"))?;
        }
        if (played.table().round_number(), played.table().attempt()) != deal {
            (deal, began) = ((played.table().round_number(), played.table().attempt()), actions);
        }
        steps_into(played.table(), &mut steps);
        if actions - began > MOST_AIMLESS && args.bots == Bots::Random {
            steps.leave_out_ways_back();
        }
        let actor = played.actor();
        loop {
            let action = choose(played.game(), &table, &steps.actions, &mut random, args, &memory)
                .with_context(|| format!("game {game}: {}", Position::of(played.table())))?;
            let stamp = table.keys.stamp(played.game(), actor, &action);
            let error = match played.play_stamped(actor, &action, stamp) {
                Ok(acted) => break memory.see(actor, &events(&acted.events, As::Spectator)),
                Err(error) => error,
            };
            let refusal = refusal(played.game(), game, actor, &action, &error);
            // The player chooses another step. No other deal would be better, nor a step in a round that is too long.
            anyhow::ensure!(actor != As::Table && error != ActError::RoundTooLong, "{refusal}");
            refused.push(refusal);
            steps.actions.retain(|step| *step != action);
        }
        actions += 1;
        while let Some((seat, action)) = out_of_turn(played.game(), &mut random, args.bots) {
            let stamp = table.keys.stamp(played.game(), As::Seat(seat), &action);
            match played.play_stamped(As::Seat(seat), &action, stamp) {
                Ok(acted) => memory.see(As::Seat(seat), &events(&acted.events, As::Spectator)),
                Err(error) => {
                    refused.push(refusal(played.game(), game, As::Seat(seat), &action, &error));
                    break;
                }
            }
            actions += 1;
        }
    }
    let (game, log) = played.into_parts();
    let (rounds, head) = (game.table.round_number().into(), game.link.head);
    let bytes = log.len() as u64;
    Ok((log, SimulatedGame { actions, rounds, bytes, head, refused }))
}

/// Returns the action of whoever must act: one of these steps, or the deal.
fn choose(
    state: &Game,
    table: &SimulatedTable<'_>,
    steps: &[Action],
    random: &mut [Draws],
    args: &Args,
    memory: &RoundMemory,
) -> anyhow::Result<Action> {
    let first = steps.first().context("no action is legal")?;
    let actor = canasta_engine::legal::actor(&state.table);
    Ok(match (actor, args.bots) {
        (As::Table, _) => table.deal(state, first),
        (As::Seat(seat), Bots::Random) => steps[random[seat.index()].below(steps.len())].clone(),
        (As::Seat(seat), Bots::Bot) => {
            args.level.choose(&state.table, seat, memory, steps, random[seat.index()].0).action
        }
        _ => bail!("no seat must act"),
    })
}

/// Returns the text about a listed action that was refused, with all that reproduces the refusal.
fn refusal(state: &Game, game: u32, actor: As, action: &Action, error: &ActError) -> String {
    let position = Position::of(&state.table);
    let action = action_line(Some(actor), action, state.table.set()).unwrap_or_default();
    format!("game {game}: a listed step is refused: {error}\n  position: {position}\n  action: {action}")
}

/// Returns the action of a seat that need not act, if a seat takes one. For a random player, each and none are equally likely.
fn out_of_turn(state: &Game, random: &mut [Draws], bots: Bots) -> Option<(Seat, Action)> {
    state.table.seats().find_map(|seat| {
        let asides = aside(&state.table, seat).actions;
        let random = random.get_mut(seat.index()).filter(|_| !asides.is_empty())?;
        let action = match bots {
            Bots::Bot => bot::suggest_aside(&view(&state.table, As::Seat(seat)), &asides, random.0),
            Bots::Random => asides.get(random.below(asides.len() + 1)).cloned(),
        };
        action.map(|action| (seat, action))
    })
}

/// Returns the text about a game that has reached the maximum number of rounds: its scores, and how to end
/// such games.
fn endless(state: &Game) -> String {
    let names = PlayerNames::seats_of(state.table.set());
    let total = |(unit, &score): (u8, &i32)| format!("{} {}", names.unit(Unit(unit)), number(score));
    format!(
        "{} does not end within {} ({}): set the knob `rounds` in a file of house rules, or raise --rounds",
        state.table.rules().id(),
        count(state.table.round_number() - 1, "round"),
        join((0..).zip(state.table.scores()).map(total), " · ")
    )
}

/// Returns the names of the players: North, East, South and West in games of four, numbers otherwise.
fn names(seats: u8) -> impl Iterator<Item = String> {
    const FOUR: [&str; 4] = ["North", "East", "South", "West"];
    (0..seats).map(move |seat| match FOUR.get(usize::from(seat)) {
        Some(name) if seats == 4 => (*name).to_owned(),
        _ => format!("Player {seat}"),
    })
}
