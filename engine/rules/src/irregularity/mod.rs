//! Irregularities: what goes wrong at a table, and what is ruled.
//!
//! `table.txt` has a block per irregularity: the codes and words by which it is recognized, the questions on which
//! its law depends, and for each law the usual points, the effect and what everybody may do next. Who may rule, the
//! range of the points and the possible effects stand in the table of penalties. The table of irregularities is
//! advice: nothing of it is needed to judge a ruling, because a ruling says its law, points and effect itself.
//!
//! `german.txt` has the same blocks in German, and the laws. `topics.txt` has what is asked or doubted though nobody offended.

pub mod heard;
pub mod search;
mod topic;
mod words;

use crate::action::ActionKind;
use crate::rulebook::penalties::{HOUSE, PENALTIES_VERSION, Penalty, penalty};
use crate::rulebook::rule;
use crate::rules::{Knob, RuleSet};
use crate::violations::template::{Filled, Language, Translated};
use crate::violations::{Code, Fact};
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

pub use topic::{Topic, topics};

const TABLE: &str = include_str!("table.txt");
const GERMAN: &str = include_str!("german.txt");

/// One kind of irregularity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Irregularity {
    /// The name of the block, for example `opened-low`.
    pub id: &'static str,
    /// The event in a few words: no full stop.
    pub name: Translated,
    block: Translated,
}

/// A question on whose answer the law of an irregularity depends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// The key by which an answer names the question.
    pub key: &'static str,
    /// The question, as it is put to the players.
    pub text: Translated,
    /// The answers. The first is taken if none is given.
    pub answers: Vec<QuestionAnswer>,
}

/// A possible answer to a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct QuestionAnswer {
    /// The answer in a word or two. The English word is the one that laws and programs use.
    pub word: Translated,
    /// Words in which the answer is heard.
    hints: Translated,
}

/// A question that has been answered: its key and the answer.
pub type Answered = (&'static str, &'static str);

/// The law that decides an irregularity, with its usual ruling.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Remedy {
    /// The answers that lead to the law; empty if it holds for all others.
    pub answers: Vec<Answered>,
    /// The id of the law, for example `IR-021`.
    pub law: &'static str,
    /// The usual points: within the range of the law.
    pub points: i32,
    /// The usual effect, in notation without what only the table can tell.
    pub effect: &'static str,
    /// A sentence on what the players may do next.
    pub next: Translated,
}

/// A case of the table: words, and the law and the effect that they lead to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IrregularityCase {
    /// The words that describe the case.
    pub words: &'static str,
    /// The law that decides.
    pub law: &'static str,
    /// The effect of the usual ruling.
    pub effect: &'static str,
}

/// The rulings that are possible under a law.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LawSanction {
    /// The law, for example `IR-021`.
    pub law: &'static str,
    /// The possible rulings.
    pub penalty: Penalty,
    /// Whether the table of penalties lacks the law, so that its rulings are recorded as the house's own.
    pub is_house: bool,
}

/// Returns every irregularity, in the order of the table.
pub fn all() -> impl Iterator<Item = Irregularity> {
    let blocks = |table: &'static str| table.split("\n= ").skip(1).map(block);
    blocks(TABLE).zip(blocks(GERMAN)).map(|((id, name, block), (_, german, german_block))| Irregularity {
        id,
        name: Translated::new([name, german]),
        block: Translated::new([block, german_block]),
    })
}

/// Returns the id, the name and the lines of a block.
fn block(block: &'static str) -> (&'static str, &'static str, &'static str) {
    let (head, block) = block.split_once('\n').expect("a block has lines");
    let (id, name) = head.split_once(" | ").expect("a head has an id and a name");
    (id, name, block.split("\n\n").next().unwrap_or(block))
}

/// Returns the text of a rule in a language: of laws on irregularities in each, of other rules in English. Empty if no
/// book has the rule.
pub fn law_text(id: &str, language: Language) -> &'static str {
    text_of(language, "text ", id).or_else(|| Some(rule(id)?.text)).unwrap_or_default()
}

