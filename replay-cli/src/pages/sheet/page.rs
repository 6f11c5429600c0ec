//! The page of a sheet: the score sheet of a rule set with what decides the score, and a form on which a table writes its game
//! down. What it says about the rules comes from the rule set, in the words of score lines and knobs.

use crate::shared::html::{self, visible};
use crate::shared::text::{hex, join, number_in};
use canasta_engine::notation::Names;
use canasta_engine::notation::rulings::unit_name;
use canasta_engine::rules::{Band, Bands, Knob, RuleSet, Rules, knobs_by_group};
use canasta_engine::scoring::{Item, ItemWorth, may_score, worths};
use canasta_engine::seat::Seat;
use canasta_engine::text::words;
use canasta_engine::violations::template::Language;
use maud::{Markup, html};
use serde_json::Value;

const STYLE: &str = include_str!("../sheet.css");
/// Number of columns of scores across the page.
const COLUMNS: u16 = 12;
/// Number of tables of scores, if the rules do not fix the number of rounds.
const TABLES: u16 = 2;
/// Number of lines for turns.
const TURNS: u32 = 64;
/// The groups of knobs that decide the score of a game.
const GROUPS: [&str; 5] = ["Game", "Initial meld", "Going out", SPECIAL, "Scoring"];
/// The group of knobs that say nothing where there are no special hands.
const SPECIAL: &str = "Special hands";
/// The beginning of the names of knobs that say what held threes cost.
const HELD: &str = "held_";

struct Sheet<'a> {
    set: &'a RuleSet,
    names: Names<'a>,
    language: Language,
}

pub fn page(rules: &Rules, language: Language) -> String {
    let set = rules.set();
    let sheet = Sheet { set, names: Names::of(set), language };
    let title = html! { "Canasta · " (visible(rules.id())) };
    let per_table = (COLUMNS / u16::from(set.unit_count())).max(1);
    let rounds = if set.rounds > 0 { u16::from(set.rounds) } else { per_table * TABLES };
    let first: Vec<u16> = (1..=rounds).step_by(per_table.into()).collect();
    let body = html! {
        h1 { (title) }
        p {
            (sheet.say("rule set", "Regelwerk")) " " code { (hex(&set.digest()[..8])) }
            (sheet.gap("place, date", "Ort, Datum")) (sheet.gap("table", "Tisch"))
        }
        (sheet.players())
        @for from in first { (sheet.scores(from..=rounds.min(from + per_table - 1))) }
        (sheet.rules())
        section class="record" {
            h1 { (title) }
            (sheet.beginning(rules.id()))
            (sheet.turns())
            (sheet.reminder())
        }
    };
    html::page(&title, language, STYLE, Some("sheet"), &body)
}

