//! The game that is executed beside its records: what foretells them, and how far it could be followed.
//!
//! Archives and the notation of games leave out what follows from the rest; both follow the game with this.

use super::record::{ActionRecord, EndReason, GameEnd, Record, Register, Reveal, RoundEnd, Score};
use super::{digest, writer};
use crate::action::{Action, As};
use crate::apply::apply;
use crate::check::{Legal, check};
use crate::deal::{self, GameSecret, MaskLabel, RoundSecret, WallSalt};
use crate::scoring::{self, GameResult};
use crate::seat::Seat;
use crate::state::{DealSource, Phase, RoundOver, State};
use alloc::boxed::Box;
use alloc::vec::Vec;

/// What a record that was not foretold does to the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Effect {
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
    pub(crate) const ALL: [Self; 6] =
        [Self::Nothing, Self::Carried, Self::Lost, Self::Booked, Self::Declared, Self::Left];
}

/// What the cards of a round follow from.
#[derive(Clone, PartialEq, Eq)]
pub(crate) enum Deal {
    /// It is not known: the round has no end, or one that reveals nothing.
    Hidden,
    /// The game's secret.
    Game,
    Round([u8; 64]),
    Wall(Vec<crate::card::Card>, [u8; 32]),
    /// No wall is needed.
    Open,
}

#[derive(Clone)]
pub(crate) struct Game {
    pub state: State,
    pub secret: Option<GameSecret>,
    /// Whether the round under way cannot be followed.
    pub lost: bool,
    pub ended: bool,
    result: Option<GameResult>,
}

impl Game {
    pub(crate) fn new(state: State, secret: Option<GameSecret>) -> Self {
        Self { state, secret, lost: false, ended: false, result: None }
    }

    /// What the register of the deal that comes next says, as far as it is known before the deal is.
    pub(crate) fn number(&self) -> (u32, u32) {
        (self.state.round.number.into(), self.state.round.attempt.into())
    }

    /// Whether this register can begin the round that comes next.
    pub(crate) fn expects(&self, register: &Register) -> bool {
        let dealer_fits = match register.dealer {
            None => self.draws_dealer(),
            Some(dealer) => !self.draws_dealer() && dealer.0 < self.state.set().seats,
        };
        self.state.phase == Phase::Setup
            && (register.round, register.attempt) == self.number()
            && dealer_fits
            && register.seats.len() <= usize::from(self.state.set().seats)
    }

    pub(crate) fn draws_dealer(&self) -> bool {
        self.state.round.number == 0 && self.state.set().draws_dealer()
    }

    /// What of a reveal has to be said.
    pub(crate) fn deal_of(&self, reveal: Option<&Reveal>) -> Deal {
        let (round, attempt) = self.number();
        match reveal {
            None => Deal::Hidden,
            Some(Reveal::Secret(secret)) => {
                let follows = |game: &GameSecret| game.round(round, attempt).0 == *secret;
                if self.secret.as_ref().is_some_and(follows) { Deal::Game } else { Deal::Round(*secret) }
            }
            Some(Reveal::Wall { cards, salt }) => {
                let whole =
                    cards.iter().copied().collect::<crate::card::Cards>() == self.state.rules.census();
                if whole { Deal::Wall(cards.clone(), *salt) } else { Deal::Hidden }
            }
            Some(Reveal::None) if round == 0 => Deal::Open,
            Some(Reveal::None) => Deal::Hidden,
        }
    }

    /// Takes what the round's cards follow from; `None` if it cannot be that.
    pub(crate) fn take_deal(&mut self, deal: Deal) -> Option<()> {
        self.lost = deal == Deal::Hidden;
        self.state.origin.source = match deal {
            Deal::Hidden | Deal::Open => DealSource::Unknown,
            Deal::Game => DealSource::Seeded(self.secret.clone()?),
            Deal::Round(secret) => DealSource::Round(RoundSecret(secret)),
            Deal::Wall(wall, salt) => DealSource::Wall { wall, salt: WallSalt(salt) },
        };
        Some(())
    }

    /// The dealer that the register will name, unless it is the first or something else decides.
    pub(crate) fn dealer(&self) -> Option<Seat> {
        if self.draws_dealer() { None } else { Some(self.state.due_dealer()) }
    }

    pub(crate) fn commitment(&self) -> Option<[u8; 32]> {
        if self.lost { None } else { writer::commitment(&self.state).map(|commitment| commitment.0) }
    }

    /// The round is registered.
    pub(crate) fn register(&mut self, register: &Register) {
        if let Some(entries) = &mut self.state.entries {
            **entries = writer::entries_of(&register.seats, register.beacon);
        }
        self.state.register_dealer(register.dealer.unwrap_or(self.state.round.dealer));
    }

    /// Whether seats act in a round that can be followed.
    pub(crate) fn is_followed(&self) -> bool {
        !self.lost && self.is_in_round() && self.state.phase != Phase::RoundOver
    }

