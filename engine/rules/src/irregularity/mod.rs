//! Irregularities: what goes wrong at a table, and what is ruled.
//!
//! `table.txt` has a block per irregularity: the codes and words by which it is recognized, the questions on which
//! its law depends, and for each law the usual points, the effect and what everybody may do next. Who may rule, the
//! range of the points and the possible effects stand in the table of penalties. The table of irregularities is
//! advice: nothing of it is needed to judge a ruling, because a ruling says its law, points and effect itself.

pub mod heard;
pub mod search;
mod words;

use crate::action::ActionKind;
use crate::rulebook::penalties::{HOUSE, PENALTIES_VERSION, Penalty, penalty};
use crate::rules::{Knob, RuleSet};
use crate::violations::Code;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

const TABLE: &str = include_str!("table.txt");

/// One kind of irregularity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Irregularity {
    /// The name of the block, for example `opened-low`.
    pub id: &'static str,
    /// The event in a few words: lower case, no full stop.
    pub name: &'static str,
    block: &'static str,
}

/// A question on whose answer the law of an irregularity depends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Question {
    /// The key by which an answer names the question.
    pub key: &'static str,
    /// The question, as it is put to the players.
    pub text: &'static str,
    /// The answers, each with the words that give it. The first is taken if none is given.
    pub answers: Vec<(&'static str, &'static str)>,
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
    pub next: &'static str,
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
    TABLE.split("\n= ").skip(1).map(|block| {
        let (head, block) = block.split_once('\n').expect("a block has lines");
        let (id, name) = head.split_once(" | ").expect("a head has an id and a name");
        Irregularity { id, name, block: block.split("\n\n").next().unwrap_or(block) }
    })
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
    let reason = |key: &str| {
        TABLE.lines().find_map(|line| line.strip_prefix("none ")?.strip_prefix(key)?.strip_prefix(" | "))
    };
    keys.filter_map(reason).next()
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
        lines.push(alloc::format!("{}: {}", row.name, laws.join(" or ")));
    }
    lines.extend(reason_for_none(code).map(|reason| alloc::format!("none: {reason}")));
    lines
}

impl LawSanction {
    /// Returns the name of the law in the record of a ruling: `IR-021`, or `house:IR-080`.
    pub fn recorded(&self) -> String {
        alloc::format!("{}{}", if self.is_house { HOUSE } else { "" }, self.law)
    }
}

impl Irregularity {
    fn lines(&self, word: &'static str) -> impl Iterator<Item = &'static str> + use<> {
        self.block.lines().filter_map(move |line| line.strip_prefix(word)?.strip_prefix(' '))
    }

    /// Whether it can happen in a rule set: without feet nobody forgets one.
    pub fn happens_in(&self, set: &RuleSet) -> bool {
        let knobs = self.lines("only").filter_map(Knob::named);
        knobs.into_iter().all(|knob| !knob.is_default(set))
    }

    /// Returns the questions on which the law depends.
    ///
    /// # Panics
    /// If a line of the table cannot be read, which would be our own fault; the tests read every line.
    pub fn questions(&self) -> impl Iterator<Item = Question> + use<> {
        self.lines("ask").map(|line| {
            let mut fields = line.split(" | ");
            let mut next = || fields.next().expect("a question has a key and a text");
            let (key, text) = (next(), next());
            let answers = fields.map(|field| field.split_once(": ").expect("an answer has its words"));
            Question { key, text, answers: answers.collect() }
        })
    }

    /// Returns the laws that may decide, in the order in which they are tried.
    ///
    /// # Panics
    /// As [`Irregularity::questions`].
    pub fn remedies(&self) -> impl Iterator<Item = Remedy> + use<> {
        self.lines("law").map(|line| {
            let mut fields = line.split(" | ");
            let mut next = || fields.next().expect("a law has all its fields");
            // Without answers the prefix has taken the blank that would begin the field.
            let first = next().trim_start_matches("| ");
            let (answers, law) = if first.contains('=') { (first, next()) } else { ("", first) };
            let answers = answers.split(", ").filter_map(|answer| answer.split_once('=')).collect();
            let points = next().parse().expect("points are a number");
            Remedy { answers, law, points, effect: next(), next: next() }
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
            let is_named = |(answer, _): &&Answered| named == Some(*answer);
            let first = question.answers.first().map_or("", |(answer, _)| *answer);
            let found = question.answers.iter().find(is_named).map(|(answer, _)| *answer);
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

impl fmt::Display for LawSanction {
    /// Writes the range of the points, who may rule and the effects: `0 to 100 points; director, jury or table;
    /// effects raise_minimum, restore`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.penalty.points {
            (0, 0) => f.write_str("no points")?,
            (low, _) => write!(f, "0 to {} points", -low)?,
        }
        for (place, word) in self.penalty.authorities().enumerate() {
            f.write_str(if place == 0 { "; by " } else { ", " })?;
            f.write_str(word)?;
        }
        for (place, word) in self.penalty.effects().enumerate() {
            f.write_str(if place == 0 { "; effects " } else { ", " })?;
            f.write_str(word)?;
        }
        if self.is_house {
            write!(
                f,
                "; recorded as {}, which version {PENALTIES_VERSION} of the table lacks",
                self.recorded()
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
