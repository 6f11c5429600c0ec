//! The rulebook's cases: `tests/data/rules/classic.toml`, one case a row.
//!
//! | field | meaning |
//! | --- | --- |
//! | `id`, `rules` | the vector, or the rule of a case of our own; ids of all rules it shows |
//! | `status` | why it is not played yet; such a row has no other field |
//! | `position` | what is set up (docs/NOTATION.md) |
//! | `wall` | `cards` at place `skip` of the wall to be dealt; the rest of the pack around them, `drop` cards short |
//! | `do` | actions; all but the last are legal, so is the last unless `refused` |
//! | `refused` | every code of the last action, in order, and `facts` of the first |
//! | `hand`, `melds`, `laid` | zones afterwards, by seat or side |
//! | `pile`, `stock`, `stock_top` | the pile bottom to top; the stock top to bottom or its size; its top |
//! | `frozen` | causes that freeze the pile against a side; `-` none |
//! | `to_act`, `phase`, `over` | who must act, the phase, how the round has ended |
//! | `events` | names of the events of all actions; `canasta` with its grade, `took_pile` with its cards |
//! | `lines`, `totals` | the score lines of a side, all of them, in any order; its total |
//! | `cumulative`, `next_dealer` | totals of the sides and the next dealer once the round is booked |
//! | `deck`, `knobs` | cards of the pack; knobs of the rule set |
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
use canasta_engine::rules::{Knob, KnobFault};
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
    deck: Option<u16>,
    knobs: Option<String>,
    next_dealer: Option<String>,
    cumulative: BTreeMap<String, i32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wall {
    skip: usize,
    cards: String,
    #[serde(default)]
    drop: usize,
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
    rule_set(case, &state)?;
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
    let mut all: Vec<Card> = rest.into_iter().chain(named).chain(tail).collect();
    all.truncate(all.len() - wall.drop);
    all
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

fn rule_set(case: &Case, state: &State) -> Outcome {
    if let Some(deck) = case.deck {
        same("deck", &deck.to_string(), &state.rules().deck_size().to_string())?;
    }
    for pair in case.knobs.iter().flat_map(|list| list.split_whitespace()) {
        let (name, expected) = pair.split_once('=').ok_or("knobs are knob=value")?;
        let knob = Knob::named(name).ok_or("a knob")?;
        same(name, expected, knob.value(state.set()).trim_matches('"'))?;
    }
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
        Event::Upcard { covered: true, .. } => name + ":covered",
        Event::TookPile { cards, .. } if !cards.is_empty() => {
            name + ":" + &cards.iter().map(|card| card.to_string()).collect::<Vec<_>>().join(",")
        }
        _ => name,
    }
}

