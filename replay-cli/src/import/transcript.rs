//! `import --transcript`: the log of a game that was written down by hand.

use super::{Fault, LINE_MAX};
use crate::interchange::{
    REGISTRATION, TranscriptHead, TranscriptLine, TranscriptReader, keeps_scores_by_seat,
};
use canasta_engine::action::{Action, As};
use canasta_engine::card::Card;
use canasta_engine::deal::GameId;
use canasta_engine::log::known::from_hand;
use canasta_engine::log::record::Score;
use canasta_engine::log::writer::{CreateError, NewDeal, NewGame, Stamp, Transcript};
use canasta_engine::rules::{PresetId, RuleSet, Rules};
use canasta_engine::state::Phase;
use sha2::{Digest, Sha256};
use std::io::{BufRead, Read};
use std::sync::Arc;

/// The most bytes of a transcript: a game of many rounds has less than one of them.
const TEXT_MAX: u64 = 64 << 20;

/// Reads the text and gives the log.
pub(super) fn import(text: impl BufRead) -> std::io::Result<Result<Vec<u8>, Fault>> {
    let mut whole = String::new();
    text.take(TEXT_MAX + 1).read_to_string(&mut whole)?;
    if whole.len() as u64 > TEXT_MAX {
        return Ok(Err(format!("expected at most {TEXT_MAX} bytes")));
    }
    Ok(write(&whole))
}

fn write(text: &str) -> Result<Vec<u8>, Fault> {
    let mut reader = TranscriptReader::default();
    let mut lines = text.lines();
    let first = lines.next().ok_or("expected the line of a game, found nothing")?;
    let head = reader.head(first).map_err(|error| error.to_string())?;
    let rules = rules(&head).map_err(|error| format!("line 1: ruleset: {error}"))?;
    reader.keep_scores_by_seat(keeps_scores_by_seat(rules.canonical()));
    let mut read: Vec<(u64, TranscriptLine)> = Vec::new();
    for (number, line) in (2..).zip(lines) {
        if line.len() as u64 > LINE_MAX {
            return Err(format!("line {number}: longer than {LINE_MAX} bytes"));
        }
        read.push((number, reader.line(line).map_err(|error| error.to_string())?));
    }
    Writer::begin(head, Arc::new(rules), &read, text)?.write(&read)
}

fn rules(head: &TranscriptHead) -> Result<Rules, String> {
    let Some((base, knobs)) = &head.house else {
        return Rules::preset(&head.rule_set).ok_or_else(|| format!("unknown preset {:?}", head.rule_set));
    };
    let base = PresetId::from_name(base).ok_or_else(|| format!("unknown preset {base:?}"))?;
    let set = RuleSet::from_canonical(knobs).map_err(|error| error.to_string())?;
    let name = head.rule_set.split_once('+').map(|(_, name)| name);
    let rules = Rules::house(base, set, name).map_err(|error| error.to_string())?;
    if rules.id() != head.rule_set {
        return Err(format!("these knobs are {:?}, found id {:?}", rules.id(), head.rule_set));
    }
    Ok(rules)
}

struct Writer {
    transcript: Transcript,
    log: Vec<u8>,
}

impl Writer {
    fn begin(
        head: TranscriptHead,
        rules: Arc<Rules>,
        lines: &[(u64, TranscriptLine)],
        text: &str,
    ) -> Result<Self, Fault> {
        let first = lines.iter().find_map(|(_, line)| match line {
            TranscriptLine::Register(dealer) => Some(*dealer),
            _ => None,
        });
        // Equal texts are the same game.
        let digest = Sha256::new().chain_update("canasta-transcript/1/id\0").chain_update(text).finalize();
        let id = head.game_id.unwrap_or_else(|| std::array::from_fn(|at| digest[at]));
        let new = NewGame {
            game_id: GameId(id),
            deal: NewDeal::Transcribed,
            dealer: first.flatten().filter(|_| !rules.set().draws_dealer()),
            rules,
            players: head.players,
            registration: REGISTRATION,
            started_at_ms: head.started_at_ms,
            expires_at: None,
            fork_of: None,
        };
        let (transcript, log) = Transcript::create(new).map_err(|error| match error {
            CreateError::Field(error) => format!("line 1: {error}"),
            CreateError::Rejected(violations) => {
                let reasons: Vec<String> =
                    violations.iter().map(|v| format!("{} ({v})", v.code.name())).collect();
                format!("line 1: {}; the first register says who deals", reasons.join("; "))
            }
        })?;
        Ok(Self { transcript, log })
    }

