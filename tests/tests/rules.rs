//! The rulebook's cases: `tests/data/rules/classic.toml`, one case a row.
//!
//! | field | meaning |
//! | --- | --- |
//! | `id`, `rules` | the vector, or the rule of a case of our own; ids of all rules it shows |
//! | `status` | why it is not played yet; such a row has no other field |
//! | `position` | what is set up (docs/NOTATION.md) |
//! | `wall` | `cards` at place `skip` of the wall to be dealt; the rest of the pack around them |
//! | `do` | actions; all but the last are legal, so is the last unless `refused` |
//! | `refused` | every code of the last action, in order, and `facts` of the first |
//! | `hand`, `melds`, `laid` | zones afterwards, by seat or side |
//! | `pile`, `stock`, `stock_top` | the pile bottom to top; the stock top to bottom or its size; its top |
//! | `frozen` | causes that freeze the pile against a side; `-` none |
//! | `to_act`, `phase`, `over` | who must act, the phase, how the round has ended |
//! | `events` | names of the events of all actions; `canasta` with its grade |
//! | `lines`, `totals` | the score lines of a side, all of them, in any order; its total |
//! | `minimums` | initial minimum by score |
//! | `result` | result of the game at these totals |
//! | `fault` | why the rule set cannot be played; `none` if it can |

use canasta_engine::action::{As, MeldKind};
use canasta_engine::apply::apply;
use canasta_engine::card::{Card, Cards, Class};
use canasta_engine::check::check;
use canasta_engine::deal::WallSalt;
use canasta_engine::event::{Event, FreezeCause, Grade};
use canasta_engine::invariant;
use canasta_engine::notation::{Position, Proposal};
use canasta_engine::rejection::{Fact, Rejection};
use canasta_engine::rulebook;
use canasta_engine::rules::KnobFault;
use canasta_engine::scoring;
use canasta_engine::seat::{Seat, Side};
use canasta_engine::state::{DealSource, State};
use canasta_engine::violations::Code;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

#[derive(Deserialize)]
struct Book {
    case: Vec<Case>,
}

