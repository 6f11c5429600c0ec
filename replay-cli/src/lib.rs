//! What `canasta-replay` does, as a library.

pub mod interchange;
