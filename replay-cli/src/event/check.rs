//! The event of a file: everything that the file says, checked.

use super::field::FieldScoring;
use super::file::{self, EventEntry, EventFile, FORMAT, Kind, Remark, RoundTable, TableDecision, Withdrawal};
use super::place::TablePlace;
use crate::auditing::audit::standings::Criterion;
use crate::rulesets::house::RuleSetFile;
use crate::shared::io::{Io, Wrong};
use crate::shared::text::join;
use anyhow::Context;
use canasta_engine::hex::unhex;
use canasta_engine::rules::{Rules, ScoreUnit};
use canasta_engine::seat::Seat;
use canasta_tournament::files::read_text;
use canasta_tournament::names;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use toml::Spanned;

/// Maximum numbers of entries, of rounds, and of tables of all rounds.
const ENTRIES_MAX: usize = 1_000;
pub const ROUNDS_MAX: usize = 100;
const TABLES_MAX: usize = 10_000;
/// Maximum number of tables that are compared with each other.
const FIELD_MAX: usize = 1_000;
/// The code of pairs that meet again (TF-006).
const REPEAT: &str = "EVENT_REPEAT_OPPONENTS";
/// The figures against the field that a decision may state.
const NO_FIELD: &str = "field: expected scoring.field, and percentages from 0 to 100 if it is matchpoints";
/// The entries that a table may have.
const SIDES: &str = "expected the entries of both sides, or one for a bye; in an individual event those of all \
    seats, and rule_set, which says who plays with whom";

/// A checked event. Entries are known by their place in the list.
pub struct CheckedEvent {
    pub file: EventFile,
    pub rules: Option<Rules>,
    pub field: Option<FieldScoring>,
    /// The figures that rank, most important first.
    pub criteria: Vec<Criterion>,
    /// The entries by number.
    pub entries: Vec<EventEntry>,
    pub withdrawals: BTreeMap<usize, Withdrawal>,
    /// The tables of all rounds, in order.
    pub tables: Vec<EventTable>,
    /// Questions about what may be meant otherwise.
    pub questions: Vec<Remark>,
}

pub struct EventTable {
    pub place: TablePlace,
    /// The entries of each side: one, or the partners of an individual event. A table with one side is a bye.
    pub sides: Vec<Vec<usize>>,
    pub game_id: [u8; 16],
    /// The entries that forfeit, with the decisions.
    pub forfeits: Vec<(usize, TableDecision)>,
    pub adjustment: Option<TableDecision>,
}

impl CheckedEvent {
    /// Reads and checks an event.
    ///
    /// # Errors
    /// If the file cannot be read, or with every fault of it.
    pub fn read(path: &Path, io: &mut Io<'_>) -> anyhow::Result<Self> {
        let (text, name) = (read_text(path, file::BYTES_MAX)?, path.display().to_string());
        let wrong = |mut faults: Vec<Remark>| {
            faults.sort();
            let faults = faults.iter().map(|(line, fault)| format!("{name}:{line}: {fault}"));
            Wrong(join(faults, "\ncanasta-replay: "))
        };
        let file = file::parse(&text).map_err(wrong)?;
        let rules = file.rule_set.as_ref().map(|of| find_rules(path, of, io)).transpose();
        let rules = rules.with_context(|| format!("{name}: rule_set"))?;
        let mut check = EventCheck { text: &text, faults: Vec::new(), questions: Vec::new() };
        let event = check.event(file, rules);
        if !check.faults.is_empty() {
            return Err(wrong(check.faults).into());
        }
        Ok(Self { questions: check.questions, ..event })
    }

    pub fn rounds(&self) -> u32 {
        self.file.rounds.len() as u32
    }

    /// Returns the name of an entry.
    pub fn entry(&self, entry: usize) -> String {
        let EventEntry { name, players, .. } = &self.entries[entry];
        name.clone().unwrap_or_else(|| players.join(" & "))
    }

    /// Returns the names of the sides of a table.
    pub fn sides(&self, table: &EventTable, between: &str) -> String {
        join(table.sides.iter().map(|side| self.side(side)), between)
    }

    pub fn side(&self, side: &[usize]) -> String {
        join(side.iter().map(|&entry| self.entry(entry)), " & ")
    }

    /// Returns the place of the entry with this number.
    pub fn by_number(&self, number: u32) -> Option<usize> {
        self.entries.iter().position(|entry| entry.number == number)
    }