/// Returns an effect or an official in words, with the word of notation: `Strafkarten (penalty_cards)`. In English the
/// word of notation says enough.
pub fn effect_or_official(word: &'static str, language: Language) -> String {
    let text = text_of(language, "word ", word);
    text.map_or_else(|| word.into(), |text| alloc::format!("{text} ({word})"))
}

/// Returns the text of the line that begins with these words, in the table of a language.
fn text_of(language: Language, kind: &str, key: &str) -> Option<&'static str> {
    let table = Translated::new([TABLE, GERMAN]).of(language);
    table.lines().find_map(|line| line.strip_prefix(kind)?.strip_prefix(key)?.strip_prefix(" | "))
}

/// Returns the irregularity with this id.
pub fn irregularity(id: &str) -> Option<Irregularity> {
    all().find(|row| row.id == id)
}

/// Returns the irregularity that an action of this kind shows if it is refused with this code. `None` for the kind
/// stands for all kinds.
pub fn of_code(code: Code, kind: Option<ActionKind>) -> Option<Irregularity> {
    let is_by = |kinds: &str| kind.is_some_and(|kind| kinds.split(' ').any(|name| name == kind.name()));
    let shows = code.entry().shows;
    let shown = shows.iter().find(|(_, kinds)| is_by(kinds));
    let (id, _) = shown.or_else(|| shows.iter().find(|(_, kinds)| kinds.is_empty()))?;
    irregularity(id)
}

/// Returns every irregularity that the code shows, whatever the kind of the action.
pub fn shown_by(code: Code) -> impl Iterator<Item = Irregularity> {
    code.entry().shows.iter().filter_map(|(id, _)| irregularity(id))
}

/// Returns the reason why a code shows no irregularity of a player, or none for every kind of action.
pub fn reason_for_none(code: Code) -> Option<&'static str> {
    let keys = code.entry().shows.iter().filter_map(|(shown, _)| shown.strip_prefix("none "));
    keys.filter_map(|key| text_of(Language::English, "none ", key)).next()
}

/// Returns the rulings that are possible under a law: of the table of penalties, or of the laws that are newer than
/// version [`PENALTIES_VERSION`] of that table.
pub fn sanction(law: &str) -> Option<LawSanction> {
    sanctions().find(|sanction| sanction.law == law)
}

/// Returns the rulings that are possible under a rule as the record of a ruling names it: `IR-021`, `house:IR-080`.
/// `None` for rules that a house has made itself, and for rules under which nothing can be ruled.
pub fn sanction_of_record(rule: &str) -> Option<LawSanction> {
    sanctions().find(|sanction| sanction.recorded() == rule)
}

/// Returns every law under which something may be ruled: the table of penalties, then the newer laws.
pub fn sanctions() -> impl Iterator<Item = LawSanction> {
    let listed = crate::rulebook::penalties::rules()
        .filter_map(|law| penalty(law).map(|penalty| LawSanction { law, penalty, is_house: false }));
    let newer = TABLE.lines().filter_map(|line| line.strip_prefix("new ")).filter_map(|line| {
        let (law, rest) = line.split_once(" | ")?;
        let (points, effects) = rest.split_once(" |")?;
        let penalty = Penalty::of_fields(points, "director jury table", effects.trim())?;
        Some(LawSanction { law, penalty, is_house: true })
    });
    listed.chain(newer)
}

/// Returns a line per irregularity that a code shows, each with its laws and what they allow; the reason if the code
/// shows none.
pub fn lines_of(code: Code) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for row in shown_by(code) {
        let mut laws: Vec<&str> = row.remedies().map(|remedy| remedy.law).collect();
        laws.sort_unstable();
        laws.dedup();
        let law = |law: &&str| sanction(law).map(|sanction| alloc::format!("{law} ({sanction})"));
        let laws: Vec<String> = laws.iter().filter_map(law).collect();
        lines.push(alloc::format!("{}: {}", row.name.of(Language::English), laws.join(" or ")));
    }
    lines.extend(reason_for_none(code).map(|reason| alloc::format!("none: {reason}")));
    lines
}

