//! Parsing of positions.

use super::position::{
    Position, Zone, is_dealt, kind_of, only_mate, usual_askers, usual_dealer, usual_melders, usual_players,
    usual_upcards,
};
use super::span::{Read, Span, UNKNOWN};
use super::suits::Suits;
use super::{Names, POSITION_BYTES_MAX, bounded, header, players};
use crate::action::{MeldId, MeldKind, SpecialHand};
use crate::card::{Card, Cards};
use crate::seat::{Seat, Side};
use crate::table::{
    Answer, Courtesy, Cut, EndReason, Loose, MELDS_MAX, Meld, Permission, Phase, RoundOver, Setup, Source,
    TakenTop, Talon, TalonPlace,
};
use alloc::vec::Vec;

pub(super) fn position(text: &str, beside: &str) -> Read<Position> {
    bounded(text, POSITION_BYTES_MAX)?;
    let head = Span::of(text).split(&[';']).next().unwrap_or(Span::of(""));
    let rules = header::read(head)?;
    let suits = Suits::of(rules.set(), text.get(head.at + head.text.len()..).unwrap_or_default(), beside);
    let parts = Span::of(text).with_suits(&suits).split(&[';']).skip(1);
    let mut setup = Setup::new(rules, Seat(0));
    let talons = setup.rules.set().talons.iter();
    setup.talons = talons.map(|_| Talon { place: TalonPlace::Centre, cards: Vec::new() }).collect();
    let left = setup.rules.census();
    let (named, parts): (Vec<_>, Vec<_>) = parts.filter(|part| !part.is_empty()).partition(players::is_list);
    let players = players::read(&named, setup.hands.len())?;
    let position = Position::unsaid(setup, players.clone());
    let names = Names::of(position.setup.rules.set()).with_players(&players);
    let mut reader = PositionReader { position, names, left, whole: Span::of(""), seen: Vec::new() };
    reader.sections(parts)?;
    Ok(reader.settle())
}

pub(super) struct PositionReader<'a> {
    pub(super) position: Position,
    pub(super) names: Names<'a>,
    /// Cards of the pack that no zone has named yet.
    left: Cards,
    /// The section that is being read.
    pub(super) whole: Span<'a>,
    /// The sections that were read, each with the number of its seat or side, or 0.
    seen: Vec<(&'static str, u8)>,
}

/// Checks that nothing stands after a section, or after its last word.
pub(super) fn flag(body: Span<'_>) -> Read<()> {
    body.finish("the end of the section")
}

