//! The circumstances of an irregularity: a record of a log, or a position.

use super::LISTENER;
use super::named::count_near;
use super::public_records::{LATER_MAX, PublicRecords};
use super::spoken::{SpokenWord, compass, words};
use crate::judging::as_known::TableAsKnown;
use crate::judging::check::typed;
use crate::judging::disclosure::Disclosure;
use crate::judging::irregular::as_it_stands;
use crate::judging::record_context::{RecordAsked, RecordContext, RecordVerdict, absent, seat_of};
use crate::shared::caret::pointed;
use crate::shared::io::{Io, Wrong, in_words};
use crate::shared::paths;
use crate::shared::text::{PlayerNames, cannot_arise, rules_of};
use anyhow::{Context, anyhow};
use canasta_engine::action::{Action, ActionKind, As};
use canasta_engine::card::Cards;
use canasta_engine::check::check;
use canasta_engine::irregularity::{self, Irregularity};
use canasta_engine::log::Record;
use canasta_engine::log::record::{ActionRecord, Attempt, DealMode};
use canasta_engine::notation::span::Span;
use canasta_engine::notation::{Names, Position, suits::Suits};
use canasta_engine::rejection::Rejection;
use canasta_engine::rules::Rules;
use canasta_engine::seat::{Seat, Side};
use canasta_engine::table::{Phase, SetupFault, Table};
use canasta_engine::violations::Code;
use std::path::Path;
use std::sync::Arc;

/// The deeds, as `spoken` knows them, that irregularities are about.
const OFFENCES: [(&str, &str); 5] = [
    ("draw", "drew-out-of-turn drew-before-discard drew-many drew-few"),
    ("discard", "bad-discard discarded-many discarded-out-of-turn"),
    ("goout", "out-after-no out-without out-unasked"),
    ("meld", "bad-meld opened-low melded-out-of-turn"),
    ("take", "pile-wrong"),
];

/// The known facts of a situation in which something went wrong.
pub struct Incident {
    pub rules: Arc<Rules>,
    pub names: PlayerNames,
    /// The position before the irregularity, if it can be followed.
    pub position: Option<TableAsKnown>,
    /// The facts of a typed position to which legal play does not lead.
    pub faults: Vec<SetupFault>,
    /// The position as it was typed, with its unknown cards; `None` for a log.
    pub typed: Option<Typed>,
    /// Whether the hand of the seat that acts is known.
    pub is_hand_known: bool,
    pub why_no_table: Option<String>,
    /// The seat that acted, or that must act.
    pub seat: Option<Seat>,
    pub offence: Option<Offence>,
    /// The action that was done or tried by the seat.
    action: Option<Action>,
    /// Whether the words were an action in notation.
    pub is_action: bool,
    /// Whether the offence is a deed that the words name.
    pub is_deed: bool,
    pub record: Option<AtRecord>,
}

/// A position that was typed.
pub struct Typed {
    pub text: String,
    position: Position,
}

/// An action that breaks a rule.
pub struct Offence {
    kind: ActionKind,
    codes: Vec<Code>,
    /// The refusal, if the table is known.
    pub rejection: Option<Rejection>,
    /// Whether the action was carried out; a refusal changed nothing.
    pub is_done: bool,
}

/// The place of an irregularity in a log.
pub struct AtRecord {
    pub number: u64,
    /// Number of the last action before it.
    pub step: u64,
    pub is_transcribed: bool,
    /// Whether the game has ended.
    pub is_over: bool,
    /// The actions after it; `None` if there are too many.
    later: Option<Vec<ActionRecord>>,
}

impl Offence {
    /// Returns the irregularity of the first code that shows one.
    pub fn irregularity(&self) -> Option<Irregularity> {
        self.codes.iter().find_map(|&code| irregularity::of_code(code, Some(self.kind)))
    }

