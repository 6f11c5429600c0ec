//! Results for programs: one document on one line, with its format's name in `format`.

use canasta_engine::hex::hex;
use canasta_engine::log::record::Fork;
use canasta_engine::violations::template::Language;
use serde_json::{Map, Value, json};

/// Returns the object without its fields that are null: what does not apply is absent.
pub fn present(mut object: Value) -> Value {
    object.as_object_mut().expect("an object").retain(|_, value| !value.is_null());
    object
}

/// Returns a value unless it says nothing: zero, false, or empty.
pub fn some<T: Default + PartialEq>(value: T) -> Option<T> {
    Some(value).filter(|value| *value != T::default())
}

/// Returns what a function makes of each language besides English, by the tag of the language.
pub fn translations(of: impl Fn(Language) -> Value) -> Value {
    let others = Language::ALL.into_iter().filter(|language| *language != Language::English);
    others.map(|language| (language.tag().to_owned(), of(language))).collect::<Map<_, _>>().into()
}

/// Returns the record that a branch goes on from.
pub fn branch(fork: &Fork) -> Value {
    json!({"game_id": hex(&fork.game_id), "record": fork.n, "head": hex(&fork.head)})
}
