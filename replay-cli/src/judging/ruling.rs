//! A judgement in words and as JSON: the common part of `explain`, `what-if` and `check`.

use crate::shared::json::present;
use crate::shared::text::{self, PlayerNames, action_line, join, list, number};
use canasta_engine::action::{Action, As};
use canasta_engine::card::Cards;
use canasta_engine::check::Requirement;
use canasta_engine::citation::{cite, cite_violation};
use canasta_engine::explain;
use canasta_engine::irregularity;
use canasta_engine::known::Known;
use canasta_engine::legal;
use canasta_engine::rejection::{Rejection, Violation};
use canasta_engine::rulebook;
use canasta_engine::rulebook::penalties::HOUSE;
use canasta_engine::rules::{PileUnopened, Rules};
use canasta_engine::seat::Seat;
use canasta_engine::table::{Permission, Phase, Table};
use canasta_engine::text::words::{flag, some};
use canasta_engine::view::view;
use canasta_engine::violations::Code;
use serde_json::{Value, json};
use std::io::{Result, Write};

/// Maximum number of possible steps that a text lists; JSON has all steps that the engine lists.
const STEPS_SHOWN: usize = 12;

/// Maximum number of rules of a code that are quoted, and of rules that are named beside a bound.
const RULES_SHOWN: usize = 4;

/// A limit on the choice of a seat, with its numbers.
pub struct Bound {
    /// The name of the limit: `pile`, `to open`, `going out`.
    pub what: &'static str,
    pub text: String,
    /// Ids of the rules from which the limit follows.
    pub rules: Vec<&'static str>,
    /// The requirement, if the limit is about going out.
    requirement: Option<Requirement>,
}

impl Bound {
    fn new(what: &'static str, text: impl Into<String>, rules: Vec<&'static str>) -> Self {
        Self { what, text: text.into(), rules, requirement: None }
    }
}

/// Returns the limits on `seat` in this position; `action` is its proposal. A seat that does not exist has no limits. `known`
/// tells the cards that only stand for unknown cards: no limit speaks of them.
pub fn bounds(
    state: &Table,
    known: Option<&Known>,
    seat: Seat,
    action: &Action,
    names: &PlayerNames,
) -> Vec<Bound> {
    let mut bounds = Vec::new();
    if seat.0 >= state.set().seats {
        return bounds;
    }
    if matches!(state.phase(), Phase::Start | Phase::Taking) {
        bounds.push(pile(state, known, seat));
    }
    bounds.push(minimum(state, seat, action, names));
    if matches!(state.phase(), Phase::Play | Phase::Start) {
        bounds.extend(going_out(state, seat, action, names));
    }
    bounds
}

fn pile(state: &Table, known: Option<&Known>, seat: Seat) -> Bound {
    let causes = state.frozen(state.side_of(seat));
    let words = join(causes.iter().map(|cause| cause.words()), " and ");
    let Some(top) = state.pile().last() else {
        return Bound::new("pile", "there is none", cite(Code::PileEmpty, &state.rules().books()).collect());
    };
    let on_top = format!("{top} on top of {}", text::count(state.pile().len() as i64, "card"));
    if causes.is_empty() {
        return Bound::new("pile", format!("{on_top}, not frozen"), Vec::new());
    }
    let rank = top.rank();
    let open = known.map_or(&Cards::EMPTY, |known| known.open(seat));
    let held = state.hand(seat).rank_count(rank) - open.rank_count(rank);
    let least = if open.is_empty() { "" } else { "at least " };
    let held =
        if rank.is_natural() { format!("; the hand has {least}{held} of this rank") } else { String::new() };
    Bound::new("pile", format!("{on_top}, frozen {words}{held}"), explain::freezing_rules(state, seat))
}

/// Returns the minimum that applies, and how much the action lays towards it.
fn minimum(state: &Table, seat: Seat, action: &Action, names: &PlayerNames) -> Bound {
    let side = state.side_of(seat);
    if state.opened(side) {
        let text = format!("{} has melded; no minimum applies", names.side(side));
        return Bound::new("to open", text, Vec::new());
    }
    let melds = matches!(action, Action::Meld(_) | Action::TakePile(_));
    let text = match explain::initial_count(state, As::Seat(seat), action).filter(|_| melds) {
        Some(initial) => {
            let (count, required) = (number(initial.found), number(initial.required));
            let rest = initial.required - initial.found;
            let enough = match rest {
                1.. => format!("short by {}", number(rest)),
                0 => "just enough".into(),
                _ => format!("{} more than needed", number(-rest)),
            };
            format!("minimum {required}, laid {count}: {enough}")
        }
        None => format!("{} for the first meld of {}", number(state.minimum(seat)), names.side(side)),
    };
    let frozen = state.set().pile_unopened == PileUnopened::Frozen && state.phase() == Phase::Start;
    let text = if frozen { format!("{text}; until then the pile is frozen against it") } else { text };
    Bound::new("to open", text, explain::minimum_rules(state, seat, action))
}

