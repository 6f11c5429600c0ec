//! Input and output, paths, texts and tables: what more than one folder needs, and no command.

pub(crate) mod caret;
pub(crate) mod clock;
pub(crate) mod html;
pub(crate) mod io;
pub(crate) mod json;
pub(crate) mod kept_back;
pub(crate) mod lines;
pub(crate) mod output;
pub(crate) mod paint;
pub(crate) mod parallel;
pub(crate) mod paths;
pub(crate) mod sorted;
pub(crate) mod table;
pub(crate) mod text;
