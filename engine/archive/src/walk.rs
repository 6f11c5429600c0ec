//! The records of a log as decisions, one after another, in both directions.

use super::action::{Player, can_say};
use super::error::Fault;
use super::fields::Plain;
use super::model::{Column, Node, join};
use super::scene::Scene;
use alloc::boxed::Box;
use alloc::vec::Vec;
use canasta_audit::follow::{Deal, Effect, Followed};
use canasta_log::Head;
use canasta_log::checkpoint;
use canasta_log::frame::PAYLOAD_MAX;
use canasta_log::record::{
    ActionRecord, Author, Beacon, CHECKPOINT_MAX, NOTE_MAX, Note, Record, Register, Reveal,
};
use canasta_rules::action::ActionKind;
use canasta_rules::card::{Card, Cards};
use canasta_rules::seat::Seat;
use canasta_rules::table::Phase;

/// Nodes of this module.
const FORETOLD: Node = 40;
const ACTOR: Node = 41;
const SIGNED: Node = 42;
const DIGEST: Node = 43;
/// Choices.
const CLASS: Node = 10;
const EFFECT: Node = 11;
const DEAL: Node = 12;
const ANY_SEAT: Node = 13;
const DEALER: Node = 14;
const COMMITMENT: Node = 15;
const PRESENT: Node = 16;
const SEATS: Node = 17;
const BEACON: Node = 18;
const BY: Node = 19;
/// Kinds of text.
const LITERAL: u32 = 1;
const NOTE: u32 = 2;
const CHECKPOINT: u32 = 3;
/// Contexts of numbers.
const ROUND: u32 = 10;
const CLOSE: u32 = 11;
const LAST: u32 = 40;

/// How a record is said.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Class {
    Action,
    RoundEnd,
    Register,
    GameEnd,
    Note,
    Checkpoint,
    /// By its bytes.
    Literal,
    /// None follows.
    End,
}

impl Class {
    const ALL: [Self; 8] = [
        Self::Action,
        Self::RoundEnd,
        Self::Register,
        Self::GameEnd,
        Self::Note,
        Self::Checkpoint,
        Self::Literal,
        Self::End,
    ];
}

/// What a writer is given: a record that is a log's next, or its end.
pub(super) enum Wanted<'l> {
    Record {
        payload: &'l [u8],
        record: Option<Record>,
        /// Of a register: how the round that it begins will be revealed.
        reveal: Option<&'l Reveal>,
    },
    End,
}

impl<'l> Wanted<'l> {
    pub(super) fn record(&self) -> Option<&Record> {
        match self {
            Self::Record { record, .. } => record.as_ref(),
            Self::End => None,
        }
    }

    fn payload(&self) -> &'l [u8] {
        match self {
            Self::Record { payload, .. } => payload,
            Self::End => &[],
        }
    }
}

/// The columns of a game, and the game as far as it has come.
pub(super) struct Walk<'a> {
    pub play: Column<'a>,
    pub times: Column<'a>,
    pub text: Column<'a>,
    pub plain: Plain<'a>,
    pub game: Option<Followed>,
    pub last: ActionKind,
    pub last_class: Class,
    pub actions: u64,
    /// Bytes that the log may still have. nothing longer is read.
    pub left: usize,
}

