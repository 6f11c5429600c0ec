//! The variations that presets offer (model 5.4).
//!
//! A house rule may be any valid rule set; a *switched* preset differs from it only as listed here.

use alloc::vec::Vec;

use super::forbidden::{IDLE, Idle};
use super::table::Knob;
use super::validate::KnobFault;
use super::{MeldsPerRank, PresetId, RuleSet, TakeCanastaRank, TakeLayoff, TakeNaturalWild, WildCapScope};

/// The values that presets offer for one knob besides their own.
#[derive(Debug)]
pub struct Switch {
    /// The presets that offer it.
    pub presets: &'static [&'static str],
    /// The knob.
    pub knob: &'static str,
    /// The values, spelled as in the canonical form, words without quotes. None listed: any value.
    pub values: &'static [&'static str],
}

/// Knobs that are switched together or not at all.
struct Bundle {
    presets: &'static [&'static str],
    knobs: &'static [&'static str],
}

const CLASSIC: &[&str] = &[
    "classic-4p",
    "classic-2p",
    "classic-3p",
    "classic-3p-11",
    "classic-6p-3x2",
    "classic-6p-2x3",
    "miller-6p-2x3",
];
const CLASSIC_3P: &[&str] = &["classic-3p", "classic-3p-11"];
const AMERICAN: &[&str] = &["american-4p", "american-wikipedia-4p"];
const HOYLE: &[&str] = &["hoyle-2p"];
const WAHHI: &[&str] = &["wahhi-4p", "wahhi-2p", "wahhi-3p", "wahhi-5p", "wahhi-6p"];
const WAHHI_PAIRS: &[&str] = &["wahhi-4p", "wahhi-6p"];
const S3: &[&str] = &["s3-4p"];
const GR: &[&str] = &["gr-4p"];
const HAND_AND_FOOT: &[&str] = &["hand-and-foot-4p", "hand-and-foot-6p"];
const SAMBA: &[&str] = &["samba-4p", "bolivia-4p"];
const BOLIVIA: &[&str] = &["bolivia-4p"];
/// Presets with threes by choice, or with a switch to it.
const CHOICE: &[&str] = &[
    "american-4p",
    "american-wikipedia-4p",
    "hoyle-2p",
    "hand-and-foot-4p",
    "hand-and-foot-6p",
    "samba-4p",
    "bolivia-4p",
];
/// Presets where going out is asked for.
const ASKING: &[&str] = &[
    "classic-4p",
    "classic-3p",
    "classic-3p-11",
    "classic-6p-3x2",
    "classic-6p-2x3",
    "miller-6p-2x3",
    "american-4p",
    "american-wikipedia-4p",
    "wahhi-4p",
    "wahhi-6p",
    "s3-4p",
    "gr-4p",
    "hand-and-foot-4p",
    "hand-and-foot-6p",
    "samba-4p",
    "bolivia-4p",
];

const fn switch(
    presets: &'static [&'static str],
    knob: &'static str,
    values: &'static [&'static str],
) -> Switch {
    Switch { presets, knob, values }
}

