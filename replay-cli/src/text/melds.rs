//! The names of melds, and messages with names instead of numbers.

use super::{PlayerNames, meld_name, rank};
use canasta_engine::action::{As, MeldId};
use canasta_engine::card::Card;
use canasta_engine::rejection::{Repair, Violation};
use canasta_engine::seat::{Seat, Side};
use canasta_engine::table::Table;
use canasta_engine::view::EventView;
use canasta_engine::violations::Fact;
use canasta_engine::violations::template::{Filled, Language};

/// A meld that can be named: its side, its number, and what people call it.
pub type NamedMeld = (Side, MeldId, &'static str);

/// Words that tell melds of one name apart, in the order in which they were laid.
const ORDINALS: [&str; 8] =
    ["first ", "second ", "third ", "fourth ", "fifth ", "sixth ", "seventh ", "eighth "];

/// Returns the melds on a table.
pub fn melds_of(table: &Table) -> Vec<NamedMeld> {
    table.melds().iter().map(|meld| (meld.side, meld.id, meld_name(meld.kind, meld.rank))).collect()
}

impl PlayerNames {
    /// Returns the names with those of the melds on a table, if it is known, for an action of this actor.
    pub fn on_table(&self, table: Option<&Table>, actor: As) -> Self {
        let Some(table) = table else { return self.clone() };
        let own = if let As::Seat(seat) = actor { Some(table.side_of(seat)) } else { None };
        Self { own, ..self.clone().with_melds(melds_of(table)) }
    }

    /// Returns the names with those of these melds.
    pub fn with_melds(self, melds: Vec<NamedMeld>) -> Self {
        Self { melds, ..self }
    }

    /// Returns the names for an action of this seat: with those of the melds that it laid.
    pub fn of_events(&self, actor: Option<Seat>, events: &[EventView]) -> Self {
        let mut melds = self.melds.clone();
        for event in events {
            if let EventView::Melded { side, meld, kind, rank, .. } = event
                && !melds.iter().any(|(of, id, _)| (of, id) == (side, meld))
            {
                melds.push((*side, *meld, meld_name(*kind, *rank)));
            }
        }
        Self { melds, own: actor.map(|seat| self.side_of(seat)), ..self.clone() }
    }

    /// Returns a meld in words: `the sevens`, or `the second sevens` if the side has two melds of that name.
    pub fn meld(&self, side: Option<Side>, id: MeldId) -> String {
        self.known_meld(side, id).unwrap_or_else(|| "a meld".into())
    }

    /// Returns the meld onto which cards are laid. Where the table is not known, the cards tell its name.
    pub(super) fn meld_of(&self, side: Option<Side>, id: MeldId, cards: &[Card]) -> String {
        let by_cards = || {
            let has_sets_only = self.set.as_ref().is_some_and(|set| !set.sequences);
            let natural = cards.iter().find(|card| !card.is_wild()).filter(|_| has_sets_only)?;
            Some(format!("the {}", rank(natural.rank())))
        };
        self.known_meld(side, id).or_else(by_cards).unwrap_or_else(|| "a meld".into())
    }

    fn known_meld(&self, side: Option<Side>, id: MeldId) -> Option<String> {
        let side = side.or(self.own);
        let of_side = || self.melds.iter().filter(|(of, ..)| Some(*of) == side);
        let (_, _, name) = of_side().find(|(_, other, _)| *other == id)?;
        let alike = || of_side().filter(|(_, _, other)| other == name);
        let before = alike().filter(|(_, other, _)| other.0 < id.0).count();
        let ordinal =
            if alike().count() > 1 { ORDINALS.get(before).copied().unwrap_or_default() } else { "" };
        Some(format!("the {ordinal}{name}"))
    }

    /// Returns a violation in words.
    pub fn violation(&self, of: &Violation) -> String {
        self.message(of.code.entry().template(Language::English), &of.facts)
    }

    /// Returns a repair in words.
    pub fn repair(&self, of: &Repair) -> String {
        let (wording, facts) = of.wording();
        self.message(wording.template(Language::English), &facts)
    }

    fn message(&self, template: &'static str, facts: &[(&'static str, Fact)]) -> String {
        let seats = |seats: &[Seat]| seats.iter().map(|&seat| self.seat(seat)).collect::<Vec<_>>().join(", ");
        let named = |fact: &Fact| match fact {
            Fact::Seat(seat) => Fact::Text(self.seat(*seat)),
            Fact::Seats(of) => Fact::Text(seats(of)),
            Fact::Side(side) => Fact::Text(self.side(*side)),
            Fact::Meld(id) => Fact::Text(self.known_meld(None, *id).unwrap_or_else(|| "that meld".into())),
            other => other.clone(),
        };
        let facts: Vec<(&str, Fact)> = facts.iter().map(|(name, fact)| (*name, named(fact))).collect();
        Filled { language: Language::English, template, facts: &facts }.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use canasta_engine::action::MeldKind;
    use canasta_engine::card::Rank;
    use canasta_engine::rules::PresetId;

    /// Checks names by hand: two melds of sevens of one side, sevens of the other, and a meld that nobody knows.
    #[test]
    fn melds_are_named_as_people_call_them() {
        let set = PresetId::from_name("classic-4p").expect("a preset").rule_set();
        let laid = |side, id, rank| EventView::Melded {
            side: Side(side),
            meld: MeldId(id),
            kind: MeldKind::Set,
            rank: Some(rank),
            cards: Default::default(),
        };
        let events = [
            laid(0, 0, Rank::Seven),
            laid(0, 1, Rank::Ace),
            laid(0, 2, Rank::Seven),
            laid(1, 0, Rank::Seven),
        ];
        let names = PlayerNames::seats_of(&set).of_events(Some(Seat(2)), &events);
        let meld = |side: Option<u8>, id| names.meld(side.map(Side), MeldId(id));
        assert_eq!([meld(None, 0), meld(None, 2)], ["the first sevens", "the second sevens"]);
        assert_eq!([meld(None, 1), meld(Some(1), 0), meld(Some(1), 1)], ["the aces", "the sevens", "a meld"]);
    }
}
