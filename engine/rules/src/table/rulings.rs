//! The decisions of officials in a game, and which of their effects still count (ALG-29).

use super::{EndReason, Phase, RoundOver, Table};
use crate::card::{Card, Cards};
use crate::rules::{InitialKey, ScoreUnit};
use crate::seat::{SEATS_MAX, Seat, Side};
use alloc::boxed::Box;
use alloc::vec::Vec;
use smallvec::SmallVec;

/// The maximum number of rulings that a state remembers one by one. The effects of older rulings on scores
/// stay, but an older ruling can no longer be reversed.
pub const KEPT_MAX: usize = 64;

/// The maximum number of rulings in a game: far above what any rule needs, far below overflow.
pub(crate) const RULINGS_MAX: u32 = 1 << 24;
/// The maximum number of points of a ruling, and of its effect for one side: far above what any rule needs, far below overflow.
pub const POINTS_MAX: i32 = 1_000_000;

/// Rulings, the open dispute and signatures. Nearly every game has none of these; its state then holds no
/// such value.
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
    pub adjustments: [i32; SEATS_MAX],
    /// Rulings by number, at most [`KEPT_MAX`].
    pub kept: Vec<Kept>,
}

/// The facts of a ruling that a later ruling needs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Kept {
    /// The number of the ruling.
    pub id: u32,
    /// The side whose score the ruling changed.
    pub side: Side,
    /// The offender, whose score the ruling changed if scores are kept by seat.
    pub offender: Option<Seat>,
    /// The points of the ruling.
    pub points: i32,
    /// Whether a later ruling has reversed it (IR-106).
    pub reversed: bool,
    /// The effect of the ruling that is still in force.
    pub standing: Standing,
}

/// An effect that lasts. All effects end with the round, except a lost game and points by side.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Standing {
    /// No effect.
    #[default]
    None,
    /// Points that are added to the minimum for the initial meld of the ruling's side (IR-110).
    Surcharge(i32),
    /// Cards in this seat's hand that must be discarded first (IR-109).
    Penalty(Seat, Cards),
    /// The number of turns in which this seat may not take the pile, including its current or next turn
    /// (IR-011).
    Forfeit(Seat, u16),
    /// The talon with this number was taken back from this seat.
    Talon(Seat, u8),
    /// The side has forfeited the game; each of the others was awarded this number of points.
    Lost(i32),
    /// Points that the ruling added by side, which a reversal takes back; 0 for sides that do not exist.
    Adjusted([i32; SEATS_MAX]),
}

/// The value for a game without rulings.
static NOTHING: Rulings = Rulings {
    last: 0,
    dispute: None,
    signed: 0,
    forfeited: 0,
    adjustments: [0; SEATS_MAX],
    kept: Vec::new(),
};

impl Rulings {
    /// Returns the ruling with this number; `None` if it is not remembered.
    pub fn get(&self, id: u32) -> Option<&Kept> {
        self.kept.iter().find(|kept| kept.id == id)
    }

    /// Remembers a ruling. If there are too many, forgets the oldest ruling without a standing effect.
    pub(crate) fn keep(&mut self, kept: Kept) {
        self.kept.push(kept);
        if self.kept.len() > KEPT_MAX {
            let idle = self.kept.iter().position(|kept| kept.standing == Standing::None);
            self.kept.remove(idle.unwrap_or(0));
        }
    }

    /// Ends every effect that ends with the round.
    pub(crate) fn end_round(&mut self) {
        let lasts = |kept: &Kept| matches!(kept.standing, Standing::Lost(_) | Standing::Adjusted(_));
        for kept in self.kept.iter_mut().filter(|kept| !lasts(kept)) {
            kept.standing = Standing::None;
        }
    }

    /// Counts a finished turn of `seat` in the effects that last for a number of turns.
    pub(crate) fn end_turn(&mut self, seat: Seat) {
        for kept in &mut self.kept {
            match &mut kept.standing {
                Standing::Forfeit(of, 1) if *of == seat => kept.standing = Standing::None,
                Standing::Forfeit(of, turns) if *of == seat => *turns -= 1,
                _ => {}
            }
        }
    }

    /// Removes `card`, which has left the hand of `seat`, from the penalty cards of the seat, if it is one of
    /// them.
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

    /// Drops the penalty cards that the hands no longer hold. `hands` are by seat.
    pub(crate) fn hold(&mut self, hands: &[Cards]) {
        let mut free: SmallVec<[Cards; SEATS_MAX]> = hands.iter().copied().collect();
        for kept in &mut self.kept {
            let Standing::Penalty(seat, cards) = &mut kept.standing else { continue };
            let held = &mut free[seat.index()];
            *cards = cards.iter().filter(|&card| held.remove(card)).collect();
            if cards.is_empty() {
                kept.standing = Standing::None;
            }
        }
    }

    /// Returns the penalty cards of `seat`.
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

