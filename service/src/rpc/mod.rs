//! One file a method: decode, call, encode. No rules, no locks.

pub mod apply_action;
pub mod check_action;
pub mod create_game;
pub mod get_rule;
pub mod get_rule_set;
pub mod get_view;
pub mod list_legal_actions;
pub mod list_rule_sets;
pub mod suggest_action;
