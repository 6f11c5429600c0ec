//! `import --fill`: plays the record of another program and writes the log of that game.
//!
//! The log's writer plays, and the result is compared with the record. The wall of a round stands at the end
//! of the round, so lines are read ahead for it.

mod draw;
mod ends;
mod events;
mod reading;
mod wall;

use super::{Log, Reason};
use crate::rulesets::house::RuleSetFile;
use crate::shared::text::join;
use canasta_engine::action::{Action, As, Deal, Group};
use canasta_engine::card::Card;
use canasta_engine::citation::cite_violation;
use canasta_engine::deal::{GameId, WallSalt};
use canasta_engine::dealing::DealSource;
use canasta_engine::dealing::Registration;
use canasta_engine::game::{
    ActError, Acted, CreateError, Game, NewDeal, NewGame, RefuseError, RegisterEntry, RegisterError, Stamp,
};
use canasta_engine::log::Chain;
use canasta_engine::log::record::{Attempt, Genesis, Record, Refusal, Register};
use canasta_engine::rejection::Violation;
use canasta_engine::rules::Rules;
use canasta_engine::seat::{Seat, Side};
use canasta_engine::table::{Phase, Table};
use canasta_engine::text::interchange::{ForeignAction, ForeignLine, Importer, action_of, line_value};
use canasta_engine::violations::Code;
use ends::{Due, compare_game_end, compare_round_end};
use events::{Around, MeldIds};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::sync::Arc;

/// Plays the lines of a foreign record and returns the log.
///
/// # Errors
/// The first line that cannot be parsed, breaks a rule, or differs from what the rules give.
pub(super) fn import(text: &[u8]) -> Result<Log, Reason> {
    let located = |at: usize, FillError { line, reason }: FillError| {
        format!("line {}: {reason}", line.unwrap_or(at) + 1)
    };
    let mut importer = Importer::foreign();
    let (mut lines, mut read) = (Vec::new(), Vec::new());
    for (at, line) in text.strip_suffix(b"\n").unwrap_or(text).split(|&byte| byte == b'\n').enumerate() {
        let line = super::line_text(at as u64 + 1, line)?;
        let found = importer.foreign_line(line).map_err(|error| super::unreadable(&error, line))?;
        lines.push(line_value(line)?);
        if at == 0 && lines[0].pointer("/deal/mode").is_some_and(|mode| mode == "transcribed") {
            return Err(format!("line 1: {TRANSCRIPT}"));
        }
        read.push(found);
    }
    let mut read = read.into_iter().enumerate();
    let (_, first) = read.next().expect("a text has a first line");
    let digest = Sha256::digest(text).into();
    let mut filling = FilledGame::open(first, &lines, digest).map_err(|stop| located(0, stop))?;
    for (at, line) in read {
        filling.take(line, at).map_err(|stop| located(at, stop))?;
    }
    filling.close().map_err(|reason| located(lines.len(), FillError::from(reason)))
}

const TRANSCRIPT: &str = "deal.mode: a transcript has unknown cards, expected a game whose cards are all known; write it in \
                          notation (docs/judge/TRANSCRIPT.md)";

/// The reason why a record cannot be played, and its line.
struct FillError {
    /// Index of the line, from 0; without it, the line that is being read.
    line: Option<usize>,
    reason: String,
}

impl FillError {
    fn at(line: usize, reason: String) -> Self {
        Self { line: Some(line), reason }
    }
}

impl From<String> for FillError {
    fn from(reason: String) -> Self {
        Self { line: None, reason }
    }
}

impl From<&str> for FillError {
    fn from(reason: &str) -> Self {
        Self::from(reason.to_owned())
    }
}

/// Returns the text of a difference between the record and what follows from it.
fn says(place: &str, record: impl Display, rules: impl Display) -> String {
    let short = |value: &dyn Display| super::shorten(value.to_string());
    format!("{place}: the record says {}, the rules give {}", short(&record), short(&rules))
}

