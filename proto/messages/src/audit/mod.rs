//! The answers of AuditService, which judges whole logs by nothing but their own bytes.
//!
//! `open_audit` watches the records of a log, `query` asks and answers; `record`, `report`, `describe` and `explain` write the
//! answers.

pub mod describe;
pub mod explain;
pub mod open_audit;
pub mod query;
pub mod record;
pub mod report;
