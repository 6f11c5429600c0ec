//! A position as the page's script keeps it, and the difference between two positions.
//!
//! A scene has every card of a round: rounds are shown only after the log has revealed them. The page omits
//! what a viewer may not have seen at that time.

use super::words::Texts;
use crate::judging::show::table::{asides, now, ruled};
use crate::shared::text::{PlayerNames, number};
use canasta_engine::action::{As, MeldKind};
use canasta_engine::card::{Card, Cards};
use canasta_engine::event::Grade;
use canasta_engine::seat::{Seat, Side};
use canasta_engine::table::{Causes, Phase, Table};
use canasta_engine::view::{Insight, MeldView, OpenTable, SeatView, View, view};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// One letter per card, by kind; the joker is 0.
const LETTERS: &[u8; 53] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0";

/// One value of a scene.
#[derive(Clone, PartialEq, Eq, Debug)]
enum SceneSlot {
    Number(i64),
    Text(String),
    /// Cards in no order; a difference names the cards that came and the cards that went.
    Bag(Cards),
    /// Cards from the bottom; a difference gives the number of cards that left the top, and the cards that
    /// came on top.
    Stack(String),
}

/// The values of a position by key.
///
/// | key | value |
/// | --- | --- |
/// | `r` `d` `t` `a` | round, dealer, seat in turn, seat to act |
/// | `c` | 1 while cards are on the table |
/// | `q` `x` `y` | texts: what the table waits for; what lies aside; what lies aside, for a judge |
/// | `pl` `sd` | by seat: the player, the side |
/// | `st` `pi` `tt` | stock and pile, bottom to top; the top that is taken tentatively |
/// | `fz` `f0`... | the causes that freeze the pile for everyone, and for a side |
/// | `h0`... `l0`... `F0`... | by seat: hand, laid threes, foot |
/// | `s0`... | points by side or seat |
/// | `o0`... | by side: the points that the side needs to open, empty after it has opened |
/// | `m0.3`... | a meld by side and number: kind, grade, cards, then `/` and the cards that may be taken back |
#[derive(Clone, Default)]
pub struct TableScene(BTreeMap<String, SceneSlot>);

/// Returns the position as a judge sees it.
pub fn of(state: &Table, names: &PlayerNames, texts: &mut Texts) -> TableScene {
    let View { table, insight } = view(state, As::Judge);
    let mut scene = TableScene::default();
    scene.head(&table, names, texts);
    if let Insight::All(all) = &insight {
        scene.stack("st", &all.stock);
        scene.stack("pi", &all.pile);
        for (seat, hand) in all.hands.iter().enumerate() {
            scene.bag(format!("h{seat}"), hand);
        }
        for (seat, foot) in all.feet.iter().enumerate() {
            scene.bag(format!("F{seat}"), foot);
        }
    }
    if let Some(top) = table.taken_top {
        scene.text("tt", letter(top.card).to_string());
    }
    let public = aside_text(&table, &Insight::None, names);
    let judge = aside_text(&table, &insight, names);
    if judge != public {
        scene.number("y", texts.number(&judge) as i64);
    }
    if !public.is_empty() {
        scene.number("x", texts.number(&public) as i64);
    }
    for meld in &table.melds {
        scene.meld(meld);
    }
    scene
}

/// Returns the text about cards that lie aside, and about what rulings require of seats.
fn aside_text(table: &OpenTable, insight: &Insight, names: &PlayerNames) -> String {
    let rulings = (0..).map(Seat).zip(&table.seats).filter_map(|(seat, shown)| {
        let ruled = ruled(shown, names);
        (!ruled.is_empty()).then(|| format!("{}:{ruled}", names.seat(seat)))
    });
    asides(table, insight, names).into_iter().chain(rulings).collect::<Vec<_>>().join("\n")
}

impl TableScene {
    fn head(&mut self, table: &OpenTable, names: &PlayerNames, texts: &mut Texts) {
        let dealt = !matches!(table.phase, Phase::Setup | Phase::Deal | Phase::GameOver);
        self.number("r", table.round.into());
        self.number("d", table.dealer.0.into());
        self.number("c", dealt.into());
        self.number("q", texts.number(&now(table, names)) as i64);
        for (key, seat) in [("t", table.turn), ("a", table.to_act)] {
            if let Some(seat) = seat {
                self.number(key, seat.0.into());
            }
        }
        self.text("pl", table.seats.iter().map(|seat| seat.player.to_string()).collect());
        self.text("sd", table.seats.iter().map(|seat| seat.side.to_string()).collect());
        if dealt {
            self.text("fz", causes(table.pile.frozen));
        }
        for (seat, shown) in table.seats.iter().enumerate() {
            self.bag(format!("l{seat}"), &shown.laid);
            if let Some(score) = shown.score {
                self.number(&format!("s{seat}"), score.into());
            }
        }
        for (side, shown) in (0..).map(Side).zip(&table.sides) {
            if let Some(score) = shown.score {
                self.number(&format!("s{side}"), score.into());
            }
            if dealt {
                let seats = || table.seats.iter().filter(|seat| seat.side == side);
                self.text(&format!("f{side}"), causes(shown.frozen));
                self.text(&format!("o{side}"), minimum(shown.opened, shown.minimum, seats()));
            }
        }
    }

