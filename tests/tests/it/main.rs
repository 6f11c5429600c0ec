//! One program for all tests across crates: rows of rules, references, and the house itself.

mod api;
mod bot;
mod codes;
mod exhaustive;
mod foreign;
mod golden;
mod initial_batches;
mod long_lists;
mod notation;
mod opens;
mod options;
mod pages;
mod pairs;
mod perft;
mod repairs;
mod rule_sets;
mod rules;
mod searches;
mod soundness;
mod source;
mod take_back;
mod tidy;
mod transcribed;
mod variations;
mod views;
mod walls;
