//! GameService: one file per method, which decodes, calls the engine and encodes, without rules and locks.
//! `handler` routes requests to them; `proposal` is shared by the methods that apply actions.

pub mod apply_action;
pub mod apply_actions;
pub mod check_action;
pub mod create_game;
pub mod get_catalogue;
pub mod get_rule;
pub mod get_rule_set;
pub mod get_server_info;
pub mod get_view;
mod handler;
pub mod list_legal_actions;
pub mod list_rule_sets;
pub mod observers;
pub mod options;
pub mod page;
pub mod play;
pub mod preview_take_back;
pub mod proposal;
pub mod suggest_action;
mod trail;

pub use handler::GameHandler;
