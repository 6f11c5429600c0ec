//! Events, actions and score lines in words: a sentence in each language, as a template over facts (docs/MESSAGES.md).

use canasta_rules::violations::template::Wording;
use canasta_rules::violations::{FactKind, FactRow};

include!(concat!(env!("OUT_DIR"), "/words.rs"));