/// Returns one limit per requirement for going out, and the answer of a partner, if any.
fn going_out(state: &Table, seat: Seat, action: &Action, names: &PlayerNames) -> Vec<Bound> {
    let lays = matches!(action, Action::Meld(_) | Action::TakePile(_));
    let required = explain::going_out(state, seat, action);
    let refused = required.iter().any(|requirement| requirement.code == Code::GoOutRefused);
    let bound = |requirement: Requirement| Bound {
        requirement: Some(requirement),
        ..Bound::new(
            "going out",
            needed(&requirement, lays, names),
            explain::requirement_rules(state, &requirement),
        )
    };
    let mut bounds: Vec<Bound> = required.into_iter().map(bound).collect();
    if bounds.is_empty() {
        bounds.push(Bound::new("going out", "needs no canasta", Vec::new()));
    }
    let mut say = |text, rules| bounds.push(Bound::new("going out", text, rules));
    let table = view(state, As::Table).table;
    match table.permission {
        _ if table.turn != Some(seat) => {}
        Permission::Yes => {
            say("a partner has said yes", cite(Code::GoOutBound, &state.rules().books()).collect());
        }
        Permission::No { .. } if !refused => say("a partner has said no, which binds nobody", Vec::new()),
        _ => {}
    }
    bounds
}

/// Returns a requirement in words: what is needed, what exists, what is missing. `lays` says whether the
/// action's own melds count.
fn needed(requirement: &Requirement, lays: bool, names: &PlayerNames) -> String {
    let Requirement { code, needs, has, .. } = *requirement;
    let seats = || list(requirement.seats().map(|seat| names.seat(seat)));
    let missing = requirement.missing();
    let enough = if missing == 0 { "enough".into() } else { format!("{missing} missing") };
    if let Some(kind) = requirement.kind() {
        let with = if lays { " with what is laid" } else { "" };
        return format!("needs {}, the side has {has}{with}: {enough}", text::count(needs, kind));
    }
    match code {
        Code::GoOutNotAsked if missing == 0 => {
            "needs a question to a partner: it has been asked, in this turn or before".into()
        }
        Code::GoOutNotAsked => "needs a question to a partner: it has not been asked".into(),
        Code::GoOutRefused => format!("{} has said no", seats()),
        Code::GoOutNeedsHandsFinished => {
            let to_go = if missing == 0 { enough } else { format!("still to play: {}", seats()) };
            format!("needs {} of the side played, {has} of them are: {to_go}", text::count(needs, "hand"))
        }
        _ => format!("needs no incomplete sevens or pure aces, the side has {has} such melds"),
    }
}

/// Writes every broken rule with its numbers, its repair, and the texts of its rules.
///
/// `names` are those of the actor and of the melds on the table.
pub fn write_rejection(
    rejection: &Rejection,
    rules: &Rules,
    names: &PlayerNames,
    out: &mut dyn Write,
) -> Result<()> {
    for violation in &rejection.violations {
        let cited = cite_violation(violation, &rules.books());
        writeln!(out, "  {}", names.violation(violation))?;
        writeln!(out, "    {} [{}]", violation.code.name(), cited.join(" "))?;
        if let Some(repair) = &violation.repair {
            writeln!(out, "    {}", names.line("rule_repair", vec![some(names.repair(repair))]))?;
        }
        if let Some(row) = irregularity::of_code(violation.code, Some(rejection.action)) {
            let law = row.remedy(&row.answers(&[], "")).law;
            let sanction = irregularity::sanction(law);
            let sanction = sanction.map(|sanction| sanction.in_words(names.language())).unwrap_or_default();
            writeln!(out, "    {}", names.line("rule_at_table", vec![some(law), some(sanction)]))?;
        }
        for rule in cited.iter().take(RULES_SHOWN).filter_map(|id| rulebook::rule(id)) {
            writeln!(out, "    {}  {}", rule.id, irregularity::law_text(rule.id, names.language()))?;
        }
        let more = cited.len().saturating_sub(RULES_SHOWN) as i64;
        if more > 0 {
            let facts = vec![some(more), some(violation.code.name())];
            writeln!(out, "    {}", names.line("rule_more", facts))?;
        }
    }
    Ok(())
}

