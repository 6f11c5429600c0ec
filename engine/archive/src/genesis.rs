//! Encoding and decoding of the first record as decisions.

use super::error::Fault;
use super::model::Node;
use super::walk::{Walk, unzigzag, zigzag};
use alloc::sync::Arc;
use alloc::vec::Vec;
use canasta_audit::audit::playable;
use canasta_audit::follow::Followed;
use canasta_log::codes::{self, DEAL_MODES};
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

impl Walk<'_> {
    /// Encodes or decodes genesis and, if the log reveals it, the secret of the game. Then begins to follow
    /// the game, if its rules can be played.
    pub(super) fn genesis(
        &mut self,
        wanted: Option<(&Genesis, Option<&[u8; 64]>)>,
    ) -> Result<Genesis, Fault> {
        // A decoder ignores the fields of an empty genesis.
        let (blank, given) = (Genesis::default(), wanted.map(|(genesis, _)| genesis));
        let given = given.unwrap_or(&blank);
        let game_id = self.plain.bytes(&given.game_id)?;
        let base = self.text.string(BASE, &given.base, NAME_MAX)?;
        let rule_set_id = if self.text.flag(IS_BASE, given.rule_set_id == given.base) {
            base.clone()
        } else {
            self.text.string(ID, &given.rule_set_id, NAME_MAX)?
        };
        let preset = PresetId::from_name(&base).map(|preset| preset.rule_set().to_canonical());
        let rule_set = if self.text.flag(IS_PRESET, preset.as_ref() == Some(&given.rule_set)) {
            preset.ok_or(Fault::Malformed)?
        } else {
            self.text.text(RULE_SET, &given.rule_set, CANONICAL_BYTES_MAX)?
        };
        let players = self.players(&given.players)?;
        let mode = self.text.choice(MODE, 2, 0, given.mode as u32);
        let mode = codes::from_number(&DEAL_MODES, mode as u8).ok_or(Fault::Malformed)?;
        let by_table = self.text.flag(BY_TABLE, given.registration == Registration::ByTable);
        let registration = if by_table { Registration::ByTable } else { Registration::Auto };
        let secret = self.maybe_bytes(SECRET, wanted.and_then(|(_, secret)| secret))?.map(GameSecret);
        let foretold = secret.as_ref().map(|secret| Commitment::game(GameId(game_id), secret).0);
        let commitment = if self.text.flag(FOLLOWS, given.commitment == foretold) {
            foretold
        } else {
            self.maybe_bytes(COMMITMENT, given.commitment.as_ref())?
        };
        let engine = self.text.string(ENGINE, &given.engine, ENGINE_MAX)?;
        let started_at_ms = self.times.maybe(START, given.started_at_ms.map(zigzag)).map(unzigzag);
        let fork_of = self.fork_of(given.fork_of.as_ref())?;
        let director = self.maybe_bytes(DIRECTOR, given.director.as_ref())?;
        let penalties = given.penalties.map(u16::to_le_bytes);
        let penalties = self.maybe_bytes(PENALTIES, penalties.as_ref())?.map(u16::from_le_bytes);
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

    /// Encodes or decodes `N` bytes or none.
    fn maybe_bytes<const N: usize>(
        &mut self,
        node: Node,
        value: Option<&[u8; N]>,
    ) -> Result<Option<[u8; N]>, Fault> {
        let is_given = self.text.flag(node, value.is_some());
        is_given.then(|| self.plain.bytes(value.unwrap_or(&[0; N]))).transpose()
    }

    fn fork_of(&mut self, given: Option<&Fork>) -> Result<Option<Fork>, Fault> {
        if !self.text.flag(FORK, given.is_some()) {
            return Ok(None);
        }
        let fork = given.copied().unwrap_or_default();
        let game_id = self.plain.bytes(&fork.game_id)?;
        let n = self.times.number(FORK_N, fork.n);
        Ok(Some(Fork { game_id, n, head: self.plain.bytes(&fork.head)? }))
    }

    fn players(&mut self, given: &[Player]) -> Result<Vec<Player>, Fault> {
        let count = self.text.choice(PLAYERS, 3, 0, given.len() as u32) as usize;
        if count > SEATS_MAX {
            return Err(Fault::Malformed);
        }
        let mut player = |at: usize| {
            let given = given.get(at).cloned().unwrap_or_default();
            let name = self.text.string(NAME, &given.name, NAME_MAX)?;
            Ok(Player { name, key: self.maybe_bytes(KEY, given.key.as_ref())? })
        };
        (0..count).map(&mut player).collect()
    }

    /// Begins to follow the game if its rules can be played. The packed log states whether they could: a
    /// later engine that plays more rules must decode the same.
    fn begin(&mut self, genesis: &Genesis, secret: Option<GameSecret>) -> Result<(), Fault> {
        let rules = playable(genesis).ok();
        let is_writer = self.play.coder.is_writer();
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
