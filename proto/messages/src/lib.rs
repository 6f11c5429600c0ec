//! The messages of `canasta.v1` without a transport: read from bytes, answered by the engine, written again. The service, the
//! recorder and programs that have no server give the same answers by it.
//!
//! [`convert`] turns messages into engine values and back, [`answers`] answers the methods of GameService on behalf of a
//! [`host::Host`] such as [`local::LocalHost`], [`audit`] those of AuditService, [`words`] has the sentences of messages, [`fault`] the reasons why a request
//! is not answered, [`limits`] the lengths of messages.

pub mod answers;
pub mod audit;
pub mod convert;
pub mod details;
pub mod fault;
pub mod host;
pub mod limits;
pub mod local;
#[cfg(feature = "grpc")]
pub mod status;
mod steps;
pub mod words;
