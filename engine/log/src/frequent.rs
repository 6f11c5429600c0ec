//! The stored form of frequent records in one pass: unsigned actions that draw, take, meld, answer or discard.
//!
//! The general form (`fields`, `bytes` and `convert`) defines the bytes and names their faults. The functions here
//! read and write the same bytes of frequent records, faster. Every other payload or record, valid or not, is left to
//! the general form.

use super::action::GROUPS_MAX;
use super::codec::put;
use super::codes::{self, MELD_KINDS, TOP, onto_from_number, onto_number};
use super::convert::NO_SEAT;
use super::record::ActionRecord;
use alloc::vec::Vec;
use canasta_rules::action::{Action, ActionKind, CardList, Group, Groups, MeldKind, Onto, TakePile};
use canasta_rules::card::{CARDS_MAX, Card};
use canasta_rules::seat::{SEATS_MAX, Seat};

/// First byte of the record: an action without signature and without received cards.
const TAG: u8 = 2;
/// Number of bytes of the digest, with which the record ends.
const DIGEST: usize = 8;
/// The first byte of an integer that takes 2, 4 or 8 more bytes.
const WIDTHS: [u8; 3] = [251, 252, 253];

impl ActionRecord {
    /// Decodes the payload of a frequent record: an unsigned action that draws, takes the pile, melds, answers
    /// or discards. Returns `None` for any other payload, also if it is faulty: then [`Record::decode`] decides.
    ///
    /// [`Record::decode`]: super::record::Record::decode
    pub fn decode_frequent(payload: &[u8]) -> Option<Self> {
        let mut fields = PayloadFields(payload);
        let (actor, kind) = fields.begin()?;
        let action = match kind {
            ActionKind::DrawStock => Action::DrawStock,
            ActionKind::TakePile => Action::TakePile(TakePile {
                with: fields.cards()?,
                onto: fields.onto()?,
                also: fields.groups()?,
            }),
            ActionKind::Meld => Action::Meld(fields.groups()?),
            ActionKind::Answer => Action::Answer { yes: fields.flag()? },
            ActionKind::Discard => Action::Discard(fields.card()?),
            _ => return None,
        };
        let elapsed_ms = fields.integer()?.checked_sub(1);
        let digest = fields.0.try_into().ok()?;
        Some(Self { actor, action, elapsed_ms, cards: None, signature: None, digest })
    }

    /// Returns the actor of a frequent record; `None` for every payload for which [`Self::decode_frequent`] returns
    /// `None`. Nothing is built from the fields.
    pub fn actor_of_frequent(payload: &[u8]) -> Option<Option<Seat>> {
        let mut fields = PayloadFields(payload);
        let (actor, kind) = fields.begin()?;
        match kind {
            ActionKind::DrawStock => {}
            ActionKind::TakePile => {
                fields.skip_cards()?;
                fields.onto()?;
                fields.skip_groups()?;
            }
            ActionKind::Meld => fields.skip_groups()?,
            ActionKind::Answer => drop(fields.flag()?),
            ActionKind::Discard => drop(fields.card()?),
            _ => return None,
        }
        fields.integer()?;
        (fields.0.len() == DIGEST).then_some(actor)
    }

    /// Encodes the record if it is frequent and a log can hold it; `None` otherwise.
    pub(super) fn encode_frequent(&self) -> Option<Vec<u8>> {
        if self.cards.is_some() || self.signature.is_some() {
            return None;
        }
        let actor = match self.actor {
            None => NO_SEAT,
            Some(Seat(seat)) if usize::from(seat) < SEATS_MAX => seat,
            Some(_) => return None,
        };
        // Most payloads are actions of 12 to 30 bytes.
        let mut out = Vec::with_capacity(64);
        out.extend([TAG, actor, self.action.kind() as u8]);
        match &self.action {
            Action::DrawStock => {}
            Action::TakePile(TakePile { with, onto, also }) => {
                put_cards(with, &mut out)?;
                put(onto_number(*onto).ok()?, &mut out);
                put_groups(also, &mut out)?;
            }
            Action::Meld(groups) => put_groups(groups, &mut out)?,
            Action::Answer { yes } => out.push((*yes).into()),
            Action::Discard(card) => out.push(card.kind()),
            _ => return None,
        }
        put(self.elapsed_ms.map_or(Some(0), |elapsed| elapsed.checked_add(1))?, &mut out);
        out.extend(self.digest);
        Some(out)
    }
}