impl Sheet<'_> {
    fn say(&self, english: &'static str, german: &'static str) -> &'static str {
        match self.language {
            Language::English => english,
            Language::German => german,
        }
    }

    fn number(&self, value: i64) -> String {
        number_in(value, self.language)
    }

    fn gap(&self, english: &'static str, german: &'static str) -> Markup {
        html! { " " (self.say(english, german)) span class="gap" {} }
    }

    fn seats(&self) -> impl Iterator<Item = String> {
        (0..self.set.seats).map(|seat| self.names.seat_name(Seat(seat)))
    }

    fn units(&self) -> impl Iterator<Item = String> {
        (0..self.set.unit_count()).map(|unit| unit_name(unit, self.set, self.names))
    }

    /// Returns the places for the names of the players.
    fn players(&self) -> Markup {
        html! { p { @for seat in self.seats() { (seat) span class="gap" {} } } "\n" }
    }

    /// Returns a table with a row for each line of the score sheet that the rule set may pay.
    fn scores(&self, rounds: core::ops::RangeInclusive<u16>) -> Markup {
        let cells = || rounds.clone().flat_map(|round| self.units().map(move |unit| (round, unit)));
        let items = Item::ALL.into_iter().filter(|item| may_score(self.set, *item));
        html! {
            section class="scores" {
                table {
                    tr {
                        th {} th { (self.say("worth", "Wert")) }
                        @for round in rounds.clone() {
                            th colspan=(self.set.unit_count()) { (self.say("round", "Runde")) " " (round) }
                        }
                    }
                    tr { td {} td {} @for (_, unit) in cells() { td class="unit" { (unit) } } }
                    tr class="minimum" {
                        td { (self.say("minimum", "Mindestwert")) } td {}
                        @for (round, _) in cells() { td class="unit" { (self.minimum_of(round)) } }
                    }
                    @for item in items {
                        tr {
                            td { (self.heading(item)) " " code { (item.name()) } }
                            td class="worth" { (self.worth(item)) }
                            @for _ in cells() { td {} }
                        }
                    }
                    @for sum in [self.say("total", "Summe"), self.say("so far", "bisher")] {
                        tr class="sum" { td { (sum) } td {} @for _ in cells() { td {} } }
                    }
                }
            }
            "\n"
        }
    }

    fn heading(&self, item: Item) -> String {
        words::score_line(item, None, &words::plain(self.language))
    }

    /// Returns the points of what a line counts: `500 · A7 = 2,500`.
    fn worth(&self, item: Item) -> String {
        let in_words = |ItemWorth { of, points }: ItemWorth| {
            let points = self.number(points.into());
            if of.is_empty() { points } else { format!("{of} = {points}") }
        };
        join(worths(self.set, item).into_iter().map(in_words), " · ")
    }

    /// Returns the minimum of the initial meld in a round, if it does not depend on scores.
    fn minimum_of(&self, round: u16) -> String {
        match &self.set.initial_bands {
            Bands::ByRound(_) => self.number(self.set.initial_bands.minimum_for_round(round).into()),
            Bands::ByScore(_) => String::new(),
        }
    }

    /// Returns the knobs that decide the score, as far as they say anything.
    fn rules(&self) -> Markup {
        let decides = |knob: &&Knob| {
            let group = knob.group().of(Language::English);
            let has_any = group != SPECIAL || !self.set.special_hands.is_empty();
            GROUPS.contains(&group) && has_any || knob.name.starts_with(HELD)
        };
        let knobs = knobs_by_group().into_iter().filter(decides);
        let rows = knobs.filter_map(|knob| Some((knob, self.value(knob)?)));
        html! {
            section class="rules" {
                @for (knob, value) in rows {
                    p { (self.clause(knob)) ": " b data-knob=(knob.name) { (value) } }
                }
            }
            "\n"
        }
    }

    /// Returns the meaning of a knob without the range of its numbers.
    fn clause(&self, knob: &Knob) -> &'static str {
        let meaning = knob.meaning().of(self.language);
        meaning.split_once("; ").map_or(meaning, |(clause, _)| clause)
    }

    /// Returns the value of a knob in words; `None` if the rule set has nothing of the kind.
    fn value(&self, knob: &Knob) -> Option<String> {
        if knob.name == "initial_bands" {
            return Some(self.minimums());
        }
        let value: Value = serde_json::from_str(&knob.value(self.set)).expect("the canonical form is JSON");
        let is_empty = match &value {
            Value::Bool(is_so) => !is_so,
            Value::Number(number) => number.as_i64() == Some(0),
            Value::Array(values) => values.is_empty(),
            Value::Object(entries) => entries.is_empty(),
            Value::Null | Value::String(_) => false,
        };
        (!is_empty).then(|| self.in_words(knob, &value))
    }

    fn in_words(&self, knob: &Knob, value: &Value) -> String {
        match value {
            Value::Bool(_) | Value::Null => self.say("yes", "ja").to_owned(),
            Value::Number(number) => self.number(number.as_i64().unwrap_or_default()),
            Value::Array(values) => join(values.iter().map(|value| self.in_words(knob, value)), " · "),
            Value::Object(entries) => {
                let entries =
                    entries.iter().map(|(key, value)| format!("{key} = {}", self.in_words(knob, value)));
                join(entries, " · ")
            }
            Value::String(word) => {
                let quoted = value.to_string();
                let meaning = knob.choices().into_iter().find(|(choice, _)| *choice == quoted);
                let meaning =
                    meaning.and_then(|(_, meaning)| meaning).map(|meaning| meaning.of(self.language));
                meaning.map_or_else(|| word.clone(), |meaning| meaning.trim_end_matches('.').to_owned())
            }
        }
    }

    /// Returns the minimums of the initial meld by score or by round.
    fn minimums(&self) -> String {
        let (round, from, below) =
            (self.say("round", "Runde"), self.say("otherwise", "sonst"), self.say("below", "unter"));
        let in_round =
            |(number, minimum): (u32, &i32)| format!("{round} {number} = {}", self.number((*minimum).into()));
        let of_band = |band: &Band| {
            let minimum = self.number(band.minimum.into());
            let bound = band.below.map(|bound| format!("{below} {}", self.number(bound.into())));
            format!("{} = {minimum}", bound.as_deref().unwrap_or(from))
        };
        match &self.set.initial_bands {
            Bands::ByRound(minimums) => join((1..).zip(minimums).map(in_round), " · "),
            Bands::ByScore(bands) => join(bands.iter().map(of_band), " · "),
        }
    }

    /// Returns the lines before the first turn, as the notation of a game has them.
    fn beginning(&self, id: &str) -> Markup {
        html! {
            section class="head" {
                p { code { "rules " (visible(id)) } "   " code { "cards transcribed" } "   " code { "started" } span class="gap" {} }
                p { code { "seats " } @for seat in self.seats() { (seat) span class="gap" {} } }
                p {
                    code { "round " } span class="gap short" {} code { " dealer " } span class="gap short" {}
                    code { " upcards " } span class="gap short" {}
                }
            }
            "\n"
        }
    }

    fn turns(&self) -> Markup {
        let half = TURNS / 2;
        let done = self.say(
            "what the seat does: draw, take, meld, discard",
            "was der Platz tut: ziehen (draw), nehmen (take), melden (meld), abwerfen (discard)",
        );
        html! {
            section class="turns" {
                @for column in 0..2 {
                    table {
                        tr { th { (self.say("seat", "Platz")) } th { (done) } }
                        @for _ in column * half..(column + 1) * half { tr { td {} td {} } }
                    }
                }
            }
            "\n"
        }
    }

    /// Returns how the lines are written.
    fn reminder(&self) -> Markup {
        html! {
            section class="how" {
                p {
                    (self.say(
                        "Cards: rank A K Q J T 9 … 2 and suit s h d c, joker X; ?? is a card that nobody knows.",
                        "Karten: Rang A K Q J T 9 … 2 und Farbe s (Pik) h (Herz) d (Karo) c (Kreuz), Joker X; ?? ist eine Karte, \
                         die niemand kennt.",
                    )) " "
                    code { "N: draw 6h, meld KsKhKd / QsQh2c, discard 4d" } " · "
                    code { "E: take 7h 7d, discard 9c" } " · " code { "S: ask" } " · " code { "N: answer yes" } " · "
                    code { "W: refused take Kh 2s" } " · " code { "director: note …" } " · " code { "end went_out" }
                }
            }
            "\n"
        }
    }
}