fn booked(case: &Case, state: &State) -> Outcome {
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

fn scores(case: &Case, state: &State) -> Outcome {
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

/// The codes that the Classic family with fixed sides reaches, its switches included, in the order of checks.
const REACHED: &[&str] = &[
    "GAME_OVER",
    "GAME_ROUND_OVER",
    "SETUP_WRONG_TIME",
    "ASK_PENDING",
    "TURN_NOT_YOURS",
    "ASK_NOTHING_PENDING",
    "ASK_NOT_ADDRESSED",
    "TURN_ACTION_NOT_IN_RULES",
    "ASK_NO_PARTNER",
    "SPECIAL_NOT_AGREED",
    "TURN_DRAW_FIRST",
    "TURN_ALREADY_DREW",
    "TURN_WRONG_PHASE",
    "TURN_EMPTY_ACTION",
    "PILE_BURIED_CARD",
    "TURN_CARD_NOT_IN_HAND",
    "SETUP_DECK",
    "SETUP_DEAL",
    "STOCK_EMPTY",
    "STOCK_NOT_EMPTY",
    "MELD_FIXED",
    "PILE_EMPTY",
    "PILE_TOP_WILD",
    "PILE_TOP_BLACK_THREE",
    "PILE_TOP_RED_THREE",
    "PILE_ONE_CARD",
    "STOCK_MUST_TAKE_PILE",
    "PILE_CANASTA_RANK_FORBIDDEN",
    "PILE_FROZEN_NEEDS_PAIR",
    "PILE_NEEDS_PAIR",
    "PILE_CANASTA_WILDS_FULL",
    "PILE_CANASTA_TARGET_FORBIDDEN",
    "PILE_TOP_NOT_MELDED",
    "THREE_NOT_MELDABLE",
    "MELD_KIND_MISMATCH",
    "MELD_WILD_MELD_OFF",
    "MELD_SEQUENCE_OFF",
    "MELD_NOT_FOUND",
    "MELD_NOT_OWN_SIDE",
    "MELD_MIXED_RANKS",
    "MELD_RANK_DUPLICATE",
    "MELD_TOO_SMALL",
    "MELD_TOO_FEW_NATURALS",
    "MELD_TOO_MANY_WILDS",
    "THREE_BLACK_WILD",
    "THREE_BLACK_COUNT",
    "MELD_WILDS_LOCKED",
    "INITIAL_BELOW_MINIMUM",
    "THREE_BLACK_NOT_GOING_OUT",
    "DISCARD_REQUIRED",
    "GO_OUT_REFUSED",
    "MELD_LEAVES_TOO_FEW_CARDS",
    "GO_OUT_NEEDS_CANASTAS",
    "GO_OUT_NEEDS_CLEAN",
    "GO_OUT_BOUND",
    "ASK_USED_UP",
    "ASK_TOO_LATE",
    "ASK_CANNOT_GO_OUT",
    "ASK_NO_CHOICE",
];

/// Codes that only house rules reach: knobs of other families on a Classic base.
const HOUSE: &[&str] = &[
    "GO_OUT_DISCARD_REQUIRED",
    "MELD_TOO_LARGE",
    "MELD_WILDS_OUTNUMBER",
    "MELD_CANASTA_CLOSED",
    "MELD_RANK_CLOSED_BY_OPPONENTS",
    "PILE_LAYOFF_FORBIDDEN",
    "GO_OUT_NEEDS_WILD",
];

/// Codes of the engine that no case can reach, with the reason.
const UNREACHED: &[(&str, &str)] = &[
    ("SETUP_KNOBS", "a rule set is refused before there is a game: rows with `fault`"),
    ("DISCARD_THREE_FORBIDDEN", "no hand of a state holds a red three (CL-069)"),
];

fn precedence(name: &str) -> usize {
    Code::from_name(name).unwrap_or_else(|| panic!("{name} is a code")).entry().precedence()
}

#[test]
fn every_code_of_the_family_is_produced() {
    let produced: BTreeSet<&str> = book().iter().flat_map(Case::codes).collect();
    let listed: BTreeSet<&str> = REACHED.iter().chain(HOUSE).copied().collect();
    assert_eq!(produced, listed);
    assert!(REACHED.is_sorted_by_key(|name| precedence(name)), "the list is in the order of checks");
    for (name, reason) in UNREACHED {
        assert!(!produced.contains(name), "{name}: {reason}");
    }
}

#[test]
fn codes_stand_in_the_order_of_checks() {
    for case in book() {
        let codes: Vec<&str> = case.codes().collect();
        assert!(codes.is_sorted_by(|a, b| precedence(a) <= precedence(b)), "{}: {codes:?}", case.id);
    }
}

/// Rules that no case can show, with the reason.
const NOT_SHOWN: &[(&str, &str)] = &[
    ("P2-007", "manzana-2p has a book of its own"),
    ("AMB-35", "every refused action: checking cannot change a state"),
    ("AMB-36", "views have their own tests"),
    ("CLAR-21", "an action of Hoyle's form"),
    ("CLAR-24", "events of talons and feet"),
    ("CLAR-25", "events of special hands"),
];

/// What stands beside three-player sides (P3) and waits for them.
const THREE_PLAYERS: &[&str] = &[
    "P3-001", "P3-002", "P3-006", "P3-007", "P3-008", "P3-009", "P3-011", "P3-012", "P3-014", "P3-015",
    "P3-016", "AMB-21", "AMB-39", "AMB-40", "AMB-41", "AMB-43", "AMB-44", "AMB-45", "AMB-46", "CLAR-16",
];

/// Clarifications about other families.
const OTHER_FAMILIES: &[&str] = &[
    "CLAR-02", "CLAR-03", "CLAR-04", "CLAR-05", "CLAR-07", "CLAR-08", "CLAR-09", "CLAR-10", "CLAR-11",
    "CLAR-13", "CLAR-14", "CLAR-15", "CLAR-19",
];

#[test]
fn every_rule_has_a_case() {
    let shown: BTreeSet<&str> = book().iter().flat_map(Case::rules).collect();
    let left_out: BTreeSet<&str> = NOT_SHOWN
        .iter()
        .map(|(id, _)| *id)
        .chain(THREE_PLAYERS.iter().copied())
        .chain(OTHER_FAMILIES.iter().copied())
        .collect();
    for id in &shown {
        assert!(rulebook::rule(id).is_some(), "{id} is no rule");
    }
    assert_eq!(shown.intersection(&left_out).count(), 0, "a rule that is shown is not left out");
    let missing: Vec<&str> = rulebook::all()
        .map(|rule| rule.id)
        .filter(|id| !shown.contains(id) && !left_out.contains(id))
        .collect();
    assert!(missing.is_empty(), "no case shows {missing:?}");
}

#[test]
fn ids_are_unique() {
    let ids: BTreeSet<&str> = book().iter().map(|case| case.id.as_str()).collect();
    assert_eq!(ids.len(), book().len());
    assert!(book().iter().all(|case| case.status.is_some() || !case.position.is_empty()));
}
