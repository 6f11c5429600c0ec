//! Encoding and decoding of the records of a log as decisions, one record after another.

use super::action::{ActionCoder, can_say};
use super::error::Fault;
use super::fields::Plain;
use super::model::{CodedColumn, Node, join};
use super::scene::Scene;
use alloc::boxed::Box;
use alloc::vec::Vec;
use canasta_audit::follow::{DealOrigin, Followed, RecordEffect};
use canasta_log::Head;
use canasta_log::checkpoint;
use canasta_log::frame::PAYLOAD_MAX;
use canasta_log::record::{
    ActionRecord, Author, Beacon, CHECKPOINT_MAX, NOTE_MAX, Record, Register, Remark, RemarkKind, Reveal,
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
/// Nodes of choices.
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

/// The way in which a record is encoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RecordClass {
    Action,
    RoundEnd,
    Register,
    GameEnd,
    Note,
    Checkpoint,
    /// The record's bytes.
    Literal,
    /// The end of the log: no record follows.
    End,
}

impl RecordClass {
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

/// The input of an encoder: the next record of a log, or its end.
pub(super) enum Wanted<'l> {
    Record {
        payload: &'l [u8],
        record: Option<Record>,
        /// For a register: the reveal at the end of the round that it begins.
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

/// The columns of a game, and the state of the game so far.
pub(super) struct Walk<'a> {
    pub play: CodedColumn<'a>,
    pub times: CodedColumn<'a>,
    pub text: CodedColumn<'a>,
    pub plain: Plain<'a>,
    pub game: Option<Followed>,
    pub last: ActionKind,
    pub last_class: RecordClass,
    pub actions: u64,
    /// Number of bytes that the log may still have; nothing longer is read.
    pub left: usize,
}

impl Walk<'_> {
    /// Encodes or decodes record `n` after the head `before`. Returns its payload; `None` at the end.
    pub(super) fn step(
        &mut self,
        n: u64,
        before: &Head,
        wanted: Option<&Wanted<'_>>,
    ) -> Result<Option<Vec<u8>>, Fault> {
        self.play.work.check()?;
        let class = self.class(wanted.map(|wanted| self.class_of(wanted, n, before)))?;
        self.last_class = class;
        let record = match class {
            RecordClass::End => return Ok(None),
            RecordClass::Literal => return self.literal(n, wanted).map(Some),
            RecordClass::Action => self.action(wanted)?,
            RecordClass::Register => self.register(wanted)?,
            RecordClass::RoundEnd => {
                let game = self.game.as_mut().ok_or(Fault::Malformed)?;
                let end = game.round_end().ok_or(Fault::Malformed)?;
                game.book().ok_or(Fault::Malformed)?;
                end
            }
            RecordClass::GameEnd => {
                let game = self.game.as_mut().ok_or(Fault::Malformed)?;
                let end = game.game_end().ok_or(Fault::Malformed)?;
                game.ended = true;
                end
            }
            RecordClass::Note => self.note(wanted)?,
            RecordClass::Checkpoint => self.checkpoint(n, before, wanted)?,
        };
        record.encode().map(Some).map_err(|_| Fault::Malformed)
    }

    /// Returns the class of the next record: literal unless another class is sure to give its bytes back.
    fn class_of(&self, wanted: &Wanted<'_>, n: u64, before: &Head) -> RecordClass {
        let Wanted::Record { payload, record, .. } = wanted else { return RecordClass::End };
        let is = |foretold: Option<Record>| {
            foretold.and_then(|record| record.encode().ok()).is_some_and(|bytes| bytes == *payload)
        };
        let body = |game: &Followed| checkpoint::body(&game.dealing.game_id.0, n - 1, before);
        match (record, &self.game) {
            (Some(Record::Action(action)), Some(game)) if can_follow(game, action) => RecordClass::Action,
            (Some(Record::RoundEnd(_)), Some(game)) if is(game.round_end()) => RecordClass::RoundEnd,
            (Some(Record::Register(register)), Some(game))
                if register.signatures.is_empty() && game.expects(register) =>
            {
                RecordClass::Register
            }
            (Some(Record::GameEnd(_)), Some(game)) if is(game.game_end()) => RecordClass::GameEnd,
            (Some(Record::Remark(remark)), Some(game)) => match remark.kind {
                RemarkKind::Note => RecordClass::Note,
                RemarkKind::Checkpoint if remark.text.starts_with(&body(game)) => RecordClass::Checkpoint,
                _ => RecordClass::Literal,
            },
            _ => RecordClass::Literal,
        }
    }

