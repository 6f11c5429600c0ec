//! The result for programs: `canasta-stats/1`, described in docs/judge/STATS.md.

use super::balance::BalanceFigure;
use super::chance::Hypergeometric;
use super::sections::group_name;
use super::tally::Sort;
use super::{RuleSetGames, Stats};
use crate::shared::kept_back;
use crate::shared::text::hex;
use serde_json::{Value, json};

/// Maximum number of figures of the balance that are written.
const FIGURES_MAX: usize = 1000;

const FORMAT: &str = "canasta-stats/1";

pub fn value(stats: &Stats) -> Value {
    let left_out = |(path, reason): &(String, String)| json!({ "path": path, "reason": reason });
    json!({
        "format": FORMAT,
        "logs": stats.logs,
        "games": stats.games(),
        "left_out": stats.left_out.values().map(left_out).collect::<Vec<_>>(),
        "more_left_out": stats.more_left_out,
        "rulesets": stats.groups.values().map(group_value).collect::<Vec<_>>(),
    })
}

fn group_value(group: &RuleSetGames) -> Value {
    let mut value = json!({ "id": group.rules.id(), "digest": hex(group.rules.digest()) });
    let mut tally = serde_json::to_value(&group.tally).expect("sums are values");
    tally["fairness"] = fairness(group);
    tally["balance"] = balance(group);
    tally["kept_back"] = json!(kept_back::kept_back(&group.tally.owed));
    let (value_map, tally) = (value.as_object_mut().expect("made above"), tally.as_object_mut());
    value_map.append(tally.expect("a struct"));
    value
}

/// Returns what was dealt beside what is expected: `ways` out of `all` hands, exactly.
fn fairness(group: &RuleSetGames) -> Value {
    group.sorts().map(|(name, law, sort)| sort_value(name, law, sort)).collect()
}

/// Returns the figures by group, the one that is most to look at first, and the scores, which are not judged.
fn balance(group: &RuleSetGames) -> Value {
    let balance = &group.tally.balance;
    let figure = |figure: &BalanceFigure| {
        let mut value = json!({
            "kind": figure.group.kind(),
            "name": group_name(&figure.group, group),
            "sort": figure.measure,
            "deals": figure.deals,
            "expected": figure.expected,
            "deviations": figure.deviations,
            "share": figure.share,
        });
        value[figure.unit] = figure.found.into();
        value
    };
    let judged = |judged: &BalanceFigure| {
        let mut value = figure(judged);
        value["corrected"] = judged.corrected.into();
        value["look"] = judged.is_to_look_at().into();
        value
    };
    let figures = balance.figures();
    json!({
        "figures": figures.len(),
        "groups": figures.iter().take(FIGURES_MAX).map(judged).collect::<Vec<_>>(),
        "scores": balance.scores().iter().take(FIGURES_MAX).map(figure).collect::<Vec<_>>(),
        "players_left_out": balance.is_cut,
    })
}

fn sort_value(name: &str, law: Hypergeometric, sort: &Sort) -> Value {
    let hand = |count: u32| {
        let found = sort.hands.get(count as usize).copied().unwrap_or(0);
        json!({ "cards": count, "hands": found, "ways": law.ways(count).to_string() })
    };
    let mut value = json!({
        "sort": name,
        "pack": law.pack,
        "cards": law.sort,
        "hand": law.hand,
        "all": law.all().to_string(),
        "hands": (0..=law.most()).map(hand).collect::<Vec<_>>(),
        "by_place": sort.by_place,
    });
    if let Some(distance) = law.distance(&sort.hands) {
        value["chi_square_millionths"] = distance.millionths.into();
        value["degrees_of_freedom"] = distance.freedom.into();
        value["tail"] = json!(distance.tail());
    }
    value
}
