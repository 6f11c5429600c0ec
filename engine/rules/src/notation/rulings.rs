//! Rulings in positions: `ruling 3 NS -100 minimum 10`, `adjusted EW -50`, `dispute 17`, `signed NS`.
//!
//! The short forms `penalty N Kd` and `forfeited 2` can also be read. Each is a ruling of its own.

use super::read::PositionReader;
use super::span::{Read, Span};
use super::{Names, sorted, write_cards};
use crate::rules::{RuleSet, ScoreUnit};
use crate::seat::{SEATS_MAX, Seat, Side};
use crate::table::{Kept, Rulings, Setup, Standing};
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write as _;

/// Appends a section for each decision.
pub fn write(rulings: &Rulings, setup: &Setup, names: Names<'_>, out: &mut String) {
    for kept in &rulings.kept {
        let side = names.side_name(kept.side);
        write!(out, "; ruling {} {side} {}", kept.id, kept.points).expect("a string takes all text");
        if let Some(offender) = kept.offender {
            write!(out, " by {}", names.seat_name(offender)).expect("a string takes all text");
        }
        out.push_str(if kept.reversed { " reversed" } else { "" });
        write_standing(&kept.standing, names, out);
    }
    if rulings.last != rulings.kept.last().map_or(0, |kept| kept.id) {
        write!(out, "; rulings {}", rulings.last).expect("a string takes all text");
    }
    for (unit, points) in (0..).zip(rulings.adjustments).filter(|(_, points)| *points != 0) {
        let unit = unit_name(unit, setup.rules.set(), names);
        write!(out, "; adjusted {unit} {points}").expect("a string takes all text");
    }
    if rulings.forfeited != 0 {
        out.push_str("; lost");
        for unit in (0..setup.rules.set().unit_count()).filter(|unit| rulings.forfeited & (1 << unit) != 0) {
            write!(out, " {}", unit_name(unit, setup.rules.set(), names)).expect("a string takes all text");
        }
    }
    if let Some(seq) = rulings.dispute {
        write!(out, "; dispute {seq}").expect("a string takes all text");
    }
    if rulings.signed != 0 {
        out.push_str("; signed");
        for side in (0..setup.rules.set().side_count).filter(|side| rulings.signed & (1 << side) != 0) {
            out.push(' ');
            out.push_str(&names.side_name(Side(side)));
        }
    }
}

/// Returns the name of a score unit: the name of its side or seat.
pub fn unit_name(unit: u8, set: &RuleSet, names: Names<'_>) -> String {
    match set.score_unit {
        ScoreUnit::Side => names.side_name(Side(unit)),
        ScoreUnit::Seat => names.seat_name(Seat(unit)),
    }
}

fn write_standing(standing: &Standing, names: Names<'_>, out: &mut String) {
    match standing {
        Standing::None => {}
        Standing::Surcharge(by) => write!(out, " minimum {by}").expect("a string takes all text"),
        Standing::Penalty(seat, cards) => {
            write!(out, " penalty {} ", names.seat_name(*seat)).expect("a string takes all text");
            write_cards(out, sorted(cards), " ");
        }
        Standing::Forfeit(seat, turns) => {
            write!(out, " pile {} {turns}", names.seat_name(*seat)).expect("a string takes all text");
        }
        Standing::Talon(seat, number) => {
            write!(out, " talon {} {number}", names.seat_name(*seat)).expect("a string takes all text");
        }
        Standing::Lost(award) => write!(out, " lost {award}").expect("a string takes all text"),
        Standing::Adjusted(points) => {
            out.push_str(" points");
            write_points(points, out);
        }
    }
}

/// Appends points by side, without the zeros at the end.
fn write_points(points: &[i32], out: &mut String) {
    let count = points.iter().rposition(|&points| points != 0).map_or(0, |last| last + 1);
    for points in &points[..count] {
        write!(out, " {points}").expect("a string takes all text");
    }
}