impl QuestionAnswer {
    /// Returns the word by which laws and programs know the answer.
    pub fn key(&self) -> &'static str {
        self.word.of(Language::English)
    }
}

impl Question {
    /// Returns the answer whose word in some language is so, as laws know it.
    pub fn answer(&self, is: impl Fn(&str) -> bool) -> Option<&'static str> {
        self.answers.iter().find(|answer| answer.word.all().into_iter().any(&is)).map(QuestionAnswer::key)
    }

    /// Returns the answers in a language, with commas between.
    pub fn choice(&self, language: Language) -> String {
        let words: Vec<&str> = self.answers.iter().map(|answer| answer.word.of(language)).collect();
        words.join(", ")
    }
}

impl LawSanction {
    /// Returns the name of the law in the record of a ruling: `IR-021`, or `house:IR-080`.
    pub fn recorded(&self) -> String {
        alloc::format!("{}{}", if self.is_house { HOUSE } else { "" }, self.law)
    }

    /// Returns the range of the points, who may rule and the effects.
    pub fn in_words(&self, language: Language) -> String {
        let words = |words: &mut dyn Iterator<Item = &'static str>| {
            words.map(|word| effect_or_official(word, language)).collect::<Vec<_>>().join(", ")
        };
        let texts = [
            ("by", words(&mut self.penalty.authorities())),
            ("effects", words(&mut self.penalty.effects())),
            ("house", if self.is_house { self.recorded() } else { String::new() }),
        ];
        let texts = texts.into_iter().filter(|(_, text)| !text.is_empty());
        let numbers = [("points", -self.penalty.points.0), ("version", PENALTIES_VERSION.into())];
        let numbers = numbers.into_iter().map(|(name, number)| (name, Fact::Int(number.into())));
        let facts: Vec<_> = texts.map(|(name, text)| (name, Fact::Text(text))).chain(numbers).collect();
        let template = text_of(language, "sanction", "").unwrap_or_default();
        Filled { language, template, facts: &facts }.to_string()
    }
}

