//! The game that is followed beside its text, to find the fields that follow from the text so far.

mod actions;
mod stale;

pub(super) use stale::Stale;

use super::given::{Actor, Given, GivenEnd, GivenRefusal, GivenRegister, TextContext, Tried};
use super::shown::Shown;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use canasta_audit::audit::playable;
use canasta_audit::follow::{DealOrigin, Followed};
use canasta_log::deal::{GameId, GameSecret};
use canasta_log::dealing::{DealSource, Dealing, Registration};
use canasta_log::record::{
    Attempt, DealMode, EndReason, GameEnd, Genesis, Record, Refusal, Register, Reveal, RoundEnd,
};
use canasta_log::{derive, digest};
use canasta_rules::action::{Action, As};
use canasta_rules::known::Known;
use canasta_rules::seat::Seat;
use canasta_rules::table::{Phase, Table};

/// A complete record, and the cards that may be shown beside it.
pub(super) struct Done {
    pub record: Record,
    pub shown: Shown,
}

#[derive(Clone)]
pub(super) struct Follower {
    game: Followed,
    mode: DealMode,
    registration: Registration,
    /// The knowledge of the cards, in a transcript.
    known: Option<Known>,
    /// The reason why nothing more of the round follows.
    why: String,
    /// Whether an action broke a rule while the cards are known, so that a ruling may say how play continues.
    is_broken: bool,
    dealer_is_known: bool,
    /// Positions that rulings restore, by the `seq` of the action before each.
    earlier: Vec<(u64, Option<KnownTable>)>,
}

/// A position, and the knowledge of its cards.
#[derive(Clone)]
struct KnownTable {
    table: Table,
    known: Option<Known>,
}

impl Follower {
    /// Opens the game that begins with this genesis. `restored`: the `seq` of every action that a ruling
    /// restores.
    pub(super) fn open(
        genesis: &Genesis,
        secret: Option<[u8; 64]>,
        mut restored: Vec<u64>,
    ) -> Result<Self, String> {
        let rules = playable(genesis).map_err(|(_, detail)| detail)?;
        let seeded = matches!(genesis.mode, DealMode::Seeded | DealMode::Committed);
        let secret = secret.filter(|_| seeded).map(GameSecret);
        let draws = rules.set().draws_dealer();
        let source = secret.clone().map_or(DealSource::Unknown, DealSource::Seeded);
        let committed = genesis.mode == DealMode::Committed;
        let dealing = Dealing::new(GameId(genesis.game_id), source, committed);
        let table = Table::new(Arc::new(rules), Seat(0));
        restored.sort_unstable();
        restored.dedup();
        Ok(Self {
            dealer_is_known: draws || (secret.is_some() && table.has_random_dealer()),
            game: Followed::new(table, dealing, secret),
            mode: genesis.mode,
            registration: genesis.registration,
            known: (genesis.mode == DealMode::Transcribed).then(Known::default),
            why: String::new(),
            is_broken: false,
            earlier: restored.into_iter().map(|seq| (seq, None)).collect(),
        })
    }

    pub(super) fn table(&self) -> &Table {
        &self.game.table
    }

    /// Whether the next register is written automatically, not by the table.
    pub(super) fn registers_itself(&self) -> bool {
        let auto = self.registration == Registration::Auto;
        let ended = self.table().round_over().filter(|over| over.reason != EndReason::Drawn);
        // A given wall is used for one deal.
        auto && !(self.mode == DealMode::Explicit && ended.is_some())
    }

    /// Returns the record that must come next, with all its fields missing; `None` if that is not known.
    pub(super) fn due(&self) -> Option<Given> {
        if self.game.lost {
            return None;
        }
        if self.game.game_end().is_some() {
            return Some(Given::GameEnd { winner: None, secret: None });
        }
        match self.table().phase() {
            Phase::RoundOver => Some(Given::RoundEnd(Box::default())),
            Phase::Setup => Some(Given::Register(Box::default())),
            _ => None,
        }
    }