impl PositionReader<'_> {
    pub(super) fn setup(&mut self) -> &mut Setup {
        &mut self.position.setup
    }

    fn has(&self, wanted: &str) -> bool {
        self.seen.iter().any(|&(section, _)| section == wanted)
    }

    pub(super) fn once(&mut self, section: &'static str, of: u8) -> Read<()> {
        if self.seen.contains(&(section, of)) {
            return Err(self.whole.error("a section that is not there yet"));
        }
        self.seen.push((section, of));
        Ok(())
    }

    pub(super) fn counter(&self, body: Span<'_>) -> Read<u16> {
        let number = body.number("a number from 1")?;
        if number > 0 { Ok(number) } else { Err(body.error("a number from 1")) }
    }

    pub(super) fn seat(&self, word: Span<'_>) -> Read<Seat> {
        self.names.seat_or_none(word)?.ok_or_else(|| word.error("a seat (N E S W, or a number)"))
    }

    pub(super) fn seats(&self, body: Span<'_>) -> Read<Vec<Seat>> {
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

    /// Parses the player on each seat, as an index into the list of players.
    pub(super) fn seating(&mut self, body: Span<'_>) -> Read<()> {
        let seats = self.position.setup.rules.set().seats;
        let player = |word: Span<'_>| {
            let player = super::number(word.text).filter(|&player| player < seats.into());
            player.map(|player| Seat(player as u8)).ok_or_else(|| word.error("the number of a player"))
        };
        let seating = body.words().map(player).collect::<Read<Vec<_>>>()?;
        if seating.len() != usize::from(seats) {
            return Err(body.error("the players on all seats"));
        }
        self.setup().seating = seating;
        Ok(())
    }

    pub(super) fn score(&mut self, body: Span<'_>) -> Read<()> {
        let score = |word: Span<'_>| {
            let points = word.text.parse::<i32>().ok();
            let in_range = points.filter(|points| points.unsigned_abs() <= 1_000_000);
            in_range.ok_or_else(|| word.error("points"))
        };
        let scores = body.words().map(score).collect::<Read<Vec<_>>>()?;
        if scores.len() != self.position.setup.scores.len() {
            return Err(body.error("the points of every side, or of every seat where seats score"));
        }
        self.setup().scores = scores;
        Ok(())
    }

    pub(super) fn special(&mut self, body: Span<'_>) -> Read<()> {
        let hand = SpecialHand::ALL.into_iter().find(|hand| body.is(hand.name()));
        self.setup().special = Some(hand.ok_or_else(|| body.error("straight, pairs or garbage"))?);
        Ok(())
    }

    pub(super) fn face_down(&mut self, body: Span<'_>) -> Read<()> {
        match self.cards(body)?[..] {
            [card] => self.setup().face_down = Some(card),
            _ => return Err(body.error("one card")),
        }
        Ok(())
    }

    /// Parses the place of a talon and its cards. Without cards, the talon is filled later.
    pub(super) fn talon(&mut self, body: Span<'_>) -> Read<()> {
        let (number, rest) = body.word();
        let at = usize::from(number.number("the number of a talon")?);
        if at >= self.position.setup.talons.len() {
            return Err(number.error("the number of a talon"));
        }
        self.once("talon", at as u8)?;
        let (word, rest) = rest.word();
        let place = if word.is("centre") {
            TalonPlace::Centre
        } else if word.is("used") {
            TalonPlace::Used
        } else {
            TalonPlace::Before(self.seat(word)?)
        };
        let cards = if rest.is_empty() { Vec::new() } else { self.cards(rest)?.to_vec() };
        self.setup().talons[at] = Talon { place, cards };
        Ok(())
    }

    /// Parses the fresh threes. They are cards of the hand, and are counted there.
    pub(super) fn fresh(&mut self, body: Span<'_>) -> Read<()> {
        self.setup().fresh = body.card_list()?;
        Ok(())
    }

    pub(super) fn cut(&mut self, body: Span<'_>) -> Read<()> {
        let mut cut = Cut::default();
        for word in body.words() {
            let exact = [("hands", &mut cut.hands), ("feet", &mut cut.feet)].into_iter();
            let exact = exact.into_iter().find(|(name, _)| word.is(name));
            *exact.ok_or_else(|| word.error("hands or feet"))?.1 = true;
        }
        self.setup().cut = cut;
        if cut == Cut::default() { Err(body.error("hands or feet")) } else { Ok(()) }
    }

    pub(super) fn source(&mut self, body: Span<'_>, source: Source) -> Read<()> {
        flag(body)?;
        if self.position.setup.source != Source::None {
            return Err(self.whole.error("either drew or took"));
        }
        self.setup().source = source;
        Ok(())
    }

    /// Parses the mate who has answered, while the other mate still has to answer.
    pub(super) fn answer(&mut self, body: Span<'_>, yes: bool) -> Read<()> {
        let by = self.seat(body)?;
        self.setup().answered = Some(Answer { by, yes });
        Ok(())
    }

    /// Parses the taken top, such as `9s`, or `9s onto 3` if the top already lies in that meld.
    pub(super) fn taking(&mut self, body: Span<'_>) -> Read<()> {
        if self.position.setup.source != Source::None {
            return Err(self.whole.error("either drew, took or taking"));
        }
        let (top, rest) = body.word();
        let place = if rest.is_empty() { None } else { rest.after("onto") };
        let (card, meld) = match (top.cards()?.as_slice(), place) {
            (&[(card, _)], Some(place)) => (card, Some(place.meld()?)),
            (&[_], None) if rest.is_empty() => (self.cards(top)?[0], None),
            _ => return Err(body.error("a card, and onto and a meld where it lies in one")),
        };
        self.setup().source = Source::Pile;
        self.setup().taken_top = Some(TakenTop { card, meld });
        Ok(())
    }

    pub(super) fn restores(&mut self, body: Span<'_>) -> Read<()> {
        let restores = body.words().map(|word| word.number("a number")).collect::<Read<Vec<u16>>>()?;
        if restores.len() != self.position.setup.restores.len() {
            return Err(body.error("a number for every side"));
        }
        self.setup().restores = restores;
        Ok(())
    }

    pub(super) fn next_ids(&mut self, body: Span<'_>) -> Read<()> {
        let next = body.words().map(|word| Ok(word.meld()?.0)).collect::<Read<Vec<u8>>>()?;
        if next.len() != self.position.setup.next_id.len() {
            return Err(body.error("a number for every side"));
        }
        self.setup().next_id = next;
        Ok(())
    }

    /// Parses loose cards, such as `0:Ks / 3:4c4d`. These cards are named in the melds too.
    pub(super) fn loose(&mut self, body: Span<'_>) -> Read<()> {
        for part in body.split(&['/', ',']) {
            let (id, cards) = part.cut(':').ok_or_else(|| part.error("a meld, a colon and cards"))?;
            let meld = id.meld()?;
            let cards: Cards = cards.card_list()?;
            if self.position.setup.loose.iter().any(|loose| loose.meld == meld) {
                return Err(id.error("a meld that is not named yet"));
            }
            self.setup().loose.push(Loose { meld, cards });
        }
        self.setup().loose.sort_by_key(|loose| loose.meld);
        Ok(())
    }

    pub(super) fn asked(&mut self, body: Span<'_>) -> Read<()> {
        let to = if body.is_empty() { only_mate(&self.position.setup) } else { Some(self.seat(body)?) };
        let to = to.ok_or_else(|| body.error("the seat that was asked"))?;
        self.permission(body, Permission::Pending { to })
    }

    /// Parses the request to meld after the discard: `asked W`, `granted` or `refused W`.
    pub(super) fn courtesy(&mut self, body: Span<'_>) -> Read<()> {
        let (word, rest) = body.word();
        let courtesy = match () {
            () if word.is("asked") => Courtesy::Asked(self.seat(rest)?),
            () if word.is("refused") => Courtesy::Refused(self.seat(rest)?),
            () if word.is("granted") => {
                flag(rest)?;
                Courtesy::Granted
            }
            () => return Err(word.error("asked, granted or refused")),
        };
        self.setup().courtesy = courtesy;
        Ok(())
    }

    pub(super) fn answered(&mut self, body: Span<'_>) -> Read<()> {
        let (answer, rest) = body.word();
        if answer.is("yes") {
            flag(rest)?;
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

    pub(super) fn round_over(&mut self, body: Span<'_>) -> Read<()> {
        let (reason, rest) = body.word();
        let of_name = |r: &EndReason| reason.is(r.name());
        let reason = EndReason::ALL
            .into_iter()
            .find(of_name)
            .ok_or_else(|| reason.error("why the round ended (went_out, stock_exhausted, last_three ...)"))?;
        let (first, last) = rest.word();
        let (seat, concealed) = if first.is("concealed") { (Span::of(""), rest) } else { (first, last) };
        if !concealed.is("concealed") {
            flag(concealed)?;
        }
        let seat = if seat.is_empty() { None } else { Some(self.seat(seat)?) };
        self.setup().over = Some(RoundOver { reason, seat, concealed: !concealed.is_empty() });
        Ok(())
    }

    /// Parses the cards of a zone, and takes them from the pack.
    pub(super) fn cards(&mut self, body: Span<'_>) -> Read<Vec<Card>> {
        let cards = body.cards()?;
        for (card, place) in &cards {
            if !self.left.remove(*card) {
                return Err(place.error("a card that the pack still has"));
            }
        }
        Ok(cards.into_iter().map(|(card, _)| card).collect())
    }

    /// Parses the cards of a zone, with `None` for each unknown card, and takes them from the pack.
    fn partly(&mut self, body: Span<'_>) -> Read<Vec<Option<Card>>> {
        body.some_cards(|part| self.cards(part))
    }

    /// Parses the contents of a zone: a number of cards, or the cards.
    fn zone(&mut self, body: Span<'_>) -> Read<(Zone, Vec<Card>)> {
        if body.is_empty() {
            return Err(body.error("cards, a number of cards, or - for none"));
        }
        match super::number(body.text) {
            Some(0) => Ok((Zone::Named, Vec::new())),
            Some(count) if count > self.position.setup.rules.deck_size() => {
                Err(body.error("no more cards than the pack has"))
            }
            Some(count) => Ok((Zone::Count(count), Vec::new())),
            None => Ok((Zone::Named, self.cards(body)?)),
        }
    }

    /// Parses a hand, in which `??` stands for an unknown card.
    pub(super) fn hand(&mut self, body: Span<'_>) -> Read<()> {
        let (seat, rest) = body.word();
        let seat = self.seat(seat)?;
        self.once("hand", seat.0)?;
        let (zone, cards) = if rest.text.contains(UNKNOWN) {
            let cards = self.partly(rest)?;
            let named: Vec<Card> = cards.iter().flatten().copied().collect();
            let unknown = (cards.len() - named.len()) as u16;
            (if named.is_empty() { Zone::Count(unknown) } else { Zone::Partly(unknown) }, named)
        } else {
            self.zone(rest)?
        };
        self.position.hands[seat.index()] = zone;
        self.setup().hands[seat.index()] = cards.into_iter().collect();
        Ok(())
    }

    pub(super) fn foot(&mut self, body: Span<'_>) -> Read<()> {
        let (word, rest) = body.word();
        let seat = self.seat(word)?;
        let seats = self.position.hands.len();
        let mut of_seat = (seat.index()..self.position.feet.len()).step_by(seats);
        let Some(at) = of_seat.find(|at| self.position.feet[*at] == Zone::Unsaid) else {
            return Err(word.error("a seat with a foot that is not in play"));
        };
        self.once("foot", at as u8)?;
        let (zone, cards) = self.zone(rest)?;
        self.position.feet[at] = zone;
        self.setup().feet[at] = cards.into_iter().collect();
        Ok(())
    }

    /// Parses the seats whose foot has come to the hand.
    pub(super) fn on_foot(&mut self, body: Span<'_>) -> Read<()> {
        for word in body.words().filter(|_| body.text != "-") {
            // A seat that is named twice plays its second foot (HF-115).
            let (seat, seats) = (self.seat(word)?, self.position.hands.len());
            let of_seat = || (seat.index()..self.position.feet.len()).step_by(seats);
            let is_said = of_seat().any(|at| self.seen.contains(&("foot", at as u8)));
            match of_seat().find(|at| self.position.feet[*at] == Zone::Unsaid) {
                Some(at) if !is_said => self.position.feet[at] = Zone::Named,
                _ => return Err(word.error("a seat with a foot of which nothing is said yet")),
            }
        }
        Ok(())
    }

    pub(super) fn laid(&mut self, body: Span<'_>) -> Read<()> {
        let (seat, rest) = body.word();
        let seat = self.seat(seat)?;
        self.once("laid", seat.0)?;
        let cards = self.cards(rest)?;
        self.setup().laid[seat.index()] = cards.into_iter().collect();
        Ok(())
    }

    /// Parses melds between `/` or commas. Without these, each word is a meld; words of one card each are one meld.
    pub(super) fn melds(&mut self, body: Span<'_>) -> Read<()> {
        let (word, rest) = body.word();
        let side = self.names.side_or_none(word)?.ok_or_else(|| word.error("a side (NS EW, or a number)"))?;
        self.once("melds", side.0)?;
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
                let number = id.meld().ok().map(|id| id.0);
                (number.filter(|&n| n >= next).ok_or_else(|| id.error("a higher number of a meld"))?, body)
            }
            None => (next, span),
        };
        let cards: Cards = self.cards(body)?.into_iter().collect();
        let bounded = usize::from(id) < MELDS_MAX && self.position.setup.melds.len() < MELDS_MAX;
        if cards.is_empty() || !bounded {
            return Err(body.error("the cards of a meld, of at most 128 melds"));
        }
        let kind = kind_of(&cards);
        let natural = cards.iter().find(|card| !card.is_wild()).map(Card::rank);
        let rank = natural.filter(|_| kind == MeldKind::Set);
        self.setup().melds.push(Meld { side, id: MeldId(id), kind, rank, cards });
        Ok(id + 1)
    }

    pub(super) fn pile(&mut self, body: Span<'_>) -> Read<()> {
        let cards = body.words().last().filter(|word| word.is("frozen"));
        let named = cards.map_or(body, |word| body.part(0, word.at - body.at).trim());
        let cards_named = match super::number(named.text) {
            _ if named.is_empty() => Err(named.error("cards, bottom to top, their number, or - for none")),
            Some(count) if count <= self.position.setup.rules.deck_size() => {
                Ok(alloc::vec![None; count.into()])
            }
            Some(_) => Err(named.error("no more cards than the pack has")),
            None => self.partly(named),
        }?;
        let unknown = (0..).zip(&cards_named).filter(|(_, card)| card.is_none()).map(|(place, _)| place);
        self.position.pile_unknown = unknown.collect();
        self.setup().pile = cards_named.into_iter().flatten().collect();
        self.position.pile = Zone::Named;
        match cards {
            Some(word) if !self.may_be_frozen() => Err(word.error("the end: nothing freezes this pile")),
            _ => Ok(()),
        }
    }

    /// Whether something can freeze the pile: a card in it, or the rule set.
    fn may_be_frozen(&self) -> bool {
        let (setup, set) = (&self.position.setup, self.position.setup.rules.set());
        let freezes = |card: &Card| {
            set.start_freezes.contains(card.class()) || set.discard_freezes.contains(card.class())
        };
        set.freezes_any_pile() || setup.pile.iter().any(freezes)
    }

    pub(super) fn stock(&mut self, body: Span<'_>) -> Read<()> {
        let (zone, mut cards) = self.zone(body)?;
        cards.reverse();
        self.position.stock = zone;
        self.setup().stock = cards;
        Ok(())
    }

    /// Sets the defaults of everything that was not said.
    fn settle(mut self) -> Position {
        let phase = if self.has("game over") {
            Phase::GameOver
        } else if self.has("to register") {
            Phase::Setup
        } else if self.has("to deal") {
            Phase::Deal
        } else if self.has("round over") {
            Phase::RoundOver
        } else {
            match (self.position.setup.permission, self.position.setup.source) {
                _ if matches!(self.position.setup.courtesy, Courtesy::Asked(_)) => Phase::Asked,
                (Permission::Pending { .. }, _) => Phase::Asked,
                (_, Source::None) => Phase::Start,
                _ if self.position.setup.taken_top.is_some() => Phase::Taking,
                _ => Phase::Play,
            }
        };
        self.setup().phase = phase;
        if !is_dealt(phase) {
            if !self.has("talon") {
                self.setup().talons.clear();
            }
            // Nothing is filled in: a zone about which nothing is said is empty.
            self.position.hands.fill(Zone::Named);
            self.position.feet.fill(Zone::Named);
            (self.position.pile, self.position.stock) = (Zone::Named, Zone::Named);
        }
        if !self.has("dealer") {
            self.setup().dealer = usual_dealer(&self.position.setup);
        }
        if !self.has("has melded") {
            self.setup().has_melded = usual_melders(&self.position.setup);
        }
        if !self.has("has asked") {
            self.setup().asked = usual_askers(&self.position.setup);
        }
        if !self.has("has played") {
            self.setup().played = usual_players(&self.position.setup);
        }
        if !self.has("upcards") {
            self.setup().start_len = usual_upcards(&self.position.setup);
        }
        self.setup().melds.sort_by_key(|m| (m.side, m.id));
        self.position
    }
}
