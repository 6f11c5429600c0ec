//! The wall of a foreign round: as the record states it, or reconstructed from all hands and draws.

use super::FillError;
use canasta_engine::card::{Card, Cards};
use canasta_engine::rules::{Rules, StartCard};
use canasta_engine::seat::Seat;
use serde_json::Value;
use std::collections::VecDeque;

/// The cards that the lines of a round show.
#[derive(Default)]
struct SeenCards {
    /// Cards dealt to each seat, in order.
    hands: Vec<Vec<Card>>,
    /// Cards of the pile, from the bottom.
    upcards: Vec<Card>,
    /// Cards drawn from the stock, in order.
    drawn: Vec<Card>,
    /// Index of a talon, if the record says it, and its cards.
    talons: Vec<(Option<usize>, Vec<Card>)>,
    /// Index of the talon that was awarded last.
    awarded: Option<usize>,
}

/// Returns the wall of the round whose register stands on this line, from 0.
///
/// Cards that nobody has seen are put in a fixed order where nobody has seen any: in talons that were not
/// taken, and at the bottom of the stock. No event and no score depends on them.
///
/// # Errors
/// If the record lacks something, or shows a card too often.
pub(super) fn of_round(
    lines: &[Value],
    register: usize,
    rules: &Rules,
    dealer: Seat,
) -> Result<Vec<Card>, FillError> {
    let mut seen = SeenCards::default();
    for (at, line) in lines.iter().enumerate().skip(register + 1) {
        match line["kind"].as_str() {
            Some("round_end") => match cards(&line["wall"]) {
                Some(wall) => return whole_pack(wall, rules).map_err(|reason| FillError::at(at, reason)),
                None => break,
            },
            Some("register" | "game_end") => break,
            Some("action") => seen.take(line),
            _ => {}
        }
    }
    seen.wall(rules, dealer).map_err(|reason| FillError::at(register, reason))
}

/// Returns the wall if it has exactly the cards of the pack.
fn whole_pack(wall: Vec<Card>, rules: &Rules) -> Result<Vec<Card>, String> {
    let (pack, found): (Cards, Cards) = (rules.census(), wall.iter().copied().collect());
    match Card::all().find(|&card| found.count(card) != pack.count(card)) {
        None => Ok(wall),
        Some(card) => Err(format!("wall: expected {} {card}, found {}", pack.count(card), found.count(card))),
    }
}

fn cards(value: &Value) -> Option<Vec<Card>> {
    value.as_array()?.iter().map(|card| Card::parse(card.as_str()?)).collect()
}

impl SeenCards {
    fn take(&mut self, line: &Value) {
        let action = &line["action"];
        if action["type"] == "deal" {
            self.hands = hands(&action["hands"]).unwrap_or_default();
            self.upcards = cards(&action["upcards"]).unwrap_or_default();
        }
        match line["events"].as_array() {
            Some(events) => {
                let turned = |event: &&Value| event["type"] == "upcard";
                if events.iter().any(|event| turned(&event)) {
                    self.upcards.clear();
                }
                events.iter().for_each(|event| self.event(event));
                self.drawn.extend(from_stock(events));
            }
            // A record without events may list the cards that came to the hand.
            None => self.drawn.extend(cards(&line["cards"]).unwrap_or_default()),
        }
    }

    fn event(&mut self, event: &Value) {
        match event["type"].as_str() {
            Some("dealt") => self.hands = hands(&event["hands"]).unwrap_or_default(),
            Some("upcard") => self.upcards.extend(card(event)),
            Some("talon_awarded") => self.awarded = event["talon"].as_u64().and_then(|at| at.try_into().ok()),
            Some("took_talon") => {
                self.talons.push((self.awarded.take(), cards(&event["cards"]).unwrap_or_default()));
            }
            _ => {}
        }
    }

    fn wall(self, rules: &Rules, dealer: Seat) -> Result<Vec<Card>, String> {
        let set = rules.set();
        let (seats, hand_size) = (usize::from(set.seats), usize::from(set.hand_size));
        if self.hands.len() != seats || self.hands.iter().any(|hand| hand.len() != hand_size) {
            return Err(format!(
                "expected the wall of the round at its end, or {seats} hands of {hand_size} cards at its deal"
            ));
        }
        if set.foot_size > 0 {
            return Err(
                "expected the wall of the round at its end: no draw shows what lay in the feet".into()
            );
        }
        if set.start_card == StartCard::One && self.upcards.is_empty() {
            return Err("expected the wall of the round at its end, or the upcards at its deal".into());
        }
        let leader = usize::from(dealer.left(set.seats).0);
        let mut wall: Vec<Option<Card>> = Vec::new();
        for place in 0..hand_size {
            wall.extend((leader..leader + seats).map(|seat| Some(self.hands[seat % seats][place])));
        }
        for talon in self.talons(&set.talons) {
            wall.extend(talon);
        }
        wall.extend(self.upcards.iter().chain(&self.drawn).copied().map(Some));
        whole(wall, rules)
    }

    /// Returns the talons as dealt; the cards of talons that nobody took are unknown.
    fn talons(&self, sizes: &[u8]) -> Vec<Vec<Option<Card>>> {
        let mut talons: Vec<Vec<Option<Card>>> = sizes.iter().map(|&size| vec![None; size.into()]).collect();
        for (at, cards) in &self.talons {
            let free =
                |talon: &Vec<Option<Card>>| talon.len() == cards.len() && talon.iter().all(Option::is_none);
            let at =
                at.filter(|&at| talons.get(at).is_some_and(free)).or_else(|| talons.iter().position(free));
            if let Some(at) = at {
                talons[at] = cards.iter().copied().map(Some).collect();
            }
        }
        talons
    }
}

fn card(event: &Value) -> Option<Card> {
    Card::parse(event["card"].as_str()?)
}

/// Returns the cards that these events took from the stock, in order: a three that is laid is replaced before
/// the next card is drawn.
fn from_stock(events: &[Value]) -> Vec<Card> {
    let of = |kind: &'static str| events.iter().filter(move |event| event["type"] == kind);
    let mut replaced: VecDeque<Card> = of("replaced").filter_map(card).collect();
    let mut laid: Cards = of("three_laid").filter_map(card).collect();
    let mut taken = Vec::new();
    for mut next in of("drew").filter_map(|event| cards(&event["cards"])).flatten() {
        taken.push(next);
        while laid.remove(next) {
            let Some(replacement) = replaced.pop_front() else { break };
            next = replacement;
            taken.push(next);
        }
    }
    taken.extend(replaced);
    taken
}

fn hands(value: &Value) -> Option<Vec<Vec<Card>>> {
    value.as_array()?.iter().map(cards).collect()
}

/// Fills in the cards that nobody has seen.
fn whole(wall: Vec<Option<Card>>, rules: &Rules) -> Result<Vec<Card>, String> {
    let mut rest: Cards = rules.census();
    for card in wall.iter().flatten() {
        if !rest.remove(*card) {
            let count = rules.census().count(*card);
            return Err(format!("the record shows {card} more often than the pack has it ({count} times)"));
        }
    }
    let mut rest = rest.iter();
    let mut wall: Vec<Card> = wall.into_iter().filter_map(|card| card.or_else(|| rest.next())).collect();
    wall.extend(rest);
    Ok(wall)
}
