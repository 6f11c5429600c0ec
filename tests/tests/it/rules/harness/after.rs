//! The comparison of the state after a row's actions with the row.

use super::{Case, Outcome, same};
use canasta_engine::action::MeldKind;
use canasta_engine::card::{Card, Cards};
use canasta_engine::event::{Event, FreezeCause, Grade};
use canasta_engine::notation::Position;
use canasta_engine::scoring;
use canasta_engine::seat::{Seat, Side};
use canasta_engine::table::Table;
use std::collections::BTreeSet;

pub fn cards(text: &str) -> Vec<Card> {
    let mut cards = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() && rest != "-" {
        let len = if rest.starts_with('X') { 1 } else { 2 };
        cards.push(Card::parse(&rest[..len]).unwrap_or_else(|| panic!("{rest} begins with a card")));
        rest = rest[len..].trim();
    }
    cards
}

fn set(text: &str) -> Cards {
    cards(text).into_iter().collect()
}

pub fn seat(name: &str) -> Seat {
    Seat("NESW".find(name).map_or_else(|| name.parse().expect("a seat"), |at| at as u8))
}

fn side(name: &str) -> Side {
    match name {
        "NS" => Side(0),
        "EW" => Side(1),
        number => Side(number.parse().expect("a side")),
    }
}

pub fn after(case: &Case, state: &Table, events: &[Event]) -> Outcome {
    for (name, hand) in &case.hand {
        same(&format!("hand {name}"), &format!("{:?}", set(hand)), &format!("{:?}", state.hand(seat(name))))?;
    }
    for (name, laid) in &case.laid {
        same(&format!("laid {name}"), &format!("{:?}", set(laid)), &format!("{:?}", state.laid(seat(name))))?;
    }
    for (name, melds) in &case.melds {
        let expected: Vec<Cards> = melds.split('/').map(set).filter(|meld| !meld.is_empty()).collect();
        let found: Vec<Cards> = state.melds_of(side(name)).map(|m| m.cards).collect();
        same(&format!("melds {name}"), &format!("{expected:?}"), &format!("{found:?}"))?;
    }
    if let Some(pile) = &case.pile {
        same("pile", &format!("{:?}", cards(pile)), &format!("{:?}", state.pile()))?;
    }
    let top_first: Vec<Card> = state.stock().iter().rev().copied().collect();
    match case.stock.as_deref().map(|text| (text, text.parse::<u16>())) {
        None => {}
        Some((_, Ok(count))) => same("stock", &count.to_string(), &state.stock_len().to_string())?,
        Some((text, Err(_))) => same("stock", &format!("{:?}", cards(text)), &format!("{top_first:?}"))?,
    }
    if let Some(top) = &case.stock_top {
        same("stock_top", top, &top_first.first().map_or_else(|| "-".to_string(), |card| card.to_string()))?;
    }
    if let Some(cut) = &case.cut {
        let exact = [("hands", state.cut().hands), ("feet", state.cut().feet)];
        let exact: Vec<&str> = exact.into_iter().filter(|&(_, is)| is).map(|(name, _)| name).collect();
        let exact = if exact.is_empty() { "-".to_string() } else { exact.join(" ") };
        same("cut", cut, &exact)?;
    }
    for (name, causes) in &case.frozen {
        let found: Vec<_> = state.frozen(side(name)).iter().map(FreezeCause::name).collect();
        let found = if found.is_empty() { "-".to_string() } else { found.join(" ") };
        same(&format!("frozen {name}"), causes, &found)?;
    }
    if let Some(to_act) = &case.to_act {
        same("to_act", &format!("{:?}", Some(seat(to_act))), &format!("{:?}", state.to_act()))?;
    }
    if let Some(sides) = &case.sides {
        let found: Vec<String> = state.seats().map(|seat| state.side_of(seat).to_string()).collect();
        same("sides", sides, &found.join(" "))?;
    }
    if let Some(seating) = &case.seating {
        let found: Vec<String> = state.seating().iter().map(|player| player.to_string()).collect();
        same("seating", seating, &found.join(" "))?;
    }
    if let Some(phase) = &case.phase {
        same("phase", phase, state.phase().name())?;
    }
    if let Some(over) = &case.over {
        same("over", &over_of(over), &format!("{:?}", state.round_over()))?;
    }
    if let Some(expected) = &case.events {
        same("events", expected, &events.iter().map(event_name).collect::<Vec<_>>().join(" "))?;
    }
    scores(case, state)
}

fn over_of(text: &str) -> String {
    let text = format!("classic-6p-3x2; round over {}", text.replace("N", "0").replace("E", "1"));
    let position = Position::parse(&text).expect("how a round ends");
    format!("{:?}", position.setup().over)
}

fn event_name(event: &Event) -> String {
    let debug = format!("{event:?}");
    let variant = debug.split([' ', '{']).next().unwrap_or_default();
    let mut name = String::new();
    for c in variant.chars() {
        if c.is_uppercase() && !name.is_empty() {
            name.push('_');
        }
        name.push(c.to_ascii_lowercase());
    }
    match event {
        Event::Canasta { grade: Grade::Natural, .. } => name + ":natural",
        Event::Canasta { grade: Grade::Mixed, .. } => name + ":mixed",
        Event::Canasta { grade: Grade::Wild, .. } => name + ":wild",
        Event::Canasta { grade: Grade::Sequence, .. } => name + ":sequence",
        Event::Melded { kind: MeldKind::Wild, .. } => name + ":wild",
        Event::Melded { kind: MeldKind::Sequence, .. } => name + ":sequence",
        Event::Upcard { covered: true, .. } => name + ":covered",
        Event::TookPile { cards, .. } if !cards.is_empty() => {
            name + ":" + &cards.iter().map(|card| card.to_string()).collect::<Vec<_>>().join(",")
        }
        _ => name,
    }
}

fn booked(case: &Case, state: &Table) -> Outcome {
    if case.next_dealer.is_none() && case.cumulative.is_empty() {
        return Ok(());
    }
    let mut state = state.clone();
    scoring::book(&mut state);
    for (name, total) in &case.cumulative {
        let found = state.scores()[side(name).index()];
        same(&format!("cumulative {name}"), &total.to_string(), &found.to_string())?;
    }
    let Some(dealer) = &case.next_dealer else { return Ok(()) };
    same("next dealer", &seat(dealer).to_string(), &state.dealer().to_string())
}

fn scores(case: &Case, state: &Table) -> Outcome {
    booked(case, state)?;
    if case.lines.is_empty() && case.totals.is_empty() {
        return Ok(());
    }
    let accounts = scoring::score(state).accounts;
    for (name, lines) in &case.lines {
        let account = &accounts[side(name).index()];
        let found: BTreeSet<String> =
            account.lines.iter().map(|line| format!("{} {}", line.item.name(), line.points)).collect();
        let expected: BTreeSet<String> = lines.split(", ").map(str::to_string).collect();
        same(&format!("lines {name}"), &format!("{expected:?}"), &format!("{found:?}"))?;
    }
    for (name, total) in &case.totals {
        let account = &accounts[side(name).index()];
        same(&format!("total {name}"), &total.to_string(), &account.total.to_string())?;
    }
    Ok(())
}
