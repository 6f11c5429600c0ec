//! The tests across crates that need the engine alone, in one program: a mutant that nothing quicker catches is tried on it.

#[path = "../tests/it"]
mod it {
    mod codes;
    mod exhaustive;
    mod foreign;
    mod golden;
    mod initial_batches;
    mod long_lists;
    mod notation;
    mod opens;
    mod options;
    mod pairs;
    mod perft;
    mod repairs;
    mod rule_sets;
    mod rules;
    mod searches;
    mod soundness;
    mod take_back;
    mod transcribed;
    mod variations;
}
