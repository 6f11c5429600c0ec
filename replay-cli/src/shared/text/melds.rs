//! Messages with names instead of numbers of seats, sides and melds.

use super::{PlayerNames, join, number_in};
use canasta_engine::action::{Action, ActionKind, As, MeldId, MeldKind};
use canasta_engine::card::Rank;
use canasta_engine::log::record::Attempt;
use canasta_engine::rejection::{Repair, Violation};
use canasta_engine::seat::{Seat, Side};
use canasta_engine::table::Table;
use canasta_engine::text::words;
use canasta_engine::view::EventView;
use canasta_engine::violations::Fact;
use canasta_engine::violations::template::{Filled, Wording};

/// A meld that can be named: its side, its number, and what its name is made from.
pub type NamedMeld = (Side, MeldId, (MeldKind, Option<Rank>));

fn melds_of(table: &Table) -> Vec<NamedMeld> {
    table.melds().iter().map(|meld| (meld.side, meld.id, (meld.kind, meld.rank))).collect()
}

impl PlayerNames {
    /// Returns the names with those of the melds on a table, if it is known, for an action of this actor.
    pub fn on_table(&self, table: Option<&Table>, actor: As) -> Self {
        let Some(table) = table else { return self.clone() };
        let own = if let As::Seat(seat) = actor { Some(table.side_of(seat)) } else { None };
        Self { own, melds: melds_of(table), ..self.clone() }
    }

    /// Returns the names as the players sit at a table, with those of the melds on it.
    pub fn at_table(&self, table: &Table) -> Self {
        Self { melds: melds_of(table), ..self.clone().seated(table.seating(), table.lone()) }
    }

    /// Returns the names for an action of this seat: with those of the melds that it laid.
    pub fn of_events(&self, actor: Option<Seat>, events: &[EventView]) -> Self {
        let mut melds = self.melds.clone();
        for event in events {
            if let EventView::Melded { side, meld, kind, rank, .. } = event
                && !melds.iter().any(|(of, id, _)| (of, id) == (side, meld))
            {
                melds.push((*side, *meld, (*kind, *rank)));
            }
        }
        Self { melds, own: actor.map(|seat| self.side_of(seat)), ..self.clone() }
    }

    /// Returns a meld in words: `the sevens`, or `the second sevens` if the side has two melds of that name.
    fn known_meld(&self, side: Option<Side>, id: MeldId) -> Option<String> {
        let of_side = || self.melds.iter().filter(|(of, ..)| Some(*of) == side);
        let (_, _, name) = of_side().find(|(_, other, _)| *other == id)?;
        let alike = || of_side().filter(|(_, _, other)| other == name);
        let before = alike().filter(|(_, other, _)| other.0 < id.0).count() as u8;
        Some(self.named_meld(*name, if alike().count() > 1 { before + 1 } else { 0 }))
    }

    fn named_meld(&self, (kind, rank): (MeldKind, Option<Rank>), nth: u8) -> String {
        words::meld(self.meld_name(kind, rank), nth, &self.speaker())
    }

    /// Returns a meld as people call it, without an article: `sevens`.
    pub fn meld_name(&self, kind: MeldKind, rank: Option<Rank>) -> String {
        words::meld_name(kind, rank, &self.speaker())
    }

    /// Returns a line about a table or a record, from the facts of its message in order.
    pub fn line(&self, name: &str, facts: words::Facts) -> String {
        words::line(name, facts, &self.speaker())
    }

    /// Returns the number with a sign between groups of three digits.
    pub fn number(&self, value: impl Into<i128>) -> String {
        number_in(value, self.language)
    }

    pub fn event(&self, event: &EventView) -> String {
        words::event(event, &self.speaker())
    }

    /// Returns an action in words, to follow the name of the actor and a colon: `discard 7h`.
    pub fn action(&self, action: &Action) -> String {
        words::action(action, &self.speaker())
    }

    /// Returns an action of which the viewer knows only the kind.
    pub fn hidden(&self, kind: ActionKind) -> String {
        words::hidden(kind, &self.speaker())
    }

    /// Returns an attempt; `known` is the action, if its mask is opened to the viewer.
    pub fn attempt(&self, attempt: &Attempt, known: Option<&Action>) -> String {
        match (attempt, known) {
            (Attempt::Clear(action), _) | (_, Some(action)) => self.action(action),
            (Attempt::Masked { kind, .. }, None) => self.hidden(*kind),
        }
    }

    /// Returns an action after its actor, except a ruling, which says itself who rules.
    pub fn acted(&self, actor: As, action: &Action) -> String {
        match action {
            Action::Ruling(_) => self.action(action),
            _ => format!("{}: {}", self.actor(actor), self.action(action)),
        }
    }

    pub fn violation(&self, of: &Violation) -> String {
        self.message(of.code.entry().template(self.language), &of.facts)
    }

    pub fn repair(&self, of: &Repair) -> String {
        let (wording, facts) = of.wording();
        self.speaker()(wording, &facts)
    }

    /// Returns a function that says messages with these names.
    pub fn speaker(&self) -> impl Fn(&'static Wording, &[(&'static str, Fact)]) -> String {
        |wording, facts| self.message(wording.template(self.language), facts)
    }

    fn message(&self, template: &'static str, facts: &[(&'static str, Fact)]) -> String {
        let side =
            facts.iter().find_map(|(_, fact)| if let Fact::Side(side) = fact { Some(*side) } else { None });
        let meld = |name: &str, id: MeldId| {
            let by_cards = || self.by_cards(facts).filter(|_| name == "onto");
            let unknown = || words::unknown_meld(&self.speaker());
            self.known_meld(side.or(self.own), id).or_else(by_cards).unwrap_or_else(unknown)
        };
        let named = |name: &str, fact: &Fact| match fact {
            Fact::Seat(seat) => Fact::Text(self.seat(*seat)),
            Fact::Seats(seats) => Fact::Text(join(seats.iter().map(|&seat| self.seat(seat)), ", ")),
            Fact::Side(side) => Fact::Text(self.side(*side)),
            Fact::Meld(id) => Fact::Text(meld(name, *id)),
            other => other.clone(),
        };
        let facts: Vec<(&str, Fact)> = facts.iter().map(|(name, fact)| (*name, named(name, fact))).collect();
        Filled { language: self.language, template, facts: &facts }.to_string()
    }

    /// Returns the meld onto which cards are laid by its name, which the cards tell where the table is not known.
    fn by_cards(&self, facts: &[(&'static str, Fact)]) -> Option<String> {
        self.set.as_ref().filter(|set| !set.sequences)?;
        let laid =
            facts.iter().find_map(|(_, fact)| if let Fact::Cards(cards) = fact { Some(cards) } else { None });
        let natural = laid?.iter().find(|card| !card.is_wild())?;
        Some(self.named_meld((MeldKind::Set, Some(natural.rank())), 0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
        let meld = |side: u8, id| names.known_meld(Some(Side(side)), MeldId(id));
        let [first, second] = [0, 2].map(|id| meld(0, id));
        assert_eq!(
            [first.as_deref(), second.as_deref()],
            [Some("the first sevens"), Some("the second sevens")]
        );
        assert_eq!(
            [meld(0, 1), meld(1, 0), meld(1, 1)],
            [Some("the aces".into()), Some("the sevens".into()), None]
        );
    }
}
