//! The rows of a rules file, and how they are played. `rules.rs` describes the fields.

use canasta_engine::action::As;
use canasta_engine::card::{Card, Cards, Class};
use canasta_engine::deal::WallSalt;
use canasta_engine::dealing::DealSource;
use canasta_engine::event::Event;
use canasta_engine::game::Game;
use canasta_engine::invariant;
use canasta_engine::legal;
use canasta_engine::notation::{Position, Proposal};
use canasta_engine::rejection::{Rejection, Repair, Violation};
use canasta_engine::rules::Knob;
use canasta_engine::scoring;
use canasta_engine::table::SetupFault;
use canasta_engine::violations::Fact;
use canasta_engine::violations::entry;
use canasta_tests::data;
use canasta_tests::games::at;
use canasta_tests::repairs::untrue;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

mod after;
mod create;
mod twin;

use after::{after, cards};
use create::{NewTable, create, register};
use twin::twin;

#[derive(Deserialize)]
struct Book {
    case: Vec<Case>,
}

type Zones = BTreeMap<String, String>;

#[derive(Deserialize, Default, Clone)]
#[serde(deny_unknown_fields, default)]
pub struct Case {
    pub id: String,
    pub rules: String,
    pub status: Option<String>,
    pub position: String,
    pub wall: Option<Wall>,
    pub r#do: Vec<String>,
    pub refused: Option<String>,
    pub facts: Option<String>,
    pub repair: Option<String>,
    pub hand: Zones,
    pub melds: Zones,
    pub laid: Zones,
    pub pile: Option<String>,
    pub stock: Option<String>,
    pub stock_top: Option<String>,
    pub cut: Option<String>,
    pub frozen: Zones,
    pub to_act: Option<String>,
    pub sides: Option<String>,
    pub seating: Option<String>,
    pub create: Option<NewTable>,
    pub register: Option<String>,
    pub twin: Option<String>,
    pub alike: Option<String>,
    pub differs: Option<String>,
    pub phase: Option<String>,
    pub over: Option<String>,
    pub events: Option<String>,
    pub lines: Zones,
    pub totals: BTreeMap<String, i32>,
    pub minimums: Option<String>,
    pub result: Option<Ending>,
    pub fault: Option<String>,
    pub no_state: Option<String>,
    pub deck: Option<u16>,
    pub knobs: Option<String>,
    pub next_dealer: Option<String>,
    pub cumulative: BTreeMap<String, i32>,
}

#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub struct Wall {
    pub skip: usize,
    pub cards: String,
    #[serde(default)]
    pub drop: usize,
}

#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub struct Ending {
    pub totals: Vec<i32>,
    pub is: String,
    /// The round that was booked last; by default the first.
    #[serde(default = "first_round")]
    pub round: u16,
}

fn first_round() -> u16 {
    1
}

/// Returns every case of every file of `data/rules`, by file name.
pub fn book() -> &'static [Case] {
    static BOOK: OnceLock<Vec<Case>> = OnceLock::new();
    BOOK.get_or_init(|| {
        let files =
            fs::read_dir(data("rules")).expect("the folder is read").map(|file| file.expect("a file").path());
        let mut files: Vec<PathBuf> =
            files.filter(|path| path.extension().is_some_and(|e| e == "toml")).collect();
        files.sort();
        files.iter().flat_map(|path| cases_of(path)).collect()
    })
}

fn cases_of(path: &Path) -> Vec<Case> {
    let text = fs::read_to_string(path).expect("the file is read");
    let book: Book = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    book.case
}

impl Case {
    pub fn rules(&self) -> impl Iterator<Item = &str> {
        self.rules.split_whitespace()
    }

    pub fn codes(&self) -> impl Iterator<Item = &str> {
        self.refused.iter().flat_map(|codes| codes.split_whitespace())
    }
}

type Outcome = Result<(), String>;

fn same(what: &str, expected: &str, found: &str) -> Outcome {
    if expected == found { Ok(()) } else { Err(format!("{what}: expected {expected}, found {found}")) }
}

/// Returns the position as it is set up, with the wall to be dealt, or else its faults.
pub fn set_up(case: &Case, text: &str) -> Result<Result<Game, Vec<SetupFault>>, String> {
    let position = Position::parse(text).map_err(|error| format!("position: {error}"))?;
    let game = position.setup().into_table().map(at);
    Ok(game.map(|mut game| {
        if let Some(wall) = &case.wall {
            let wall = wall_of(wall, &game.table.rules().census());
            game.dealing.source = DealSource::Wall { wall, salt: WallSalt([0; 32]) };
        }
        game
    }))
}

pub fn play(case: &Case) -> Outcome {
    if let Some(fault) = &case.fault {
        return same("fault", fault, &fault_of(&case.position));
    }
    if let Some(table) = &case.create {
        return judged(case, &create(&case.position, table)?);
    }
    let mut state = match (set_up(case, &case.position)?, &case.no_state) {
        (Ok(state), None) => state,
        (Ok(_), Some(expected)) => return Err(format!("a state, although {expected}")),
        (Err(faults), Some(expected)) => return same("faults", expected, &names(&faults)),
        (Err(faults), None) => return Err(format!("position: {faults:?}")),
    };
    rule_set(case, &state)?;
    if let Some(ending) = &case.result {
        same("result", &ending.is, &result_of(&state, ending))?;
    }
    if let Some(dealer) = &case.register {
        return judged(case, &register(&mut state, dealer)?);
    }
    let mut events = Vec::new();
    let Some((last, before)) = case.r#do.split_last() else {
        twin(case, &state)?;
        return after(case, &state.table, &events);
    };
    for text in before {
        events.extend(act(&mut state, text)?.map_err(|rejection| format!("{text}: {}", codes(&rejection)))?);
    }
    match (act(&mut state, last)?, &case.refused) {
        (Ok(more), None) => events.extend(more),
        (Ok(_), Some(refused)) => return Err(format!("accepted, expected {refused}")),
        (Err(rejection), None) => return Err(format!("refused: {}", codes(&rejection))),
        (Err(rejection), Some(_)) => judged(case, &rejection.violations)?,
    }
    twin(case, &state)?;
    after(case, &state.table, &events)
}