    fn is_in_round(&self) -> bool {
        !matches!(self.state.phase, Phase::Setup | Phase::GameOver)
    }

    pub(crate) fn check(&self, actor: Option<Seat>, action: &Action) -> Option<Legal> {
        let seats = self.state.set().seats;
        if actor.is_some_and(|seat| seat.0 >= seats) {
            return None;
        }
        check(&self.state, actor.map_or(As::Table, As::Seat), action).ok()
    }

    /// Carries the action out; the digest after it.
    pub(crate) fn carry_out(&mut self, legal: Legal) -> [u8; 8] {
        apply(&mut self.state, legal);
        digest::public(&self.state)
    }

    /// The end of the round that is over.
    pub(crate) fn round_end(&self) -> Option<Record> {
        let over = self.state.round_over().filter(|_| !self.lost && self.state.phase == Phase::RoundOver)?;
        let mut end = writer::end_of(&self.state);
        if over.reason != EndReason::Voided {
            end.scores = writer::scores(&scoring::score(&self.state));
        }
        Some(Record::RoundEnd(Box::new(end)))
    }

    /// Books the round that is over.
    pub(crate) fn book(&mut self) -> Option<()> {
        let over = self.state.round_over().filter(|_| self.state.phase == Phase::RoundOver)?;
        if over.reason == EndReason::Voided {
            scoring::void(&mut self.state);
        } else {
            self.result = scoring::book(&mut self.state).1;
        }
        Some(())
    }

    /// The end of the game.
    pub(crate) fn game_end(&self) -> Option<Record> {
        let result = self.result.filter(|_| !self.ended)?;
        let secret = self.secret.as_ref().map(|secret| secret.0);
        Some(Record::GameEnd(GameEnd { winner: result.winner.map(|unit| unit.0), secret }))
    }

    /// What a record that was not foretold does.
    pub(crate) fn effect(&self, record: Option<&Record>, n: u64) -> Effect {
        match record {
            Some(Record::Action(record)) if !self.lost => {
                let known = self.state.phase != Phase::Setup || is_official(&record.action);
                match self.check_literal(record, n).filter(|_| known) {
                    Some(_) => Effect::Carried,
                    None => Effect::Lost,
                }
            }
            Some(Record::RoundEnd(_)) if self.lost && self.is_in_round() => Effect::Declared,
            Some(Record::RoundEnd(_)) if self.state.phase == Phase::RoundOver => Effect::Booked,
            Some(Record::RoundEnd(_) | Record::Register(_)) => Effect::Left,
            _ => Effect::Nothing,
        }
    }

    /// Does what a record does; `None` if it cannot do that.
    pub(crate) fn take(&mut self, effect: Effect, record: Option<&Record>, n: u64) -> Option<()> {
        self.ended |= matches!(record, Some(Record::GameEnd(_)));
        match (effect, record) {
            (Effect::Nothing | Effect::Left, _) => {}
            (Effect::Carried, Some(Record::Action(record))) => {
                let legal = self.check_literal(record, n)?;
                apply(&mut self.state, legal);
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
            None if is_official(&action) => check(&self.state, As::Director, &action).ok(),
            actor => self.check(actor, &action),
        }
    }

    /// The action with its position in clear.
    pub(crate) fn opened(&self, action: &Action, n: u64) -> Action {
        let Action::Ruling(ruling) = action else { return action.clone() };
        let mut ruling = ruling.clone();
        if let Some(masked) = ruling.effect.position.take_if(|_| ruling.effect.masked) {
            ruling.effect.masked = false;
            ruling.effect.position = writer::reveal_key(&self.state)
                .and_then(|key| deal::unmask(MaskLabel::Ruling, key.as_mask(), n, &masked).ok());
        }
        Action::Ruling(ruling)
    }

    /// Books a round that could not be followed, as the audit does.
    pub(crate) fn declare(&mut self, end: &RoundEnd) -> Option<()> {
        if !self.lost || !self.is_in_round() {
            return None;
        }
        self.lost = false;
        if end.reason == EndReason::Voided {
            self.state.round.over =
                Some(RoundOver { reason: EndReason::Voided, seat: None, concealed: false });
            self.state.phase = Phase::RoundOver;
            return self.book();
        }
        self.book_declared(&end.scores, RoundOver { reason: EndReason::Ruled, seat: None, concealed: false });
        Some(())
    }

    /// Books the round by a score that somebody wrote down.
    pub(crate) fn book_declared(&mut self, scores: &[Score], over: RoundOver) {
        let total = |score: &Score| {
            let sum = score.lines.iter().map(|line| i64::from(line.points)).sum::<i64>();
            i32::try_from(sum).unwrap_or(0)
        };
        let totals: Vec<i32> = scores.iter().map(total).collect();
        self.result = scoring::book_declared(&mut self.state, &totals, over);
    }
}

/// Whether officials do this, seats only towards them.
pub(crate) fn is_official(action: &Action) -> bool {
    matches!(action, Action::Ruling(_) | Action::Dispute { .. } | Action::Sign { .. })
}
