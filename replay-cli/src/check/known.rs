//! A position as it was typed, with the places of its unknown cards.

use anyhow::{anyhow, bail};
use canasta_engine::action::As;
use canasta_engine::card::{Card, Class};
use canasta_engine::notation::Position;
use canasta_engine::rules::Rules;
use canasta_engine::seat::Seat;
use canasta_engine::table::{Phase, Setup, SetupFault, Table};
use std::sync::Arc;

/// The notation of an unknown card.
const UNKNOWN: &str = "??";
/// Maximum number of unknown cards in one position.
const UNKNOWN_MAX: usize = 60;

/// A position of which some cards are unknown.
pub struct PartialPosition {
    pub rules: Arc<Rules>,
    setup: Setup,
    /// Number of unknown cards in each hand, by seat.
    pub unknown_hand: Vec<usize>,
    /// Indices of unknown cards in the pile, from the bottom.
    pub unknown_pile: Vec<usize>,
    /// By seat: whether the text names cards of the hand.
    named: Vec<bool>,
    /// Whether the text names the cards of the stock or their number.
    has_stock: bool,
}

impl PartialPosition {
    /// Parses a position.
    ///
    /// # Errors
    /// If the text cannot be parsed.
    pub fn read(text: &str) -> anyhow::Result<Self> {
        let mut sections: Vec<String> = Vec::new();
        let (mut hands, mut unknown_pile, mut has_stock, mut said) =
            (Vec::new(), Vec::new(), false, Vec::new());
        for section in text.split(';') {
            let words: Vec<&str> = section.split_whitespace().collect();
            let first = words.first().map(|word| word.to_ascii_lowercase());
            has_stock |= first.as_deref() == Some("stock");
            match (first.as_deref(), &words[..]) {
                (Some("hand"), [_, seat, rest @ ..]) => {
                    let count = section.matches(UNKNOWN).count();
                    let known = rest.join(" ").replace(UNKNOWN, " ");
                    let blank = known.trim().is_empty() && count > 0;
                    let is_count =
                        known.trim().bytes().all(|byte| byte.is_ascii_digit()) && !known.trim().is_empty();
                    sections.push(format!("hand {seat} {}", if blank { "-" } else { known.trim() }));
                    hands.push((seat.to_string(), count));
                    said.push((seat.to_string(), !is_count));
                }
                (Some("pile"), [_, rest @ ..]) if section.contains(UNKNOWN) => {
                    let mut cards = Vec::new();
                    for word in rest {
                        if *word == UNKNOWN {
                            unknown_pile.push(cards.len() + unknown_pile.len());
                        } else if Card::parse(word).is_some() || word.eq_ignore_ascii_case("frozen") {
                            cards.push(*word);
                        } else {
                            bail!(
                                "a pile with {UNKNOWN}: expected cards apart from each other, found {word:?}"
                            );
                        }
                    }
                    let known = if cards.is_empty() { "-".into() } else { cards.join(" ") };
                    sections.push(format!("pile {known}"));
                }
                _ => sections.push(section.trim().to_owned()),
            }
        }
        let whole = sections.join("; ");
        if whole.contains(UNKNOWN) {
            bail!("{UNKNOWN} is allowed only in a hand or in the pile");
        }
        let position = Position::parse(&whole).map_err(|error| {
            let text: String = whole.chars().take(200).collect();
            anyhow!("{error}\n  in: {text}")
        })?;
        let (rules, setup) = (position.rules().clone(), position.setup());
        let seats = usize::from(rules.set().seats);
        let (mut unknown_hand, mut named) = (vec![0; seats], vec![false; seats]);
        let seat_of = |word: &str| seat_named(word, seats).ok_or_else(|| anyhow!("no seat {word:?}"));
        for (word, count) in hands {
            unknown_hand[seat_of(&word)?.index()] = count;
        }
        for (word, is_named) in said {
            named[seat_of(&word)?.index()] = is_named;
        }
        if unknown_hand.iter().sum::<usize>() + unknown_pile.len() > UNKNOWN_MAX {
            bail!("expected at most {UNKNOWN_MAX} unknown cards");
        }
        let mut known = Self { rules, setup, unknown_hand, unknown_pile, named, has_stock };
        known.forget_unnamed();
        Ok(known)
    }

    /// Makes a hand unknown if the text names none of its cards; only its size stays known.
    fn forget_unnamed(&mut self) {
        let As::Seat(seat) = self.to_act() else { return };
        let at = seat.index();
        if self.named[at] {
            return;
        }
        let cards: Vec<Card> = self.setup.hands[at].iter().collect();
        self.unknown_hand[at] = cards.len();
        for card in cards {
            self.setup.hands[at].remove(card);
            self.setup.stock.insert(0, card);
        }
    }