impl Irregularity {
    fn lines(&self, word: &'static str) -> impl Iterator<Item = &'static str> + use<> {
        lines_in(self.block.of(Language::English), word)
    }

    /// Returns each line of a kind with its German one.
    fn pairs(&self, word: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> + use<> {
        self.lines(word).zip(lines_in(self.block.of(Language::German), word))
    }

    /// Whether it can happen in a rule set: without feet nobody forgets one.
    pub fn comes_up_in(&self, set: &RuleSet) -> bool {
        comes_up(|| self.block.of(Language::English).lines(), set)
    }

    /// Returns the questions on which the law depends.
    ///
    /// # Panics
    /// If a line of the table cannot be read, which would be our own fault; the tests read every line.
    pub fn questions(&self) -> impl Iterator<Item = Question> + use<> {
        self.pairs("ask").map(|(line, german)| {
            let ((key, text, answers), (_, german, words)) = (ask_fields(line), ask_fields(german));
            let answer = |((word, hints), (german, more))| QuestionAnswer {
                word: Translated::new([word, german]),
                hints: Translated::new([hints, more]),
            };
            Question {
                key,
                text: Translated::new([text, german]),
                answers: answers.zip(words).map(answer).collect(),
            }
        })
    }

    /// Returns the laws that may decide, in the order in which they are tried.
    ///
    /// # Panics
    /// As [`Irregularity::questions`].
    pub fn remedies(&self) -> impl Iterator<Item = Remedy> + use<> {
        self.pairs("law").map(|(line, german)| {
            let mut fields = line.split(" | ");
            let mut next = || fields.next().expect("a law has all its fields");
            // Without answers the prefix has taken the blank that would begin the field.
            let first = next().trim_start_matches("| ");
            let (answers, law) = if first.contains('=') { (first, next()) } else { ("", first) };
            let answers = answers.split(", ").filter_map(|answer| answer.split_once('=')).collect();
            let points = next().parse().expect("points are a number");
            let (_, german) = german.split_once(" | ").expect("a law has its sentence");
            Remedy { answers, law, points, effect: next(), next: Translated::new([next(), german]) }
        })
    }

    /// Returns the cases of which a test asks that their words find the law.
    pub fn cases(&self) -> impl Iterator<Item = IrregularityCase> + use<> {
        self.lines("case").filter_map(|line| {
            let mut fields = line.split(" | ");
            Some(IrregularityCase { words: fields.next()?, law: fields.next()?, effect: fields.next()? })
        })
    }

    /// Returns an answer to each question: the one that is given, else the one that the words give, else the first.
    pub fn answers(&self, given: &[(&str, &str)], said: &str) -> Vec<Answered> {
        let answer = |question: Question| {
            let named = given.iter().find(|(key, _)| *key == question.key).map(|(_, answer)| *answer);
            let found =
                question.answers.iter().map(QuestionAnswer::key).find(|answer| named == Some(*answer));
            let first = question.answers.first().map_or("", QuestionAnswer::key);
            (question.key, found.or_else(|| search::answer_in(&question, said)).unwrap_or(first))
        };
        self.questions().map(answer).collect()
    }

    /// Whether the words answer the question with this key.
    pub fn is_answered_by(&self, said: &str, key: &str) -> bool {
        let mut questions = self.questions().filter(|question| question.key == key);
        questions.any(|question| search::answer_in(&question, said).is_some())
    }

    /// Returns the law that decides with these answers.
    ///
    /// # Panics
    /// If the table has no law without answers, which would be our own fault.
    pub fn remedy(&self, answers: &[Answered]) -> Remedy {
        let holds = |remedy: &Remedy| remedy.answers.iter().all(|needed| answers.contains(needed));
        self.remedies().find(holds).expect("the last law of a block needs no answers")
    }
}

/// Whether a rule set meets the conditions among some lines: everything that begins with `only`, and nothing with `never`.
fn comes_up<I: Iterator<Item = &'static str>>(lines: impl Fn() -> I, set: &RuleSet) -> bool {
    lines().filter_map(|line| line.strip_prefix("only ")).all(|knob| is_so(knob, set))
        && !lines().filter_map(|line| line.strip_prefix("never ")).any(|knob| is_so(knob, set))
}

/// Whether a knob has the value of `KNOB=VALUE`, or with `KNOB` alone any but its default.
fn is_so(condition: &str, set: &RuleSet) -> bool {
    let (knob, value) =
        condition.split_once('=').map_or((condition, None), |(knob, value)| (knob, Some(value)));
    Knob::named(knob).is_some_and(|knob| match value {
        Some(value) => knob.value(set).trim_matches('"') == value,
        None => !knob.is_default(set),
    })
}

/// Returns the lines of a block that begin with a word, without it.
fn lines_in(block: &'static str, word: &'static str) -> impl Iterator<Item = &'static str> + use<> {
    block.lines().filter_map(move |line| line.strip_prefix(word)?.strip_prefix(' '))
}

/// Returns the key of a question, the question, and its answers with the words that give them.
fn ask_fields(
    line: &'static str,
) -> (&'static str, &'static str, impl Iterator<Item = (&'static str, &'static str)>) {
    let mut fields = line.split(" | ");
    let mut next = || fields.next().expect("a question has a key and a text");
    let (key, text) = (next(), next());
    (key, text, fields.map(|field| field.split_once(": ").expect("an answer has its words")))
}

impl fmt::Display for LawSanction {
    /// Writes the range of the points, who may rule and the effects: `0 to 100 points; by director, jury, table;
    /// effects raise_minimum, restore`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_words(Language::English))
    }
}

#[cfg(test)]
mod tests;
