//! Knowledge that a director may have of a round that is not revealed: its secret, or an open state of the game.

use crate::shared::text::hex;
use anyhow::{Context, anyhow, bail, ensure};
use base64ct::{Base64, Encoding};
use canasta_engine::dealing::DealSource;
use canasta_engine::log::audit::Report;
use canasta_engine::log::record::Reveal;
use canasta_engine::token::{self, Catalogue};
use canasta_tournament::files::read_bounded;
use std::path::PathBuf;

/// Maximum size of a file with a secret or a state, in bytes.
const FILE_MAX: u64 = 64 << 10;

/// The options that disclose the cards of a round.
#[derive(clap::Args, Debug, Default)]
pub struct Disclosure {
    /// For a director: a file with the secret of the round that is not revealed yet, 128 hex digits (that round's
    /// secret, never the game's)
    #[arg(long, value_name = "FILE", conflicts_with = "state")]
    round_secret: Option<PathBuf>,
    /// For a director: a file with an open state of the game in that round, as bytes or in Base64
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
}

impl Disclosure {
    /// Reads what the options name; `None` if they name nothing.
    ///
    /// # Errors
    /// If a file cannot be read, or is neither a secret nor an open state.
    pub fn read(&self) -> anyhow::Result<Option<Reveal>> {
        let reveal = match (&self.round_secret, &self.state) {
            (Some(file), _) => (file, secret(&read_bounded(file, FILE_MAX)?)),
            (_, Some(file)) => (file, of_state(&read_bounded(file, FILE_MAX)?)),
            (None, None) => return Ok(None),
        };
        let (file, reveal) = reveal;
        reveal.with_context(|| file.display().to_string()).map(Some)
    }

    /// Checks that the options name something about the round that is not revealed; `fits` says whether the log could be
    /// executed with it.
    ///
    /// # Errors
    /// If it is not, or every round of the log is revealed.
    pub fn check(&self, report: &Report, fits: bool) -> anyhow::Result<()> {
        let Some(file) = self.round_secret.as_ref().or(self.state.as_ref()) else { return Ok(()) };
        let name = file.display();
        let Some(round) = report.open_round else {
            bail!("{name}: no round of this log is hidden: its cards are known without it")
        };
        ensure!(
            fits,
            "{name}: this is not what the register of round {round} commits to: expected the secret of that round \
             and of this game, or a state in that round"
        );
        Ok(())
    }
}

fn secret(bytes: &[u8]) -> anyhow::Result<Reveal> {
    let expected = || anyhow!("expected the secret of a round: 128 hex digits");
    let text = std::str::from_utf8(bytes).map_err(|_| expected())?.trim();
    let mut secret = [0; 64];
    ensure!(text.len() == 2 * secret.len(), expected());
    base16ct::mixed::decode(text, &mut secret).map_err(|_| expected())?;
    Ok(Reveal::Secret(secret))
}

fn of_state(bytes: &[u8]) -> anyhow::Result<Reveal> {
    let decoded = match bytes.first() {
        Some(&token::MAGIC) => bytes.to_vec(),
        _ => {
            let text = std::str::from_utf8(bytes).map_or("", str::trim);
            Base64::decode_vec(text).map_err(|_| anyhow!("expected an open state, as bytes or in Base64"))?
        }
    };
    let game = token::decode(&decoded, &Catalogue::new()).map_err(|error| {
        anyhow!("expected an open state (a sealed one is opened by the service): {error}")
    })?;
    let (round, attempt) = (game.table.round_number().into(), game.table.attempt().into());
    match game.dealing.source {
        DealSource::Seeded(secret) => Ok(Reveal::Secret(secret.round(round, attempt).0)),
        DealSource::Round(secret) => Ok(Reveal::Secret(secret.0)),
        DealSource::Wall { wall, salt } => Ok(Reveal::Wall { cards: wall, salt: salt.0 }),
        DealSource::Unknown => bail!("the state of game {} knows no cards", hex(&game.dealing.game_id.0)),
    }
}