fn names(faults: &[SetupFault]) -> String {
    faults.iter().map(|fault| fault.expected).collect::<Vec<_>>().join("; ")
}

pub fn act(state: &mut Game, text: &str) -> Result<Result<Vec<Event>, Rejection>, String> {
    let proposal = Proposal::parse(text, state.table.set()).map_err(|error| format!("{text}: {error}"))?;
    let actor = proposal.actor.or_else(|| state.table.to_act().map(As::Seat)).unwrap_or(As::Table);
    let steps = legal::steps(&state.table);
    if state.table.to_act().is_some() && steps.actions.is_empty() && !steps.truncated {
        return Err(format!("{text}: nothing is listed, so nobody could go on"));
    }
    match state.check(actor, &proposal.action) {
        Err(rejection) => match untrue(state, actor, &proposal.action, &rejection) {
            untrue if untrue.is_empty() => Ok(Err(rejection)),
            untrue => Err(format!("untrue: {}", untrue.join("; "))),
        },
        Ok(legal) => {
            let events = state.apply(legal).to_vec();
            invariant::check_all(&state.table).map_err(|(name, found)| format!("{text}: {name}: {found}"))?;
            Ok(Ok(events))
        }
    }
}

/// Compares a refusal with the codes and facts of the row; an accepted action has no violations.
fn judged(case: &Case, violations: &[Violation]) -> Outcome {
    let found: Vec<&str> = violations.iter().map(|violation| violation.code.name()).collect();
    same("refused", case.refused.as_deref().unwrap_or_default(), &found.join(" "))?;
    facts_are_told(violations)?;
    said(case, violations)
}

/// Checks that a refusal has every fact that the catalogue promises for its codes, in the catalogue's order.
fn facts_are_told(violations: &[Violation]) -> Outcome {
    for violation in violations {
        let (name, row) = (violation.code.name(), entry(violation.code));
        let told: Vec<&str> = violation.facts.iter().map(|(name, _)| *name).collect();
        let promised = row.facts.iter().filter(|fact| told.contains(&fact.name) || fact.absent.is_none());
        let promised = promised.map(|fact| fact.name);
        same(&format!("facts of {name}"), &promised.collect::<Vec<_>>().join(" "), &told.join(" "))?;
    }
    Ok(())
}

fn codes(rejection: &Rejection) -> String {
    rejection.codes().iter().map(|code| code.name()).collect::<Vec<_>>().join(" ")
}

/// Returns a wall: the named cards at their place, around them the pack in order, red threes last.
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
    match Position::parse(header) {
        Err(error) => error.found.split(':').next().unwrap_or_default().to_string(),
        Ok(_) => "none".to_string(),
    }
}

fn rule_set(case: &Case, state: &Game) -> Outcome {
    if let Some(deck) = case.deck {
        same("deck", &deck.to_string(), &state.table.rules().deck_size().to_string())?;
    }
    for pair in case.knobs.iter().flat_map(|list| list.split_whitespace()) {
        let (name, expected) = pair.split_once('=').ok_or("knobs are knob=value")?;
        let knob = Knob::named(name).ok_or("a knob")?;
        same(name, expected, knob.value(state.table.set()).trim_matches('"'))?;
    }
    for pair in case.minimums.iter().flat_map(|list| list.split_whitespace()) {
        let (score, minimum) = pair.split_once(':').ok_or("minimums are score:minimum")?;
        let score: i32 = score.parse().map_err(|_| "a score")?;
        let found = state.table.set().initial_bands.minimum_for_score(score);
        same(&format!("minimum at {score}"), minimum, &found.to_string())?;
    }
    Ok(())
}

fn result_of(state: &Game, ending: &Ending) -> String {
    match scoring::result(state.table.set(), ending.round, &ending.totals) {
        None => "none".to_string(),
        Some(result) => match result.winner {
            Some(side) => format!("winner {side}, margin {}", result.margin),
            None => format!("draw, margin {}", result.margin),
        },
    }
}

/// Compares the facts and the repair of each violation with the row.
fn said(case: &Case, violations: &[Violation]) -> Outcome {
    let all = |told: &dyn Fn(&Violation) -> String| {
        let each: Vec<String> = violations.iter().map(told).collect();
        each.iter().map(|text| if text.is_empty() { "-" } else { text }).collect::<Vec<_>>().join(" / ")
    };
    let pair = |(name, fact): &(&str, Fact)| format!("{name}={}", fact_text(fact));
    let facts = all(&|violation| violation.facts.iter().map(pair).collect::<Vec<_>>().join(" "));
    let repair = all(&|violation| violation.repair.as_ref().map(Repair::to_string).unwrap_or_default());
    let stated = [&case.facts, &case.repair].map(|column| column.as_deref().unwrap_or_default());
    let found = [facts.as_str(), &repair];
    let what = if stated[0] == found[0] { "repair" } else { "facts" };
    same(what, &format!("{stated:?}"), &format!("{found:?}"))
}

fn fact_text(fact: &Fact) -> String {
    fact.to_string().replace(' ', ",")
}
