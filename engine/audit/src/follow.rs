//! A game that is executed beside its records. It predicts records, and knows how far the records could be
//! followed.
//!
//! Archives and the notation of games omit records and fields that follow from the rest; both follow the game
//! with this module.

use alloc::boxed::Box;
use alloc::vec::Vec;
use canasta_log::deal::{GameSecret, RoundSecret, WallSalt};
use canasta_log::dealing::{DealSource, Dealing, Entries};
use canasta_log::record::{ActionRecord, EndReason, GameEnd, Record, Register, Reveal, RoundEnd, Score};
use canasta_log::{derive, digest};
use canasta_rules::action::{Action, As};
use canasta_rules::check::Legal;
use canasta_rules::event::Events;
use canasta_rules::nodes::Nodes;
use canasta_rules::scoring::{self, GameResult};
use canasta_rules::seat::Seat;
use canasta_rules::table::{Phase, RoundOver, Table};

/// The effect on the game of a record that was not predicted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecordEffect {
    /// The record changes nothing.
    Nothing,
    /// The action is executed.
    Carried,
    /// The round can no longer be followed: nothing is predicted up to its end.
    Lost,
    /// The round that is over is booked as it was played.
    Booked,
    /// The round is booked by the scores that its end declares.
    Declared,
    /// The game can no longer be followed.
    Left,
}

impl RecordEffect {
    /// All effects.
    pub const ALL: [Self; 6] =
        [Self::Nothing, Self::Carried, Self::Lost, Self::Booked, Self::Declared, Self::Left];
}

/// The source of the cards of a round.
#[derive(Clone, PartialEq, Eq)]
pub enum DealOrigin {
    /// The source is unknown: the round has no end, or an end that reveals nothing.
    Hidden,
    /// The secret of the game.
    Game,
    /// The secret of the round.
    Round([u8; 64]),
    /// A given wall and its salt.
    Wall(Vec<canasta_rules::card::Card>, [u8; 32]),
    /// No wall is needed.
    Open,
}

/// A game that is executed beside its records.
#[derive(Clone)]
pub struct Followed {
    /// The table.
    pub table: Table,
    /// The source of the cards.
    pub dealing: Dealing,
    /// The secret of the game, if it is known.
    pub secret: Option<GameSecret>,
    /// Whether the current round cannot be followed.
    pub lost: bool,
    /// Whether the end of the game was read.
    pub ended: bool,
    result: Option<GameResult>,
}

impl Followed {
    /// Returns a game before its first record.
    pub fn new(table: Table, dealing: Dealing, secret: Option<GameSecret>) -> Self {
        Self { table, dealing, secret, lost: false, ended: false, result: None }
    }

    /// Returns the round and the attempt of the next register.
    pub fn number(&self) -> (u32, u32) {
        (self.table.round_number().into(), self.table.attempt().into())
    }

    /// Whether this register can begin the next round.
    pub fn expects(&self, register: &Register) -> bool {
        let dealer_fits = match register.dealer {
            None => self.draws_dealer(),
            Some(dealer) => !self.draws_dealer() && dealer.0 < self.table.set().seats,
        };
        self.table.phase() == Phase::Setup
            && (register.round, register.attempt) == self.number()
            && dealer_fits
            && register.seats.len() <= usize::from(self.table.set().seats)
    }

    /// Whether drawn cards decide the dealer of the next round.
    pub fn draws_dealer(&self) -> bool {
        self.table.round_number() == 0 && self.table.set().draws_dealer()
    }