    /// Whether an entry has withdrawn before a round is played.
    pub fn is_gone(&self, entry: usize, round: u32) -> bool {
        let of = self.withdrawals.get(&entry);
        of.is_some_and(|of| of.from <= round)
    }

    /// Returns the entries that could play in a round.
    pub fn present(&self, round: u32) -> impl Iterator<Item = usize> {
        let is_there = move |&at: &usize| self.entries[at].from <= round && !self.is_gone(at, round);
        (0..self.entries.len()).filter(is_there)
    }
}

fn find_rules(event: &Path, name: &str, io: &mut Io<'_>) -> anyhow::Result<Rules> {
    let beside = event.with_file_name(name).display().to_string();
    let subject = Some(name).filter(|name| !name.ends_with(".toml"));
    RuleSetFile::find(subject.unwrap_or(&beside), io)?.playable()
}

/// The faults and questions of a file so far.
struct EventCheck<'a> {
    text: &'a str,
    faults: Vec<Remark>,
    questions: Vec<Remark>,
}

impl EventCheck<'_> {
    fn line<T>(&self, at: &Spanned<T>) -> usize {
        file::line_of(self.text, at.span().start)
    }

    /// Notes a fault unless `holds`.
    fn expect<T>(&mut self, at: &Spanned<T>, holds: bool, fault: impl Into<String>) {
        if !holds {
            self.faults.push((self.line(at), fault.into()));
        }
    }

    fn bound<T>(&mut self, at: &Spanned<T>, found: usize, most: usize, what: &str) {
        let fault = format!("expected at most {most} {what}, found {found}");
        self.expect(at, found <= most, fault);
    }

    /// Returns the place of the entry with this number, which must be there.
    fn entry<T>(&mut self, at: &Spanned<T>, event: &CheckedEvent, number: u32) -> Option<usize> {
        let found = event.by_number(number);
        let fault = format!("no entry has the number {number}");
        self.expect(at, found.is_some(), fault);
        found
    }

    fn event(&mut self, file: EventFile, rules: Option<Rules>) -> CheckedEvent {
        let at = &file.format;
        let fault = format!("expected {FORMAT:?}, found {:?}", at.get_ref());
        self.expect(at, at.get_ref() == FORMAT, fault);
        let tables = file.rounds.iter().map(|round| round.get_ref().tables.len());
        self.bound(at, file.entries.len(), ENTRIES_MAX, "entries");
        self.bound(at, file.rounds.len(), ROUNDS_MAX, "rounds");
        self.bound(at, tables.sum(), TABLES_MAX, "tables");
        let field = FieldScoring::of(&file.scoring, rules.as_ref());
        self.expect(at, field.is_ok(), field.as_ref().err().copied().unwrap_or_default());
        let field = field.ok().flatten();
        let ranked = match &field {
            Some(_) => [Criterion::Field, Criterion::Difference],
            None => file.scoring.ranking.unwrap_or_default().criteria(),
        };
        let ties = file.scoring.tie_breaks.as_deref().unwrap_or(&ranked[1..]);
        let criteria = [&ranked[..1], ties].concat();
        let is_once = criteria.iter().collect::<BTreeSet<_>>().len() == criteria.len();
        self.expect(at, is_once, "scoring.tie_breaks: one is there twice");
        let is_known = field.is_some() || !criteria.contains(&Criterion::Field);
        self.expect(at, is_known, "scoring.tie_breaks: field is there without scoring.field");
        let has_worth = file.scoring.forfeit.is_some() || field.is_some();
        let has_worth = has_worth || file.forfeits.is_empty() && file.withdrawals.is_empty();
        self.expect(at, has_worth, "scoring.forfeit: expected its worth (TF-022)");
        let mut entries: Vec<EventEntry> = file.entries.iter().map(|at| at.get_ref().clone()).collect();
        entries.sort_by_key(|entry| entry.number);
        let (withdrawals, tables, questions) = (BTreeMap::new(), Vec::new(), Vec::new());
        let mut event =
            CheckedEvent { file, rules, field, criteria, entries, withdrawals, tables, questions };
        let mut lots = event.file.scoring.lots.iter();
        let are_lots = lots.all(|&number| event.by_number(number).is_some());
        self.expect(&event.file.format, are_lots, "scoring.lots: expected entries");
        if self.faults.is_empty() {
            self.entries(&event.file);
            self.losses(&mut event);
            self.rounds(&mut event);
            self.decisions(&mut event);
            let mut boards = BTreeMap::<_, usize>::new();
            event.tables.iter().for_each(|row| *boards.entry(row.place.cards()).or_default() += 1);
            let most = boards.into_values().max().filter(|_| event.field.is_some());
            self.bound(&event.file.format, most.unwrap_or(0), FIELD_MAX, "tables with one board");
        }
        event
    }

    fn entries(&mut self, file: &EventFile) {
        let (mut numbers, mut texts) = (BTreeSet::new(), BTreeMap::new());
        let (least, most) = match file.kind {
            Kind::Pairs => (2, 2),
            Kind::Teams => (2, usize::MAX),
            Kind::Individual => (1, 1),
        };
        for at in &file.entries {
            let (of, count) = (at.get_ref(), at.get_ref().players.len());
            let is_new = of.number > 0 && numbers.insert(of.number);
            self.expect(at, is_new, format!("expected another number than {}", of.number));
            let fault = format!("expected {least} players, found {count}");
            self.expect(at, (least..=most).contains(&count), fault);
            for text in of.players.iter().chain(&of.name) {
                let other = texts.insert(text.as_str(), at);
                let number = other.map_or(0, |other| other.get_ref().number);
                self.expect(at, number == 0, format!("{text:?} is in entry {number} too"));
            }
        }
        let all = file.entries.iter().map(Spanned::get_ref);
        let all = all.flat_map(|entry| entry.players.iter().chain(&entry.name));
        for (first, second) in names::alike(all.map(String::as_str)) {
            let [one, other] = [first, second].map(str::escape_default);
            let question = format!("\"{one}\" and \"{other}\" look alike: is it one player?");
            self.questions.push((self.line(texts[second]), question));
        }
    }

    /// Checks withdrawals and penalties.
    fn losses(&mut self, event: &mut CheckedEvent) {
        for at in &event.file.withdrawals {
            let of = at.get_ref();
            if let Some(entry) = self.entry(at, event, of.entry) {
                let first = event.withdrawals.insert(entry, of.clone()).is_none();
                self.expect(at, first, format!("entry {} withdraws twice", of.entry));
            }
        }
        for at in &event.file.penalties {
            let of = at.get_ref();
            self.entry(at, event, of.entry);
            let figures = [of.points, of.match_points, of.field];
            let takes = figures.iter().all(|figure| *figure >= 0) && figures.iter().any(|figure| *figure > 0);
            self.expect(at, takes, "expected points, match_points or field to lose");
            self.expect(at, of.field == 0 || event.field.is_some(), NO_FIELD);
        }
    }

    fn rounds(&mut self, event: &mut CheckedEvent) {
        let (mut met, mut ids) = (BTreeSet::new(), BTreeSet::new());
        for (number, at) in (1..).zip(&event.file.rounds) {
            let round = at.get_ref();
            let fault = format!("expected round {number}, found {}", round.number);
            self.expect(at, round.number == number, fault);
            let mut seated = BTreeMap::new();
            for &idle in &round.sits_out {
                seated.extend(self.entry(at, event, idle).map(|entry| (entry, 0)));
            }
            let (before, mut now) = (event.tables.len(), BTreeSet::new());
            for at in &round.tables {
                let row = self.table(at, number, event, &mut seated);
                let Some(row) = row else { continue };
                let mut others = event.tables[before..].iter();
                let is_new = others.all(|other| other.place != row.place);
                self.expect(at, is_new, "the table stands there twice");
                self.expect(at, ids.insert(row.game_id), "another table has this id");
                for (one, other) in opponents(&row.sides) {
                    let counts = event.file.kind != Kind::Individual && one < other;
                    if counts && now.insert((one, other)) && met.contains(&(one, other)) {
                        let (one, other) = (event.entry(one), event.entry(other));
                        let question = format!("{REPEAT}: {one} and {other} meet again");
                        self.questions.push((self.line(at), question));
                    }
                }
                event.tables.push(row);
            }
            met.append(&mut now);
            event.tables[before..].sort_by_key(|row| row.place);
            let idle = event.present(number).filter(|entry| !seated.contains_key(entry));
            for entry in idle {
                let name = event.entry(entry);
                let question = format!("{name} is neither at a table nor in sits_out");
                self.questions.push((self.line(at), question));
            }
        }
    }

    /// Checks a table. `seated` has the tables of the entries so far, 0 for those who sit out.
    fn table(
        &mut self,
        at: &Spanned<RoundTable>,
        round: u32,
        event: &CheckedEvent,
        seated: &mut BTreeMap<usize, u32>,
    ) -> Option<EventTable> {
        let of = at.get_ref();
        self.expect(at, of.table > 0, "expected a table from 1");
        let mut entries = Vec::new();
        for &number in &of.entries {
            let entry = self.entry(at, event, number)?;
            let from = event.entries[entry].from;
            let fault = format!("entry {number} plays from round {from} on");
            self.expect(at, from <= round, fault);
            // Some players of a team may sit at each of several tables.
            let other = seated.insert(entry, of.table).filter(|_| event.file.kind != Kind::Teams);
            let is_free = other.is_none_or(|other| other == of.table) && !entries.contains(&entry);
            let fault = format!("entry {number} has two places in round {round}");
            self.expect(at, is_free, fault);
            entries.push(entry);
        }
        let sides = sides(event, &entries);
        self.expect(at, sides.is_some(), SIDES);
        let written = of.game.as_deref().map(unhex::<16>);
        self.expect(at, written != Some(None), "game: expected 32 hex digits");
        let place = TablePlace { round, table: of.table, board: of.board };
        let game_id = || place.game_id(&event.file.name);
        let game_id = written.flatten().unwrap_or_else(game_id);
        let (sides, forfeits) = (sides?, Vec::new());
        Some(EventTable { place, sides, game_id, forfeits, adjustment: None })
    }

    /// Checks forfeits and adjustments.
    fn decisions(&mut self, event: &mut CheckedEvent) {
        let forfeits = event.file.forfeits.iter().map(|at| (at, true));
        let adjustments = event.file.adjustments.iter().map(|at| (at, false));
        for (at, is_forfeit) in forfeits.chain(adjustments) {
            let of = at.get_ref();
            let place = TablePlace { round: of.round, table: of.table, board: of.board };
            let entry = of.entry.and_then(|entry| self.entry(at, event, entry));
            let mut games = event.tables.iter_mut().filter(|row| row.sides.len() > 1);
            let row = games.find(|row| row.place == place);
            self.expect(at, row.is_some(), "no game has this round, table and board");
            let Some(row) = row else { continue };
            let figures: Vec<_> = [&of.points, &of.match_points, &of.field].into_iter().flatten().collect();
            let is_there = entry.is_some_and(|entry| row.sides.concat().contains(&entry));
            if is_forfeit {
                let fits = is_there && figures.is_empty() && !of.void;
                self.expect(at, fits, "expected an entry of this table, and a reason");
                row.forfeits.extend(entry.map(|entry| (entry, of.clone())));
                continue;
            }
            let sides = row.sides.len();
            let is_result = of.void == figures.is_empty()
                && (of.void || of.points.is_some() || of.field.is_some())
                && figures.iter().all(|figures| figures.len() == sides);
            let fault =
                format!("expected by, and points of the {sides} sides, field of them, or void = true");
            self.expect(at, is_result && of.by.is_some() && of.entry.is_none(), fault);
            let stated = of.field.as_deref().unwrap_or_default();
            let takes = event.field.as_ref().map_or(stated.is_empty(), |field| field.takes(stated));
            self.expect(at, takes, NO_FIELD);
            let first = row.adjustment.replace(of.clone()).is_none();
            self.expect(at, first, "the table has an adjustment already");
        }
    }
}

