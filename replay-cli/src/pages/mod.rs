//! Writes pages to read in a browser, links to them, and sheets to print.

pub(crate) mod link;
mod linked_proof;
pub(crate) mod report;
pub(crate) mod sheet;