    /// Returns the source of the cards that the reveal of the current deal discloses. Without a reveal, or with
    /// a wall that is not the whole pack, the source is [`DealOrigin::Hidden`].
    pub fn deal_of(&self, reveal: Option<&Reveal>) -> DealOrigin {
        let (round, attempt) = self.number();
        match reveal {
            None => DealOrigin::Hidden,
            Some(Reveal::Secret(secret)) => {
                let follows = |game: &GameSecret| game.round(round, attempt).0 == *secret;
                if self.secret.as_ref().is_some_and(follows) {
                    DealOrigin::Game
                } else {
                    DealOrigin::Round(*secret)
                }
            }
            Some(Reveal::Wall { cards, salt }) => {
                let whole = cards.iter().copied().collect::<canasta_rules::card::Cards>()
                    == self.table.rules().census();
                if whole { DealOrigin::Wall(cards.clone(), *salt) } else { DealOrigin::Hidden }
            }
            Some(Reveal::None) if round == 0 => DealOrigin::Open,
            Some(Reveal::None) => DealOrigin::Hidden,
        }
    }

    /// Sets the source of the cards of the round. `None` if the source is the game's secret and that secret
    /// is unknown.
    pub fn take_deal(&mut self, deal: DealOrigin) -> Option<()> {
        self.lost = deal == DealOrigin::Hidden;
        self.dealing.source = match deal {
            DealOrigin::Hidden | DealOrigin::Open => DealSource::Unknown,
            DealOrigin::Game => DealSource::Seeded(self.secret.clone()?),
            DealOrigin::Round(secret) => DealSource::Round(RoundSecret(secret)),
            DealOrigin::Wall(wall, salt) => DealSource::Wall { wall, salt: WallSalt(salt) },
        };
        Some(())
    }

    /// Returns the dealer that the register will name, as far as the game knows; `None` if drawn cards decide
    /// the dealer.
    pub fn dealer(&self) -> Option<Seat> {
        if self.draws_dealer() { None } else { Some(self.dealing.due_dealer(&self.table)) }
    }

    /// Returns the commitment that the register will hold, if it is known.
    pub fn commitment(&self) -> Option<[u8; 32]> {
        if self.lost { None } else { self.dealing.commitment(&self.table).map(|commitment| commitment.0) }
    }

    /// Registers the round.
    pub fn register(&mut self, register: &Register) {
        if let Some(entries) = &mut self.dealing.entries {
            **entries = Entries::new(&register.seats, register.beacon.is_some());
        }
        self.table.register(register.dealer.unwrap_or(self.table.dealer()));
    }

    /// Whether a round is being played that can be followed.
    pub fn is_followed(&self) -> bool {
        !self.lost && self.is_in_round() && self.table.phase() != Phase::RoundOver
    }

    fn is_in_round(&self) -> bool {
        !matches!(self.table.phase(), Phase::Setup | Phase::GameOver)
    }

    /// Judges an action of the table or of a seat; `None` if the action is illegal.
    pub fn check(&self, actor: Option<Seat>, action: &Action) -> Option<Legal> {
        let seats = self.table.set().seats;
        if actor.is_some_and(|seat| seat.0 >= seats) {
            return None;
        }
        self.judge(actor.map_or(As::Table, As::Seat), action)
    }

    fn judge(&self, actor: As, action: &Action) -> Option<Legal> {
        derive::check(&self.table, &self.dealing, None, None, actor, action, &Nodes::without_work()).ok()
    }

    /// Executes a legal action, as [`Dealing::apply`] does.
    pub fn apply(&mut self, legal: Legal) -> Events {
        self.dealing.apply(&mut self.table, legal)
    }

    /// Executes a legal action and returns the public digest after it.
    pub fn carry_out(&mut self, legal: Legal) -> [u8; 8] {
        self.apply(legal);
        digest::public(&self.table)
    }

    /// Returns the predicted record of the end of the round that is over; `None` if no round is over or the
    /// round could not be followed.
    pub fn round_end(&self) -> Option<Record> {
        let over =
            self.table.round_over().filter(|_| !self.lost && self.table.phase() == Phase::RoundOver)?;
        let mut end = derive::end_of(&self.table, &self.dealing);
        if over.reason != EndReason::Voided {
            end.scores = derive::scores(&scoring::score(&self.table));
        }
        Some(Record::RoundEnd(Box::new(end)))
    }