/// Checks that a given value, if there is one, equals the value that follows.
fn same<T: PartialEq + Display>(field: &str, given: Option<&T>, follows: &T) -> Result<(), String> {
    match given.filter(|given| *given != follows) {
        None => Ok(()),
        Some(given) => Err(says(field, given, follows)),
    }
}

/// A game that is played as its record says.
struct FilledGame<'t> {
    /// The lines, whose cards can all be read.
    lines: &'t [Value],
    rules: Arc<Rules>,
    state: Game,
    frames: Vec<u8>,
    ids: MeldIds,
    /// The record that must come next.
    due: Option<Due>,
    dealer: Seat,
    /// Number of actions that the record lacks: 1 if the draw for seats was filled in.
    filled: u64,
    /// The positions that rulings of the record restore, by number of the action.
    earlier: BTreeMap<u64, Option<Game>>,
}

impl<'t> FilledGame<'t> {
    fn open(first: ForeignLine, lines: &'t [Value], digest: [u8; 32]) -> Result<Self, FillError> {
        let genesis = match first {
            ForeignLine::Record(record, _) => match *record {
                Record::Genesis(genesis) => genesis,
                _ => return Err("expected the line of a game".into()),
            },
            ForeignLine::Action(_) => return Err("expected the line of a game".into()),
        };
        let rules = rules_of(&genesis)?;
        let ahead = Ahead::of(lines)?;
        let game_id = match lines[0].get("game_id") {
            Some(_) => genesis.game_id,
            // Equal texts give the same game.
            None => *digest.first_chunk().expect("a digest is longer than an id"),
        };
        let dealer = ahead.dealer.filter(|dealer| dealer.0 < rules.set().seats);
        let dealer =
            dealer.ok_or_else(|| FillError::at(ahead.round, "dealer: expected who deals first".into()))?;
        let wall = wall::of_round(lines, ahead.round, &rules, dealer)?;
        let deal = NewDeal::Explicit { salt: salt(&game_id, 1, 1, &wall), wall };
        let created = Game::create(NewGame {
            dealer: Some(dealer).filter(|_| !rules.set().draws_dealer()),
            players: genesis.players,
            registration: Registration::ByTable,
            started_at_ms: genesis.started_at_ms,
            fork_of: genesis.fork_of,
            director: genesis.director,
            penalties: genesis.penalties,
            ..NewGame::new(rules.clone(), GameId(game_id), deal)
        });
        let created = created.map_err(|error| match error {
            CreateError::Rejected(violations) => broken(&violations, &rules),
            error => error.to_string(),
        })?;
        Ok(Self {
            lines,
            rules,
            dealer: created.game.table.dealer(),
            state: created.game,
            frames: created.frames,
            ids: MeldIds::default(),
            due: None,
            filled: 0,
            earlier: ahead.restored.into_iter().map(|seq| (seq, None)).collect(),
        })
    }

    fn take(&mut self, line: ForeignLine, at: usize) -> Result<(), FillError> {
        let due = self.due.take();
        let (record, given) = match line {
            ForeignLine::Record(record, given) => (*record, *given),
            ForeignLine::Action(action) => {
                expect_nothing(due)?;
                return Ok(self.action(*action)?);
            }
        };
        match (record, due) {
            (Record::RoundEnd(end), Some(Due::RoundEnd(ended))) => {
                compare_round_end(&ended, &end, &given)?;
                self.due = ended.result.map(Due::GameEnd);
                Ok(())
            }
            (Record::GameEnd(end), Some(Due::GameEnd(result))) => {
                Ok(compare_game_end(&result, self.state.table.scores(), &end, &given)?)
            }
            (Record::Remark(remark), due) if remark.by.is_some() => {
                self.due = due;
                let frames = self.state.remark(remark).map_err(|error| error.to_string())?;
                self.frames.extend(frames);
                Ok(())
            }
            (Record::Register(register), None) => self.register(&register, at),
            (Record::Refusal(refusal), None) => Ok(self.refusal(&refusal, given.attempt)?),
            (Record::Remark(_), None) => {
                Err("a checkpoint vouches for the log that it stands in, not for a new one: leave it out"
                    .into())
            }
            (_, due @ Some(_)) => Ok(expect_nothing(due)?),
            (Record::RoundEnd(_), None) => {
                Err(says("round_end", "that the round ends here", self.expected()).into())
            }
            (Record::GameEnd(_), None) => {
                Err(says("game_end", "that the game ends here", self.expected()).into())
            }
            (_, None) => Err("expected another kind of line".into()),
        }
    }

