//! The data of the page: one row per record.
//!
//! Equal rows stand in the page once, in `kinds`; `rows` has the index of the kind of each record. A row is
//! `[what, actor, text, patch, more]`, without empty values at its end:
//!
//! - `what`: a letter for the record, then one letter per effect;
//! - `actor`: a seat, or -1 for the table, -2 for the director, -3 for nobody;
//! - `text`: the number of a text;
//! - `patch`: the changes of the table ([`super::scene`]), or 0 if there are none;
//! - `more`: an object with the keys below.
//!
//! | key | |
//! | --- | --- |
//! | `l` | texts: further events, for everyone |
//! | `j` | texts: further events for a judge, if they say more |
//! | `g` | cards that came to the actor's hand, which the actor and a judge saw |
//! | `p` | text: the action that was tried, for the actor and a judge |
//! | `v` | broken rules: code, text for actor and judge (-1: none), ids of rules |
//! | `w` | a text from outside: a note, a reason |
//! | `e` | time since the last record that has a time, in ms |

use super::game::{ReportedGame, ReportedRecord};
use super::scene::letters;
use super::words::Texts;
use crate::judging::show::happened::{how_it_ended, is_said};
use crate::shared::text::{PlayerNames, list, number};
use canasta_engine::action::{Action, ActionKind, As};
use canasta_engine::citation::cite;
use canasta_engine::event::Event;
use canasta_engine::log::Record;
use canasta_engine::log::record::{ActionRecord, Attempt, Author, Refusal, Remark, RoundEnd};
use canasta_engine::rejection::Rejection;
use canasta_engine::rules::Rules;
use canasta_engine::seat::{Seat, Unit};
use canasta_engine::text::words;
use canasta_engine::view::{EventView, Seen, events};
use canasta_engine::violations::Code;
use canasta_engine::violations::template::Language;
use serde_json::{Map, Value, json};
use std::cmp::Reverse;
use std::collections::BTreeMap;

const TABLE: i8 = -1;
const DIRECTOR: i8 = -2;
const NOBODY: i8 = -3;

/// A row before it is encoded.
#[derive(Default)]
struct PageRow {
    what: String,
    actor: i8,
    text: usize,
    patch: Map<String, Value>,
    more: Map<String, Value>,
}

/// An encoder of rows, one after another.
struct RowWriter<'a> {
    rules: &'a Rules,
    language: Language,
    texts: Texts,
    /// The cleared table with which the next round begins.
    gathered: Map<String, Value>,
    /// Whether the last discard may lie face down: its round is not revealed.
    hides_last_discard: bool,
}

/// Returns all data that the page's script reads.
pub fn write(game: &mut ReportedGame) -> Value {
    let texts = std::mem::take(&mut game.texts);
    let last = game.records.len().saturating_sub(1);
    let open = game.audited.report.open_round.is_some() && game.rules.set().final_face_down;
    let (rules, language) = (&game.rules, game.language);
    let mut writer = RowWriter { rules, language, texts, gathered: Map::new(), hides_last_discard: false };
    let mut rows: Vec<Value> = Vec::with_capacity(game.records.len());
    for (n, told) in game.records.iter().enumerate() {
        writer.hides_last_discard = open && n == last;
        rows.push(writer.row(told).value());
    }
    let (kinds, rows) = fold(&rows);
    let set = game.rules.set();
    let players: Vec<&str> = game.genesis.players.iter().map(|player| player.name.as_str()).collect();
    json!({
        "seats": set.seats,
        "players": players,
        "units": units(game),
        "look": look(set.pile_look),
        "over": game.is_over(),
        "texts": writer.texts.all(),
        "kinds": kinds,
        "rows": rows,
    })
}

/// Returns every distinct row, the most frequent first, and for each row the index of its kind.
fn fold(rows: &[Value]) -> (Vec<&Value>, Vec<usize>) {
    let texts: Vec<String> = rows.iter().map(Value::to_string).collect();
    let mut counts: BTreeMap<&str, (Reverse<usize>, usize)> = BTreeMap::new();
    for (n, text) in texts.iter().enumerate() {
        counts.entry(text).or_insert((Reverse(0), n)).0.0 += 1;
    }
    let mut kinds: Vec<(Reverse<usize>, usize)> = counts.values().copied().collect();
    kinds.sort();
    let numbers: BTreeMap<&str, usize> =
        kinds.iter().enumerate().map(|(kind, &(_, first))| (texts[first].as_str(), kind)).collect();
    let folded = texts.iter().map(|text| numbers[text.as_str()]).collect();
    (kinds.iter().map(|&(_, first)| &rows[first]).collect(), folded)
}

/// Returns whether each seat scores for itself.
fn units(game: &ReportedGame) -> bool {
    game.rules.set().score_unit == canasta_engine::rules::ScoreUnit::Seat
}

