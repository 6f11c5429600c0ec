//! Writes pages to read in a browser and sheets to print.

pub(crate) mod report;
pub(crate) mod sheet;
