//! Cross-crate tests and all fixtures: see `tests/tests` and `tests/data`.