    fn meld(&mut self, MeldView { meld, grade, loose }: &MeldView) {
        let kind = match meld.kind {
            MeldKind::Set => 'S',
            MeldKind::Wild => 'W',
            MeldKind::Sequence => 'Q',
            MeldKind::BlackThrees => 'B',
        };
        let grade = match grade {
            None => '-',
            Some(Grade::Natural) => 'N',
            Some(Grade::Mixed) => 'M',
            Some(Grade::Wild) => 'W',
            Some(Grade::Sequence) => 'Q',
        };
        let loose = if loose.is_empty() { String::new() } else { format!("/{}", letters(loose.iter())) };
        let value = format!("{kind}{grade}{}{loose}", letters(meld.cards.iter()));
        self.text(&format!("m{}.{}", meld.side, meld.id.0), value);
    }

    fn number(&mut self, key: &str, value: i64) {
        self.0.insert(key.to_owned(), SceneSlot::Number(value));
    }

    fn text(&mut self, key: &str, value: String) {
        self.0.insert(key.to_owned(), SceneSlot::Text(value));
    }

    fn bag(&mut self, key: String, cards: &Cards) {
        if !cards.is_empty() {
            self.0.insert(key, SceneSlot::Bag(*cards));
        }
    }

    fn stack(&mut self, key: &str, cards: &[Card]) {
        self.0.insert(key.to_owned(), SceneSlot::Stack(letters(cards.iter().copied())));
    }

    /// Copies the scores of another scene.
    pub fn take_scores(&mut self, other: &Self) {
        let scores = other
            .0
            .iter()
            .filter(|(key, _)| key.starts_with('s') && key.as_str() != "st" && key.as_str() != "sd");
        self.0.extend(scores.map(|(key, slot)| (key.clone(), slot.clone())));
    }

    /// Returns the differences from `before`: new values by key, null for removed keys.
    pub fn since(&self, before: &Self) -> Map<String, Value> {
        let mut patch = Map::new();
        for key in before.0.keys().filter(|key| !self.0.contains_key(*key)) {
            patch.insert(key.clone(), Value::Null);
        }
        for (key, slot) in &self.0 {
            let old = before.0.get(key);
            if old != Some(slot) {
                patch.insert(key.clone(), slot.since(old));
            }
        }
        patch
    }
}

impl SceneSlot {
    fn since(&self, old: Option<&Self>) -> Value {
        match (self, old) {
            (Self::Number(value), _) => json!(value),
            (Self::Text(text), _) => json!(text),
            (Self::Bag(cards), Some(Self::Bag(before))) => bag_difference(cards, before),
            (Self::Bag(cards), _) => bag_difference(cards, &Cards::EMPTY),
            (Self::Stack(cards), old) => {
                let before = if let Some(Self::Stack(before)) = old { before.as_str() } else { "" };
                let kept = cards.bytes().zip(before.bytes()).take_while(|(a, b)| a == b).count();
                json!([before.len() - kept, cards[kept..]])
            }
        }
    }
}

/// Returns the difference of two hands: `+AB-C` means that two cards came and one went.
fn bag_difference(cards: &Cards, before: &Cards) -> Value {
    let more = |of: &Cards, than: &Cards| -> String {
        let counts = of.kinds().map(|(card, count)| (card, count.saturating_sub(than.count(card))));
        counts.flat_map(|(card, count)| std::iter::repeat_n(letter(card), count.into())).collect()
    };
    let (came, went) = (more(cards, before), more(before, cards));
    json!(format!("+{came}-{went}"))
}

fn minimum<'a>(opened: bool, side: Option<i32>, seats: impl Iterator<Item = &'a SeatView>) -> String {
    match (opened, side) {
        (true, _) => String::new(),
        (false, Some(points)) => number(points),
        (false, None) => seats.filter_map(|seat| seat.minimum).map(number).collect::<Vec<_>>().join(" or "),
    }
}

fn causes(causes: Causes) -> String {
    causes.iter().map(|cause| cause.name()).collect::<Vec<_>>().join(" ")
}

fn letter(card: Card) -> char {
    char::from(LETTERS[card.index()])
}

/// Returns one letter per card.
pub fn letters(cards: impl Iterator<Item = Card>) -> String {
    cards.map(letter).collect()
}
