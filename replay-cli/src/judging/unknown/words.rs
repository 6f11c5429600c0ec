//! The answer for a position with unknown cards, in words and as JSON.

use super::{Completion, PartialAnswer, Share};
use crate::judging::ruling::{violations_value, write_rejection};
use crate::shared::text::{PlayerNames, hand, list, number};
use canasta_engine::card::Card;
use canasta_engine::rules::Rules;
use serde_json::{Value, json};
use std::io::{Result, Write};

impl PartialAnswer {
    /// Returns `yes`, `no` or `depends`.
    pub fn word(&self) -> &'static str {
        match (&self.legal, &self.refused) {
            (Some(_), None) => "yes",
            (None, _) => "no",
            (Some(_), Some(_)) => "depends",
        }
    }

    /// Writes the answer for people. `are_hands` says whether the unknown cards are those of one hand alone.
    ///
    /// `names` are those of the actor and of the melds on the table.
    pub fn write(
        &self,
        rules: &Rules,
        names: &PlayerNames,
        are_hands: bool,
        out: &mut dyn Write,
    ) -> Result<()> {
        let all = match self.all {
            true => "whatever the cards are that are not known".into(),
            false => {
                format!("as far as {} deals of the unknown cards show, taken at random", number(self.tried))
            }
        };
        match self.word() {
            "yes" => writeln!(out, "LEGAL, {all}")?,
            "no" => writeln!(out, "NOT LEGAL, {all}")?,
            _ => self.write_depends(are_hands, out)?,
        }
        if let Some(Completion { refused: Some(rejection), cards }) = &self.refused {
            if self.word() == "depends" {
                writeln!(out, "not legal, for example, with {}", example(cards))?;
            }
            write_rejection(rejection, rules, names, out)?;
        }
        Ok(())
    }

    fn write_depends(&self, are_hands: bool, out: &mut dyn Write) -> Result<()> {
        writeln!(out, "DEPENDS")?;
        if !self.needs.is_empty() {
            writeln!(out, "  on {}: the hand must hold it", list(&self.needs))?;
        }
        let held =
            |card: &Card| format!("the unknown cards: legal if and only if the hand holds {card} among them");
        match self.depends.as_ref().filter(|depends| !self.needs.iter().any(|card| held(card) == **depends)) {
            Some(depends) => writeln!(out, "  on {depends}")?,
            None if self.needs.is_empty() => {
                let codes = list(self.because.iter().map(|code| code.name()));
                writeln!(out, "  on several of the unknown cards: with some of them it is refused, {codes}")?;
            }
            None => {}
        }
        writeln!(out, "  {}", self.share_in_words(are_hands))?;
        if let Some(case) = &self.legal {
            writeln!(out, "legal, for example, with {}", example(&case.cards))?;
        }
        Ok(())
    }

    fn share_in_words(&self, are_hands: bool) -> String {
        let what = if are_hands { "possible hands" } else { "possible deals of the unknown cards" };
        match self.share {
            Share::Counted { legal, all } => {
                let part = percent(legal as f64 / all.max(1) as f64);
                format!("legal with {} of {} {what} ({part}), all counted", digits(legal), digits(all))
            }
            Share::Sampled { part, low, high } => {
                let deals = self.deals.map_or_else(|| "very many".into(), digits);
                format!(
                    "legal with about {} of {deals} {what}: estimated from {} of them, the same every time; 95 % \
                     interval {} to {}",
                    percent(part),
                    number(self.tried),
                    percent(low),
                    percent(high)
                )
            }
        }
    }

    /// Adds the answer to a document for programs.
    pub fn fill_value(&self, rules: &Rules, value: &mut Value) {
        value["tried"] = self.tried.into();
        value["all"] = self.all.into();
        if !self.needs.is_empty() {
            value["needs"] = self.needs.iter().map(ToString::to_string).collect();
        }
        if let Some(depends) = self.depends.as_ref().filter(|_| self.word() == "depends") {
            value["depends_on"] = depends.clone().into();
        }
        value["share"] = match self.share {
            Share::Counted { legal, all } => json!({ "legal": digits(legal), "of": digits(all) }),
            Share::Sampled { part, low, high } => {
                json!({ "part": rounded(part), "low": rounded(low), "high": rounded(high) })
            }
        };
        let cards = |case: &Completion| case.cards.iter().map(ToString::to_string).collect::<Value>();
        if let Some(case) = &self.legal {
            value["legal_with"] = cards(case);
        }
        if let Some(case) = &self.refused {
            value["refused_with"] = cards(case);
            value["violations"] = violations_value(case.refused.as_ref(), rules);
        }
    }
}

fn example(cards: &[Card]) -> String {
    if cards.is_empty() { "-".into() } else { hand(&cards.iter().copied().collect()) }
}

fn digits(count: u128) -> String {
    i128::try_from(count).map_or_else(|_| count.to_string(), number)
}

/// Returns a part as a percentage with one decimal place.
fn percent(part: f64) -> String {
    match 100.0 * part {
        small if small > 0.0 && small < 0.05 => "less than 0.1 %".into(),
        percent => format!("{percent:.1} %"),
    }
}

fn rounded(part: f64) -> Value {
    json!((part * 10_000.0).round() / 10_000.0)
}