/// The bytes of a payload that are not read yet. Every method returns `None` unless the next bytes are the one
/// encoding of its value.
struct PayloadFields<'p>(&'p [u8]);

impl<'p> PayloadFields<'p> {
    /// Returns the actor and the kind of the action, with which a frequent record begins.
    fn begin(&mut self) -> Option<(Option<Seat>, ActionKind)> {
        if self.byte()? != TAG {
            return None;
        }
        let actor = match self.byte()? {
            NO_SEAT => None,
            seat if usize::from(seat) < SEATS_MAX => Some(Seat(seat)),
            _ => return None,
        };
        Some((actor, *ActionKind::ALL.get(usize::from(self.byte()?))?))
    }

    fn byte(&mut self) -> Option<u8> {
        let (&byte, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(byte)
    }

    fn bytes(&mut self, count: usize) -> Option<&'p [u8]> {
        let (bytes, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(bytes)
    }

    fn integer(&mut self) -> Option<u64> {
        let first = self.byte()?;
        let Some(place) = first.checked_sub(WIDTHS[0]) else { return Some(first.into()) };
        let width = 2usize << place;
        if width > 8 {
            return None;
        }
        let mut bytes = [0; 8];
        bytes[..width].copy_from_slice(self.bytes(width)?);
        let value = u64::from_le_bytes(bytes);
        // A shorter form must not hold the value.
        let least = if place == 0 { u64::from(WIDTHS[0]) } else { 1 << (4 * width) };
        (value >= least).then_some(value)
    }

    fn length(&mut self, max: usize) -> Option<usize> {
        usize::try_from(self.integer()?).ok().filter(|&length| length <= max)
    }

    fn flag(&mut self) -> Option<bool> {
        match self.byte()? {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    }

    fn card(&mut self) -> Option<Card> {
        Card::from_kind(self.byte()?)
    }

    fn onto(&mut self) -> Option<Onto> {
        onto_from_number(self.integer()?.try_into().ok()?).ok()
    }

    fn kinds(&mut self) -> Option<&'p [u8]> {
        let count = self.length(CARDS_MAX)?;
        self.bytes(count)
    }

    fn cards(&mut self) -> Option<CardList> {
        self.kinds()?.iter().map(|&kind| Card::from_kind(kind)).collect()
    }

    fn skip_cards(&mut self) -> Option<()> {
        self.kinds()?.iter().all(|&kind| Card::from_kind(kind).is_some()).then_some(())
    }

    fn groups(&mut self) -> Option<Groups> {
        (0..self.length(GROUPS_MAX)?).map(|_| self.group()).collect()
    }

    fn skip_groups(&mut self) -> Option<()> {
        (0..self.length(GROUPS_MAX)?).try_for_each(|_| {
            self.shape()?;
            self.onto()?;
            self.skip_cards()
        })
    }

    fn group(&mut self) -> Option<Group> {
        let (kind, top) = self.shape()?;
        Some(Group { kind, onto: self.onto()?, top, cards: self.cards()? })
    }

    /// Returns the kind of a group, and whether it takes the top of the pile.
    fn shape(&mut self) -> Option<(MeldKind, bool)> {
        let shape = self.byte()?;
        if shape >= 2 * TOP {
            return None;
        }
        Some((codes::from_number(&MELD_KINDS, shape % TOP)?, shape >= TOP))
    }
}

fn put_length(length: usize, max: usize, out: &mut Vec<u8>) -> Option<()> {
    (length <= max).then(|| put(length as u64, out))
}

fn put_cards(cards: &[Card], out: &mut Vec<u8>) -> Option<()> {
    put_length(cards.len(), CARDS_MAX, out)?;
    out.extend(cards.iter().map(|card| card.kind()));
    Some(())
}

fn put_groups(groups: &[Group], out: &mut Vec<u8>) -> Option<()> {
    put_length(groups.len(), GROUPS_MAX, out)?;
    groups.iter().try_for_each(|group| {
        out.push(codes::number(&MELD_KINDS, group.kind) + if group.top { TOP } else { 0 });
        put(onto_number(group.onto).ok()?, out);
        put_cards(&group.cards, out)
    })
}

#[cfg(test)]
mod tests;
