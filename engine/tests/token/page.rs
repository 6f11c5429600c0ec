//! The example of docs/TOKEN.md.
