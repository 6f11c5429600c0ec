//! Game tokens: every state comes back, and nothing else comes out of any bytes.

mod common;
mod games;
mod hostile;
mod house;
mod kept;
mod odd;
mod page;
