//! The writer of a game's records, which continues the hash chain.

use super::game::{Game, Link};
use alloc::boxed::Box;
use alloc::vec::Vec;
use canasta_log::dealing::{DealSource, Entries, Registration};
use canasta_log::error::FieldError;
use canasta_log::record::{Beacon, GameEnd, Record, Register, RoundEnd};
use canasta_log::{Chain, derive};
use canasta_rules::scoring::{self, GameResult, RoundScore};
use canasta_rules::table::{EndReason, Phase};

pub(super) struct LogWriter {
    pub chain: Chain,
    pub frames: Vec<u8>,
}

impl LogWriter {
    pub fn open(game: &Game) -> Self {
        let Link { n, head } = game.link;
        Self { chain: Chain { next: n + 1, head }, frames: Vec::with_capacity(64) }
    }

    pub fn write(&mut self, record: &Record) -> Result<(), FieldError> {
        let payload = record.encode()?;
        self.chain.append(&payload, &mut self.frames);
        Ok(())
    }

    pub fn must_write(&mut self, record: &Record) {
        self.write(record).expect("what check allowed fits a record");
    }

    /// Adds the frames written so far as one record to the length of the round, if a round is being played.
    pub fn count(&self, game: &mut Game) {
        if !matches!(game.table.phase(), Phase::Setup | Phase::GameOver) {
            game.length.records += 1;
            game.length.bytes += self.frames.len() as u32;
        }
    }

    /// Sets the game's place in the log and returns the frames.
    pub fn close(self, game: &mut Game) -> Vec<u8> {
        game.link = Link { n: self.chain.next - 1, head: self.chain.head };
        self.frames
    }

    /// Writes the next register after the end of a round, unless the table sends the register.
    pub fn prepare(&mut self, game: &mut Game) {
        // A given wall is used for one deal. The draw of cards for seats uses no cards of the wall.
        let drawn = game.table.round_over().is_some_and(|over| over.reason == EndReason::Drawn);
        if matches!(game.dealing.source, DealSource::Wall { .. }) && !drawn {
            game.dealing.source = DealSource::Unknown;
        } else if game.registration == Registration::Auto {
            self.register(game, Vec::new(), None);
        }
    }

    /// Writes the register of the next round.
    pub fn register(&mut self, game: &mut Game, seats: Vec<Option<[u8; 32]>>, beacon: Option<Beacon>) {
        let dealer = game.dealing.due_dealer(&game.table);
        self.register_dealer(game, dealer, seats, beacon, Vec::new());
    }

    /// Writes the register of the next round with this dealer.
    pub fn register_dealer(
        &mut self,
        game: &mut Game,
        dealer: canasta_rules::seat::Seat,
        seats: Vec<Option<[u8; 32]>>,
        beacon: Option<Beacon>,
        signatures: Vec<Option<[u8; 64]>>,
    ) {
        let Game { table, dealing, length, .. } = game;
        if let Some(entries) = &mut dealing.entries {
            **entries = Entries::new(&seats, beacon.is_some());
        }
        table.register(dealer);
        *length = Default::default();
        let round = u32::from(table.round_number());
        self.must_write(&Record::Register(Box::new(Register {
            round,
            attempt: table.attempt().into(),
            // If drawn cards decide the dealer, there is no dealer before the draw.
            dealer: (round > 0 || !table.set().draws_dealer()).then_some(table.dealer()),
            commitment: dealing.commitment(table).map(|commitment| commitment.0),
            seats,
            beacon,
            signatures,
        })));
    }

    /// Books the round that is over and writes its end. Returns the score, and the result if the game is
    /// over.
    pub fn round_end(&mut self, game: &mut Game) -> (RoundScore, Option<GameResult>) {
        let end = derive::end_of(&game.table, &game.dealing);
        let (score, result) = scoring::book(&mut game.table);
        self.must_write(&Record::RoundEnd(Box::new(RoundEnd { scores: derive::scores(&score), ..end })));
        (score, result)
    }

    /// Writes the end of a void deal: nothing is scored, and the next record is a register.
    pub fn void(&mut self, game: &mut Game) {
        let end = derive::end_of(&game.table, &game.dealing);
        scoring::void(&mut game.table);
        self.must_write(&Record::RoundEnd(Box::new(end)));
    }

    /// Writes the end of the game.
    pub fn game_end(&mut self, game: &Game, result: &GameResult) {
        let secret = match &game.dealing.source {
            DealSource::Seeded(secret) => Some(secret.0),
            _ => None,
        };
        self.must_write(&Record::GameEnd(GameEnd { winner: result.winner.map(|unit| unit.0), secret }));
    }
}
