//! Reading positions.

use super::position::{
    Position, Zone, is_dealt, kind_of, only_mate, usual_askers, usual_dealer, usual_melders, usual_upcards,
};
use super::span::{Read, Span};
use super::{Names, bounded, fill, header};
use crate::action::{About, MeldId, MeldKind};
use crate::card::{Card, Cards};
use crate::deal::GameId;
use crate::rules::PileUnopened;
use crate::seat::{Seat, Side};
use crate::state::{
    DealSource, EndReason, MAX_MELDS, Meld, Origin, Permission, Phase, Registration, RoundOver, Setup, Source,
};
use alloc::vec::Vec;

/// The sections in the order of writing. A name that others begin with stands after them.
const SECTIONS: &[(&str, Section)] = &[
    ("score", Section::Score),
    ("round over", Section::RoundOver),
    ("round", Section::Round),
    ("attempt", Section::Attempt),
    ("dealer", Section::Dealer),
    ("to move", Section::ToMove),
    ("to register", Section::ToRegister),
    ("to deal", Section::ToDeal),
    ("drew", Section::Drew),
    ("took", Section::Took),
    ("melded", Section::Melded),
    ("first", Section::First),
    ("began", Section::Began),
    ("added", Section::Added),
    ("asked", Section::Asked),
    ("answered", Section::Answered),
    ("game over", Section::GameOver),
    ("has melded", Section::HasMelded),
    ("has asked", Section::HasAsked),
    ("hand", Section::Hand),
    ("laid", Section::Laid),
    ("threes", Section::Laid),
    ("melds", Section::Melds),
    ("pile", Section::Pile),
    ("upcards", Section::Upcards),
    ("stock", Section::Stock),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Score,
    RoundOver,
    Round,
    Attempt,
    Dealer,
    ToMove,
    ToRegister,
    ToDeal,
    Drew,
    Took,
    Melded,
    First,
    Began,
    Added,
    Asked,
    Answered,
    GameOver,
    HasMelded,
    HasAsked,
    Hand,
    Laid,
    Melds,
    Pile,
    Upcards,
    Stock,
}

/// An origin that nothing can be dealt from.
pub(super) fn no_origin() -> Origin {
    Origin {
        game_id: GameId([0; 16]),
        registration: Registration::Auto,
        source: DealSource::Unknown,
        expires_at: None,
    }
}

pub(super) fn position(text: &str) -> Read<Position> {
    bounded(text)?;
    let mut parts = Span::of(text).split(&[';']);
    let head = parts.next().unwrap_or(Span::of(""));
    let rules = header::read(head)?;
    let setup = Setup::new(rules, no_origin(), Seat(0));
    let left = setup.rules.census();
    let hands = alloc::vec![Zone::Unsaid; setup.hands.len()];
    let position = Position { setup, hands, pile: Zone::Unsaid, stock: Zone::Unsaid };
    let names = Names::of(position.setup.rules.set());
    let mut reader = Reader { position, names, left, seen: Vec::new() };
    let sections: Vec<(Section, Span<'_>, Span<'_>)> =
        parts.filter(|part| !part.is_empty()).map(section).collect::<Read<_>>()?;
    // What the defaults of other sections depend on comes first.
    let (early, late): (Vec<_>, Vec<_>) =
        sections.into_iter().partition(|(section, ..)| matches!(section, Section::ToMove));
    for (section, whole, body) in early.into_iter().chain(late) {
        reader.read(section, whole, body)?;
    }
    reader.settle(Span { text: "", at: text.len() })
}

/// The section that `part` is, with what follows its name.
fn section(part: Span<'_>) -> Read<(Section, Span<'_>, Span<'_>)> {
    let known = SECTIONS.iter().find_map(|&(name, section)| Some((section, part.after(name)?)));
    let (section, body) = known.ok_or_else(|| part.error("a section such as hand, melds, pile or stock"))?;
    Ok((section, part, body))
}

struct Reader {
    position: Position,
    names: Names,
    /// Cards of the pack that are not named yet.
    left: Cards,
    /// Sections that were read, with the seat or side they are about.
    seen: Vec<(Section, u8)>,
}

impl Reader {
    fn setup(&mut self) -> &mut Setup {
        &mut self.position.setup
    }

