//! Prints all wordings, and samples of messages with the sentences that the engine renders: what the renderers in other
//! languages are compared with (tests/interop/renderers.sh).

use canasta_engine::action::{CardList, MeldId};
use canasta_engine::card::{Card, Rank};
use canasta_engine::seat::{Seat, Side};
use canasta_engine::violations::Fact;
use canasta_engine::violations::template::{Filled, Language};
use canasta_messages::words::catalogue;
use canasta_proto::v1::{FactType, Wording, WordingFact};
use serde_json::{Value, json};

/// Maximum number of samples of a message.
const SAMPLES_MAX: usize = 200;

/// A value as a message has it and as the engine has it; without a fact, it is absent.
type Sample = (Value, Option<Fact>);

fn main() {
    let languages = Language::ALL.map(|language| {
        let wordings = catalogue(language);
        let samples: Vec<Value> = wordings.iter().flat_map(|wording| samples(language, wording)).collect();
        let wordings: Vec<Value> = wordings.iter().map(written).collect();
        json!({ "language": language.tag(), "wordings": wordings, "samples": samples })
    });
    println!("{}", json!(languages));
}

fn written(wording: &Wording) -> Value {
    let fact = |fact: &WordingFact| {
        let kind = fact.r#type().as_str_name();
        json!({ "name": fact.name, "type": kind, "path": fact.path, "optional": fact.optional })
    };
    let facts: Vec<Value> = wording.facts.iter().map(fact).collect();
    let kind = wording.kind().as_str_name();
    json!({ "kind": kind, "name": wording.name, "template": wording.template, "facts": facts })
}

/// Returns a message for each choice of values, or for some choices if there are too many.
fn samples(language: Language, wording: &Wording) -> Vec<Value> {
    let template: &'static str = wording.template.clone().leak();
    let choices: Vec<_> = wording.facts.iter().map(|fact| values(template, fact)).collect();
    let count: usize = choices.iter().map(Vec::len).product();
    let sample = |number: usize| {
        let (mut rest, mut message, mut facts) = (number, json!({}), Vec::new());
        for (fact, values) in wording.facts.iter().zip(&choices) {
            let (value, stated) = &values[rest % values.len()];
            rest /= values.len();
            if fact.path.is_empty() {
                message = value.clone();
            } else if !is_length(fact) {
                put(&mut message, &fact.path, value.clone());
            }
            let name: &'static str = fact.name.clone().leak();
            facts.extend(stated.clone().map(|stated| (name, stated)));
        }
        // The number of cards is that of the list, even if the cards are unknown.
        for fact in wording.facts.iter().filter(|fact| is_length(fact)) {
            let length = message["cards"].as_array().map_or(0, Vec::len) as i64;
            let counted = facts.iter_mut().find(|(name, _)| *name == fact.name);
            counted.expect("a length is always stated").1 = Fact::Int(length);
        }
        let text = Filled { language, template, facts: &facts }.to_string();
        json!({ "kind": wording.kind().as_str_name(), "name": wording.name, "message": message, "text": text })
    };
    (0..count).step_by(count.div_ceil(SAMPLES_MAX)).map(sample).collect()
}

/// Whether a number is the length of a list of cards.
fn is_length(fact: &WordingFact) -> bool {
    fact.r#type() == FactType::Number && fact.path == "cards"
}

/// Puts a value at a path of objects.
fn put(message: &mut Value, path: &str, value: Value) {
    if !value.is_null() {
        *path.split('.').fold(message, |here, step| &mut here[step]) = value;
    }
}

fn values(template: &str, fact: &WordingFact) -> Vec<Sample> {
    let some = |value: Value, fact: Fact| (value, Some(fact));
    let cards =
        |names: &[&str]| some(json!(names), names.iter().map(|name| card(name)).collect::<CardList>().into());
    let seats =
        |seats: &[u8]| some(json!(seats), seats.iter().map(|&seat| Seat(seat)).collect::<Vec<_>>().into());
    let mut values = match fact.r#type() {
        FactType::Number if is_length(fact) => vec![some(Value::Null, Fact::Int(0))],
        FactType::Number => [0, 1, 2, -35].map(|number| some(json!(number), Fact::Int(number))).into(),
        FactType::Card => ["Td", "X"].map(|name| some(json!(name), card(name).into())).into(),
        FactType::Cards => vec![cards(&["Kd"]), cards(&["2c", "X", "Th"])],
        FactType::Rank => vec![some(json!("K"), Rank::King.into())],
        FactType::Seat => [0, 5].map(|seat| some(json!(seat), Seat(seat).into())).into(),
        FactType::Side => vec![some(json!(1), Side(1).into())],
        FactType::Meld => [0, 17].map(|meld| some(json!(meld), MeldId(meld).into())).into(),
        FactType::Word => words(template).map(|word| some(json!(word), Fact::Text(word.into()))).collect(),
        FactType::Words => vec![
            some(json!(["WILD"]), vec!["WILD"].into()),
            some(json!(["WILD", "RED_THREE"]), vec!["WILD", "RED_THREE"].into()),
        ],
        FactType::Seats => vec![seats(&[3]), seats(&[0, 4])],
        FactType::Unspecified => unreachable!("a fact has a type"),
    };
    if fact.optional {
        values.extend(absent(fact.r#type()).into_iter().map(|value| (value, None)));
    }
    values
}

/// Returns the forms of an absent fact: no field, an empty one, unknown cards.
fn absent(kind: FactType) -> Vec<Value> {
    match kind {
        FactType::Card => vec![json!("??"), json!("")],
        FactType::Cards => vec![json!(["??"]), json!(["??", "??"]), json!([])],
        FactType::Word => vec![Value::Null, json!("")],
        _ => vec![Value::Null],
    }
}

fn card(name: &str) -> Card {
    Card::parse(name).expect("a card")
}

/// Returns the words that a template knows, and one that it does not know.
fn words(template: &str) -> impl Iterator<Item = &str> {
    let words = template.split(['{', '}', ' ', ',']).filter(|word| word.len() > 1);
    let is_key =
        |word: &&str| word.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_') || *word == "true";
    words.filter(is_key).take(12).chain(["SOMETHING_ELSE"])
}
