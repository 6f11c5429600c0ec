//! The game that is executed beside its records: what foretells them, and how far it could be followed.
//!
//! Archives and the notation of games leave out what follows from the rest; both follow the game with this.

use alloc::boxed::Box;
use alloc::vec::Vec;
use canasta_log::deal::{self, GameSecret, MaskLabel, RoundSecret, WallSalt};
use canasta_log::dealing::{DealSource, Dealing, Entries};
use canasta_log::record::{ActionRecord, EndReason, GameEnd, Record, Register, Reveal, RoundEnd, Score};
use canasta_log::{derive, digest};
use canasta_rules::action::{Action, As};
use canasta_rules::apply::apply;
use canasta_rules::check::Legal;
use canasta_rules::event::Events;
use canasta_rules::scoring::{self, GameResult};
use canasta_rules::seat::Seat;
use canasta_rules::table::{Phase, RoundOver, Table};

/// What a record that was not foretold does to the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Nothing.
    Nothing,
    /// The action was carried out.
    Carried,
    /// The round cannot be followed any further: up to its end nothing is foretold.
    Lost,
    /// The round that is over was booked as it was played.
    Booked,
    /// The round was booked by what its end declares.
    Declared,
    /// The game cannot be followed any further.
    Left,
}

impl Effect {
    /// All effects.
    pub const ALL: [Self; 6] =
        [Self::Nothing, Self::Carried, Self::Lost, Self::Booked, Self::Declared, Self::Left];
}

/// What the cards of a round follow from.
#[derive(Clone, PartialEq, Eq)]
pub enum Deal {
    /// It is not known: the round has no end, or one that reveals nothing.
    Hidden,
    /// The game's secret.
    Game,
    /// The secret of the round.
    Round([u8; 64]),
    /// A given wall, and its salt.
    Wall(Vec<canasta_rules::card::Card>, [u8; 32]),
    /// No wall is needed.
    Open,
}

/// A game that is executed beside its records.
#[derive(Clone)]
pub struct Followed {
    /// The table.
    pub table: Table,
    /// Where the cards come from.
    pub dealing: Dealing,
    /// The secret of the game, if it is known.
    pub secret: Option<GameSecret>,
    /// Whether the round under way cannot be followed.
    pub lost: bool,
    /// Whether the end of the game was read.
    pub ended: bool,
    result: Option<GameResult>,
}

impl Followed {
    /// Returns the game before its first record.
    pub fn new(table: Table, dealing: Dealing, secret: Option<GameSecret>) -> Self {
        Self { table, dealing, secret, lost: false, ended: false, result: None }
    }

    /// What the register of the deal that comes next says, as far as it is known before the deal is.
    pub fn number(&self) -> (u32, u32) {
        (self.table.round_number().into(), self.table.attempt().into())
    }

    /// Whether this register can begin the round that comes next.
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

    /// Whether cards decide who deals the round that comes next.
    pub fn draws_dealer(&self) -> bool {
        self.table.round_number() == 0 && self.table.set().draws_dealer()
    }

    /// What of a reveal has to be said.
    pub fn deal_of(&self, reveal: Option<&Reveal>) -> Deal {
        let (round, attempt) = self.number();
        match reveal {
            None => Deal::Hidden,
            Some(Reveal::Secret(secret)) => {
                let follows = |game: &GameSecret| game.round(round, attempt).0 == *secret;
                if self.secret.as_ref().is_some_and(follows) { Deal::Game } else { Deal::Round(*secret) }
            }
            Some(Reveal::Wall { cards, salt }) => {
                let whole = cards.iter().copied().collect::<canasta_rules::card::Cards>()
                    == self.table.rules().census();
                if whole { Deal::Wall(cards.clone(), *salt) } else { Deal::Hidden }
            }
            Some(Reveal::None) if round == 0 => Deal::Open,
            Some(Reveal::None) => Deal::Hidden,
        }
    }

    /// Takes what the round's cards follow from; `None` if it cannot be that.
    pub fn take_deal(&mut self, deal: Deal) -> Option<()> {
        self.lost = deal == Deal::Hidden;
        self.dealing.source = match deal {
            Deal::Hidden | Deal::Open => DealSource::Unknown,
            Deal::Game => DealSource::Seeded(self.secret.clone()?),
            Deal::Round(secret) => DealSource::Round(RoundSecret(secret)),
            Deal::Wall(wall, salt) => DealSource::Wall { wall, salt: WallSalt(salt) },
        };
        Some(())
    }

    /// The dealer that the register will name, unless it is the first or something else decides.
    pub fn dealer(&self) -> Option<Seat> {
        if self.draws_dealer() { None } else { Some(self.dealing.due_dealer(&self.table)) }
    }

    /// Returns the commitment that the register will hold, if it is known.
    pub fn commitment(&self) -> Option<[u8; 32]> {
        if self.lost { None } else { self.dealing.commitment(&self.table).map(|commitment| commitment.0) }
    }

    /// The round is registered.
    pub fn register(&mut self, register: &Register) {
        if let Some(entries) = &mut self.dealing.entries {
            **entries = Entries::new(&register.seats, register.beacon.is_some());
        }
        self.table.register(register.dealer.unwrap_or(self.table.dealer()));
    }