type Zones = BTreeMap<String, String>;

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Case {
    id: String,
    rules: String,
    status: Option<String>,
    position: String,
    wall: Option<Wall>,
    r#do: Vec<String>,
    refused: Option<String>,
    facts: Option<String>,
    hand: Zones,
    melds: Zones,
    laid: Zones,
    pile: Option<String>,
    stock: Option<String>,
    stock_top: Option<String>,
    frozen: Zones,
    to_act: Option<String>,
    phase: Option<String>,
    over: Option<String>,
    events: Option<String>,
    lines: Zones,
    totals: BTreeMap<String, i32>,
    minimums: Option<String>,
    result: Option<Ending>,
    fault: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wall {
    skip: usize,
    cards: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Ending {
    totals: Vec<i32>,
    is: String,
}

fn book() -> &'static [Case] {
    static BOOK: OnceLock<Book> = OnceLock::new();
    &BOOK
        .get_or_init(|| toml::from_str(include_str!("../data/rules/classic.toml")).expect("the file is read"))
        .case
}

impl Case {
    fn rules(&self) -> impl Iterator<Item = &str> {
        self.rules.split_whitespace()
    }

    fn codes(&self) -> impl Iterator<Item = &str> {
        self.refused.iter().flat_map(|codes| codes.split_whitespace())
    }
}

// Playing a row.

type Outcome = Result<(), String>;

fn same(what: &str, expected: &str, found: &str) -> Outcome {
    if expected == found { Ok(()) } else { Err(format!("{what}: expected {expected}, found {found}")) }
}

fn play(case: &Case) -> Outcome {
    if let Some(fault) = &case.fault {
        return same("fault", fault, &fault_of(&case.position));
    }
    let position = Position::parse(&case.position).map_err(|error| format!("position: {error}"))?;
    let mut setup = position.setup();
    if let Some(wall) = &case.wall {
        let wall = wall_of(wall, &setup.rules.census());
        setup.origin.source = DealSource::Wall { wall, salt: WallSalt([0; 32]) };
    }
    let mut state = setup.into_state().map_err(|faults| format!("position: {faults:?}"))?;
    minimums(case, &state)?;
    if let Some(ending) = &case.result {
        same("result", &ending.is, &result_of(&state, &ending.totals))?;
    }
    let mut events = Vec::new();
    let Some((last, before)) = case.r#do.split_last() else { return after(case, &state, &events) };
    for text in before {
        events.extend(act(&mut state, text)?.map_err(|rejection| format!("{text}: {}", codes(&rejection)))?);
    }
    match (act(&mut state, last)?, &case.refused) {
        (Ok(more), None) => events.extend(more),
        (Ok(_), Some(refused)) => return Err(format!("accepted, expected {refused}")),
        (Err(rejection), None) => return Err(format!("refused: {}", codes(&rejection))),
        (Err(rejection), Some(refused)) => {
            same("refused", refused, &codes(&rejection))?;
            facts(case, &rejection)?;
        }
    }
    after(case, &state, &events)
}

fn act(state: &mut State, text: &str) -> Result<Result<Vec<Event>, Rejection>, String> {
    let proposal = Proposal::parse(text, state.set()).map_err(|error| format!("{text}: {error}"))?;
    let actor = proposal.actor.or_else(|| state.to_act().map(As::Seat)).unwrap_or(As::Table);
    match check(state, actor, &proposal.action) {
        Err(rejection) => Ok(Err(rejection)),
        Ok(legal) => {
            let events = apply(state, legal).to_vec();
            invariant::check_all(state).map_err(|(name, found)| format!("{text}: {name}: {found}"))?;
            Ok(Ok(events))
        }
    }
}

fn codes(rejection: &Rejection) -> String {
    rejection.codes().iter().map(|code| code.name()).collect::<Vec<_>>().join(" ")
}

/// The named cards at their place, around them the pack in order, red threes last.
fn wall_of(wall: &Wall, census: &Cards) -> Vec<Card> {
    let named = cards(&wall.cards);
    let mut rest = *census;
    rest.subtract(&named.iter().copied().collect());
    let mut rest: Vec<Card> = rest.iter().collect();
    rest.sort_by_key(|card| card.class() == Class::RedThree);
    let tail = rest.split_off(wall.skip);
    rest.into_iter().chain(named).chain(tail).collect()
}

fn fault_of(header: &str) -> String {
    let rules = match Position::parse(header) {
        Err(error) => return error.found.split(':').next().unwrap_or_default().to_string(),
        Ok(position) => position.rules().clone(),
    };
    match rules.set().is_offered_by(rules.base()) {
        Ok(()) => "none".to_string(),
        Err(faults) => faults.iter().map(KnobFault::detail).collect::<Vec<_>>().join(" "),
    }
}

fn minimums(case: &Case, state: &State) -> Outcome {
    for pair in case.minimums.iter().flat_map(|list| list.split_whitespace()) {
        let (score, minimum) = pair.split_once(':').ok_or("minimums are score:minimum")?;
        let score: i32 = score.parse().map_err(|_| "a score")?;
        let found = state.set().initial_bands.minimum_for_score(score);
        same(&format!("minimum at {score}"), minimum, &found.to_string())?;
    }
    Ok(())
}

fn result_of(state: &State, totals: &[i32]) -> String {
    match scoring::result(state.set(), 1, totals) {
        None => "none".to_string(),
        Some(result) => match result.winner {
            Some(side) => format!("winner {side}, margin {}", result.margin),
            None => format!("draw, margin {}", result.margin),
        },
    }
}

fn facts(case: &Case, rejection: &Rejection) -> Outcome {
    let first = &rejection.violations[0];
    for pair in case.facts.iter().flat_map(|facts| facts.split_whitespace()) {
        let (name, expected) = pair.split_once('=').ok_or("facts are name=value")?;
        let fact = first.get(name).ok_or_else(|| format!("no fact {name}"))?;
        same(&format!("fact {name}"), expected, &fact_text(fact))?;
    }
    Ok(())
}

fn fact_text(fact: &Fact) -> String {
    fact.to_string().replace(' ', ",")
}

// What holds afterwards.

fn cards(text: &str) -> Vec<Card> {
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

fn seat(name: &str) -> Seat {
    Seat("NESW".find(name).map_or_else(|| name.parse().expect("a seat"), |at| at as u8))
}

fn side(name: &str) -> Side {
    match name {
        "NS" => Side(0),
        "EW" => Side(1),
        number => Side(number.parse().expect("a side")),
    }
}

fn after(case: &Case, state: &State, events: &[Event]) -> Outcome {
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
    for (name, causes) in &case.frozen {
        let found: Vec<_> = state.frozen(side(name)).iter().map(FreezeCause::name).collect();
        let found = if found.is_empty() { "-".to_string() } else { found.join(" ") };
        same(&format!("frozen {name}"), causes, &found)?;
    }
    if let Some(to_act) = &case.to_act {
        same("to_act", &format!("{:?}", Some(seat(to_act))), &format!("{:?}", state.to_act()))?;
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
        Event::Melded { kind: MeldKind::Wild, .. } => name + ":wild",
        _ => name,
    }
}

fn scores(case: &Case, state: &State) -> Outcome {
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

// Tests.

#[test]
fn every_case_holds() {
    let (later, played): (Vec<_>, Vec<_>) = book().iter().partition(|case| case.status.is_some());
    let failures: Vec<String> = played
        .iter()
        .filter_map(|case| play(case).err().map(|error| format!("{}: {error}", case.id)))
        .collect();
    println!("{} cases played, {} later", played.len(), later.len());
    assert!(failures.is_empty(), "{} of {} cases:\n{}", failures.len(), played.len(), failures.join("\n"));
}