/// Writes what the law of a refused ruling allows; nothing for any other action.
pub fn write_allowed(action: &Action, names: &PlayerNames, out: &mut dyn Write) -> Result<()> {
    let Action::Ruling(ruling) = action else { return Ok(()) };
    match irregularity::sanction_of_record(&ruling.rule) {
        Some(sanction) => {
            let facts = vec![some(ruling.rule.clone()), some(sanction.in_words(names.language()))];
            writeln!(out, "{}", names.line("rule_allows", facts))
        }
        None if ruling.rule.starts_with(HOUSE) => writeln!(out, "{}", names.line("rule_of_house", vec![])),
        None => writeln!(out, "{}", names.line("rule_unknown", vec![])),
    }
}

/// Writes the possible steps in notation, as they can be typed.
pub fn write_steps(state: &Table, names: &PlayerNames, out: &mut dyn Write) -> Result<()> {
    let (lines, is_truncated) = steps(state);
    writeln!(out, "{}", names.line("rule_possible", vec![flag(lines.is_empty())]))?;
    for line in lines.iter().take(STEPS_SHOWN) {
        writeln!(out, "  {line}")?;
    }
    let more = lines.len().saturating_sub(STEPS_SHOWN) as i64;
    if more > 0 || is_truncated {
        let facts = vec![flag(is_truncated), some(names.number(more))];
        writeln!(out, "  {}", names.line("rule_steps", facts))?;
    }
    Ok(())
}

/// Returns the possible steps in notation, and whether there are more.
pub fn steps(state: &Table) -> (Vec<String>, bool) {
    let steps = legal::steps(state);
    let line = |action: &Action| action_line(None, action, state.set());
    (steps.actions.iter().filter_map(line).collect(), steps.truncated)
}

/// Writes one line per limit, with its rules. A line with the subject of the line before does not repeat the
/// subject.
pub fn write_bounds(bounds: &[Bound], out: &mut dyn Write) -> Result<()> {
    let mut before = "";
    for Bound { what, text, rules, .. } in bounds {
        let more = if rules.len() > RULES_SHOWN { " ..." } else { "" };
        let cited = list(rules.iter().take(RULES_SHOWN));
        let cited = if cited.is_empty() { String::new() } else { format!("  [{cited}{more}]") };
        writeln!(out, "{:<10} {text}{cited}", if *what == before { "" } else { what })?;
        before = what;
    }
    Ok(())
}

/// Returns the broken rules as JSON; an empty list if nothing was refused.
pub fn violations_value(rejection: Option<&Rejection>, rules: &Rules) -> Value {
    let Some(rejection) = rejection else { return json!([]) };
    let violation = |violation: &Violation| {
        present(json!({
            "code": violation.code.name(),
            "rule_ids": cite_violation(violation, &rules.books()),
            "message": violation.to_string(),
            "facts": facts_value(violation),
            "field": violation.field.path(rejection.action),
            "repair": violation.repair.as_ref().map(ToString::to_string),
        }))
    };
    rejection.violations.iter().map(violation).collect()
}

/// Returns the numbers and cards of a broken rule as JSON.
pub fn facts_value(violation: &Violation) -> Value {
    let facts = violation.facts.iter().map(|(name, fact)| ((*name).to_owned(), fact.to_string().into()));
    Value::Object(facts.collect())
}

/// Returns a limit as JSON.
pub fn bound_value(bound: &Bound) -> Value {
    let requirement = bound.requirement.as_ref();
    present(json!({
        "what": bound.what,
        "text": bound.text,
        "rule_ids": bound.rules,
        "code": requirement.map(|of| of.code.name()),
        "needs": requirement.map(|of| of.needs),
        "has": requirement.map(|of| of.has),
        "missing": requirement.map(Requirement::missing),
    }))
}

/// Returns the possible steps as JSON.
pub fn steps_value(state: &Table) -> Value {
    let (actions, truncated) = steps(state);
    json!({ "actions": actions, "truncated": truncated })
}