    /// Whether seats act in a round that can be followed.
    pub fn is_followed(&self) -> bool {
        !self.lost && self.is_in_round() && self.table.phase() != Phase::RoundOver
    }

    fn is_in_round(&self) -> bool {
        !matches!(self.table.phase(), Phase::Setup | Phase::GameOver)
    }

    /// Judges an action of the table or of a seat.
    pub fn check(&self, actor: Option<Seat>, action: &Action) -> Option<Legal> {
        let seats = self.table.set().seats;
        if actor.is_some_and(|seat| seat.0 >= seats) {
            return None;
        }
        self.judge(actor.map_or(As::Table, As::Seat), action)
    }

    fn judge(&self, actor: As, action: &Action) -> Option<Legal> {
        derive::check(&self.table, &self.dealing, None, actor, action).ok()
    }

    /// Carries the action out. What was registered for a deal is used up by it.
    pub fn apply(&mut self, legal: Legal) -> Events {
        let deals = self.table.phase() == Phase::Deal;
        let events = apply(&mut self.table, legal);
        if deals && self.table.phase() != Phase::Deal {
            self.dealing.clear_entries();
        }
        events
    }

    /// Carries the action out; the digest after it.
    pub fn carry_out(&mut self, legal: Legal) -> [u8; 8] {
        self.apply(legal);
        digest::public(&self.table)
    }

    /// The end of the round that is over.
    pub fn round_end(&self) -> Option<Record> {
        let over =
            self.table.round_over().filter(|_| !self.lost && self.table.phase() == Phase::RoundOver)?;
        let mut end = derive::end_of(&self.table, &self.dealing);
        if over.reason != EndReason::Voided {
            end.scores = derive::scores(&scoring::score(&self.table));
        }
        Some(Record::RoundEnd(Box::new(end)))
    }

    /// Books the round that is over.
    pub fn book(&mut self) -> Option<()> {
        let over = self.table.round_over().filter(|_| self.table.phase() == Phase::RoundOver)?;
        if over.reason == EndReason::Voided {
            scoring::void(&mut self.table);
        } else {
            self.result = scoring::book(&mut self.table).1;
        }
        Some(())
    }

    /// The end of the game.
    pub fn game_end(&self) -> Option<Record> {
        let result = self.result.filter(|_| !self.ended)?;
        let secret = self.secret.as_ref().map(|secret| secret.0);
        Some(Record::GameEnd(GameEnd { winner: result.winner.map(|unit| unit.0), secret }))
    }

    /// What a record that was not foretold does.
    pub fn effect(&self, record: Option<&Record>, n: u64) -> Effect {
        match record {
            Some(Record::Action(record)) if !self.lost => {
                let known = self.table.phase() != Phase::Setup || record.action.is_official();
                match self.check_literal(record, n).filter(|_| known) {
                    Some(_) => Effect::Carried,
                    None => Effect::Lost,
                }
            }
            Some(Record::RoundEnd(_)) if self.lost && self.is_in_round() => Effect::Declared,
            Some(Record::RoundEnd(_)) if self.table.phase() == Phase::RoundOver => Effect::Booked,
            Some(Record::RoundEnd(_) | Record::Register(_)) => Effect::Left,
            _ => Effect::Nothing,
        }
    }

    /// Does what a record does; `None` if it cannot do that.
    pub fn take(&mut self, effect: Effect, record: Option<&Record>, n: u64) -> Option<()> {
        self.ended |= matches!(record, Some(Record::GameEnd(_)));
        match (effect, record) {
            (Effect::Nothing | Effect::Left, _) => {}
            (Effect::Carried, Some(Record::Action(record))) => {
                let legal = self.check_literal(record, n)?;
                self.apply(legal);
            }
            (Effect::Lost, _) => self.lost = true,
            (Effect::Booked, _) => self.book()?,
            (Effect::Declared, Some(Record::RoundEnd(end))) => self.declare(end)?,
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

    /// The action with its position in clear.
    pub fn opened(&self, action: &Action, n: u64) -> Action {
        let Action::Ruling(ruling) = action else { return action.clone() };
        let mut ruling = ruling.clone();
        if let Some(masked) = ruling.effect.position.take_if(|_| ruling.effect.masked) {
            ruling.effect.masked = false;
            ruling.effect.position = self
                .dealing
                .reveal_key(&self.table)
                .and_then(|key| deal::unmask(MaskLabel::Ruling, key.as_mask(), n, &masked).ok());
        }
        Action::Ruling(ruling)
    }

    /// Books a round that could not be followed, as the audit does.
    pub fn declare(&mut self, end: &RoundEnd) -> Option<()> {
        if !self.lost || !self.is_in_round() {
            return None;
        }
        self.lost = false;
        if end.reason == EndReason::Voided {
            self.table.void_round();
            return self.book();
        }
        self.book_declared(&end.scores, RoundOver { reason: EndReason::Ruled, seat: None, concealed: false });
        Some(())
    }

    /// Books the round by a score that somebody wrote down.
    pub fn book_declared(&mut self, scores: &[Score], over: RoundOver) {
        let total = |score: &Score| {
            let sum = score.lines.iter().map(|line| i64::from(line.points)).sum::<i64>();
            i32::try_from(sum).unwrap_or(0)
        };
        let totals: Vec<i32> = scores.iter().map(total).collect();
        self.result = scoring::book_declared(&mut self.table, &totals, over);
    }
}