    /// Returns the record that is due, as [`Follower::due`] does, if that record is written automatically.
    pub(super) fn due_at_end(&self) -> Option<Given> {
        self.due().filter(|due| !matches!(due, Given::Register(_)) || self.registers_itself())
    }

    /// Completes record number `n` with all fields that follow, and executes it.
    ///
    /// # Errors
    /// The missing field that does not follow, and why.
    pub(super) fn complete(
        &mut self,
        n: u64,
        given: &Given,
        context: &TextContext<'_>,
    ) -> Result<Done, String> {
        let (record, shown) = match given {
            Given::Register(given) => (Record::Register(Box::new(self.register(given, context)?)), None),
            Given::Action(given) => {
                let (record, shown) = self.action(n, given, context)?;
                (Record::Action(Box::new(record)), Some(shown))
            }
            Given::Refusal(given) => (Record::Refusal(Box::new(self.refusal(n, given)?)), None),
            Given::RoundEnd(given) => (Record::RoundEnd(Box::new(self.round_end(given)?)), None),
            Given::GameEnd { winner, secret } => (self.game_end(*winner, *secret)?, None),
            Given::Whole(record) => (record.clone(), None),
        };
        record.encode().map_err(|error| error.to_string())?;
        Ok(Done { record, shown: shown.unwrap_or_default() })
    }

    /// Returns the fields of a record with its masks opened, if they can be opened.
    pub(super) fn opened(&self, n: u64, mut given: Given, record: &Record) -> Given {
        match (&mut given, record) {
            (Given::Action(given), _) => {
                if let Action::Ruling(ruling) = &given.action
                    && ruling.effect.masked
                    && let Action::Ruling(opened) = self.game.opened(&given.action, n)
                    && opened
                        .effect
                        .position
                        .as_ref()
                        .is_some_and(|bytes| core::str::from_utf8(bytes).is_ok())
                {
                    given.action = Action::Ruling(opened);
                }
            }
            (Given::Refusal(given), Record::Refusal(refusal)) => {
                let is_known = !self.game.lost || matches!(refusal.attempt, Attempt::Clear(_));
                let action = derive::attempted(self.table(), &self.game.dealing, n, refusal);
                if let Some(action) = action.filter(|_| is_known) {
                    given.tried = Tried::Action(action);
                }
            }
            _ => {}
        }
        given
    }

    /// Whether nothing more follows up to the end of the round.
    pub(super) fn is_lost(&self) -> bool {
        self.game.lost
    }

    /// Marks that nothing more of the round can be judged, because a line of it has a fault.
    pub(super) fn give_up(&mut self) {
        self.lose(String::from("a line of this round has a fault"), false);
    }

    /// Marks that nothing more follows up to the end of the round.
    fn lose(&mut self, why: String, is_broken: bool) {
        (self.game.lost, self.why, self.is_broken) = (true, why, is_broken);
    }

    fn register(&mut self, given: &GivenRegister, context: &TextContext<'_>) -> Result<Register, String> {
        if let Some(round) = given.round.filter(|_| context.takes_up) {
            self.game.table.take_up(round);
        }
        let (round, attempt) = self.game.number();
        let mut register = Register {
            round: given.round.unwrap_or(round),
            attempt: given.attempt.unwrap_or(if self.game.lost { 1 } else { attempt }),
            ..given.rest.clone()
        };
        if self.table().phase() != Phase::Setup || (register.round, register.attempt) != (round, attempt) {
            self.lose(self.out_of_time(round, attempt), false);
            return Ok(register);
        }
        let deal = self.deal((context.reveal)());
        let hidden = deal == DealOrigin::Hidden;
        self.game.take_deal(deal).ok_or("the secret of the game is not known")?;
        if hidden {
            self.lose(String::from("the cards of this round are not known: its end reveals nothing"), false);
        }
        if !self.game.draws_dealer() && register.dealer.is_none() {
            register.dealer = self.game.dealer().filter(|_| self.dealer_is_known && !self.names_dealer());
            if register.dealer.is_none() {
                return Err(String::from("expected who deals: round 1 dealer W"));
            }
        }
        register.commitment = register.commitment.or_else(|| self.game.commitment());
        if !self.game.expects(&register) {
            self.lose(String::from("this round cannot begin so"), false);
            return Ok(register);
        }
        if !context.takes_up {
            self.expect_dealer(register.dealer);
        }
        self.game.register(&register);
        self.dealer_is_known = true;
        Ok(register)
    }

