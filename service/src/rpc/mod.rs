//! One file a method: decode, call, encode. No rules, no locks. `proposal` is what the three that act share.

pub mod apply_action;
pub mod apply_actions;
pub mod check_action;
pub mod create_game;
pub mod get_rule;
pub mod get_rule_set;
pub mod get_view;
mod handler;
pub mod list_legal_actions;
pub mod list_rule_sets;
pub mod play;
pub mod proposal;
pub mod suggest_action;

pub use handler::GameHandler;