    /// Returns which record may come next, in words.
    fn expected(&self) -> String {
        match (self.state.table.phase(), self.state.table.to_act()) {
            (_, Some(seat)) => format!("an action of seat {seat}"),
            (Phase::Setup, None) => "the register of a round".into(),
            (Phase::Deal, None) => "the deal".into(),
            _ => "nothing more".into(),
        }
    }

    fn register(&mut self, register: &Register, at: usize) -> Result<(), FillError> {
        let is_due = |table: &Table| table.phase() == Phase::Setup;
        if is_due(&self.state.table) && self.state.table.round_number() == 0 && register.round == 1 {
            self.draw(register)?;
        }
        let Game { table, dealing, .. } = &self.state;
        let dealer = register.dealer.unwrap_or_else(|| table.dealer());
        let mut wall = None;
        if is_due(table) {
            same("round", Some(&register.round), &table.round_number().into())?;
            if matches!(dealing.source, DealSource::Unknown) {
                let cards = wall::of_round(self.lines, at, &self.rules, dealer)?;
                let salt = salt(&dealing.game_id.0, register.round, register.attempt, &cards);
                wall = Some((cards, salt));
            }
        }
        let entry = RegisterEntry { wall, dealer: register.dealer, ..RegisterEntry::default() };
        let frames = self.state.register(As::Table, entry).map_err(|error| match error {
            RegisterError::Rejected(violations) => self.not_registered(&violations, dealer),
            RegisterError::Field(error) => error.to_string(),
        })?;
        self.frames.extend(frames);
        self.dealer = self.state.table.dealer();
        Ok(())
    }

    fn not_registered(&self, violations: &[Violation], dealer: Seat) -> String {
        let due = violations.iter().find(|violation| violation.code == Code::SetupDealer);
        match due.and_then(|violation| violation.get("dealer")) {
            Some(due) => says("dealer", dealer, format!("{due} ({})", broken(violations, &self.rules))),
            None => broken(violations, &self.rules),
        }
    }

    /// Draws for seats and dealer if the record begins with the first deal.
    fn draw(&mut self, register: &Register) -> Result<(), String> {
        let frames = self.state.register(As::Table, RegisterEntry::default());
        self.frames.extend(frames.map_err(|_| "no draw for seats can be registered")?);
        let dealer = register.dealer.ok_or("dealer: missing")?;
        let draw = draw::of_dealer(&self.state.table, dealer).ok_or_else(|| {
            format!(
                "seat {dealer} cannot deal first with everyone seated as given: expected round 0 with its draw_cards"
            )
        })?;
        self.filled = 1;
        let acted = self.state.act(As::Table, &draw, Stamp::default());
        self.frames.extend(acted.map_err(|error| error.to_string())?.frames);
        Ok(())
    }

    fn action(&mut self, given: ForeignAction) -> Result<(), String> {
        if self.state.table.phase() == Phase::Setup && !is_official(&given.action) {
            return Err(format!("an action stands here, expected {}", self.expected()));
        }
        let seq = self.state.table.step() + 1 - self.filled;
        same("seq", given.seq.as_ref(), &seq)?;
        same("round", given.round.as_ref(), &self.state.table.round_number().into())?;
        let mut fault = None;
        for reading in reading::of(&given, self.side(given.actor), &self.state.table, &self.ids) {
            match self.play(&given, &reading) {
                Ok(()) => return Ok(()),
                // The error is about the record as it was written.
                Err(reason) => fault = fault.or(Some(reason)),
            }
        }
        Err(format!("seq {seq}: {}", fault.unwrap_or_default()))
    }

    fn side(&self, actor: Option<Seat>) -> Option<Side> {
        let seat = actor.filter(|seat| seat.0 < self.state.table.set().seats)?;
        Some(self.state.table.side_of(seat))
    }

