//! Encoding and decoding of the first record as decisions.

use super::error::Fault;
use super::model::Node;
use super::walk::{Walk, unzigzag, zigzag};
use alloc::sync::Arc;
use alloc::vec::Vec;
use canasta_audit::audit::playable;
use canasta_audit::follow::Followed;
use canasta_log::deal::{Commitment, GameId, GameSecret};
use canasta_log::dealing::Registration;
use canasta_log::dealing::{DealSource, Dealing};
use canasta_log::record::{DealMode, ENGINE_MAX, Fork, Genesis, NAME_MAX, Player};
use canasta_rules::rules::CANONICAL_BYTES_MAX;
use canasta_rules::rules::PresetId;
use canasta_rules::seat::{SEATS_MAX, Seat};
use canasta_rules::table::Table;

/// Nodes of choices.
const IS_BASE: Node = 25;
const IS_PRESET: Node = 26;
const PLAYERS: Node = 27;
const KEY: Node = 28;
const MODE: Node = 29;
const BY_TABLE: Node = 30;
const SECRET: Node = 31;
const FOLLOWS: Node = 32;
const COMMITMENT: Node = 33;
const FORK: Node = 34;
const PLAYED: Node = 35;
const DIRECTOR: Node = 36;
const PENALTIES: Node = 37;
/// Kinds of text.
const BASE: u32 = 10;
const ID: u32 = 11;
const RULE_SET: u32 = 12;
const NAME: u32 = 13;
const ENGINE: u32 = 14;
/// Contexts of numbers.
const START: u32 = 20;
const FORK_N: u32 = 21;

const MODES: [DealMode; 4] =
    [DealMode::Seeded, DealMode::Committed, DealMode::Explicit, DealMode::Transcribed];