    fn class(&mut self, wanted: Option<RecordClass>) -> Result<RecordClass, Fault> {
        let (foretold, place) = match &self.game {
            Some(game) => match game.table.phase() {
                Phase::Setup => (RecordClass::Register, 0),
                Phase::RoundOver => (RecordClass::RoundEnd, 1),
                Phase::GameOver if game.ended => (RecordClass::End, 2),
                Phase::GameOver => (RecordClass::GameEnd, 3),
                _ if game.lost => (RecordClass::Literal, 4),
                _ => (RecordClass::Action, 5),
            },
            None => (RecordClass::Literal, 6),
        };
        let contexts = [place, join(&[place, self.last_class as u32])];
        if self.play.bit(FORETOLD, &contexts, wanted == Some(foretold)) {
            return Ok(foretold);
        }
        let number = self.play.choice(CLASS, 3, place, wanted.map_or(0, |class| class as u32));
        Ok(RecordClass::ALL[number as usize])
    }

    /// Encodes or decodes a record by its bytes, with its effect on the game.
    fn literal(&mut self, n: u64, wanted: Option<&Wanted<'_>>) -> Result<Vec<u8>, Fault> {
        let bytes = wanted.map_or(&[][..], Wanted::payload);
        let payload = self.text.text(LITERAL, bytes, PAYLOAD_MAX.min(self.left))?;
        if payload.is_empty() {
            return Err(Fault::Malformed);
        }
        let record = Record::decode(&payload).ok();
        self.actions += u64::from(matches!(record, Some(Record::Action(_))));
        let Some(game) = &mut self.game else { return Ok(payload) };
        let effect = wanted.map_or(RecordEffect::Nothing, |_| game.effect(record.as_ref(), n));
        let effect = self.play.choice(EFFECT, 3, payload[0].into(), effect as u32);
        let effect = *RecordEffect::ALL.get(effect as usize).ok_or(Fault::Malformed)?;
        game.take(effect, record.as_ref(), n).ok_or(Fault::Malformed)?;
        if effect == RecordEffect::Left {
            self.game = None;
        }
        Ok(payload)
    }

    fn action(&mut self, wanted: Option<&Wanted<'_>>) -> Result<Record, Fault> {
        let game = self.game.as_mut().filter(|game| game.is_followed()).ok_or(Fault::Malformed)?;
        let given = match wanted.and_then(Wanted::record) {
            Some(Record::Action(record)) => Some(&**record),
            _ => None,
        };
        // A decoder ignores the fields of an empty record.
        let (action, given) = (given.map(|given| &given.action), given.cloned().unwrap_or_default());
        let foretold = game.table.to_act();
        let phase = game.table.phase() as u32;
        let actor = if self.play.bit(ACTOR, &[phase], given.actor == foretold) {
            foretold
        } else {
            seat(self.play.choice(ANY_SEAT, 3, phase, number(given.actor)))
        };
        let scene =
            Scene::of(&game.table, actor.filter(|seat| seat.0 < game.table.set().seats).unwrap_or(Seat(0)));
        let mut player = ActionCoder { scene: &scene, column: &mut self.play, last: self.last };
        let action = player.action(action)?;
        let legal = game.check(actor, &action).ok_or(Fault::Malformed)?;
        self.last = action.kind();
        let digest = game.carry_out(legal);
        let differs = self.text.bit(DIGEST, &[0], given.digest != digest);
        let digest = if differs { self.plain.bytes(&given.digest)? } else { digest };
        let signed = self.text.bit(SIGNED, &[number(actor)], given.signature.is_some());
        let signature = given.signature.unwrap_or([0; 64]);
        let signature = if signed { Some(self.plain.bytes(&signature)?) } else { None };
        let elapsed_ms = self.times.maybe(self.last as u32, given.elapsed_ms);
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
        // A decoder ignores the fields of an empty register.
        let given = given.cloned().unwrap_or_default();
        let (play, plain) = (&mut self.play, &mut self.plain);
        let kind = play.choice(DEAL, 3, 0, deal.as_ref().map_or(0, kind_of));
        let deal = match (kind, &deal) {
            (0, _) => DealOrigin::Hidden,
            (1, _) => DealOrigin::Game,
            (2, Some(DealOrigin::Round(secret))) => DealOrigin::Round(plain.bytes(secret)?),
            (2, _) => DealOrigin::Round(plain.bytes(&[0; 64])?),
            (3, deal) => {
                let (cards, salt) = match deal {
                    Some(DealOrigin::Wall(cards, salt)) => (&cards[..], salt),
                    _ => (&[][..], &[0; 32]),
                };
                DealOrigin::Wall(wall(play, game.table.rules().census(), cards), plain.bytes(salt)?)
            }
            (4, _) => DealOrigin::Open,
            _ => return Err(Fault::Malformed),
        };
        game.take_deal(deal).ok_or(Fault::Malformed)?;
        let dealer = match game.dealer() {
            None => None,
            foretold => {
                if play.flag(DEALER, given.dealer == foretold) {
                    foretold
                } else {
                    seat(play.choice(ANY_SEAT, 3, 8, number(given.dealer)))
                        .filter(|dealer| dealer.0 < game.table.set().seats)
                        .map(Some)
                        .ok_or(Fault::Malformed)?
                }
            }
        };
        let foretold = game.commitment();
        let commitment = if play.flag(COMMITMENT, given.commitment == foretold) {
            foretold
        } else {
            some(play, plain, given.commitment)?
        };
        let count = play.choice(SEATS, 3, 0, given.seats.len() as u32) as usize;
        if count > usize::from(game.table.set().seats) {
            return Err(Fault::Malformed);
        }
        let seat = |at: usize| given.seats.get(at).copied().flatten();
        let seats = (0..count).map(|at| some(play, plain, seat(at))).collect::<Result<_, _>>()?;
        let beacon = if play.flag(BEACON, given.beacon.is_some()) {
            let beacon = given.beacon.unwrap_or_default();
            Some(Beacon {
                chain: plain.bytes(&beacon.chain)?,
                round: self.times.number(ROUND, beacon.round),
                close_ms: unzigzag(self.times.number(CLOSE, zigzag(beacon.close_ms))),
            })
        } else {
            None
        };
        let (round, attempt) = game.number();
        // A register with signatures is stored as a literal record.
        let signatures = Vec::new();
        let register = Register { round, attempt, dealer, commitment, seats, beacon, signatures };
        game.register(&register);
        Ok(Record::Register(Box::new(register)))
    }

