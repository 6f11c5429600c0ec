//! One round, executed once its secret is known.

use super::super::action::{action_bytes, action_from_bytes, seat_message};
use super::super::finding::{Finding, FindingKind};
use super::super::record::{
    ActionRecord, Attempt, EndReason, Genesis, Record, Refusal, Register, Reveal, RoundEnd, Score,
};
use super::super::replay::{Step, Watch, What};
use super::super::{Head, digest, tally, writer};
use super::{Place, Tally};
use crate::action::{Action, As};
use crate::apply::apply;
use crate::check::check;
use crate::deal::{self, MaskKey, MaskLabel, RoundSecret, WallSalt};
use crate::rejection::Rejection;
use crate::rules::FirstDealer;
use crate::scoring::{self, GameResult};
use crate::state::{DealSource, Phase, RoundOver, State};
use crate::violations::Code;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// A record that waits for the end of its round.
pub(super) struct Held {
    pub record: Record,
    pub place: Place,
    pub before: Head,
}

/// A round whose secret is not revealed yet.
pub(super) struct OpenRound {
    pub register: Register,
    pub place: Place,
    pub held: Vec<Held>,
    pub bytes: u32,
}

pub(super) struct Outcome {
    /// Whether every action could be judged.
    pub judged: bool,
    pub result: Option<GameResult>,
}

/// What judging a round works with.
struct Judge<'a> {
    state: &'a mut State,
    genesis: &'a Genesis,
    tally: &'a mut Tally,
    watch: &'a mut Watch<'a>,
    round: u16,
    /// The first digest that differed was reported.
    digest_differs: bool,
}

impl OpenRound {
    pub(super) fn new(register: Register, place: Place) -> Self {
        Self { register, place, held: Vec::new(), bytes: 0 }
    }

    /// Executes the round and compares all that its end declares.
    pub(super) fn judge(
        self,
        state: &mut State,
        genesis: &Genesis,
        end: &RoundEnd,
        place: Place,
        tally: &mut Tally,
        watch: &mut Watch<'_>,
    ) -> Outcome {
        let round = state.round_number();
        let mut judge = Judge { state, genesis, tally, watch, round, digest_differs: false };
        let dealt = judge.reveal(&self.register, &end.reveal, self.place, place);
        let judged = dealt && self.held.into_iter().all(|held| judge.take(held));
        let played = judged && judge.ended(end, place);
        let over = judge.state.round_over().filter(|_| played);
        judge.tell(place, What::RoundEnd(over));
        if played { judge.book(end, place) } else { judge.book_declared(end, place) }
    }
}