    /// Returns the number of the ruling that forbids `seat` to take the pile in its current or next turn.
    pub fn forfeits_pile(&self, seat: Seat) -> Option<u32> {
        let takes = |kept: &&Kept| matches!(kept.standing, Standing::Forfeit(of, _) if of == seat);
        self.kept.iter().find(takes).map(|kept| kept.id)
    }

    /// Returns the points that rulings add to the minimum of `side`.
    pub fn surcharge(&self, side: Side) -> i32 {
        let points = |kept: &Kept| match kept.standing {
            Standing::Surcharge(by) if kept.side == side => by,
            _ => 0,
        };
        self.kept.iter().map(points).sum()
    }
}

impl Table {
    /// Returns the points that `seat` must reach if it makes its side's initial meld (CL-058), including the
    /// surcharges of rulings (IR-110).
    pub fn minimum(&self, seat: Seat) -> i32 {
        let bands = &self.set().initial_bands;
        let band = match self.set().initial_key {
            InitialKey::Round => bands.minimum_for_round(self.round.number),
            _ => bands.minimum_for_score(self.initial_key(seat)),
        };
        self.rulings.as_ref().map_or(band, |rulings| band + rulings.surcharge(self.side_of(seat)))
    }

    /// Returns the decisions of officials.
    pub fn rulings(&self) -> &Rulings {
        self.rulings.as_deref().unwrap_or(&NOTHING)
    }

    /// Whether anything was ruled or signed, or is disputed.
    pub fn has_rulings(&self) -> bool {
        self.rulings.is_some()
    }

    /// Returns the rulings as they are once the seats hold `hands`: penalty cards that no hand holds are
    /// dropped.
    pub fn rulings_on(&self, hands: &[Cards]) -> Option<Box<Rulings>> {
        let mut rulings = self.rulings.clone();
        if let Some(rulings) = &mut rulings {
            rulings.hold(hands);
        }
        rulings
    }

    /// Sets the round that is registered next, if it is a later one and nothing was done before: the game is taken up
    /// from a position (IR-113).
    ///
    /// Returns whether it is set.
    pub fn take_up(&mut self, round: u32) -> bool {
        let begins = self.step == 0 && self.phase == Phase::Setup && self.round.attempt == 1;
        let later = u16::try_from(round).ok().filter(|&round| begins && round > self.round.number);
        self.round.number = later.unwrap_or(self.round.number);
        later.is_some()
    }

    /// Returns the table with the penalty cards that the seats hold in `hands`.
    pub fn holding(&self, hands: &[Cards]) -> Self {
        Self { rulings: self.rulings_on(hands), ..self.clone() }
    }

    pub(crate) fn rulings_mut(&mut self) -> &mut Rulings {
        self.rulings.get_or_insert_default()
    }

    /// Whether a dispute suspends play (IR-107).
    pub fn is_suspended(&self) -> bool {
        self.rulings().dispute.is_some()
    }

    /// Whether every side has signed the sheet: after that nothing can be ruled (IR-104).
    pub fn is_signed(&self) -> bool {
        let plays = |side: &Side| self.seats_of(*side).next().is_some();
        self.sides().filter(plays).all(|side| self.rulings().signed & (1 << side.0) != 0)
    }

    /// Whether a round is being played, with its cards on the table.
    pub fn is_dealt(&self) -> bool {
        !matches!(self.phase, Phase::Setup | Phase::Deal | Phase::RoundOver | Phase::GameOver)
    }

    /// Whether a ruling ended the round, in the middle of a turn: what was open in the turn stays open.
    pub(crate) fn is_cut_off(&self) -> bool {
        let by_ruling = |over: RoundOver| matches!(over.reason, EndReason::Ruled | EndReason::Voided);
        matches!(self.phase, Phase::RoundOver | Phase::GameOver) && self.round.over.is_some_and(by_ruling)
    }

    /// Returns the score units that a ruling about `side` changes. If scores are kept by seat, these are the
    /// offender, or every seat of the side if no offender is named.
    pub(crate) fn score_units(&self, side: Side, offender: Option<Seat>) -> SmallVec<[u8; SEATS_MAX]> {
        match (self.set().score_unit, offender) {
            (ScoreUnit::Side, _) => [side.0].into_iter().collect(),
            (ScoreUnit::Seat, Some(seat)) => [seat.0].into_iter().collect(),
            (ScoreUnit::Seat, None) => self.seats_of(side).map(|seat| seat.0).collect(),
        }
    }

    /// Returns the score units of `side`, as bits.
    pub(crate) fn units_of(&self, side: Side) -> u8 {
        self.score_units(side, None).iter().fold(0, |units, unit| units | 1 << unit)
    }

    /// Ends the penalty on `card`, which has left the hand of `seat` for good.
    pub(crate) fn release(&mut self, seat: Seat, card: Card) {
        if let Some(rulings) = &mut self.rulings {
            rulings.release(seat, card);
        }
    }
}