    fn write(mut self, lines: &[(u64, TranscriptLine)]) -> Result<Vec<u8>, Fault> {
        for (at, (number, line)) in lines.iter().enumerate() {
            let fault = |error: &dyn std::fmt::Display| format!("line {number}: {error}");
            match line {
                TranscriptLine::Register(dealer) => {
                    self.end_round(None).map_err(|error| fault(&error))?;
                    let frames = self.transcript.register(*dealer).map_err(|error| fault(&error))?;
                    self.log.extend(frames);
                }
                TranscriptLine::Action { actor, action, received, elapsed_ms, digest } => {
                    let actor = actor.map_or_else(|| official(action), As::Seat);
                    let later = later(&lines[at + 1..], actor);
                    let stamp = Stamp { elapsed_ms: *elapsed_ms, signature: None };
                    let received = received.clone();
                    let frames = self.transcript.act(actor, action, received, &later, stamp);
                    self.log.extend(frames.map_err(|error| fault(&format!("{}: {error}", action.kind())))?);
                    let found = canasta_engine::log::digest::public(self.transcript.state());
                    if digest.is_some_and(|digest| digest != found) {
                        return Err(fault(&"state: this is not the digest of the table after the action"));
                    }
                }
                TranscriptLine::RoundEnd(scores) => {
                    if !self.transcript.is_over() {
                        return Err(fault(&"the round is not over"));
                    }
                    self.end_round(scores.clone()).map_err(|error| fault(&error))?;
                }
                TranscriptLine::GameEnd => {
                    self.end_round(None).map_err(|error| fault(&error))?;
                    if self.transcript.state().phase() != Phase::GameOver {
                        return Err(fault(&"the game is not over"));
                    }
                }
                TranscriptLine::Note { by, text, elapsed_ms } => {
                    let stamp = Stamp { elapsed_ms: *elapsed_ms, signature: None };
                    let frames =
                        self.transcript.note(*by, text.clone(), stamp).map_err(|error| fault(&error))?;
                    self.log.extend(frames);
                }
            }
        }
        self.end_round(None).map_err(|error| format!("at the end: {error}"))?;
        Ok(self.log)
    }

    /// Ends the round if it is over.
    fn end_round(&mut self, declared: Option<Vec<Score>>) -> Result<(), String> {
        if self.transcript.is_over() {
            let (frames, _) = self.transcript.end_round(declared).map_err(|error| error.to_string())?;
            self.log.extend(frames);
        }
        Ok(())
    }
}

/// Whose action it is that names no seat.
fn official(action: &Action) -> As {
    match action {
        Action::Ruling(_) | Action::Dispute { .. } | Action::Sign { .. } => As::Director,
        _ => As::Table,
    }
}

/// The cards that a seat names from its hand in the rest of the round.
fn later(lines: &[(u64, TranscriptLine)], of: As) -> Vec<Card> {
    let mut cards = Vec::new();
    for (_, line) in lines {
        match line {
            TranscriptLine::Action { actor: Some(seat), action, .. } if As::Seat(*seat) == of => {
                cards.extend(from_hand(action));
            }
            TranscriptLine::Register(_) | TranscriptLine::RoundEnd(_) => break,
            _ => {}
        }
    }
    cards
}