impl Walk<'_> {
    /// The payload of record `n` that follows the one with head `before`; `None` at the end.
    pub(super) fn step(
        &mut self,
        n: u64,
        before: &Head,
        wanted: Option<&Wanted<'_>>,
    ) -> Result<Option<Vec<u8>>, Fault> {
        self.play.check()?;
        let class = self.class(wanted.map(|wanted| self.class_of(wanted, n, before)))?;
        self.last_class = class;
        let record = match class {
            Class::End => return Ok(None),
            Class::Literal => return self.literal(n, wanted).map(Some),
            Class::Action => self.action(wanted)?,
            Class::Register => self.register(wanted)?,
            Class::RoundEnd => {
                let game = self.game.as_mut().ok_or(Fault::Malformed)?;
                let end = game.round_end().ok_or(Fault::Malformed)?;
                game.book().ok_or(Fault::Malformed)?;
                end
            }
            Class::GameEnd => {
                let game = self.game.as_mut().ok_or(Fault::Malformed)?;
                let end = game.game_end().ok_or(Fault::Malformed)?;
                game.ended = true;
                end
            }
            Class::Note => self.note(wanted)?,
            Class::Checkpoint => self.checkpoint(n, before, wanted)?,
        };
        record.encode().map(Some).map_err(|_| Fault::Malformed)
    }

    /// How the next record is said. Literal where nothing better is sure to give its bytes back.
    fn class_of(&self, wanted: &Wanted<'_>, n: u64, before: &Head) -> Class {
        let Wanted::Record { payload, record, .. } = wanted else { return Class::End };
        let is = |foretold: Option<Record>| {
            foretold.and_then(|record| record.encode().ok()).is_some_and(|bytes| bytes == *payload)
        };
        match (record, &self.game) {
            (Some(Record::Action(action)), Some(game)) if can_follow(game, action) => Class::Action,
            (Some(Record::RoundEnd(_)), Some(game)) if is(game.round_end()) => Class::RoundEnd,
            (Some(Record::Register(register)), Some(game)) if game.expects(register) => Class::Register,
            (Some(Record::GameEnd(_)), Some(game)) if is(game.game_end()) => Class::GameEnd,
            (Some(Record::Note(_)), Some(_)) => Class::Note,
            (Some(Record::Checkpoint(note)), Some(game))
                if note.starts_with(&checkpoint::body(&game.dealing.game_id.0, n - 1, before)) =>
            {
                Class::Checkpoint
            }
            _ => Class::Literal,
        }
    }

    fn class(&mut self, wanted: Option<Class>) -> Result<Class, Fault> {
        let (foretold, place) = match &self.game {
            Some(game) => match game.table.phase() {
                Phase::Setup => (Class::Register, 0),
                Phase::RoundOver => (Class::RoundEnd, 1),
                Phase::GameOver if game.ended => (Class::End, 2),
                Phase::GameOver => (Class::GameEnd, 3),
                _ if game.lost => (Class::Literal, 4),
                _ => (Class::Action, 5),
            },
            None => (Class::Literal, 6),
        };
        let contexts = [place, join(&[place, self.last_class as u32])];
        if self.play.bit(FORETOLD, &contexts, wanted == Some(foretold)) {
            return Ok(foretold);
        }
        let number = self.play.choice(CLASS, 3, place, wanted.map_or(0, |class| class as u32));
        Ok(Class::ALL[number as usize])
    }

    /// A record by its bytes, and what it does to the game.
    fn literal(&mut self, n: u64, wanted: Option<&Wanted<'_>>) -> Result<Vec<u8>, Fault> {
        let bytes = wanted.map_or(&[][..], Wanted::payload);
        let payload = self.text.text(LITERAL, bytes, PAYLOAD_MAX.min(self.left))?;
        if payload.is_empty() {
            return Err(Fault::Malformed);
        }
        let record = Record::decode(&payload).ok();
        self.actions += u64::from(matches!(record, Some(Record::Action(_))));
        let Some(game) = &mut self.game else { return Ok(payload) };
        let effect = wanted.map_or(Effect::Nothing, |_| game.effect(record.as_ref(), n));
        let effect = self.play.choice(EFFECT, 3, payload[0].into(), effect as u32);
        let effect = *Effect::ALL.get(effect as usize).ok_or(Fault::Malformed)?;
        game.take(effect, record.as_ref(), n).ok_or(Fault::Malformed)?;
        if effect == Effect::Left {
            self.game = None;
        }
        Ok(payload)
    }

    fn action(&mut self, wanted: Option<&Wanted<'_>>) -> Result<Record, Fault> {
        let game = self.game.as_mut().filter(|game| game.is_followed()).ok_or(Fault::Malformed)?;
        let wanted = match wanted.and_then(Wanted::record) {
            Some(Record::Action(record)) => Some(&**record),
            _ => None,
        };
        let foretold = game.table.to_act();
        let phase = game.table.phase() as u32;
        let actor = wanted.map_or(foretold, |wanted| wanted.actor);
        let actor = if self.play.bit(ACTOR, &[phase], actor == foretold) {
            foretold
        } else {
            seat(self.play.choice(ANY_SEAT, 3, phase, number(actor)))
        };
        let scene =
            Scene::of(&game.table, actor.filter(|seat| seat.0 < game.table.set().seats).unwrap_or(Seat(0)));
        let mut player = Player { scene: &scene, column: &mut self.play, last: self.last };
        let action = player.action(wanted.map(|wanted| &wanted.action))?;
        let legal = game.check(actor, &action).ok_or(Fault::Malformed)?;
        self.last = action.kind();
        let digest = game.carry_out(legal);
        let differs = wanted.is_some_and(|wanted| wanted.digest != digest);
        let digest = if self.text.bit(DIGEST, &[0], differs) {
            self.plain.bytes(wanted.map(|wanted| &wanted.digest))?
        } else {
            digest
        };
        let signature = wanted.and_then(|wanted| wanted.signature.as_ref());
        let context = number(actor);
        let signed = self.text.bit(SIGNED, &[context], signature.is_some());
        let signature = if signed { Some(self.plain.bytes(signature)?) } else { None };
        let elapsed_ms = self.times.maybe(self.last as u32, wanted.and_then(|wanted| wanted.elapsed_ms));
        self.actions += 1;
        Ok(Record::Action(Box::new(ActionRecord {
            actor,
            action,
            elapsed_ms,
            cards: None,
            signature,
            digest,
        })))
    }

    fn register(&mut self, wanted: Option<&Wanted<'_>>) -> Result<Record, Fault> {
        let game = self.game.as_mut().ok_or(Fault::Malformed)?;
        if game.table.phase() != Phase::Setup {
            return Err(Fault::Malformed);
        }
        let (given, reveal) = match wanted {
            Some(Wanted::Record { record: Some(Record::Register(register)), reveal, .. }) => {
                (Some(&**register), *reveal)
            }
            _ => (None, None),
        };
        let deal = given.map(|_| game.deal_of(reveal));
        let (play, plain) = (&mut self.play, &mut self.plain);
        let kind = play.choice(DEAL, 3, 0, deal.as_ref().map_or(0, kind_of));
        let deal = match (kind, &deal) {
            (0, _) => Deal::Hidden,
            (1, _) => Deal::Game,
            (2, Some(Deal::Round(secret))) => Deal::Round(plain.bytes(Some(secret))?),
            (2, _) => Deal::Round(plain.bytes(None)?),
            (3, deal) => {
                let (cards, salt) = match deal {
                    Some(Deal::Wall(cards, salt)) => (Some(&cards[..]), Some(salt)),
                    _ => (None, None),
                };
                Deal::Wall(wall(play, game.table.rules().census(), cards), plain.bytes(salt)?)
            }
            (4, _) => Deal::Open,
            _ => return Err(Fault::Malformed),
        };
        game.take_deal(deal).ok_or(Fault::Malformed)?;
        let dealer = match game.dealer() {
            None => None,
            foretold => {
                let dealer = given.map_or(foretold, |given| given.dealer);
                if play.flag(DEALER, dealer == foretold) {
                    foretold
                } else {
                    seat(play.choice(ANY_SEAT, 3, 8, number(dealer)))
                        .filter(|dealer| dealer.0 < game.table.set().seats)
                        .map(Some)
                        .ok_or(Fault::Malformed)?
                }
            }
        };
        let foretold = game.commitment();
        let commitment = given.map_or(foretold, |given| given.commitment);
        let commitment = if play.flag(COMMITMENT, commitment == foretold) {
            foretold
        } else {
            some(play, plain, commitment.as_ref())?
        };
        let count = play.choice(SEATS, 3, 0, given.map_or(0, |given| given.seats.len() as u32)) as usize;
        if count > usize::from(game.table.set().seats) {
            return Err(Fault::Malformed);
        }
        let seats = (0..count)
            .map(|at| some(play, plain, given.and_then(|given| given.seats[at].as_ref())))
            .collect::<Result<_, _>>()?;
        let beacon = given.and_then(|given| given.beacon);
        let beacon = if play.flag(BEACON, beacon.is_some()) {
            Some(Beacon {
                chain: plain.bytes(beacon.as_ref().map(|beacon| &beacon.chain))?,
                round: self.times.number(ROUND, beacon.map_or(0, |beacon| beacon.round)),
                close_ms: unzigzag(
                    self.times.number(CLOSE, beacon.map_or(0, |beacon| zigzag(beacon.close_ms))),
                ),
            })
        } else {
            None
        };
        let (round, attempt) = game.number();
        let register = Register { round, attempt, dealer, commitment, seats, beacon };
        game.register(&register);
        Ok(Record::Register(Box::new(register)))
    }

    fn note(&mut self, wanted: Option<&Wanted<'_>>) -> Result<Record, Fault> {
        let note = match wanted.and_then(Wanted::record) {
            Some(Record::Note(note)) => Some(note),
            _ => None,
        };
        let by = note.map_or(0, |note| match note.by {
            Author::Seat(seat) => seat.0.into(),
            Author::Table => 6,
            Author::Director => 7,
        });
        let by = match self.text.choice(BY, 3, 0, by) {
            6 => Author::Table,
            7 => Author::Director,
            seat => Author::Seat(Seat(seat as u8)),
        };
        let elapsed_ms = self.times.maybe(LAST, note.and_then(|note| note.elapsed_ms));
        let text = self.text.string(NOTE, note.map_or("", |note| &note.text), NOTE_MAX.min(self.left))?;
        Ok(Record::Note(Note { by, elapsed_ms, text }))
    }

    /// A note over the record before: what it must begin with is not said.
    fn checkpoint(&mut self, n: u64, before: &Head, wanted: Option<&Wanted<'_>>) -> Result<Record, Fault> {
        let game = self.game.as_ref().filter(|_| n > 0).ok_or(Fault::Malformed)?;
        let mut note = checkpoint::body(&game.dealing.game_id.0, n - 1, before);
        let rest = match wanted.and_then(Wanted::record) {
            Some(Record::Checkpoint(whole)) => &whole[note.len()..],
            _ => "",
        };
        note += &self.text.string(CHECKPOINT, rest, CHECKPOINT_MAX.min(self.left))?;
        Ok(Record::Checkpoint(note))
    }
}