/// Returns how many cards under the top of the pile everyone may look at.
fn look(look: canasta_engine::rules::PileLook) -> u16 {
    use canasta_engine::rules::PileLook;
    match look {
        PileLook::None => 0,
        PileLook::Three => 3,
        PileLook::All => u16::MAX,
    }
}

impl PageRow {
    fn value(self) -> Value {
        let mut row = vec![json!(self.what), json!(self.actor), json!(self.text)];
        if !self.patch.is_empty() {
            row.push(self.patch.into());
        } else if !self.more.is_empty() {
            row.push(0.into());
        }
        if !self.more.is_empty() {
            row.push(self.more.into());
        }
        row.into()
    }

    fn put(&mut self, key: &str, value: impl Into<Value>) {
        self.more.insert(key.to_owned(), value.into());
    }
}

impl RowWriter<'_> {
    fn row(&mut self, told: &ReportedRecord) -> PageRow {
        let mut row = match told.record() {
            Record::Genesis(_) => self.plain("g", NOBODY, "the game begins"),
            Record::Register(register) => {
                let text =
                    words::registered(register, &told.names(self.rules.set(), self.language).speaker());
                self.plain("r", NOBODY, &text)
            }
            Record::Action(record) => self.action(record, told),
            Record::Refusal(refusal) => self.refusal(refusal, told),
            Record::RoundEnd(end) => self.round_end(end, told),
            Record::GameEnd(end) => {
                let names = told.names(self.rules.set(), self.language);
                let winner = end.winner.map(|unit| names.unit(Unit(unit)));
                self.plain("e", NOBODY, &words::game_over(winner, &names.speaker()))
            }
            Record::Remark(Remark { by: Some(by), text, .. }) => {
                let by = match by {
                    Author::Seat(seat) => seat.0 as i8,
                    Author::Table => TABLE,
                    Author::Director => DIRECTOR,
                };
                let mut row = self.plain("n", by, "notes");
                row.put("w", text.as_str());
                row
            }
            record if record.checkpoint().is_some() => {
                self.plain("k", NOBODY, "a signed checkpoint over the record before")
            }
            record => self.plain("k", NOBODY, record.name()),
        };
        row.patch = told.scene.patch.clone();
        if matches!(told.record(), Record::Register(_)) || !row.patch.is_empty() {
            let mut patch = std::mem::take(&mut self.gathered);
            patch.append(&mut row.patch);
            row.patch = patch;
        }
        if let Some(gathered) = &told.scene.gathered {
            self.gathered = gathered.clone();
        }
        if let Some(ms) = told.record().elapsed_ms() {
            row.put("e", ms);
        }
        row
    }

    fn plain(&mut self, what: &str, actor: i8, text: &str) -> PageRow {
        PageRow { what: what.to_owned(), actor, text: self.texts.number(text), ..PageRow::default() }
    }

    fn action(&mut self, record: &ActionRecord, told: &ReportedRecord) -> PageRow {
        let seen = events(told.events(), As::Table);
        let names = told.names(self.rules.set(), self.language).of_events(record.actor, &seen);
        let face_down = self.hides_last_discard && matches!(record.action, Action::Discard(_))
            || seen.iter().any(|event| matches!(event, EventView::Discarded { card: None, .. }));
        let text = if face_down {
            names.hidden(ActionKind::Discard)
        } else {
            without_reason(&record.action, &names)
        };
        let actor = match (&record.action, record.actor) {
            (Action::Ruling(_), _) => NOBODY,
            (_, Some(seat)) => seat.0 as i8,
            (Action::Dispute { .. } | Action::Sign { .. }, None) => DIRECTOR,
            (_, None) => TABLE,
        };
        let state = match (told.outcome.rejection(), told.is_executed()) {
            (Some(_), _) => "i",
            (None, true) => "a",
            (None, false) => "u",
        };
        let mut row = self.plain(&format!("{state}{}", marks(&record.action, told.events())), actor, &text);
        if let Action::Ruling(ruling) = &record.action
            && !ruling.reason.is_empty()
        {
            row.put("w", ruling.reason.as_str());
        }
        if let Action::Dispute { open: true, reason } = &record.action {
            row.put("w", reason.as_str());
        }
        if let Some(rejection) = told.outcome.rejection() {
            let violations = self.violations(rejection, &names);
            row.put("v", violations);
        }
        let public = self.lines(&record.action, &seen, &names);
        let judge = self.lines(&record.action, &events(told.events(), As::Judge), &names);
        if judge != public {
            row.put("j", judge);
        }
        if !public.is_empty() {
            row.put("l", public);
        }
        let gained = record.actor.map_or_else(String::new, |seat| gained(told.events(), seat));
        if !gained.is_empty() {
            row.put("g", gained);
        }
        row
    }

    /// Returns the texts of what happened besides the action itself, and besides what the table shows anyway.
    fn lines(&mut self, action: &Action, seen: &[EventView], names: &PlayerNames) -> Vec<usize> {
        let is_shown = |event: &EventView| {
            matches!(
                event,
                EventView::Drew { .. }
                    | EventView::Dealt { .. }
                    | EventView::Melded { .. }
                    | EventView::TookTalon { .. }
                    | EventView::Replaced { card: Some(_), .. }
            ) || matches!(event, EventView::TookPile { cards: Seen::Cards(cards), .. } if !cards.is_empty())
        };
        let told = seen.iter().filter(|event| !is_shown(event) && !is_said(action, event));
        told.map(|event| self.texts.number(&names.event(event))).collect()
    }

    fn refusal(&mut self, refusal: &Refusal, told: &ReportedRecord) -> PageRow {
        let names = told.names(self.rules.set(), self.language).of_events(refusal.actor, &[]);
        let actor = refusal.actor.map_or(TABLE, |seat| seat.0 as i8);
        let tried = |known| format!("tried: {}", names.attempt(&refusal.attempt, known));
        let mut row = self.plain("x", actor, &tried(None));
        if let (Attempt::Masked { .. }, Some((action, _))) = (&refusal.attempt, &told.outcome.refused) {
            let number = self.texts.number(&tried(Some(action)));
            row.put("p", number);
        }
        let violations = match told.outcome.rejection() {
            Some(rejection) => self.violations(rejection, &names),
            None => refusal.codes.iter().map(|code| json!([code, -1, self.cited(code)])).collect(),
        };
        row.put("v", violations);
        row
    }

    fn violations(&mut self, rejection: &Rejection, names: &PlayerNames) -> Vec<Value> {
        let violation = |violation: &canasta_engine::rejection::Violation| {
            let name = violation.code.name();
            json!([name, self.texts.number(&names.violation(violation)), self.cited(name)])
        };
        rejection.violations.iter().map(violation).collect()
    }

    fn cited(&self, code: &str) -> String {
        cited(code, self.rules)
    }

    fn round_end(&mut self, end: &RoundEnd, told: &ReportedRecord) -> PageRow {
        let names = told.names(self.rules.set(), self.language);
        let text = how_it_ended(end, &told.outcome, &names);
        let mut row = self.plain(if told.is_executed() { "b" } else { "bu" }, NOBODY, &text);
        let totals: Vec<usize> = end
            .scores
            .iter()
            .map(|score| {
                let points = score.total();
                let line = format!("{} scores {}", names.unit(Unit(score.unit)), number(points));
                self.texts.number(&line)
            })
            .collect();
        if !totals.is_empty() {
            row.put("l", totals);
        }
        row
    }
}