    /// Books the round that is over; `None` if no round is over.
    pub fn book(&mut self) -> Option<()> {
        let over = self.table.round_over().filter(|_| self.table.phase() == Phase::RoundOver)?;
        if over.reason == EndReason::Voided {
            scoring::void(&mut self.table);
        } else {
            self.result = scoring::book(&mut self.table).1;
        }
        Some(())
    }

    /// Returns the predicted record of the end of the game; `None` if the game is not over, or its end was
    /// read already.
    pub fn game_end(&self) -> Option<Record> {
        let result = self.result.filter(|_| !self.ended)?;
        let secret = self.secret.as_ref().map(|secret| secret.0);
        Some(Record::GameEnd(GameEnd { winner: result.winner.map(|unit| unit.0), secret }))
    }

    /// Returns the effect of a record number `n` that was not predicted.
    pub fn effect(&self, record: Option<&Record>, n: u64) -> RecordEffect {
        match record {
            Some(Record::Action(record)) if !self.lost => {
                let known = self.table.phase() != Phase::Setup || record.action.is_official();
                match self.check_literal(record, n).filter(|_| known) {
                    Some(_) => RecordEffect::Carried,
                    None => RecordEffect::Lost,
                }
            }
            Some(Record::RoundEnd(_)) if self.lost && self.is_in_round() => RecordEffect::Declared,
            Some(Record::RoundEnd(_)) if self.table.phase() == Phase::RoundOver => RecordEffect::Booked,
            Some(Record::RoundEnd(_) | Record::Register(_)) => RecordEffect::Left,
            _ => RecordEffect::Nothing,
        }
    }

    /// Applies the effect of a record to the game; `None` if the record cannot have that effect.
    pub fn take(&mut self, effect: RecordEffect, record: Option<&Record>, n: u64) -> Option<()> {
        self.ended |= matches!(record, Some(Record::GameEnd(_)));
        match (effect, record) {
            (RecordEffect::Nothing | RecordEffect::Left, _) => {}
            (RecordEffect::Carried, Some(Record::Action(record))) => {
                let legal = self.check_literal(record, n)?;
                self.apply(legal);
            }
            (RecordEffect::Lost, _) => self.lost = true,
            (RecordEffect::Booked, _) => self.book()?,
            (RecordEffect::Declared, Some(Record::RoundEnd(end))) => self.declare(end)?,
            _ => return None,
        }
        Some(())
    }

    fn check_literal(&self, record: &ActionRecord, n: u64) -> Option<Legal> {
        let action = self.opened(&record.action, n);
        match record.actor {
            None if action.is_official() => self.judge(As::Director, &action),
            actor => self.check(actor, &action),
        }
    }

    /// Returns the action of record `n` with its position in clear; without the position if its mask does not
    /// open.
    pub fn opened(&self, action: &Action, n: u64) -> Action {
        derive::opened(&self.table, &self.dealing, n, action)
    }

    /// Books a round that could not be followed, as the audit does: by the declared scores, or as void.
    /// `None` if the round could be followed, or no round is being played.
    pub fn declare(&mut self, end: &RoundEnd) -> Option<()> {
        if !self.lost || !self.is_in_round() {
            return None;
        }
        self.lost = false;
        if end.reason == EndReason::Voided {
            self.table.void_round();
            return self.book();
        }
        self.book_declared(&end.scores, RoundOver::without_seat(EndReason::Ruled));
        Some(())
    }

    /// Books the round by declared scores.
    pub fn book_declared(&mut self, scores: &[Score], over: RoundOver) {
        self.result = book_declared(&mut self.table, scores, over);
    }
}

/// Books a round by declared scores; one that is no score of a game counts as zero.
pub(crate) fn book_declared(table: &mut Table, scores: &[Score], over: RoundOver) -> Option<GameResult> {
    let total = |score: &Score| i32::try_from(score.total()).unwrap_or(0);
    let totals: Vec<i32> = scores.iter().map(total).collect();
    scoring::book_declared(table, &totals, over)
}