    fn has(&self, wanted: Section) -> bool {
        self.seen.iter().any(|&(section, _)| section == wanted)
    }

    fn once(&mut self, section: Section, of: u8, whole: Span<'_>) -> Read<()> {
        if self.seen.contains(&(section, of)) {
            return Err(whole.error("a section that is not there yet"));
        }
        self.seen.push((section, of));
        Ok(())
    }

    fn read(&mut self, section: Section, whole: Span<'_>, body: Span<'_>) -> Read<()> {
        match section {
            Section::Hand => return self.hand(whole, body),
            Section::Laid => return self.laid(whole, body),
            Section::Melds => return self.melds(whole, body),
            _ => self.once(section, 0, whole)?,
        }
        match section {
            Section::Score => self.score(body),
            Section::Round => self.counter(body).map(|n| self.setup().round = n),
            Section::Attempt => self.counter(body).map(|n| self.setup().attempt = n),
            Section::Dealer => self.seat(body).map(|seat| self.setup().dealer = seat),
            Section::ToMove => self.seat(body).map(|seat| self.setup().turn = seat),
            Section::Drew | Section::Took => self.source(section, whole, body),
            Section::Melded => self.flag(body).map(|()| self.setup().melded_since_draw = true),
            Section::First => self.flag(body).map(|()| self.setup().melded_before = Some(false)),
            Section::Added => self.flag(body).map(|()| self.setup().touched_old = true),
            Section::Began => {
                let id = body.number("the number of a meld")?;
                let id = u8::try_from(id).map_err(|_| body.error("the number of a meld"))?;
                self.setup().new_from = Some(id);
                Ok(())
            }
            Section::Asked => self.asked(body),
            Section::Answered => self.answered(body),
            Section::RoundOver => self.round_over(body),
            Section::ToRegister | Section::ToDeal | Section::GameOver => self.flag(body),
            Section::HasMelded => self.seats(body).map(|seats| self.setup().has_melded = seats),
            Section::HasAsked => self.seats(body).map(|seats| self.setup().asked = seats),
            Section::Pile => self.pile(body),
            Section::Upcards => body.number("a number of cards").map(|n| self.setup().start_len = n),
            Section::Stock => self.stock(body),
            Section::Hand | Section::Laid | Section::Melds => unreachable!("read above"),
        }
    }

    fn flag(&self, body: Span<'_>) -> Read<()> {
        body.finish("the end of the section")
    }

    fn counter(&self, body: Span<'_>) -> Read<u16> {
        let number = body.number("a number from 1")?;
        if number > 0 { Ok(number) } else { Err(body.error("a number from 1")) }
    }

    fn seat(&self, word: Span<'_>) -> Read<Seat> {
        self.names.seat(word.text).ok_or_else(|| word.error("a seat (N E S W, or a number)"))
    }

    fn seats(&self, body: Span<'_>) -> Read<Vec<Seat>> {
        if body.text == "-" {
            return Ok(Vec::new());
        }
        let mut seats = body.words().map(|word| self.seat(word)).collect::<Read<Vec<_>>>()?;
        if seats.is_empty() {
            return Err(body.error("seats, or - for none"));
        }
        seats.sort_unstable();
        seats.dedup();
        Ok(seats)
    }