impl PositionReader<'_> {
    pub fn ruled(&mut self) -> &mut Rulings {
        self.setup().rulings.get_or_insert_with(Box::default)
    }

    /// Parses `ruling ID [SIDE POINTS] [by SEAT] [reversed] [EFFECT]`.
    pub fn ruling(&mut self, body: Span<'_>) -> Read<()> {
        let kept = self.kept(body)?;
        self.keep(kept, body)
    }

    /// Parses `forfeited ID`.
    pub fn forfeited(&mut self, body: Span<'_>) -> Read<()> {
        let standing = Standing::Forfeit(self.position.setup.turn, 1);
        self.keep(Kept { id: number(body)?, standing, ..Kept::default() }, body)
    }

    /// Parses `penalty SEAT CARDS`.
    pub fn penalty(&mut self, body: Span<'_>) -> Read<()> {
        let (id, standing) = (self.ruled().last + 1, self.penalty_cards(body)?);
        self.keep(Kept { id, standing, ..Kept::default() }, body)
    }

    fn keep(&mut self, kept: Kept, body: Span<'_>) -> Read<()> {
        let rulings = self.ruled();
        if kept.id <= rulings.last {
            return Err(body.error("rulings by number, each once"));
        }
        rulings.last = kept.id;
        rulings.kept.push(kept);
        Ok(())
    }

    fn kept(&mut self, body: Span<'_>) -> Read<Kept> {
        let (id, mut rest) = body.word();
        let mut kept = Kept { id: number(id)?, ..Kept::default() };
        let (first, after) = rest.word();
        match self.names.side_or_none(first)? {
            Some(side) => {
                let (points, after) = after.word();
                (kept.side, kept.points, rest) = (side, signed(points)?, after);
            }
            None if first.is("reversed") => {}
            None => return Err(first.error("a side and points")),
        }
        let (word, after) = rest.word();
        if word.is("by") {
            let (seat, after) = after.word();
            (kept.offender, rest) = (Some(self.seat(seat)?), after);
        }
        let (word, after) = rest.word();
        if word.is("reversed") {
            (kept.reversed, rest) = (true, after);
        }
        let (word, args) = rest.word();
        kept.standing = match word.text.to_ascii_lowercase().as_str() {
            "" => Standing::None,
            "minimum" => Standing::Surcharge(signed(args)?),
            "penalty" => self.penalty_cards(args)?,
            "pile" => {
                let (seat, turns) = args.word();
                Standing::Forfeit(self.seat(seat)?, turns.number("a number of turns")?)
            }
            "talon" => {
                let (seat, number) = args.word();
                let number = number.number("the number of a talon")?;
                let number = u8::try_from(number).map_err(|_| args.error("the number of a talon"))?;
                Standing::Talon(self.seat(seat)?, number)
            }
            "lost" => Standing::Lost(signed(args)?),
            "points" => {
                let mut points = [0; SEATS_MAX];
                let found: Vec<i32> = args.words().map(signed).collect::<Read<_>>()?;
                let places =
                    points.get_mut(..found.len()).filter(|_| found.last().is_some_and(|last| *last != 0));
                places
                    .ok_or_else(|| args.error("points by side, the last one not 0"))?
                    .copy_from_slice(&found);
                Standing::Adjusted(points)
            }
            _ => return Err(word.error("reversed, minimum, penalty, pile, talon, lost or points")),
        };
        Ok(kept)
    }

    /// Parses `SEAT CARDS`. The cards are named in the hand of the seat as well.
    fn penalty_cards(&mut self, body: Span<'_>) -> Read<Standing> {
        let (seat, cards) = body.word();
        let seat = self.seat(seat)?;
        Ok(Standing::Penalty(seat, cards.card_list()?))
    }

    pub fn adjusted(&mut self, body: Span<'_>) -> Read<()> {
        let (unit, points) = body.word();
        let unit = self::unit(unit, self.position.setup.rules.set(), self.names)?;
        self.once("adjusted", unit)?;
        let points = points.text.parse().map_err(|_| points.error("points"))?;
        self.ruled().adjustments[usize::from(unit)] = points;
        Ok(())
    }

    pub fn lost(&mut self, body: Span<'_>) -> Read<()> {
        for word in body.words() {
            let unit = unit(word, self.position.setup.rules.set(), self.names)?;
            self.ruled().forfeited |= 1 << unit;
        }
        Ok(())
    }

    pub fn signed(&mut self, body: Span<'_>) -> Read<()> {
        for word in body.words() {
            self.ruled().signed |= 1 << self.names.side(word)?.0;
        }
        Ok(())
    }
}

/// Parses the name of a score unit.
pub fn unit(word: Span<'_>, set: &RuleSet, names: Names<'_>) -> Read<u8> {
    let unit = match set.score_unit {
        ScoreUnit::Side => names.side_or_none(word)?.map(|side| side.0),
        ScoreUnit::Seat => names.seat_or_none(word)?.map(|seat| seat.0),
    };
    unit.ok_or_else(|| word.error("whose score"))
}

/// Parses a number without a sign.
pub fn whole<T: core::str::FromStr>(word: Span<'_>, expected: &'static str) -> Read<T> {
    let digits = word.text.bytes().all(|byte| byte.is_ascii_digit());
    word.text.parse().ok().filter(|_| digits).ok_or_else(|| word.error(expected))
}

/// Parses the number of a ruling, from 1.
pub fn number(word: Span<'_>) -> Read<u32> {
    let number = word.text.parse().ok().filter(|&number| (1..=crate::table::RULINGS_MAX).contains(&number));
    number.ok_or_else(|| word.error("a number from 1"))
}

/// Parses points, with or without a sign.
pub fn signed(word: Span<'_>) -> Read<i32> {
    let points = word.text.parse::<i32>().ok();
    let in_range = points.filter(|points| points.unsigned_abs() <= crate::table::POINTS_MAX.unsigned_abs());
    in_range.ok_or_else(|| word.error("points"))
}
