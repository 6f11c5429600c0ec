//! The sections of positions: their names and their parsers.

use super::read::{PositionReader, flag};
use super::rulings::number;
use super::span::{Read, Span};
use crate::seat::Seat;
use crate::table::{Setup, Source};
use SectionParser::{Flag, OfSeat, OfSeats, Once, Several};
use alloc::vec::Vec;

/// The text that follows the name of a section, and its parser or its place in the setup.
enum SectionParser<'a> {
    /// Nothing follows the name.
    Flag(fn(&mut Setup)),
    /// A seat follows.
    OfSeat(fn(&mut Setup, Seat)),
    /// Seats follow.
    OfSeats(fn(&mut Setup) -> &mut Vec<Seat>),
    /// Some other text follows.
    Once(fn(&mut PositionReader<'a>, Span<'_>) -> Read<()>),
    /// Some other text follows. A position may have the section several times: for each seat, side, talon or ruling.
    Several(fn(&mut PositionReader<'a>, Span<'_>) -> Read<()>),
}

/// The sections on which the defaults of other sections depend.
const EARLY: [&str; 3] = ["lone", "to move", "on foot"];

/// Returns the names of all sections of a position.
pub fn section_names() -> impl Iterator<Item = &'static str> {
    PositionReader::SECTIONS.into_iter().map(|(name, _)| name)
}

impl<'a> PositionReader<'a> {
    /// The sections in the order of writing. A name stands after the longer names that begin with it.
    const SECTIONS: [(&'static str, SectionParser<'a>); 57] = [
        ("score", Once(Self::score)),
        ("round over", Once(Self::round_over)),
        ("round", Once(|reader, body| body.number("a number of rounds").map(|n| reader.setup().round = n))),
        ("attempt", Once(|reader, body| reader.counter(body).map(|n| reader.setup().attempt = n))),
        ("dealer", OfSeat(|setup, seat| setup.dealer = seat)),
        ("seating", Once(Self::seating)),
        ("lone", OfSeat(|setup, seat| setup.lone = Some(seat))),
        ("cut", Once(Self::cut)),
        ("to move", OfSeat(|setup, seat| setup.turn = seat)),
        ("to register", Flag(|_| ())),
        ("to deal", Flag(|_| ())),
        ("drew", Once(|reader, body| reader.source(body, Source::Stock))),
        ("took top", Once(|reader, body| reader.source(body, Source::TopOnly))),
        ("took", Once(|reader, body| reader.source(body, Source::Pile))),
        ("taking", Once(Self::taking)),
        ("melded", Flag(|setup| setup.melded_since_draw = true)),
        ("first", Flag(|setup| setup.melded_before = Some(false))),
        ("began", Once(|reader, body| body.meld().map(|id| reader.setup().new_from = Some(id.0)))),
        ("added", Flag(|setup| setup.touched_old = true)),
        ("last three", Flag(|setup| setup.no_discard = true)),
        ("fresh", Once(Self::fresh)),
        ("all wild", Flag(|setup| setup.all_wild_draw = true)),
        ("refused", Once(|reader, body| reader.answer(body, false))),
        ("agreed", Once(|reader, body| reader.answer(body, true))),
        ("asked", Once(Self::asked)),
        ("answered", Once(Self::answered)),
        ("game over", Flag(|_| ())),
        ("has melded", OfSeats(|setup| &mut setup.has_melded)),
        ("special", Once(Self::special)),
        ("talon for", OfSeat(|setup, seat| setup.offered = Some(seat))),
        ("to show", OfSeat(|setup, seat| setup.reveal = Some(seat))),
        ("talon", Several(Self::talon)),
        ("face down", Once(Self::face_down)),
        ("has asked", OfSeats(|setup| &mut setup.asked)),
        ("restores", Once(Self::restores)),
        ("next ids", Once(Self::next_ids)),
        ("has played", OfSeats(|setup| &mut setup.played)),
        ("on foot", Once(Self::on_foot)),
        ("courtesy", Once(Self::courtesy)),
        ("may still meld", OfSeats(|setup| &mut setup.courteous)),
        ("hand", Several(Self::hand)),
        ("foot", Several(Self::foot)),
        ("laid", Several(Self::laid)),
        ("threes", Several(Self::laid)),
        ("melds", Several(Self::melds)),
        ("loose", Once(Self::loose)),
        ("pile", Once(Self::pile)),
        (
            "upcards",
            Once(|reader, body| body.number("a number of cards").map(|n| reader.setup().start_len = n)),
        ),
        ("stock", Once(Self::stock)),
        ("ruling", Several(Self::ruling)),
        ("rulings", Once(|reader, body| number(body).map(|last| reader.ruled().last = last))),
        ("adjusted", Several(Self::adjusted)),
        ("lost", Once(Self::lost)),
        ("dispute", Once(|reader, body| number(body).map(|seq| reader.ruled().dispute = Some(seq.into())))),
        ("signed", Once(Self::signed)),
        ("forfeited", Several(Self::forfeited)),
        ("penalty", Several(Self::penalty)),
    ];

    /// Parses sections. Those on which defaults of others depend come first.
    pub(super) fn sections(&mut self, parts: Vec<Span<'a>>) -> Read<()> {
        let all = Self::SECTIONS;
        let known = |whole: Span<'a>| {
            let known = all.iter().find_map(|(name, parser)| Some((*name, parser, whole.after(name)?)));
            let (name, parser, body) =
                known.ok_or_else(|| whole.error("a section such as hand, melds, pile or stock"))?;
            Ok((name, whole, parser, body))
        };
        let sections = parts.into_iter().map(known).collect::<Read<Vec<_>>>()?;
        let (early, late): (Vec<_>, Vec<_>) =
            sections.into_iter().partition(|(name, ..)| EARLY.contains(name));
        for (name, whole, parser, body) in early.into_iter().chain(late) {
            self.whole = whole;
            if !matches!(parser, Several(_)) {
                self.once(name, 0)?;
            }
            match parser {
                Flag(set) => flag(body).map(|()| set(self.setup()))?,
                OfSeat(set) => self.seat(body).map(|seat| set(self.setup(), seat))?,
                OfSeats(field) => *field(self.setup()) = self.seats(body)?,
                Once(parse) | Several(parse) => parse(self, body)?,
            }
        }
        Ok(())
    }
}
