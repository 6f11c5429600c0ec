//! One program for all tests of the engine from outside: each file beside is about one subject.

mod archive_prior;
mod audit_memory;
mod audit_rules;
mod citations;
mod deal_uniformity;
mod deal_vectors;
mod docs;
mod going_out;
mod irregular;
mod list_alloc;
mod log;
mod log_alloc;
mod log_committed;
mod log_dealers;
mod log_interference;
mod log_play;
mod log_rulings;
mod log_signed;
mod on_table;
mod outcomes;
mod setup_faults;
mod support;
mod token;