/// Returns an action in words. The reason of a dispute comes from outside, and is kept apart.
pub fn without_reason(action: &Action, names: &PlayerNames) -> String {
    match action {
        Action::Dispute { open, .. } => names.action(&Action::Dispute { open: *open, reason: String::new() }),
        action => names.action(action),
    }
}

/// Returns the ids of the rules that a code stands for under a rule set, separated by blanks.
pub fn cited(code: &str, rules: &Rules) -> String {
    Code::from_name(code).map_or_else(String::new, |code| list(cite(code, &rules.books())))
}

/// Returns one letter per effect of an action, for the timeline and the search.
fn marks(action: &Action, events: &[Event]) -> String {
    let mut marks = String::new();
    let mut mark = |letter: char, on: bool| {
        if on {
            marks.push(letter);
        }
    };
    let any = |is: fn(&Event) -> bool| events.iter().any(is);
    mark('p', matches!(action, Action::TakePile(_) | Action::TakeTop));
    mark('m', matches!(action, Action::Meld(_)));
    mark('R', matches!(action, Action::Ruling(_) | Action::Dispute { .. }));
    mark('c', any(|event| matches!(event, Event::Canasta { .. })));
    mark('f', any(|event| matches!(event, Event::Froze { .. })));
    mark('o', any(|event| matches!(event, Event::WentOut { .. })));
    marks
}

/// Returns the cards that came to a hand unseen by others.
fn gained(events: &[Event], of: Seat) -> String {
    let mut cards = String::new();
    for event in events {
        match event {
            Event::Drew { seat, cards: drawn } | Event::TookTalon { seat, cards: drawn } if *seat == of => {
                cards += &letters(drawn.iter().copied());
            }
            Event::Replaced { seat, card } if *seat == of => cards += &letters(std::iter::once(*card)),
            _ => {}
        }
    }
    cards
}
