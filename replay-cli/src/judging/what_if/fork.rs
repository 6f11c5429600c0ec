//! A game played on from one of its records: a log of its own, marked as a fork.

use crate::shared::io::Io;
use crate::shared::output::OutputFile;
use crate::shared::paths;
use crate::shared::text::rules_of;
use anyhow::{Context, anyhow, bail, ensure};
use canasta_engine::action::{Action, As, EffectKind};
use canasta_engine::bot;
use canasta_engine::deal::{GameId, GameSecret};
use canasta_engine::game::{LoggedGame, NewDeal, NewGame};
use canasta_engine::log::record::{DealMode, Fork, GameEnd, Genesis, Player};
use canasta_engine::log::{Head, Record};
use canasta_engine::rules::FirstDealer;
use canasta_engine::seat::Seat;
use canasta_engine::view::view;
use std::path::Path;
use std::sync::Arc;

/// Maximum number of actions of a fork: games of bots are far shorter.
const ACTIONS_MAX: usize = 200_000;

/// The parts of a log that a fork needs.
#[derive(Default)]
struct ForkOrigin {
    genesis: Option<Genesis>,
    /// The actions before the record, with their actors.
    actions: Vec<(As, Action)>,
    dealer: Option<Seat>,
    after: (u64, Head),
    secret: Option<[u8; 64]>,
}

/// Writes a log of [`write`] to a file.
///
/// # Errors
/// As `write`, and if the file exists already.
pub fn save(
    log: &Path,
    at: u64,
    actions: &[(As, Action)],
    output: &Path,
    io: &mut Io<'_>,
) -> anyhow::Result<()> {
    let output = OutputFile::new(output, false, [log])?;
    let fork = write(log, at, actions, io)?;
    output.write(&fork, &mut io.out)
}

/// Returns the log of the game up to record `at`, then `actions`, then bots to the end of the game.
///
/// The cards are those of the game: they are dealt from the secret that its end reveals. No player has a key
/// in the fork.
///
/// # Errors
/// If the game's secret is not known, or something before the record cannot be played again.
pub fn write(log: &Path, at: u64, actions: &[(As, Action)], io: &mut Io<'_>) -> anyhow::Result<Vec<u8>> {
    ensure!(!paths::is_stdin(log), "a fork needs a file: standard input can be read only once");
    let mut origin = ForkOrigin::default();
    let source = paths::open(log, &mut io.input)?;
    let fault = paths::frames(source, &mut |frame| {
        if frame.n < at {
            origin.after = (frame.n, frame.head);
        }
        origin.keep(frame.record()?, frame.n < at);
        Ok(true)
    });
    let fault = fault.with_context(|| log.display().to_string())?;
    // What is missing behind the last record says nothing about the fork.
    if let Some(fault) = fault.filter(|fault| !fault.kind.is_torn()) {
        bail!("{}: {fault}", log.display());
    }
    let mut game = origin.create()?;
    for (actor, action) in origin.actions.iter().chain(actions) {
        play(&mut game, *actor, action)?;
    }
    let mut played = 0;
    while !game.is_over() {
        ensure!(played < ACTIONS_MAX, "the bots did not reach the end of the game");
        let (actor, steps) = (game.actor(), game.legal());
        ensure!(!steps.actions.is_empty(), "no action is legal");
        let action = bot::suggest(&view(game.table(), actor), &steps.actions, 0);
        play(&mut game, actor, &action)?;
        played += 1;
    }
    Ok(game.into_parts().1)
}

fn play(game: &mut LoggedGame, actor: As, action: &Action) -> anyhow::Result<()> {
    let played = game.play(actor, action);
    played.map(drop).map_err(|error| anyhow!("{} cannot be played again: {error}", action.kind()))
}

impl ForkOrigin {
    fn keep(&mut self, record: Record, before: bool) {
        match record {
            Record::Genesis(genesis) => self.genesis = Some(*genesis),
            Record::Register(register) => self.dealer = self.dealer.or(register.dealer),
            Record::Action(record) if before => {
                self.actions.push((record.action.actor(record.actor), record.action));
            }
            Record::GameEnd(GameEnd { secret, .. }) => self.secret = secret,
            _ => {}
        }
    }

    fn create(&self) -> anyhow::Result<LoggedGame> {
        let genesis = self.genesis.as_ref().context("the game cannot be read")?;
        let rules = rules_of(genesis).context("this version does not play its rule set")?;
        ensure!(
            genesis.mode == DealMode::Seeded,
            "bots go on with games that follow from one secret (seeded); without a file they finish the round"
        );
        let secret =
            self.secret.context("the game's secret is revealed at its end, which this log does not have")?;
        let sets = |action: &Action| match action {
            Action::Ruling(ruling) => {
                ruling.effect.position.is_some() || ruling.effect.kind == EffectKind::Restore
            }
            _ => false,
        };
        ensure!(
            !self.actions.iter().any(|(_, action)| sets(action)),
            "a ruling before the record sets or restores a position: that is not played again"
        );
        let given = rules.set().first_dealer == FirstDealer::Given;
        let (n, head) = self.after;
        let players = genesis.players.iter().map(|player| Player { name: player.name.clone(), key: None });
        let deal = NewDeal::Seeded(GameSecret(secret));
        let new = NewGame {
            dealer: self.dealer.filter(|_| given),
            players: players.collect(),
            fork_of: Some(Fork { game_id: genesis.game_id, n, head }),
            ..NewGame::new(Arc::new(rules), GameId(genesis.game_id), deal)
        };
        LoggedGame::create(new).map_err(|error| anyhow!("the game cannot be created again: {error}"))
    }
}
