//! Facts by which the reference for the list of steps, in the tests of the project, keeps its search short.

pub use crate::check::stock::yields_top_only;
pub use crate::check::take::is_barred;
pub use crate::check::threes::must_lay;
pub use crate::facts::{entitles, may_grow, picked_up_count, points};