    pub fn codes(&self) -> impl Iterator<Item = &'static str> {
        self.codes.iter().map(|code| code.name())
    }

    pub fn of(rejection: Rejection, is_done: bool) -> Self {
        let codes = rejection.violations.iter().map(|violation| violation.code).collect();
        Self { kind: rejection.action, codes, rejection: Some(rejection), is_done }
    }
}

impl Incident {
    /// Returns an incident of which nothing is known: seats and sides are those of four players.
    pub fn unknown() -> Self {
        let rules = Arc::new(Rules::preset("classic-4p").expect("classic-4p is played"));
        Self {
            names: PlayerNames::seats_of(rules.set()),
            rules,
            position: None,
            faults: Vec::new(),
            typed: None,
            is_hand_known: false,
            why_no_table: None,
            seat: None,
            offence: None,
            action: None,
            is_action: false,
            is_deed: false,
            record: None,
        }
    }

    /// Reads a position; `-` is standard input.
    pub fn of_position(text: &str, io: &mut Io<'_>) -> anyhow::Result<Self> {
        let text = typed(text, io)?;
        let position = Position::parse(&text).map_err(|error| anyhow!("{}", pointed("", &text, &error)))?;
        let seat = position.to_act();
        // Cards that are not known matter to actions, and to no ruling.
        let (table, faults) = as_it_stands(&position, Seat(0), &[], &[]);
        let why_no_table = table.is_none().then(|| cannot_arise(&faults));
        let faults = faults.into_iter().chain(position.miscounts());
        Ok(Self {
            faults: faults.filter(|fault| !fault.laws.is_empty()).collect(),
            rules: position.rules().clone(),
            names: PlayerNames::of_position(&position).speaking(io.language),
            is_hand_known: is_whole(&position, seat),
            position: table.map(|table| TableAsKnown { table, known: None }),
            why_no_table,
            seat,
            typed: Some(Typed { text, position }),
            ..Self::unknown()
        })
    }

    /// Reads a log up to record `at`, or to its end. Cards that the log does not reveal are not needed.
    ///
    /// # Errors
    /// If the log has no such record, or is of a rule set that is not played here.
    pub fn at(log: &Path, at: Option<u64>, io: &mut Io<'_>) -> anyhow::Result<Self> {
        paths::named_file(log, "the log is read twice")?;
        let name = log.display().to_string();
        let source = paths::open(log, &mut io.input)?;
        let public = PublicRecords::read(source, at.unwrap_or(u64::MAX)).with_context(|| name.clone())?;
        let number = at.or(public.last.map(|last| last + 1)).unwrap_or_default();
        if public.record.is_none() && (at.is_some() || public.last.is_none()) {
            return Err(absent(number, public.last, public.fault.as_ref())).context(name);
        }
        let genesis = public.genesis.ok_or_else(|| Wrong(format!("{name}: the log has no genesis")))?;
        let rules =
            rules_of(&genesis).ok_or_else(|| anyhow!("{name}: this version does not play its rule set"))?;
        let place = AtRecord {
            number,
            step: public.step,
            is_transcribed: genesis.mode == DealMode::Transcribed,
            is_over: public.is_over,
            later: Some(public.later).filter(|later| later.len() <= LATER_MAX),
        };
        let mut incident = Self {
            names: PlayerNames::of(&genesis).speaking(io.language),
            rules: Arc::new(rules),
            seat: public.record.as_ref().and_then(seat_of),
            offence: public.record.as_ref().and_then(refused),
            record: Some(place),
            ..Self::unknown()
        };
        match RecordContext::read(log, at, &Disclosure::default(), io) {
            Ok(context) => incident.learn(context),
            Err(error) => incident.why_no_table = Some(in_words(&error)),
        }
        Ok(incident)
    }