    /// Marks the round as lost if another seat deals than the one that the rules name.
    fn expect_dealer(&mut self, dealer: Option<Seat>) {
        let follows = self.dealer_is_known && !self.names_dealer();
        if follows && !self.game.lost && self.game.dealer() != dealer {
            let due = self.game.dealer().map_or_else(|| String::from("nobody"), |due| due.to_string());
            self.lose(format!("SETUP_DEALER: seat {due} deals"), false);
        }
    }

    /// Whether the table names the dealer: a dealer is drawn for each round, but not from a secret.
    fn names_dealer(&self) -> bool {
        !self.game.dealing.has_secret() && self.table().attempt() == 1 && self.table().has_random_dealer()
    }

    /// Returns the source of the cards of the round.
    fn deal(&self, reveal: Option<&Reveal>) -> DealOrigin {
        match (self.mode, reveal) {
            (DealMode::Transcribed, _) => DealOrigin::Open,
            (DealMode::Explicit, None | Some(Reveal::None)) if self.game.number().0 == 0 => DealOrigin::Open,
            (_, None | Some(Reveal::None)) if self.game.secret.is_some() => DealOrigin::Game,
            (_, reveal) => self.game.deal_of(reveal),
        }
    }

    fn refusal(&self, n: u64, given: &GivenRefusal) -> Result<Refusal, String> {
        let action = match &given.tried {
            Tried::Action(action) | Tried::Clear(action) => Some(action),
            Tried::Masked(..) => None,
        };
        let actor = match (given.actor, action) {
            (Actor::Seat(seat), _) => Some(seat),
            (Actor::Nobody, _) | (_, None) => None,
            (Actor::Unsaid, Some(action)) => self.actor(Actor::Unsaid, action)?,
        };
        let codes = match (&given.codes, action) {
            (Some(codes), _) => codes.clone(),
            (None, Some(action)) => self.codes(actor, action)?,
            (None, None) => return Err(String::from("expected because, and the codes of the refusal")),
        };
        let attempt = match &given.tried {
            Tried::Action(_) if self.game.lost => {
                return Err(format!("{}; expected clear or masked before what was tried", self.why));
            }
            Tried::Action(action) => derive::attempt(self.table(), &self.game.dealing, n, actor, action)
                .map_err(|error| error.to_string())?,
            Tried::Clear(action) => Attempt::Clear(action.clone()),
            Tried::Masked(kind, bytes) => Attempt::Masked { kind: *kind, bytes: bytes.clone() },
        };
        Ok(Refusal { actor, elapsed_ms: given.elapsed_ms, codes, attempt })
    }

    /// Returns the codes with which the action is refused here.
    fn codes(&self, actor: Option<Seat>, action: &Action) -> Result<Vec<String>, String> {
        if self.game.lost {
            return Err(format!("{}; expected because, and the codes of the refusal", self.why));
        }
        let by = match actor {
            Some(seat) => As::Seat(seat),
            None if action.is_official() => As::Director,
            None => As::Table,
        };
        let mut table = self.table().clone();
        if let (Some(known), Some(seat)) = (&self.known, actor.filter(|seat| seat.0 < table.set().seats)) {
            known.clone().show(&mut table, seat, action).map_err(|misfit| misfit.to_string())?;
        }
        let (dealing, known) = (&self.game.dealing, self.known.as_ref());
        match derive::check(&table, dealing, known, None, by, action, &Default::default()) {
            Ok(_) => Err(format!("{} is legal here, found it refused", action.kind())),
            Err(rejection) => Ok(rejection.codes().iter().map(|code| code.name().to_string()).collect()),
        }
    }