    /// Returns who must act, as far as the position says it.
    pub fn to_act(&self) -> As {
        match self.setup.phase {
            Phase::Start | Phase::Play | Phase::Taking => As::Seat(self.setup.turn),
            Phase::Asked => {
                self.setup.clone().into_table().ok().and_then(|s| s.to_act()).map_or(As::Table, As::Seat)
            }
            _ => As::Table,
        }
    }

    /// Returns whether every card is known on which a judgement of `actor` depends.
    pub fn is_whole(&self, actor: As) -> bool {
        let hand = if let As::Seat(seat) = actor { self.unknown_hand.get(seat.index()) } else { None };
        self.unknown_pile.is_empty() && hand.is_none_or(|&count| count == 0)
    }

    /// Returns the position with its unknown cards filled in: first those of the hand of `seat`, then those
    /// of the pile.
    ///
    /// # Errors
    /// The reasons why the position cannot arise; no reason if the pack does not have these cards left.
    pub fn filled(&self, seat: Seat, hand: &[Card], pile: &[Card]) -> Result<Table, Vec<SetupFault>> {
        let mut setup = self.setup.clone();
        for &card in hand {
            self.withdraw(&mut setup, seat, card).ok_or_else(Vec::new)?;
            setup.hands[seat.index()].insert(card);
        }
        for (&place, &card) in self.unknown_pile.iter().zip(pile) {
            self.withdraw(&mut setup, seat, card).ok_or_else(Vec::new)?;
            setup.pile.insert(place, card);
        }
        self.fill_others(&mut setup, seat);
        setup.into_table()
    }

    /// Returns the position if every card of the seat that acts is known.
    pub fn base(&self) -> Result<Table, Vec<SetupFault>> {
        let mut setup = self.setup.clone();
        let seat = setup.turn;
        self.fill_others(&mut setup, seat);
        setup.into_table()
    }

    /// Returns the position with any cards in place of the unknown ones: for judgements that depend on no card.
    ///
    /// # Errors
    /// As [`PartialPosition::filled`].
    pub fn filled_anyhow(&self) -> Result<Table, Vec<SetupFault>> {
        let seat = self.setup.turn;
        let free: Vec<Card> =
            self.free(seat).into_iter().filter(|card| card.class() == Class::Natural).collect();
        let (hand, pile) = (self.unknown_hand[seat.index()], self.unknown_pile.len());
        let cards = free.get(..hand + pile).ok_or_else(Vec::new)?;
        self.filled(seat, &cards[..hand], &cards[hand..])
    }

    /// Fills the unknown cards of other hands with any cards.
    fn fill_others(&self, setup: &mut Setup, seat: Seat) {
        for (other, &count) in
            self.unknown_hand.iter().enumerate().filter(|(other, _)| *other != seat.index())
        {
            for _ in 0..count {
                let Some(at) = setup.stock.iter().position(|card| card.class() == Class::Natural) else {
                    return;
                };
                let card = setup.stock.remove(at);
                setup.hands[other].insert(card);
            }
        }
    }

    /// Takes a card from a place that the text did not fix.
    fn withdraw(&self, setup: &mut Setup, seat: Seat, card: Card) -> Option<()> {
        if let Some(at) = setup.stock.iter().position(|&lying| lying == card) {
            setup.stock.remove(at);
            return Some(());
        }
        let mut unsaid = (0..self.named.len()).filter(|&other| other != seat.index() && !self.named[other]);
        let other = unsaid.find(|&other| setup.hands[other].count(card) > 0)?;
        setup.hands[other].remove(card);
        // The hand keeps its number of cards if the stock has a card to give.
        let spare = setup.stock.iter().position(|card| card.class() == Class::Natural);
        if let (Some(at), false) = (spare, self.has_stock) {
            let spare = setup.stock.remove(at);
            setup.hands[other].insert(spare);
        }
        Some(())
    }

    /// Returns the cards whose places the text did not fix, by kind.
    pub fn free(&self, seat: Seat) -> Vec<Card> {
        let unsaid = (0..self.named.len()).filter(|&other| other != seat.index() && !self.named[other]);
        let mut cards: Vec<Card> =
            unsaid.flat_map(|other| self.setup.hands[other].iter().collect::<Vec<_>>()).collect();
        cards.extend(&self.setup.stock);
        cards.sort();
        cards
    }

    /// Returns how many copies of a card the hand of a seat certainly has.
    pub fn held(&self, seat: Seat, card: Card) -> u8 {
        self.setup.hands[seat.index()].count(card)
    }
}

fn seat_named(word: &str, seats: usize) -> Option<Seat> {
    let compass = ["N", "E", "S", "W"].iter().position(|name| seats == 4 && name.eq_ignore_ascii_case(word));
    let number = compass.or_else(|| word.parse().ok())?;
    (number < seats).then_some(Seat(number as u8))
}
