//! Publishes the games of a tournament, and proves that none of them was changed or dropped.

pub(crate) mod audit_tournament;
pub(crate) mod compare;
pub(crate) mod fetch;
mod http;
mod looks;
pub(crate) mod prove;
pub(crate) mod publish;
pub(crate) mod verify_proof;
pub(crate) mod witness;