/// All switches; several lines of one preset and knob add up.
pub const SWITCHES: &[Switch] = &[
    switch(CLASSIC, "take_layoff", &["incomplete"]),
    switch(CLASSIC, "take_natural_wild", &["never"]),
    switch(CLASSIC, "melds_per_rank", &["one_open"]),
    switch(CLASSIC, "wild_cap_scope", &["to_canasta"]),
    switch(CLASSIC, "take_canasta_rank", &["unless_wilds_full", "never"]),
    switch(CLASSIC, "frozen_always", &["true"]),
    switch(CLASSIC, "wild_melds", &["true", "false"]),
    switch(CLASSIC, "wild_lock", &["true", "false"]),
    switch(CLASSIC, "bonus_wild", &["2000"]),
    switch(CLASSIC, "bonus_wild_twos", &[]),
    switch(CLASSIC, "bonus_wild_jokers", &[]),
    switch(CLASSIC, "penalty_incomplete", &["{}", r#"{"W":*}"#]),
    switch(CLASSIC, "one_card_pile", &["forbid", "unless_stock_empty"]),
    switch(CLASSIC, "tie", &["play_on"]),
    switch(CLASSIC_3P, "go_out_total", &["2"]),
    switch(AMERICAN, "go_out_bars", &[r#"["sevens","pure_aces"]"#]),
    switch(AMERICAN, "empty_pile_safe", &["forbid"]),
    switch(AMERICAN, "initial_content", &["none"]),
    switch(AMERICAN, "pile_unopened", &["closed"]),
    switch(AMERICAN, "opp_canasta_rank", &["no_new_meld"]),
    switch(AMERICAN, "pairs_wilds", &["twos_or_jokers", "none"]),
    switch(AMERICAN, "garbage_shape", &["f3333_wild_pair"]),
    switch(AMERICAN, "special_scores", &["[3000,3500,3500,3500]"]),
    switch(AMERICAN, "special_hands", &[]),
    switch(AMERICAN, "threes_keep", &["straight_only", "never"]),
    switch(AMERICAN, "held_threes_as_laid", &["never", "always"]),
    switch(AMERICAN, "discard_wilds", &["all_wild_hand"]),
    switch(AMERICAN, "ask_limit", &["round_side"]),
    switch(AMERICAN, "tie", &["play_on"]),
    switch(AMERICAN, "special_distinct", &["true"]),
    switch(AMERICAN, "stock_marker", &[]),
    switch(AMERICAN, "reveal", &["false"]),
    switch(AMERICAN, "overfill_out", &["true"]),
    switch(AMERICAN, "late_three_replaced", &["false"]),
    switch(AMERICAN, "talon_award", &["manual"]),
    switch(AMERICAN, "talon_with_pile", &["false"]),
    switch(AMERICAN, "talon_expires", &[]),
    switch(AMERICAN, "wild_add_base", &["5"]),
    switch(AMERICAN, "initial_key", &["round"]),
    switch(AMERICAN, "initial_bands", &["[125,155,180]"]),
    switch(AMERICAN, "rounds", &["3"]),
    switch(AMERICAN, "target", &["0"]),
    switch(HOYLE, "go_out_total", &["2"]),
    switch(HOYLE, "no_canasta_score", &["all_negative"]),
    switch(HOYLE, "initial_count", &["without_top"]),
    switch(HOYLE, "initial_bonus", &["true"]),
    switch(HOYLE, "undo_meld", &["false"]),
    switch(HOYLE, "pile_restore", &["false"]),
    switch(HOYLE, "pile_steps", &["one"]),
    switch(HOYLE, "restore_penalty", &[]),
    switch(HOYLE, "meld_check", &["immediate"]),
    switch(HOYLE, "wild_melds", &["false"]),
    switch(HOYLE, "bonus_wild", &[]),
    switch(HOYLE, "pass_discard", &["false"]),
    switch(HOYLE, "one_card_pile", &["allow"]),
    switch(HOYLE, "forced_take", &["own_meld", "off"]),
    switch(HOYLE, "threes_drawn", &["auto"]),
    switch(HOYLE, "discard_threes", &["black"]),
    switch(HOYLE, "discard_freezes", &[r#"["wild"]"#]),
    switch(HOYLE, "start_freezes", &["[]"]),
    switch(HOYLE, "next_dealer", &["loser_leads", "winner_leads", "random"]),
    switch(HOYLE, "first_dealer", &["given"]),
    switch(WAHHI, "cut_bonus", &["0"]),
    switch(WAHHI, "cut_ways", &[r#"["hands"]"#, r#"["hands_plus_one"]"#]),
    switch(WAHHI, "pile_unopened", &["frozen"]),
    switch(WAHHI, "max_wilds", &["0"]),
    switch(WAHHI, "wild_ratio", &["off"]),
    switch(WAHHI, "forced_take", &["own_meld"]),
    switch(WAHHI, "last_three", &["meld_no_discard", "go_on"]),
    switch(WAHHI_PAIRS, "ask", &["off"]),
    switch(&["wahhi-6p"], "ask_whom", &["next", "any"]),
    switch(S3, "take_layoff", &["any"]),
    switch(S3, "start_cover", &[r#"["wild","red_three"]"#]),
    switch(S3, "forced_take", &["own_meld", "off"]),
    switch(
        S3,
        "initial_bands",
        &[
            r#"[{"below":0,"minimum":15},{"below":1500,"minimum":50},{"below":3000,"minimum":90},{"minimum":120}]"#,
        ],
    ),
    switch(S3, "pile_threes_replaced", &["true"]),
    switch(S3, "initial_exempt", &[r#"["concealed_stock"]"#]),
    switch(S3, "bonus_concealed", &["0"]),
    switch(S3, "last_three", &["meld_no_discard", "go_on"]),
    switch(GR, "wild_value", &["substituted"]),
    switch(GR, "start_cover", &[r#"["wild","red_three"]"#, "[]"]),
    switch(GR, "start_freezes", &[r#"["wild","red_three"]"#, "[]"]),
    switch(GR, "frozen_take", &["natural_meld"]),
    switch(GR, "pile_unopened", &["frozen"]),
    switch(GR, "three_sign", &["unmelded_minus", "unmelded_zero"]),
    switch(GR, "three_table", &["[100,200,300,800]"]),
    switch(GR, "bonus_concealed", &["100"]),
    switch(
        GR,
        "initial_bands",
        &[
            r#"[{"below":0,"minimum":0},{"below":1500,"minimum":50},{"below":3000,"minimum":90},{"minimum":120}]"#,
            r#"[{"below":0,"minimum":50},{"below":1500,"minimum":50},{"below":3000,"minimum":90},{"minimum":120}]"#,
        ],
    ),
    switch(GR, "ask", &["advisory", "off"]),
    switch(HAND_AND_FOOT, "side_choice", &["drawn_cards"]),
    switch(HAND_AND_FOOT, "first_dealer", &["high_card_deals"]),
    switch(HAND_AND_FOOT, "cut_bonus", &["0"]),
    switch(HAND_AND_FOOT, "foot_cut_bonus", &["0"]),
    switch(HAND_AND_FOOT, "threes_dealt", &["auto"]),
    switch(HAND_AND_FOOT, "foot_threes", &["choice"]),
    switch(HAND_AND_FOOT, "courtesy", &["on_request", "with_consent"]),
    switch(HAND_AND_FOOT, "ask", &["binding", "off"]),
    // A binding question must be checked (clarification 6).
    switch(HAND_AND_FOOT, "ask_check", &["strict"]),
    switch(HAND_AND_FOOT, "pile_portion", &["0"]),
    switch(HAND_AND_FOOT, "tie", &["play_on"]),
    switch(SAMBA, "start_cover", &[r#"["wild","red_three","black_three"]"#]),
    switch(
        SAMBA,
        "initial_bands",
        &[
            r#"[{"below":0,"minimum":15},{"below":1500,"minimum":50},{"below":3000,"minimum":90},{"below":7000,"minimum":120},{"minimum":160}]"#,
        ],
    ),
    switch(SAMBA, "frozen_always", &["true"]),
    switch(SAMBA, "merge", &["sets_and_sequences"]),
    switch(SAMBA, "threes_drawn", &["choice"]),
    switch(SAMBA, "discard_threes", &["any"]),
    switch(SAMBA, "first_dealer", &["high_card_leads"]),
    switch(BOLIVIA, "wild_lock", &["true"]),
    switch(BOLIVIA, "penalty_incomplete", &[r#"{"W":*}"#]),
    switch(CHOICE, "held_three_red", &["500"]),
    switch(ASKING, "ask", &["required"]),
    switch(ASKING, "ask_check", &["penalty"]),
];

const BUNDLES: &[Bundle] = &[
    Bundle { presets: HOYLE, knobs: &["threes_drawn", "discard_threes"] },
    Bundle { presets: SAMBA, knobs: &["threes_drawn", "discard_threes"] },
    Bundle { presets: AMERICAN, knobs: &["initial_key", "initial_bands", "rounds", "target"] },
];

impl PresetId {
    /// The switches that the preset offers.
    pub fn switches(self) -> impl Iterator<Item = &'static Switch> {
        SWITCHES.iter().filter(move |switch| switch.presets.contains(&self.name()))
    }
}

impl Switch {
    /// Whether it offers the value that `set` has.
    fn offers(&self, knob: &Knob, set: &RuleSet) -> bool {
        let value = knob.value(set);
        let value = value.trim_matches('"');
        self.values.is_empty() || self.values.iter().any(|offered| matches(value, offered))
    }
}

/// Whether `value` is `pattern`, in which `*` stands for any number.
fn matches(value: &str, pattern: &str) -> bool {
    let Some((head, tail)) = pattern.split_once('*') else { return value == pattern };
    let number = value.strip_prefix(head).and_then(|rest| rest.strip_suffix(tail));
    number.is_some_and(|number| number.parse::<u32>().is_ok())
}

impl RuleSet {
    /// Whether the set is `base` with nothing but switches that it offers. Says nothing about
    /// whether the set is valid: see [`RuleSet::validate`].
    ///
    /// # Errors
    /// Every knob with a value that is not offered, then bundles switched in part, then a collision
    /// rule that nothing calls for (CV-005).
    pub fn is_offered_by(&self, base: PresetId) -> Result<(), Vec<KnobFault>> {
        let original = base.rule_set();
        let mut faults = Vec::new();
        for knob in self.differences(&original) {
            let offered = base.switches().any(|switch| switch.knob == knob.name && switch.offers(knob, self));
            if !offered && !is_idle(knob, self) {
                faults.push(KnobFault::NotOffered { knob: knob.name, value: knob.value(self) });
            }
        }
        let changed: Vec<&str> = self.differences(&original).map(|knob| knob.name).collect();
        for bundle in BUNDLES.iter().filter(|bundle| bundle.presets.contains(&base.name())) {
            let switched = bundle.knobs.iter().filter(|name| changed.contains(name)).count();
            if switched > 0 && switched < bundle.knobs.len() {
                let why = "these are switched together";
                faults.push(KnobFault::Forbidden {
                    detail: "BUNDLE_IN_PART",
                    knobs: bundle.knobs.to_vec(),
                    why,
                });
            }
        }
        if CLASSIC.contains(&base.name()) {
            faults.extend(unused_collision(self));
        }
        if faults.is_empty() { Ok(()) } else { Err(faults) }
    }
}

/// Whether the knob holds its default only because other switches take away its effect.
fn is_idle(knob: &Knob, set: &RuleSet) -> bool {
    let idle = |rule: &Idle| (rule.without_effect)(set) && rule.knobs.contains(&knob.name);
    knob.is_default(set) && IDLE.iter().any(idle)
}

/// CV-005: exactly one of the four collision rules, only and always when V1 is on without V2. That
/// one is missing is found by validation.
fn unused_collision(set: &RuleSet) -> Option<KnobFault> {
    let rules = [
        ("melds_per_rank", set.melds_per_rank != MeldsPerRank::One),
        ("wild_cap_scope", set.wild_cap_scope != WildCapScope::Always),
        ("take_canasta_rank", set.take_canasta_rank != TakeCanastaRank::Allow),
    ];
    let mut knobs: Vec<&str> = rules.iter().filter(|(_, set)| *set).map(|(knob, _)| *knob).collect();
    let collision =
        set.take_layoff == TakeLayoff::Incomplete && set.take_natural_wild == TakeNaturalWild::Allow;
    if knobs.len() <= usize::from(collision) {
        return None;
    }
    knobs.extend(["take_layoff", "take_natural_wild"]);
    let why =
        "one of them is chosen, and only where an open pile may not be taken onto a canasta but with a wild";
    Some(KnobFault::Forbidden { detail: "COLLISION_UNUSED", knobs, why })
}

#[cfg(test)]
mod tests;