impl Judge<'_> {
    fn tell(&mut self, place: Place, what: What<'_>) {
        (self.watch)(&Step { n: place.record, state: self.state, what });
    }

    fn find(&mut self, place: Place, kind: FindingKind, detail: String) {
        let finding = Finding { round: Some(self.round), ..place.finding(kind, detail) };
        self.tally.find(finding);
    }

    /// Takes the reveal, and holds it against the commitment and the dealer.
    fn reveal(&mut self, register: &Register, reveal: &Reveal, at: Place, end: Place) -> bool {
        self.state.origin.source = match reveal {
            Reveal::Secret(secret) => DealSource::Round(RoundSecret(*secret)),
            Reveal::Wall { cards, salt } => DealSource::Wall { wall: cards.clone(), salt: WallSalt(*salt) },
            Reveal::None => {
                self.find(
                    end,
                    FindingKind::Deal,
                    String::from("expected the reveal of the round's secret or wall"),
                );
                return false;
            }
        };
        if let DealSource::Wall { wall, .. } = &self.state.origin.source
            && wall.len() != usize::from(self.state.rules.deck_size())
        {
            self.find(end, FindingKind::Deal, String::from("the wall is not the whole pack"));
            return false;
        }
        if register.commitment != Some(writer::commitment(self.state).0) {
            self.find(
                at,
                FindingKind::Commitment,
                String::from("the reveal is not what the register commits to"),
            );
        }
        let first = self.state.round_number() == 1 && register.attempt == 1;
        if let (DealSource::Round(secret), true) = (&self.state.origin.source, first)
            && self.state.set().first_dealer == FirstDealer::Random
        {
            let (game_id, seats) = (self.state.origin.game_id, self.state.set().seats);
            let expected = deal::random_dealer(secret, game_id, 1, seats).ok();
            if expected != register.dealer {
                self.find(
                    at,
                    FindingKind::Register,
                    format!("expected dealer {expected:?}, found {:?}", register.dealer),
                );
            }
        }
        true
    }

    /// Judges one record; `false` if nothing more of the round can be.
    fn take(&mut self, held: Held) -> bool {
        match held.record {
            Record::Action(record) => self.action(&record, held.place, &held.before),
            Record::Refusal(refusal) => {
                self.refusal(&refusal, held.place);
                true
            }
            _ => true,
        }
    }

    fn action(&mut self, record: &ActionRecord, place: Place, before: &Head) -> bool {
        let official =
            matches!(record.action, Action::Ruling(_) | Action::Dispute { .. } | Action::Sign { .. });
        if official {
            self.find(
                place,
                FindingKind::NotJudged,
                String::from("rulings and disputes are not judged by this version"),
            );
            return false;
        }
        self.signature(record, place, before);
        let actor = record.actor.map_or(As::Table, As::Seat);
        match check(self.state, actor, &record.action) {
            Ok(legal) => {
                let events = apply(self.state, legal);
                self.digest(record.digest, place);
                self.tell(place, What::Acted(&events));
                true
            }
            Err(rejection) => {
                self.illegal(record, &rejection, place);
                self.tell(place, What::Illegal(&rejection));
                false
            }
        }
    }

    fn illegal(&mut self, record: &ActionRecord, rejection: &Rejection, place: Place) {
        let dealing = matches!(rejection.code(), Code::SetupDeal | Code::SetupDeck);
        let kind = if dealing { FindingKind::Deal } else { FindingKind::Illegal };
        let detail = format!("{}: {rejection}", record.action.kind());
        self.tally.find(Finding {
            round: Some(self.round),
            seat: record.actor,
            codes: rejection.codes(),
            ..place.finding(kind, detail)
        });
    }

    fn digest(&mut self, declared: [u8; 8], place: Place) {
        let found = digest::public(self.state);
        if found != declared && !self.digest_differs {
            self.digest_differs = true;
            let detail =
                format!("expected the digest {} after this action, found {}", hex(&found), hex(&declared));
            self.find(place, FindingKind::Digest, detail);
        }
    }

    fn signature(&mut self, record: &ActionRecord, place: Place, before: &Head) {
        let Some(signature) = record.signature else { return };
        let key = record.actor.and_then(|seat| self.genesis.players.get(seat.index())?.key);
        let verified = key.zip(record.actor).is_some_and(|(key, seat)| {
            let bytes = action_bytes(&record.action).expect("an action that was read can be written");
            verify(&key, &seat_message(before, seat, &bytes), &signature)
        });
        if !verified {
            let detail = String::from("the signature is not that of the seat's key over this action");
            self.find(place, FindingKind::Signature, detail);
        }
    }

    /// A refusal must say what was refused, and why, truly.
    fn refusal(&mut self, refusal: &Refusal, place: Place) {
        let opened = match &refusal.attempt {
            Attempt::Clear(action) => Some(action.clone()),
            Attempt::Masked { kind, bytes } => {
                self.unmask(bytes, place.record, refusal).filter(|action| action.kind() == *kind)
            }
        };
        let Some(action) = opened else {
            return self.find(place, FindingKind::Refusal, String::from("the masked action does not open"));
        };
        let actor = refusal.actor.map_or(As::Table, As::Seat);
        let rejection = check(self.state, actor, &action).err();
        self.tell(place, What::Refused { action: &action, rejection: rejection.as_ref() });
        let Some(rejection) = rejection else {
            return self.find(place, FindingKind::Refusal, String::from("the refused action was legal"));
        };
        let codes: Vec<&str> = rejection.violations.iter().map(|v| v.code.name()).collect();
        if codes != refusal.codes {
            let detail = format!("expected the codes {codes:?}, found {:?}", refusal.codes);
            self.find(place, FindingKind::Refusal, detail);
        }
    }

    fn unmask(&self, bytes: &[u8], n: u64, refusal: &Refusal) -> Option<Action> {
        let key = writer::reveal_key(self.state)?;
        let key = match &key {
            writer::Key::Secret(secret) => MaskKey::Secret(secret),
            writer::Key::Salt(salt) => MaskKey::Salt(salt),
        };
        let plain = deal::unmask(MaskLabel::Refusal, key, n, bytes).ok()?;
        let (&seat, action) = plain.split_first()?;
        let actor = refusal.actor.map_or(u8::MAX, |seat| seat.0);
        if seat == actor { action_from_bytes(action).ok() } else { None }
    }

    /// Whether the round has ended as declared.
    fn ended(&mut self, end: &RoundEnd, place: Place) -> bool {
        let Some(over) = self.state.round_over().filter(|_| self.state.phase() == Phase::RoundOver) else {
            self.find(
                place,
                FindingKind::Result,
                format!("the round goes on, found its end ({})", end.reason.name()),
            );
            return false;
        };
        if over.reason != end.reason {
            let detail = format!("expected the reason {}, found {}", over.reason.name(), end.reason.name());
            self.find(place, FindingKind::Result, detail);
        }
        if digest::full(self.state) != end.digest {
            self.find(
                place,
                FindingKind::Digest,
                String::from("the full digest is not that of the final state"),
            );
        }
        true
    }

    /// Two counts, both held against what is declared; play goes on from the first.
    fn book(&mut self, end: &RoundEnd, place: Place) -> Outcome {
        let over = self.state.round_over().expect("a round that is booked is over");
        let counted = tally::totals(self.state, over);
        let (score, result) = scoring::book(self.state);
        self.tell(place, What::Booked { score: Some(&score), result });
        let expected = writer::scores(&score);
        if expected != end.scores {
            let detail = format!("expected {}, found {}", lines(&expected), lines(&end.scores));
            self.find(place, FindingKind::Score, detail);
        }
        let declared = totals(&end.scores);
        if counted != declared {
            let detail = format!("the table counts {counted:?}, declared are {declared:?}");
            self.find(place, FindingKind::Tally, detail);
        }
        Outcome { judged: true, result }
    }

    /// The round could not be judged: play goes on from the scores as declared.
    fn book_declared(&mut self, end: &RoundEnd, place: Place) -> Outcome {
        let declared: Vec<i32> =
            totals(&end.scores).into_iter().map(|points| i32::try_from(points).unwrap_or(0)).collect();
        let over = RoundOver { reason: EndReason::Ruled, seat: None, concealed: false };
        let result = scoring::book_declared(self.state, &declared, over);
        self.tell(place, What::Booked { score: None, result });
        Outcome { judged: false, result }
    }
}

fn totals(scores: &[Score]) -> Vec<i64> {
    scores.iter().map(|score| score.lines.iter().map(|line| i64::from(line.points)).sum()).collect()
}

fn lines(scores: &[Score]) -> String {
    let line = |l: &super::super::record::ScoreLine| format!("{} {}", l.item.name(), l.points);
    let side =
        |s: &Score| format!("side {}: {}", s.unit, s.lines.iter().map(line).collect::<Vec<_>>().join(", "));
    scores.iter().map(side).collect::<Vec<_>>().join("; ")
}

fn hex(bytes: &[u8]) -> String {
    super::frame::hex(bytes)
}

fn verify(key: &[u8; 32], message: &[u8], signature: &[u8; 64]) -> bool {
    let signature = ed25519_dalek::Signature::from_bytes(signature);
    ed25519_dalek::VerifyingKey::from_bytes(key)
        .is_ok_and(|key| key.verify_strict(message, &signature).is_ok())
}
