//! One file a method: decode, call, encode. No rules, no locks.

pub mod get_rule;
pub mod get_rule_set;
pub mod list_rule_sets;