    fn note(&mut self, wanted: Option<&Wanted<'_>>) -> Result<Record, Fault> {
        let note = match wanted.and_then(Wanted::record) {
            Some(Record::Remark(note)) => Some(note),
            _ => None,
        };
        let by = note.and_then(|note| note.by).map_or(0, |by| match by {
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
        Ok(Record::Remark(Remark::note(by, elapsed_ms, text)))
    }

    /// Encodes or decodes a checkpoint over the record before; the lines that the note must begin with are omitted.
    fn checkpoint(&mut self, n: u64, before: &Head, wanted: Option<&Wanted<'_>>) -> Result<Record, Fault> {
        let game = self.game.as_ref().filter(|_| n > 0).ok_or(Fault::Malformed)?;
        let mut note = checkpoint::body(&game.dealing.game_id.0, n - 1, before);
        let whole = wanted.and_then(Wanted::record).and_then(Record::checkpoint);
        let rest = whole.map_or("", |whole| &whole[note.len()..]);
        note += &self.text.string(CHECKPOINT, rest, CHECKPOINT_MAX.min(self.left))?;
        Ok(Record::Remark(Remark::checkpoint(note)))
    }
}

/// Whether the action can be encoded, and its record follows from the action.
fn can_follow(game: &Followed, record: &ActionRecord) -> bool {
    game.is_followed()
        && record.cards.is_none()
        && !record.action.is_official()
        && can_say(&record.action)
        && game.check(record.actor, &record.action).is_some()
}

/// Encodes or decodes a wall, card by card, each card among those that are left.
fn wall(column: &mut CodedColumn<'_>, mut left: Cards, wanted: &[Card]) -> Vec<Card> {
    let mut wall = Vec::with_capacity(left.len().into());
    while !left.is_empty() {
        let wanted = wanted.get(wall.len());
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

/// Encodes or decodes 32 bytes or none.
fn some(
    play: &mut CodedColumn<'_>,
    plain: &mut Plain<'_>,
    value: Option<[u8; 32]>,
) -> Result<Option<[u8; 32]>, Fault> {
    let is_given = play.flag(PRESENT, value.is_some());
    is_given.then(|| plain.bytes(&value.unwrap_or_default())).transpose()
}

fn kind_of(deal: &DealOrigin) -> u32 {
    match deal {
        DealOrigin::Hidden => 0,
        DealOrigin::Game => 1,
        DealOrigin::Round(_) => 2,
        DealOrigin::Wall(..) => 3,
        DealOrigin::Open => 4,
    }
}

/// Returns a seat as a number of three bits: 7 for `None`.
fn number(seat: Option<Seat>) -> u32 {
    seat.map_or(7, |seat| seat.0.min(6).into())
}

fn seat(number: u32) -> Option<Seat> {
    (number < 7).then_some(Seat(number as u8))
}

/// Maps 0, -1, 1, -2 to 0, 1, 2, 3.
pub(super) fn zigzag(number: i64) -> u64 {
    (number << 1 ^ number >> 63) as u64
}

pub(super) fn unzigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}
