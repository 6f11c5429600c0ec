//! Facts by which the reference for the list of steps, in the tests of the project, keeps its search short.

pub use crate::check::duty::yields_top_only;
pub use crate::facts::{entitles, is_barred, may_grow, must_lay, picked_up_count, points};
