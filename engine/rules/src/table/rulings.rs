//! What officials have decided in a game, and what of it still counts (ALG-29).

use super::{Phase, Table};
use crate::card::{Card, Cards};
use crate::rules::ScoreUnit;
use crate::seat::{MAX_SEATS, Seat, Side};
use alloc::boxed::Box;
use alloc::vec::Vec;
use smallvec::SmallVec;

/// The most rulings that a state remembers one by one. What older ones took or gave stays; they can only no
/// longer be reversed.
pub const MAX_KEPT: usize = 64;

/// The most rulings of a game, and the most points that one may name: far above any rule, far below overflow.
pub(crate) const MAX_RULINGS: u32 = 1 << 24;
/// See [`MAX_RULINGS`].
pub(crate) const MAX_POINTS: i32 = 1_000_000;

/// Rulings, the open dispute and signatures. Nearly every game has none: the state then holds no such value.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rulings {
    /// Number of the last ruling, 0 before the first.
    pub last: u32,
    /// The action (`seq`) that opened the dispute which suspends play (IR-107).
    pub dispute: Option<u64>,
    /// Bit per side that has signed the sheet (IR-104).
    pub signed: u8,
    /// Bit per score unit that has forfeited the game.
    pub forfeited: u8,
    /// Points of rulings that the round in progress will book, by score unit (IR-108).
    pub adjustments: [i32; MAX_SEATS],
    /// Rulings by number, at most [`MAX_KEPT`].
    pub kept: Vec<Kept>,
}

/// A ruling as far as a later one can touch it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Kept {
    /// Its number.
    pub id: u32,
    /// The side whose score it moved.
    pub side: Side,
    /// The offender, whose score it moved where scores are kept by seat.
    pub offender: Option<Seat>,
    /// Its points.
    pub points: i32,
    /// Whether a later ruling has reversed it (IR-106).
    pub reversed: bool,
    /// What of its effect still stands.
    pub standing: Standing,
}

/// An effect that goes on. All but the last end with the round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Standing {
    /// Nothing.
    None,
    /// So many points more for the initial meld of the ruling's side (IR-110).
    Surcharge(i32),
    /// Cards of this seat's hand that must be discarded first (IR-109).
    Penalty(Seat, Cards),
    /// This seat may not take the pile in so many turns, the one under way or next included (IR-011).
    Forfeit(Seat, u16),
    /// The talon with this number was taken back from this seat.
    Talon(Seat, u8),
    /// The side has forfeited the game; the others were awarded so many points each.
    Lost(i32),
}

/// What a game without rulings has.
static NOTHING: Rulings = Rulings {
    last: 0,
    dispute: None,
    signed: 0,
    forfeited: 0,
    adjustments: [0; MAX_SEATS],
    kept: Vec::new(),
};

impl Rulings {
    /// The ruling with this number, as far as it is remembered.
    pub fn get(&self, id: u32) -> Option<&Kept> {
        self.kept.iter().find(|kept| kept.id == id)
    }

    /// Remembers one; if there are too many, the oldest without a standing effect is forgotten.
    pub(crate) fn keep(&mut self, kept: Kept) {
        self.kept.push(kept);
        if self.kept.len() > MAX_KEPT {
            let idle = self.kept.iter().position(|kept| kept.standing == Standing::None);
            self.kept.remove(idle.unwrap_or(0));
        }
    }

    /// Ends every effect that does not outlast the round.
    pub(crate) fn end_round(&mut self) {
        for kept in self.kept.iter_mut().filter(|kept| !matches!(kept.standing, Standing::Lost(_))) {
            kept.standing = Standing::None;
        }
    }

    /// The turn of `seat` has ended.
    pub(crate) fn end_turn(&mut self, seat: Seat) {
        for kept in &mut self.kept {
            match &mut kept.standing {
                Standing::Forfeit(of, 1) if *of == seat => kept.standing = Standing::None,
                Standing::Forfeit(of, turns) if *of == seat => *turns -= 1,
                _ => {}
            }
        }
    }

    /// `card` has left the hand of `seat`: if it was a penalty card, it is none any more.
    pub(crate) fn release(&mut self, seat: Seat, card: Card) {
        for kept in &mut self.kept {
            let Standing::Penalty(of, cards) = &mut kept.standing else { continue };
            if *of == seat && cards.remove(card) {
                if cards.is_empty() {
                    kept.standing = Standing::None;
                }
                return;
            }
        }
    }

