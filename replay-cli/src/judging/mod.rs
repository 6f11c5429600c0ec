//! Answers what a referee asks about one position, one action or one record of a log.

pub(crate) mod as_known;
pub(crate) mod check;
pub(crate) mod conform;
mod disclosure;
pub(crate) mod explain;
pub(crate) mod history;
pub(crate) mod irregular;
pub(crate) mod judge;
pub(crate) mod position;
pub(crate) mod record_context;
pub(crate) mod records;
pub(crate) mod rule;
pub(crate) mod ruling;
pub(crate) mod show;
mod unknown;
pub(crate) mod what_if;
