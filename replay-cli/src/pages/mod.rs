//! Writes pages to read in a browser, links to them, and sheets to print.

pub(crate) mod link;
pub(crate) mod report;
pub(crate) mod sheet;