    fn learn(&mut self, context: RecordContext) {
        match context.asked {
            RecordAsked::Action(asked) => {
                let is_done = asked.verdict == RecordVerdict::Illegal;
                let offence = asked.rejection.map(|rejection| Offence::of(rejection, is_done));
                self.offence = offence.or_else(|| self.offence.take());
                if let As::Seat(seat) = asked.actor {
                    (self.seat, self.action) = (Some(seat), Some(asked.action));
                }
            }
            RecordAsked::Unknown(why) => self.why_no_table = Some(why),
            RecordAsked::Nothing => {}
        }
        (self.names, self.position) = (context.names, context.before);
        let to_act = self.table().and_then(Table::to_act);
        self.seat = self.seat.or(to_act);
        self.is_hand_known = self.is_known_hand(to_act);
    }

    /// Whether a judgement of what this seat does depends on no unknown card.
    fn is_known_hand(&self, seat: Option<Seat>) -> bool {
        let open = self.position.as_ref().zip(seat).map(|(position, seat)| position.open(seat));
        open.is_none_or(Cards::is_empty)
            && self.typed.as_ref().is_none_or(|typed| is_whole(&typed.position, seat))
    }

    /// Judges the words as an action, if they are one. The action stands for what happened.
    fn judge_words(&mut self, words: &str) -> anyhow::Result<()> {
        let suits = self.table().map(|table| Suits::at(table, words));
        let names = suits.iter().fold(self.spelling(), Names::with_suits);
        let Ok(proposal) = names.proposal(words) else { return Ok(()) };
        let actor = proposal.actor.or(self.seat.map(As::Seat)).unwrap_or(As::Table);
        self.is_action = true;
        if let As::Seat(seat) = actor {
            self.seat = Some(seat);
        }
        let Some(position) = &self.position else { return Ok(()) };
        let proposal = proposal.on(&position.table);
        let refused = match &position.known {
            _ if self.is_known_hand(self.seat) => check(&position.table, actor, &proposal.action).err(),
            // What is legal with some hand that the seat may have is no offence.
            Some(_) => position.clone().act(actor, &proposal.action, &[]).err().flatten(),
            None => return Ok(()),
        };
        self.offence = refused.map(|refused| Offence::of(refused, true));
        self.action = Some(proposal.action);
        Ok(())
    }

    /// Hears words: judges them as an action if they are one, and chooses the language of the answer: the one that was asked for,
    /// else that of the words.
    ///
    /// # Errors
    /// If the words name another actor than a seat.
    pub fn hear(&mut self, words: &str, io: &Io<'_>) -> anyhow::Result<()> {
        self.judge_words(words)?;
        let is_heard = io.is_language_open && !words.is_empty() && !self.is_action;
        let language = if is_heard { LISTENER.language_of(words) } else { io.language };
        self.names = self.names.clone().speaking(language);
        Ok(())
    }

    pub fn typed_with_unknown(&self) -> Option<&Position> {
        self.typed.as_ref().map(|typed| &typed.position).filter(|position| !position.is_whole())
    }