    /// Penalty cards that are in no hand any more are none.
    pub(crate) fn hold(&mut self, hands: &[Cards]) {
        let mut free: SmallVec<[Cards; MAX_SEATS]> = hands.iter().copied().collect();
        for kept in &mut self.kept {
            let Standing::Penalty(seat, cards) = &mut kept.standing else { continue };
            let held = &mut free[seat.index()];
            *cards = cards.iter().filter(|&card| held.remove(card)).collect();
            if cards.is_empty() {
                kept.standing = Standing::None;
            }
        }
    }

    /// The penalty cards of `seat`.
    pub fn penalty_cards(&self, seat: Seat) -> Cards {
        let mut all = Cards::EMPTY;
        for kept in &self.kept {
            if let Standing::Penalty(of, cards) = &kept.standing
                && *of == seat
            {
                all.add(cards);
            }
        }
        all
    }

    /// The ruling that takes the pile from `seat` in its turn under way or next.
    pub fn forfeits_pile(&self, seat: Seat) -> Option<u32> {
        let takes = |kept: &&Kept| matches!(kept.standing, Standing::Forfeit(of, _) if of == seat);
        self.kept.iter().find(takes).map(|kept| kept.id)
    }

    /// What rulings add to the minimum of `side`.
    pub fn surcharge(&self, side: Side) -> i32 {
        let points = |kept: &Kept| match kept.standing {
            Standing::Surcharge(by) if kept.side == side => by,
            _ => 0,
        };
        self.kept.iter().map(points).sum()
    }
}

impl Table {
    /// What officials have decided.
    pub fn rulings(&self) -> &Rulings {
        self.rulings.as_deref().unwrap_or(&NOTHING)
    }

    /// Whether anything was ruled or signed, or is disputed.
    pub fn has_rulings(&self) -> bool {
        self.rulings.is_some()
    }

    /// Returns the rulings as they stand once the seats hold `hands`: penalty cards that no hand holds are dropped.
    pub fn rulings_on(&self, hands: &[Cards]) -> Option<Box<Rulings>> {
        let mut rulings = self.rulings.clone();
        if let Some(rulings) = &mut rulings {
            rulings.hold(hands);
        }
        rulings
    }

    pub(crate) fn rulings_mut(&mut self) -> &mut Rulings {
        self.rulings.get_or_insert_default()
    }

    /// Whether play is suspended (IR-107).
    pub fn is_suspended(&self) -> bool {
        self.rulings().dispute.is_some()
    }

    /// Whether every side has signed the sheet: then nothing can be ruled any more (IR-104).
    pub fn is_signed(&self) -> bool {
        let plays = |side: &Side| self.seats_of(*side).next().is_some();
        self.sides().filter(plays).all(|side| self.rulings().signed & (1 << side.0) != 0)
    }

    /// Whether a round is being played, its cards on the table.
    pub(crate) fn is_dealt(&self) -> bool {
        !matches!(self.phase, Phase::Setup | Phase::Deal | Phase::RoundOver | Phase::GameOver)
    }

    /// The accounts that a ruling about `side` moves, by number: where scores are kept by seat that of the
    /// offender, or of every seat of the side.
    pub(crate) fn score_units(&self, side: Side, offender: Option<Seat>) -> SmallVec<[u8; MAX_SEATS]> {
        match (self.set().score_unit, offender) {
            (ScoreUnit::Side, _) => [side.0].into_iter().collect(),
            (ScoreUnit::Seat, Some(seat)) => [seat.0].into_iter().collect(),
            (ScoreUnit::Seat, None) => self.seats_of(side).map(|seat| seat.0).collect(),
        }
    }

    /// The score units of `side`, a bit each.
    pub(crate) fn units_of(&self, side: Side) -> u8 {
        self.score_units(side, None).iter().fold(0, |units, unit| units | 1 << unit)
    }

    /// `card` has left the hand of `seat` for good.
    pub(crate) fn release(&mut self, seat: Seat, card: Card) {
        if let Some(rulings) = &mut self.rulings {
            rulings.release(seat, card);
        }
    }
}