/// Whether the action can be said, and its record follows from it.
fn can_follow(game: &Followed, record: &ActionRecord) -> bool {
    game.is_followed()
        && record.cards.is_none()
        && !record.action.is_official()
        && can_say(&record.action)
        && game.check(record.actor, &record.action).is_some()
}

/// A wall, card by card, each one of those that are left.
fn wall(column: &mut Column<'_>, mut left: Cards, wanted: Option<&[Card]>) -> Vec<Card> {
    let mut wall = Vec::with_capacity(left.len().into());
    while !left.is_empty() {
        let wanted = wanted.and_then(|wanted| wanted.get(wall.len()));
        let mut cards = left.len();
        let card = left.kinds().find(|&(card, count)| {
            let is_it = cards == u16::from(count) || column.odds(count.into(), cards, wanted == Some(&card));
            cards -= u16::from(count);
            is_it
        });
        let (card, _) = card.expect("the last kind is taken for sure");
        left.remove(card);
        wall.push(card);
    }
    wall
}

/// 32 bytes or none.
fn some(
    play: &mut Column<'_>,
    plain: &mut Plain<'_>,
    value: Option<&[u8; 32]>,
) -> Result<Option<[u8; 32]>, Fault> {
    if play.flag(PRESENT, value.is_some()) { plain.bytes(value).map(Some) } else { Ok(None) }
}

fn kind_of(deal: &Deal) -> u32 {
    match deal {
        Deal::Hidden => 0,
        Deal::Game => 1,
        Deal::Round(_) => 2,
        Deal::Wall(..) => 3,
        Deal::Open => 4,
    }
}

/// A seat as a number of three bits, 7 for none.
fn number(seat: Option<Seat>) -> u32 {
    seat.map_or(7, |seat| seat.0.min(6).into())
}

fn seat(number: u32) -> Option<Seat> {
    (number < 7).then_some(Seat(number as u8))
}

/// 0, -1, 1, -2 as 0, 1, 2, 3.
pub(super) fn zigzag(number: i64) -> u64 {
    (number << 1 ^ number >> 63) as u64
}

pub(super) fn unzigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}
