//! The completion of a text's records with all fields that follow.

use super::follow::{Follower, Stale};
use super::form::{GameError, RECORDS_MAX};
use super::given::{
    Given, GivenAction, GivenRecord, ScorePlace, Text, TextContext, names_of, reveal_in, takes_up,
};
use super::read::typed_action;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use canasta_log::record::Record;
use canasta_rules::known::holder;
use canasta_rules::notation::span::Span;
use canasta_rules::seat::Seat;

/// Returns all records, complete. `as_recorded`: scores, reasons of ends and winners are taken from the text;
/// otherwise they are compared with those that follow.
pub(super) fn fill(text: &Text, as_recorded: bool) -> Result<Vec<Record>, GameError> {
    let mut filler = Filler::open(text, as_recorded)?;
    for at in 0..text.entries.len() {
        filler.take(at)?;
    }
    filler.end()?;
    Ok(filler.records)
}

/// A log under construction, with the game that is followed beside it.
pub(super) struct Filler<'t> {
    text: &'t Text,
    pub(super) follower: Follower,
    pub(super) records: Vec<Record>,
    as_recorded: bool,
}

impl<'t> Filler<'t> {
    /// Begins with the genesis.
    pub(super) fn open(text: &'t Text, as_recorded: bool) -> Result<Self, GameError> {
        let entries = &text.entries;
        let secret = text.head.secret.or_else(|| {
            entries.iter().find_map(|entry| match entry.given {
                Given::GameEnd { secret, .. } => secret,
                _ => None,
            })
        });
        let genesis = text.head.genesis(secret.as_ref(), &text.digest);
        let restored = entries.iter().filter_map(|entry| entry.given.restores()).collect();
        let error = |reason: String| GameError::of_line(text.head.line, reason);
        let follower = Follower::open(&genesis, secret, restored).map_err(error)?;
        let genesis = Record::Genesis(Box::new(genesis));
        genesis.encode().map_err(|fault| error(format!("{fault}")))?;
        Ok(Self { text, follower, records: alloc::vec![genesis], as_recorded })
    }

    /// Takes the entry of the text with this index, and the records before it that were left out.
    pub(super) fn take(&mut self, at: usize) -> Result<(), GameError> {
        let entries = &self.text.entries;
        let GivenRecord { line, column, given, score_lines } = &entries[at];
        let rest = || entries[at..].iter().map(|entry| &entry.given);
        let error = |reason: String| GameError { line: *line, column: *column, reason };
        entries[at].has_items()?;
        while let Some(due) = self.follower.due().filter(|due| comes_before(due, given, &self.follower)) {
            let context = TextContext { reveal: &|| reveal_in(rest()), ..TextContext::ALONE };
            self.complete(&due, &context).map_err(error)?;
        }
        let context = TextContext {
            reveal: &|| reveal_in(rest().skip(1)),
            later: &|seat| names_of(seat, rest().skip(1)),
            takes_up: takes_up(rest().skip(1)),
        };
        let suited = self.suited(given, at).map_err(error)?;
        let given = suited.as_ref().unwrap_or(given);
        let compared = match self.follower.compared(given) {
            _ if self.as_recorded => given.clone(),
            Ok(compared) => compared,
            Err(Stale { score, reason }) => {
                let score = score.and_then(|score| score_lines.get(score));
                return Err(match score {
                    Some(&ScorePlace { line, .. }) => GameError::of_line(line, reason),
                    None => error(reason),
                });
            }
        };
        self.complete(&compared, &context).map_err(error)?;
        if self.records.len() > RECORDS_MAX {
            return Err(error(format!("expected at most {RECORDS_MAX} records")));
        }
        Ok(())
    }

    /// Returns the record with suits where its text names cards by their rank alone; `None` if it does not.
    fn suited(&self, given: &Given, at: usize) -> Result<Option<Given>, String> {
        let Given::Action(given) = given else { return Ok(None) };
        let Some(typed) = &given.typed else { return Ok(None) };
        let seat = holder(self.follower.actor(given.actor, &given.action)?, &given.action);
        let later =
            |seat: Seat| names_of(seat, self.text.entries[at..].iter().skip(1).map(|entry| &entry.given));
        let suits = self.follower.suits(seat, &typed.body, &later);
        let names = self.text.head.names().with_suits(&suits);
        // What an action brought out has places of its own among the cards.
        let gets = typed.gets.as_deref().map(|gets| Span { at: typed.body.len() + 1, ..Span::of(gets) });
        let read = typed_action(Span::of(&typed.body), gets, names);
        let (action, received) =
            read.map_err(|error| format!("expected {}, found {}", error.expected, error.found))?;
        Ok(Some(Given::Action(Box::new(GivenAction { action, received, typed: None, ..(**given).clone() }))))
    }

    /// Adds the records that are due behind the last entry.
    pub(super) fn end(&mut self) -> Result<(), GameError> {
        let (head, entries) = (&self.text.head, &self.text.entries);
        while let Some(due) = self.follower.due_at_end().filter(|_| !self.text.cut) {
            let error = |reason: String| {
                let (line, column) = entries.last().map_or((head.line, 1), |last| (last.line, last.column));
                GameError { line, column, reason: format!("after this: {reason}") }
            };
            self.complete(&due, &TextContext::ALONE).map_err(error)?;
        }
        Ok(())
    }

    /// Completes a record and adds it.
    ///
    /// # Errors
    /// The missing field that does not follow, and why.
    pub(super) fn complete(&mut self, given: &Given, context: &TextContext<'_>) -> Result<(), String> {
        let done = self.follower.complete(self.records.len() as u64, given, context)?;
        self.records.push(done.record);
        Ok(())
    }
}

/// Whether the record that is due was omitted before this record.
fn comes_before(due: &Given, given: &Given, follower: &Follower) -> bool {
    let official = matches!(given, Given::Action(given) if given.action.is_official());
    match (due, given) {
        (Given::RoundEnd(_), Given::RoundEnd(_))
        | (Given::GameEnd { .. }, Given::GameEnd { .. })
        | (Given::Register(_), Given::Register(_)) => false,
        // If the table writes registers, other records may come before the register.
        (Given::Register(_), Given::Action(_)) if !official => true,
        (Given::Register(_), _) => follower.registers_itself(),
        _ => true,
    }
}