/// Returns the sides of a table, unless there cannot be so many entries.
fn sides(event: &CheckedEvent, entries: &[usize]) -> Option<Vec<Vec<usize>>> {
    let is_single = event.file.kind == Kind::Individual;
    let set = event.rules.as_ref().map(Rules::set);
    let count = set.map_or(2, |set| if is_single { set.seats } else { set.unit_count() });
    if entries.len() != usize::from(count) && entries.len() != 1 {
        return None;
    }
    let has_partners = is_single && entries.len() > 1;
    let set = set.filter(|set| has_partners && set.score_unit == ScoreUnit::Side);
    let Some(set) = set else {
        return Some(entries.iter().map(|&entry| vec![entry]).collect());
    };
    let mut sides = vec![Vec::new(); set.unit_count().into()];
    for (seat, &entry) in (0..).map(Seat).zip(entries) {
        sides[usize::from(set.side_of(seat).0)].push(entry);
    }
    Some(sides)
}

/// Returns the pairs of entries on different sides of a table, each in both orders.
pub fn opponents(sides: &[Vec<usize>]) -> Vec<(usize, usize)> {
    let side = |entry: usize| sides.iter().position(|side| side.contains(&entry));
    let all = || sides.iter().flatten().copied();
    let pairs = all().flat_map(|one| all().map(move |other| (one, other)));
    pairs.filter(|&(one, other)| side(one) != side(other)).collect()
}