    /// Applies the action in this reading, if it is legal and leads to what the record says.
    fn play(&mut self, given: &ForeignAction, reading: &Value) -> Result<(), String> {
        let action = self.plain(action_of(reading)?, given)?;
        let actor = self.actor(given.actor, &action)?;
        let earlier = match &action {
            Action::Ruling(ruling) => ruling.effect.to_seq.and_then(|seq| self.earlier.get(&seq)),
            _ => None,
        };
        let earlier = earlier.and_then(Option::as_ref);
        let (mut after, mut ids) = (self.state.clone(), self.ids.clone());
        let stamp = Stamp { elapsed_ms: given.elapsed_ms, signature: None };
        let acted = after.act_resuming(earlier, actor, &action, stamp).map_err(|error| {
            let reason = match &error {
                ActError::Rejected(rejection) => broken(&rejection.violations, &self.rules),
                ActError::RoundTooLong => error.to_string(),
            };
            format!("{}: {reason}{}", action.kind(), self.hint(&action))
        })?;
        let around = Around { before: &self.state.table, after: &after.table };
        if let Action::Ruling(ruling) = &action {
            same("action.id", Some(&ruling.id), &after.table.rulings().last)?;
        }
        events::compare_dealt(&acted.events, &reading["hands"])?;
        events::compare_received(&acted.events, given.cards.as_deref(), &around)?;
        if let Some(recorded) = &given.events {
            events::compare(&acted.events, recorded, &around, &mut ids)?;
        }
        self.ids = ids;
        self.go_on(after, acted);
        Ok(())
    }

    fn go_on(&mut self, after: Game, acted: Acted) {
        self.due = Due::after(&self.state, &after, &acted, self.dealer);
        self.frames.extend(acted.frames);
        self.state = after;
        if let Some(kept) = self.earlier.get_mut(&self.state.table.step()) {
            *kept = Some(self.state.clone());
        }
    }

    /// Returns the action as an explicit deal has it: the cards come from the wall, no seat contributes, and
    /// nothing is masked.
    fn plain(&self, action: Action, given: &ForeignAction) -> Result<Action, String> {
        Ok(match action {
            Action::Deal(deal) => Action::Deal(Box::new(Deal {
                lifted: deal.lifted,
                foot_lifted: deal.foot_lifted,
                ..Deal::default()
            })),
            Action::DrawCards(picks) if picks.is_empty() => {
                let drawn = given.events.iter().flatten().find_map(|event| event.get("picks"));
                let picks = drawn.ok_or("action.picks: missing, and no event tells who drew which cards")?;
                action_of(&json!({ "type": "draw_cards", "picks": picks }))?
            }
            Action::Ruling(mut ruling) => {
                if ruling.effect.masked {
                    return Err("action.effect.position: missing; a mask opens in its own log only".into());
                }
                // The draw for seats that was filled in is an action too.
                ruling.effect.to_seq = ruling.effect.to_seq.map(|seq| seq.saturating_add(self.filled));
                Action::Ruling(ruling)
            }
            action => action,
        })
    }

    fn actor(&self, seat: Option<Seat>, action: &Action) -> Result<As, String> {
        match seat {
            Some(seat) if seat.0 >= self.state.table.set().seats => {
                Err(format!("seat: expected a seat below {}, found {seat}", self.state.table.set().seats))
            }
            seat => Ok(action.actor(seat)),
        }
    }

