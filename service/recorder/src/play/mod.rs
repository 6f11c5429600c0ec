//! Play: the judgement of proposals and the entries that record them (`judge`, with the `gate` of the clock before it and
//! `checkpoint`, which says when logs are signed), requests that are recorded already (`repeat`), the present deal, offers
//! (`offer`), and the recorder's own actions in a game: its duties (`duty`), done one by one (`work`).

mod checkpoint;
mod duty;
mod gate;
pub mod judge;
pub mod offer;
pub mod present_deal;
pub mod repeat;
pub mod work;

pub use duty::{Duty, NextDuty, next, ruling};
