//! A judgement in words and as JSON: what explain, what-if and check say of an action.

use crate::text::{self, Names, list, number};
use canasta_engine::action::{Action, As};
use canasta_engine::explain::initial_count;
use canasta_engine::legal::{self, Steps};
use canasta_engine::notation::Proposal;
use canasta_engine::rejection::{Rejection, Violation};
use canasta_engine::rulebook;
use canasta_engine::rules::{PileUnopened, Rules};
use canasta_engine::seat::Seat;
use canasta_engine::state::{Permission, Phase, State};
use canasta_engine::view::view;
use canasta_engine::violations::{Code, cite};
use serde_json::{Value, json};
use std::io::{Result, Write};

/// How many possible steps a text lists; JSON has all that the engine lists.
const STEPS_SHOWN: usize = 12;

/// How many rules of a code are told in full, and named beside a bound.
const RULES_SHOWN: usize = 4;

/// Something that bound whoever acted, with its numbers.
pub struct Bound {
    /// In a word: `pile`, `to open`, `going out`.
    pub what: &'static str,
    pub text: String,
    /// The code that stands for its rules.
    pub code: Option<Code>,
}

/// The rules that a code stands for.
pub fn ids(code: Code, rules: &Rules) -> Vec<&'static str> {
    cite(code, &rules.books()).collect()
}

/// What bound `seat` in this position; `action` is what it proposed. Nothing binds a seat that is not there.
pub fn bounds(state: &State, seat: Seat, action: &Action, names: &Names) -> Vec<Bound> {
    let mut bounds = Vec::new();
    if seat.0 >= state.set().seats {
        return bounds;
    }
    if matches!(state.phase(), Phase::Start | Phase::Taking) {
        bounds.push(pile(state, seat));
    }
    bounds.push(minimum(state, seat, action, names));
    if matches!(state.phase(), Phase::Play | Phase::Start) {
        bounds.push(going_out(state, seat));
    }
    bounds
}

fn pile(state: &State, seat: Seat) -> Bound {
    let causes = state.frozen(state.side_of(seat));
    let names = list(causes.iter().map(|cause| cause.name()));
    let Some(top) = state.pile().last() else {
        return Bound { what: "pile", text: "there is none".into(), code: Some(Code::PileEmpty) };
    };
    let on_top = format!("{top} on top of {}", text::count(state.pile().len() as i64, "card"));
    if causes.is_empty() {
        return Bound { what: "pile", text: format!("{on_top}, not frozen"), code: None };
    }
    let rank = top.rank();
    let held = state.hand(seat).rank_count(rank);
    let held = if rank.is_natural() { format!("; the hand has {held} of this rank") } else { String::new() };
    Bound {
        what: "pile",
        text: format!("{on_top}, frozen ({names}){held}"),
        code: Some(Code::PileFrozenNeedsPair),
    }
}

/// The minimum that applies, and what the action lays towards it.
fn minimum(state: &State, seat: Seat, action: &Action, names: &Names) -> Bound {
    let side = state.side_of(seat);
    let code = Some(Code::InitialBelowMinimum);
    if state.opened(side) {
        let text = format!("{} has melded; no minimum applies", names.side(side));
        return Bound { what: "to open", text, code: None };
    }
    let melds = matches!(action, Action::Meld(_) | Action::TakePile(_));
    let text = match initial_count(state, As::Seat(seat), action).filter(|_| melds) {
        Some(initial) => {
            let (count, required) = (number(initial.count), number(initial.required));
            let rest = initial.required - initial.count;
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
    Bound { what: "to open", text, code }
}

fn going_out(state: &State, seat: Seat) -> Bound {
    let (set, side) = (state.set(), state.side_of(seat));
    let has = state.canastas(side).total;
    let asked = match view(state, As::Table).table.permission {
        Permission::Yes => "; the partner has said yes",
        Permission::No { .. } => "; the partner has said no",
        _ => "",
    };
    let needs = text::count(set.go_out_total, "canasta");
    Bound {
        what: "going out",
        text: format!("needs {needs}, the side has {has}{asked}"),
        code: Some(Code::GoOutNeedsCanastas),
    }
}

/// Every broken rule, with its numbers, what would mend it, and the rules' texts.
pub fn write_rejection(rejection: &Rejection, rules: &Rules, out: &mut dyn Write) -> Result<()> {
    for violation in &rejection.violations {
        let cited = ids(violation.code, rules);
        writeln!(out, "  {violation}")?;
        writeln!(out, "    {} [{}]", violation.code.name(), cited.join(" "))?;
        if let Some(repair) = &violation.repair {
            writeln!(out, "    what would do: {repair}")?;
        }
        for rule in cited.iter().take(RULES_SHOWN).filter_map(|id| rulebook::rule(id)) {
            writeln!(out, "    {}  {}", rule.id, rule.text)?;
        }
        let more = cited.len().saturating_sub(RULES_SHOWN) as i64;
        if more > 0 {
            let code = violation.code.name();
            writeln!(out, "    and {}: canasta-replay explain {code}", text::count(more, "more rule"))?;
        }
    }
    Ok(())
}

/// What was possible, in notation: as it can be typed.
pub fn write_steps(steps: &Steps, state: &State, out: &mut dyn Write) -> Result<()> {
    let lines = notation(steps, state);
    if lines.is_empty() {
        return writeln!(out, "possible here: nothing");
    }
    writeln!(out, "possible here:")?;
    for line in lines.iter().take(STEPS_SHOWN) {
        writeln!(out, "  {line}")?;
    }
    let more = lines.len().saturating_sub(STEPS_SHOWN) as i64;
    if more > 0 || steps.truncated {
        let least = if steps.truncated { "at least " } else { "" };
        writeln!(out, "  and {least}{} more (--format json lists them)", number(more))?;
    }
    Ok(())
}

/// The steps of whoever must act.
pub fn steps(state: &State) -> Steps {
    legal::steps(state)
}

/// Steps as they can be typed.
pub fn notation(steps: &Steps, state: &State) -> Vec<String> {
    let line = |action: &Action| Proposal { actor: None, action: action.clone() }.to_text(state.set());
    steps.actions.iter().filter_map(line).collect()
}

/// A bound as a line, with its rules.
pub fn write_bound(bound: &Bound, rules: &Rules, out: &mut dyn Write) -> Result<()> {
    let cited = bound.code.map_or_else(Vec::new, |code| ids(code, rules));
    let more = if cited.len() > RULES_SHOWN { " ..." } else { "" };
    let cited = list(cited.iter().take(RULES_SHOWN));
    let cited = if cited.is_empty() { String::new() } else { format!("  [{cited}{more}]") };
    writeln!(out, "{:<10} {}{cited}", bound.what, bound.text)
}

/// The parts of a judgement as JSON.
pub fn violation_value(violation: &Violation, rules: &Rules) -> Value {
    let mut value = json!({
        "code": violation.code.name(),
        "rule_ids": ids(violation.code, rules),
        "message": violation.to_string(),
    });
    if let Some(repair) = &violation.repair {
        value["repair"] = repair.to_string().into();
    }
    value
}

/// See [`Bound`].
pub fn bound_value(bound: &Bound, rules: &Rules) -> Value {
    json!({
        "what": bound.what,
        "text": bound.text,
        "rule_ids": bound.code.map_or_else(Vec::new, |code| ids(code, rules)),
    })
}

/// The steps in notation, and whether there are more.
pub fn steps_value(steps: &Steps, state: &State) -> Value {
    json!({ "actions": notation(steps, state), "truncated": steps.truncated })
}