    /// Returns a hint if the pending top seems to be named twice.
    fn hint(&self, action: &Action) -> &'static str {
        let top = self.state.table.taken_top().map(|top| top.card);
        let twice = |group: &Group| group.top && top.is_some_and(|top| group.cards.contains(&top));
        match action {
            Action::Meld(groups) if groups.iter().any(twice) => {
                "; with \"top\":true the cards of a group are those from the hand, without the pending top"
            }
            _ => "",
        }
    }

    fn refusal(&mut self, refusal: &Refusal, opened: Option<Action>) -> Result<(), String> {
        let tried = match &refusal.attempt {
            Attempt::Clear(action) => Some(action.clone()),
            Attempt::Masked { .. } => opened,
        };
        let tried = tried.ok_or("action: missing; a mask opens in its own log only")?;
        let actor = self.actor(refusal.actor, &tried)?;
        let Err(rejection) = self.state.check(actor, &tried) else {
            return Err(says("codes", refusal.codes.join(" "), "no rule that it breaks"));
        };
        let codes: Vec<&str> = rejection.codes().iter().map(|code| code.name()).collect();
        if let Some(other) = refusal.codes.iter().find(|code| !codes.contains(&code.as_str())) {
            return Err(says("codes", other, codes.join(" ")));
        }
        let stamp = Stamp { elapsed_ms: refusal.elapsed_ms, signature: None };
        let frames = self.state.refuse(actor, &tried, &rejection, stamp);
        self.frames.extend(frames.map_err(|error| match error {
            RefuseError::Field(error) => error.to_string(),
            RefuseError::RoundTooLong => ActError::RoundTooLong.to_string(),
        })?);
        Ok(())
    }

    /// Returns the log, if no further record must follow.
    fn close(self) -> Result<Log, String> {
        expect_nothing(self.due)?;
        let link = self.state.link;
        Ok(Log { bytes: self.frames, chain: Chain { next: link.n + 1, head: link.head } })
    }
}

/// Refuses a line if another record must come first.
fn expect_nothing(due: Option<Due>) -> Result<(), String> {
    match due {
        None => Ok(()),
        Some(due) => Err(format!("expected {due}")),
    }
}

fn is_official(action: &Value) -> bool {
    matches!(action["type"].as_str(), Some("ruling" | "dispute" | "sign"))
}

fn rules_of(genesis: &Genesis) -> Result<Arc<Rules>, String> {
    let rules = RuleSetFile::of_genesis(genesis).and_then(RuleSetFile::playable);
    let rules = rules.map_err(|error| format!("ruleset: {error}"))?;
    same("ruleset.id", Some(&genesis.rule_set_id.as_str()), &rules.id())?;
    Ok(Arc::new(rules))
}

/// Returns the salt of a wall, which everybody may know: equal records give equal logs.
fn salt(game_id: &[u8; 16], round: u32, attempt: u32, wall: &[Card]) -> WallSalt {
    let cards: Vec<u8> = wall.iter().map(|card| card.kind()).collect();
    let mut hash = Sha256::new_with_prefix(b"canasta-fill/1\0");
    hash.update(game_id);
    hash.update(round.to_be_bytes());
    hash.update(attempt.to_be_bytes());
    hash.update(cards);
    WallSalt(hash.finalize().into())
}

/// Returns the broken rules, each with its code, its place and what was found.
fn broken(violations: &[Violation], rules: &Rules) -> String {
    let said = |violation: &Violation| {
        let ids = cite_violation(violation, &rules.books()).join(" ");
        format!("{} [{ids}] {violation}", violation.code.name())
    };
    join(violations.iter().map(said), "; ")
}

/// The facts about later lines that must be known at the first line.
struct Ahead {
    /// Index of the line of the first deal's register, from 0.
    round: usize,
    dealer: Option<Seat>,
    /// The numbers of the actions to which rulings go back.
    restored: Vec<u64>,
}

impl Ahead {
    fn of(lines: &[Value]) -> Result<Self, FillError> {
        let mut dealer = None;
        let mut first = None;
        for (at, value) in lines.iter().enumerate().skip(1) {
            if value["kind"] != "register" {
                continue;
            }
            let named = value["dealer"].as_u64().and_then(|seat| seat.try_into().ok());
            dealer = dealer.or(named.map(Seat));
            if value["round"].as_u64().is_some_and(|round| round > 0) {
                first = Some(at);
                break;
            }
        }
        let round =
            first.ok_or_else(|| FillError::at(lines.len(), "expected the register of round 1".into()))?;
        let restored = lines.iter().filter_map(|line| line.pointer("/action/effect/to_seq")?.as_u64());
        Ok(Self { round, dealer, restored: restored.collect() })
    }
}