    fn score(&mut self, body: Span<'_>) -> Read<()> {
        let score = |word: Span<'_>| {
            let points = word.text.parse::<i32>().ok();
            let in_range = points.filter(|points| points.unsigned_abs() <= 1_000_000);
            in_range.ok_or_else(|| word.error("points"))
        };
        let scores = body.words().map(score).collect::<Read<Vec<_>>>()?;
        if scores.len() != self.position.setup.scores.len() {
            return Err(body.error("the points of every side"));
        }
        self.setup().scores = scores;
        Ok(())
    }

    fn source(&mut self, section: Section, whole: Span<'_>, body: Span<'_>) -> Read<()> {
        self.flag(body)?;
        if self.position.setup.source != Source::None {
            return Err(whole.error("either drew or took"));
        }
        self.setup().source = if section == Section::Drew { Source::Stock } else { Source::Pile };
        Ok(())
    }

    fn asked(&mut self, body: Span<'_>) -> Read<()> {
        let (seat, rest) = body.word();
        let to = if seat.is_empty() { only_mate(&self.position.setup) } else { Some(self.seat(seat)?) };
        let to = to.ok_or_else(|| body.error("the seat that was asked"))?;
        let about = if rest.is("courtesy") { About::Courtesy } else { About::GoOut };
        if about == About::GoOut {
            self.flag(rest)?;
        }
        self.permission(body, Permission::Pending { about, to })
    }

    fn answered(&mut self, body: Span<'_>) -> Read<()> {
        let (answer, rest) = body.word();
        if answer.is("yes") {
            self.flag(rest)?;
            return self.permission(body, Permission::Yes);
        }
        if !answer.is("no") {
            return Err(answer.error("yes or no"));
        }
        let by = if rest.is_empty() { only_mate(&self.position.setup) } else { Some(self.seat(rest)?) };
        let by = by.ok_or_else(|| body.error("the seat that answered"))?;
        self.permission(body, Permission::No { by })
    }

    fn permission(&mut self, body: Span<'_>, permission: Permission) -> Read<()> {
        if self.position.setup.permission != Permission::None {
            return Err(body.error("either asked or answered"));
        }
        self.setup().permission = permission;
        Ok(())
    }

    fn round_over(&mut self, body: Span<'_>) -> Read<()> {
        let (reason, rest) = body.word();
        let of_name = |r: &EndReason| reason.is(r.name());
        let reason = EndReason::ALL
            .into_iter()
            .find(of_name)
            .ok_or_else(|| reason.error("why the round ended (went_out, stock_exhausted, last_three ...)"))?;
        let (first, last) = rest.word();
        let (seat, concealed) = if first.is("concealed") { (Span::of(""), rest) } else { (first, last) };
        if !concealed.is("concealed") {
            self.flag(concealed)?;
        }
        let seat = if seat.is_empty() { None } else { Some(self.seat(seat)?) };
        self.setup().over = Some(RoundOver { reason, seat, concealed: !concealed.is_empty() });
        Ok(())
    }

    /// Cards of a zone, taken from the pack.
    fn cards(&mut self, body: Span<'_>) -> Read<Vec<Card>> {
        let cards = body.cards()?;
        for (card, place) in &cards {
            if !self.left.remove(*card) {
                return Err(place.error("a card that the pack still has"));
            }
        }
        Ok(cards.into_iter().map(|(card, _)| card).collect())
    }

    /// What is said of a zone: a count, or its cards.
    fn zone(&mut self, body: Span<'_>) -> Read<(Zone, Vec<Card>)> {
        if body.is_empty() {
            return Err(body.error("cards, a number of cards, or - for none"));
        }
        match super::number(body.text) {
            Some(0) => Ok((Zone::Named, Vec::new())),
            Some(count) => Ok((Zone::Count(count), Vec::new())),
            None => Ok((Zone::Named, self.cards(body)?)),
        }
    }

    fn hand(&mut self, whole: Span<'_>, body: Span<'_>) -> Read<()> {
        let (seat, rest) = body.word();
        let seat = self.seat(seat)?;
        self.once(Section::Hand, seat.0, whole)?;
        let (zone, cards) = self.zone(rest)?;
        self.position.hands[seat.index()] = zone;
        self.setup().hands[seat.index()] = cards.into_iter().collect();
        Ok(())
    }

    fn laid(&mut self, whole: Span<'_>, body: Span<'_>) -> Read<()> {
        let (seat, rest) = body.word();
        let seat = self.seat(seat)?;
        self.once(Section::Laid, seat.0, whole)?;
        let cards = self.cards(rest)?;
        self.setup().laid[seat.index()] = cards.into_iter().collect();
        Ok(())
    }

    /// Melds between `/` or commas; without those, words that are more than one card each.
    fn melds(&mut self, whole: Span<'_>, body: Span<'_>) -> Read<()> {
        let (side, rest) = body.word();
        let side = self.names.side(side.text).ok_or_else(|| side.error("a side (NS EW, or a number)"))?;
        self.once(Section::Melds, side.0, whole)?;
        let single = |word: Span<'_>| word.cards().is_ok_and(|cards| cards.len() == 1);
        let melds: Vec<Span<'_>> = if rest.text.contains(['/', ',']) {
            rest.split(&['/', ',']).collect()
        } else if rest.words().all(single) {
            alloc::vec![rest]
        } else {
            rest.words().collect()
        };
        if rest.text == "-" {
            return Ok(());
        }
        let mut next = 0;
        for meld in melds {
            next = self.meld(side, meld, next)?;
        }
        Ok(())
    }

    fn meld(&mut self, side: Side, span: Span<'_>, next: u8) -> Read<u8> {
        let (id, body) = match span.cut(':') {
            Some((id, body)) => {
                let number = id.number("the number of a meld").ok().and_then(|n| u8::try_from(n).ok());
                (number.filter(|&n| n >= next).ok_or_else(|| id.error("a higher number of a meld"))?, body)
            }
            None => (next, span),
        };
        let cards: Cards = self.cards(body)?.into_iter().collect();
        let bounded = usize::from(id) < MAX_MELDS && self.position.setup.melds.len() < MAX_MELDS;
        if cards.is_empty() || !bounded {
            return Err(body.error("the cards of a meld, of at most 128 melds"));
        }
        let kind = kind_of(&cards);
        let natural = cards.iter().find(|card| !card.is_wild()).map(Card::rank);
        let rank = natural.filter(|_| kind == MeldKind::Set);
        self.setup().melds.push(Meld { side, id: MeldId(id), kind, rank, cards });
        Ok(id + 1)
    }

    fn pile(&mut self, body: Span<'_>) -> Read<()> {
        let cards = body.words().last().filter(|word| word.is("frozen"));
        let named = match cards {
            Some(word) => Span { text: &body.text[..word.at - body.at], at: body.at }.trim(),
            None => body,
        };
        if named.is_empty() || super::number(named.text).is_some() {
            return Err(named.error("cards, bottom to top, or - for none"));
        }
        self.setup().pile = self.cards(named)?;
        self.position.pile = Zone::Named;
        match cards {
            Some(word) if !self.may_be_frozen() => Err(word.error("the end: nothing freezes this pile")),
            _ => Ok(()),
        }
    }

    /// Whether something can freeze the pile: what lies in it, or that the side to move has not melded.
    fn may_be_frozen(&self) -> bool {
        let (setup, set) = (&self.position.setup, self.position.setup.rules.set());
        let freezes = |card: &Card| {
            set.start_freezes.contains(card.class()) || set.discard_freezes.contains(card.class())
        };
        set.frozen_always || set.pile_unopened == PileUnopened::Frozen || setup.pile.iter().any(freezes)
    }

    fn stock(&mut self, body: Span<'_>) -> Read<()> {
        let (zone, mut cards) = self.zone(body)?;
        cards.reverse();
        self.position.stock = zone;
        self.setup().stock = cards;
        Ok(())
    }

    /// Gives what was not said its default, and sees that the pack can fill the rest.
    fn settle(mut self, end: Span<'_>) -> Read<Position> {
        let phase = if self.has(Section::GameOver) {
            Phase::GameOver
        } else if self.has(Section::ToRegister) {
            Phase::Setup
        } else if self.has(Section::ToDeal) {
            Phase::Deal
        } else if self.has(Section::RoundOver) {
            Phase::RoundOver
        } else {
            match (self.position.setup.permission, self.position.setup.source) {
                (Permission::Pending { .. }, _) => Phase::Asked,
                (_, Source::None) => Phase::Start,
                _ => Phase::Play,
            }
        };
        self.setup().phase = phase;
        if !is_dealt(phase) {
            // Nothing is filled in: what is not said is not there.
            self.position.hands.fill(Zone::Named);
            (self.position.pile, self.position.stock) = (Zone::Named, Zone::Named);
        }
        if !self.has(Section::Dealer) {
            self.setup().dealer = usual_dealer(&self.position.setup);
        }
        if !self.has(Section::HasMelded) {
            self.setup().has_melded = usual_melders(&self.position.setup);
        }
        if !self.has(Section::HasAsked) {
            self.setup().asked = usual_askers(&self.position.setup);
        }
        if !self.has(Section::Upcards) {
            self.setup().start_len = usual_upcards(&self.position.setup);
        }
        self.setup().melds.sort_by_key(|m| (m.side, m.id));
        let red = self.left.red_threes();
        match fill::shortage(&self.position, self.left.len() - u16::from(red)) {
            Some(expected) if is_dealt(phase) => Err(end.error(expected)),
            _ => Ok(self.position),
        }
    }
}