    fn round_end(&mut self, given: &GivenEnd) -> Result<RoundEnd, String> {
        let (round, attempt) = self.game.number();
        if self.game.lost || self.table().phase() != Phase::RoundOver {
            let was_lost = self.game.lost;
            if !was_lost {
                self.lose(self.still_held(), false);
            }
            let also = |what: &str| if was_lost { format!("; expected {what}") } else { String::new() };
            let missing = |what: &str| self.why.clone() + &also(what);
            let end = RoundEnd {
                round: given.round.unwrap_or(round),
                attempt: given.attempt.unwrap_or(attempt),
                reason: given.reason.ok_or_else(|| missing("how the round ended"))?,
                reveal: given
                    .reveal
                    .clone()
                    .unwrap_or_else(|| derive::reveal(self.table(), &self.game.dealing)),
                scores: given.scores.clone().unwrap_or_default(),
                digest: given.digest.ok_or_else(|| missing("state, and the digest of the round's end"))?,
            };
            // Play continues from the declared scores.
            let _ = self.game.declare(&end);
            self.forget();
            return Ok(end);
        }
        let over = self.table().round_over().expect("a round that is over says why");
        let Some(Record::RoundEnd(mut end)) = self.game.round_end() else {
            unreachable!("a round that is over has an end")
        };
        let unseen = match &self.known {
            Some(known) => {
                end.digest = digest::full_as_known(self.table(), known);
                known.unseen_units(self.table())
            }
            None => Vec::new(),
        };
        let scored = !unseen.is_empty() && !matches!(over.reason, EndReason::Voided | EndReason::Drawn);
        match &given.scores {
            Some(scores) if scored => self.game.book_declared(scores, over),
            None if scored => {
                let units: Vec<String> = unseen.iter().map(ToString::to_string).collect();
                return Err(format!(
                    "cards of {} were never shown: expected score lines under the end of the round",
                    units.join(" and ")
                ));
            }
            _ => self.game.book().ok_or("the round is not over")?,
        }
        self.forget();
        end.round = given.round.unwrap_or(end.round);
        end.attempt = given.attempt.unwrap_or(end.attempt);
        end.reason = given.reason.unwrap_or(end.reason);
        end.reveal = given.reveal.clone().unwrap_or(end.reveal);
        end.scores = given.scores.clone().unwrap_or(end.scores);
        end.digest = given.digest.unwrap_or(end.digest);
        Ok(*end)
    }

    /// Forgets the facts of the round that has ended.
    fn forget(&mut self) {
        self.known = self.known.take().map(|_| Known::default());
        self.earlier.iter_mut().for_each(|(_, kept)| *kept = None);
    }

    fn game_end(&mut self, winner: Option<Option<u8>>, secret: Option<[u8; 64]>) -> Result<Record, String> {
        let expected = match self.game.game_end() {
            Some(Record::GameEnd(end)) => Some(end),
            _ => None,
        };
        let winner = winner.or_else(|| expected.map(|end| end.winner));
        let winner = winner.ok_or("the game is not over here; expected who won")?;
        self.game.ended = true;
        let secret = secret.or_else(|| expected.and_then(|end| end.secret));
        Ok(Record::GameEnd(GameEnd { winner, secret }))
    }
}

/// Whether the action is done by no seat, unless the text names one.
pub(super) fn is_for_nobody(action: &Action) -> bool {
    action.is_official() || matches!(action, Action::Deal(_) | Action::DrawCards(_))
}