    /// Returns whether words name more cards than are dealt (`many`) or fewer, for an irregularity that asks this.
    pub fn count_in(&self, said: &str, row: &Irregularity) -> Option<&'static str> {
        if !row.questions().any(|question| question.key == "count") || row.is_answered_by(said, "count") {
            return None;
        }
        let dealt = usize::from(self.rules.set().hand_size);
        count_near(said, dealt).map(|found| if found > dealt { "many" } else { "few" })
    }

    pub fn table(&self) -> Option<&Table> {
        self.position.as_ref().map(|position| &position.table)
    }

    /// Returns the action that was done or tried, and the table on which play goes on if the action stands: with all
    /// actions after it. `None` if it cannot be read as a legal one, or somebody acted against the rules after it.
    pub fn standing(&self) -> Option<(&Action, TableAsKnown)> {
        let (seat, action) = (self.seat?, self.action.as_ref()?);
        // Cards that only stand for those which a typed position does not name are shown to nobody.
        if self.typed.as_ref().is_some_and(|typed| !typed.position.is_whole()) {
            return None;
        }
        let after = self.position.clone()?.after(seat, action)?;
        let is_done = self.offence.as_ref().is_some_and(|offence| offence.is_done);
        match &self.record {
            Some(record) if is_done => Some((action, after.follow(record.later.as_deref()?)?)),
            _ => Some((action, after)),
        }
    }

    /// Returns the seat and the side that the first defect of the position names.
    pub fn offender(&self) -> (Option<Seat>, Option<Side>) {
        let text = self.faults.first().map(ToString::to_string).unwrap_or_default();
        let word = text.split([' ', '\'']).next().unwrap_or_default();
        let word = Span::of(word);
        let side = self.spelling().side(word).ok();
        // Of a side, the seat that is to act is the likeliest.
        let likely = self.seat.filter(|seat| Some(self.rules.set().formed_side_of(*seat, None)) == side);
        (self.spelling().seat(word).ok().or(likely), side)
    }

    /// Returns the irregularities of the position itself, by the first law on each defect.
    pub fn irregular_laws(&self) -> impl Iterator<Item = &'static str> {
        self.faults.iter().filter_map(|fault| fault.laws.first().copied())
    }

    /// Returns the names for an action of the seat that acted, with those of the melds on the table.
    pub fn names_for_seat(&self) -> PlayerNames {
        self.names.on_table(self.table(), self.seat.map_or(As::Table, As::Seat))
    }

    /// Returns how seats and sides are spelled.
    pub fn spelling(&self) -> Names<'_> {
        self.names.spelling().unwrap_or_else(|| Names::of(self.rules.set()))
    }

    /// Parses a seat: its spelling, its number, the name of a player, or a point of the compass in another language.
    pub fn find_seat(&self, word: &str) -> Option<Seat> {
        let find = |word: &str| self.spelling().seat(Span::of(word)).ok();
        find(word).or_else(|| compass(word).and_then(find))
    }

    /// Returns the first seat that a text names by a whole word.
    pub fn seat_in(&self, text: &str) -> Option<Seat> {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() > 1);
        // Numbers and single letters are rarely meant as seats.
        words
            .filter(|word| !word.bytes().any(|byte| byte.is_ascii_digit()))
            .find_map(|word| self.find_seat(word))
    }

    /// Returns the seat of which a text says that it did what an irregularity is about; else the first that it names.
    pub fn offender_in(&self, text: &str, row: &Irregularity) -> Option<Seat> {
        let deed = OFFENCES.iter().find(|(_, rows)| rows.split(' ').any(|id| id == row.id));
        let doer = deed.and_then(|(verb, _)| {
            let words = words(text);
            let place = words.iter().position(|word| word.is == *verb)?;
            let named = |word: &SpokenWord<'_>| {
                Some(word.said).filter(|said| said.len() > 1).and_then(|said| self.find_seat(said))
            };
            // `da hat Bob gezogen` names Bob behind the auxiliary.
            let behind = words.get(place + 1).filter(|_| place > 0 && words[place - 1].is == "has");
            behind.and_then(named).or_else(|| words[..place].iter().rev().find_map(named))
        });
        doer.or_else(|| self.seat_in(text))
    }

    /// Whether the steps that are possible next can be listed: play of a round is on, and the hand is known.
    pub fn lists_steps(&self) -> bool {
        let over = |table: &Table| matches!(table.phase(), Phase::Setup | Phase::RoundOver | Phase::GameOver);
        self.is_hand_known && !self.table().is_some_and(over)
    }
}

/// Whether a judgement of what this seat does depends on no unknown card.
fn is_whole(position: &Position, seat: Option<Seat>) -> bool {
    position.unknown_in_pile() == 0 && seat.is_none_or(|seat| position.unknown_in_hand(seat) == 0)
}

/// Returns the offence that a refusal records: its codes need no cards.
fn refused(record: &Record) -> Option<Offence> {
    let Record::Refusal(refusal) = record else { return None };
    let kind = match &refusal.attempt {
        Attempt::Clear(action) => action.kind(),
        Attempt::Masked { kind, .. } => *kind,
    };
    let codes = refusal.codes.iter().filter_map(|name| Code::from_name(name)).collect();
    Some(Offence { kind, codes, rejection: None, is_done: false })
}