impl Walk<'_> {
    /// Encodes or decodes genesis and, if the log reveals it, the secret of the game. Then begins to follow
    /// the game, if its rules can be played.
    pub(super) fn genesis(
        &mut self,
        wanted: Option<(&Genesis, Option<&[u8; 64]>)>,
    ) -> Result<Genesis, Fault> {
        let given = wanted.map(|(genesis, _)| genesis);
        let game_id = self.plain.bytes(given.map(|genesis| &genesis.game_id))?;
        let base = self.text.string(BASE, given.map_or("", |genesis| &genesis.base), NAME_MAX)?;
        let same = given.is_some_and(|genesis| genesis.rule_set_id == genesis.base);
        let rule_set_id = if self.text.flag(IS_BASE, same) {
            base.clone()
        } else {
            self.text.string(ID, given.map_or("", |genesis| &genesis.rule_set_id), NAME_MAX)?
        };
        let preset = PresetId::from_name(&base).map(|preset| preset.rule_set().to_canonical());
        let same = given.is_some_and(|genesis| preset.as_ref() == Some(&genesis.rule_set));
        let rule_set = if self.text.flag(IS_PRESET, same) {
            preset.ok_or(Fault::Malformed)?
        } else {
            self.text.text(RULE_SET, given.map_or(&[], |genesis| &genesis.rule_set), CANONICAL_BYTES_MAX)?
        };
        let players = self.players(given)?;
        let mode = given.map_or(0, |genesis| genesis.mode as u32);
        let mode = MODES[self.text.choice(MODE, 2, 0, mode) as usize];
        let by_table = given.is_some_and(|genesis| genesis.registration == Registration::ByTable);
        let by_table = self.text.flag(BY_TABLE, by_table);
        let registration = if by_table { Registration::ByTable } else { Registration::Auto };
        let secret = wanted.and_then(|(_, secret)| secret);
        let secret = if self.text.flag(SECRET, secret.is_some()) {
            Some(GameSecret(self.plain.bytes(secret)?))
        } else {
            None
        };
        let foretold = secret.as_ref().map(|secret| Commitment::game(GameId(game_id), secret).0);
        let commitment = given.map_or(foretold, |genesis| genesis.commitment);
        let commitment = if self.text.flag(FOLLOWS, commitment == foretold) {
            foretold
        } else if self.text.flag(COMMITMENT, commitment.is_some()) {
            Some(self.plain.bytes(commitment.as_ref())?)
        } else {
            None
        };
        let engine = self.text.string(ENGINE, given.map_or("", |genesis| &genesis.engine), ENGINE_MAX)?;
        let started = given.and_then(|genesis| genesis.started_at_ms).map(zigzag);
        let started_at_ms = self.times.maybe(START, started).map(unzigzag);
        let fork_of = self.fork_of(given)?;
        let (director, penalties) = self.officials(given)?;
        let genesis = Genesis {
            game_id,
            rule_set_id,
            base,
            rule_set,
            players,
            mode,
            registration,
            commitment,
            engine,
            started_at_ms,
            fork_of,
            director,
            penalties,
        };
        self.begin(&genesis, secret)?;
        Ok(genesis)
    }

    fn fork_of(&mut self, given: Option<&Genesis>) -> Result<Option<Fork>, Fault> {
        let fork = given.and_then(|genesis| genesis.fork_of.as_ref());
        Ok(if self.text.flag(FORK, fork.is_some()) {
            Some(Fork {
                game_id: self.plain.bytes(fork.map(|fork| &fork.game_id))?,
                n: self.times.number(FORK_N, fork.map_or(0, |fork| fork.n)),
                head: self.plain.bytes(fork.map(|fork| &fork.head))?,
            })
        } else {
            None
        })
    }

    /// Encodes or decodes the director's key and the version of the table of penalties.
    fn officials(&mut self, given: Option<&Genesis>) -> Result<(Option<[u8; 32]>, Option<u16>), Fault> {
        let director = given.and_then(|genesis| genesis.director.as_ref());
        let director = match self.text.flag(DIRECTOR, director.is_some()) {
            true => Some(self.plain.bytes(director)?),
            false => None,
        };
        let penalties = given.and_then(|genesis| genesis.penalties);
        let penalties = match self.text.flag(PENALTIES, penalties.is_some()) {
            true => Some(u16::from_le_bytes(self.plain.bytes(penalties.map(u16::to_le_bytes).as_ref())?)),
            false => None,
        };
        Ok((director, penalties))
    }

    fn players(&mut self, given: Option<&Genesis>) -> Result<Vec<Player>, Fault> {
        let count = given.map_or(0, |genesis| genesis.players.len() as u32);
        let count = self.text.choice(PLAYERS, 3, 0, count) as usize;
        if count > SEATS_MAX {
            return Err(Fault::Malformed);
        }
        let mut player = |at: usize| {
            let given = given.and_then(|genesis| genesis.players.get(at));
            let name = self.text.string(NAME, given.map_or("", |player| &player.name), NAME_MAX)?;
            let key = given.and_then(|player| player.key.as_ref());
            let key = if self.text.flag(KEY, key.is_some()) { Some(self.plain.bytes(key)?) } else { None };
            Ok(Player { name, key })
        };
        (0..count).map(&mut player).collect()
    }

    /// Begins to follow the game if its rules can be played. The packed log states whether they could: a
    /// later engine that plays more rules must decode the same.
    fn begin(&mut self, genesis: &Genesis, secret: Option<GameSecret>) -> Result<(), Fault> {
        let rules = playable(genesis).ok();
        let is_writer = self.play.is_writer();
        if !self.play.flag(PLAYED, is_writer && rules.is_some()) {
            return Ok(());
        }
        let table = Table::new(Arc::new(rules.ok_or(Fault::Malformed)?), Seat(0));
        let committed = genesis.mode == DealMode::Committed;
        let dealing = Dealing::new(GameId(genesis.game_id), DealSource::Unknown, committed);
        self.game = Some(Followed::new(table, dealing, secret));
        Ok(())
    }
}
