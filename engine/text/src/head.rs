//! The head of a game: its rules, its players, the source of its cards.

use super::form::{FORMAT, GameError, place};
use super::time;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::sync::Arc;
use alloc::vec::Vec;
use canasta_audit::audit::playable;
use canasta_log::ENGINE_VERSION;
use canasta_log::codes::{self, DEAL_MODES, REGISTRATIONS};
use canasta_log::deal::{Commitment, GameId, GameSecret, simulate};
use canasta_log::dealing::Registration;
use canasta_log::record::{DealMode, Fork, Genesis, Player};
use canasta_rules::hex::hex;
use canasta_rules::notation::span::{Read, Span};
use canasta_rules::notation::words::{put_hex, quote, unquote};
use canasta_rules::notation::{Names, header};
use canasta_rules::rules::{PresetId, Rules, SideChoice};
use canasta_rules::seat::Seat;
use core::fmt::Write as _;

/// The lines before the first round.
pub(super) struct Head {
    /// Number of the first line after the head.
    pub line: u32,
    pub rules: Arc<Rules>,
    /// The id of the game, if the text has it, or a seed that it follows from.
    pub game_id: Option<[u8; 16]>,
    /// The first record, without the rules, the id, and a commitment that follows.
    genesis: Genesis,
    /// The names of the players by seat; none where drawn cards decide who sits where, since a name does not tell the seat
    /// then.
    seated: Vec<String>,
    /// Whether the text has the first line that programs write.
    pub is_written: bool,
    /// The secret of the game, which a text may state although the log does not disclose it.
    pub secret: Option<[u8; 64]>,
}

/// The kinds of lines of a head.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum HeadLine {
    Format,
    Rules,
    House,
    Game,
    Seats,
    Key,
    Cards,
    Engine,
    Started,
    Fork,
    Director,
    Penalties,
    Secret,
    Seed,
}

const LINES: [(&str, HeadLine); 16] = [
    (FORMAT, HeadLine::Format),
    ("rules", HeadLine::Rules),
    ("house", HeadLine::House),
    ("game", HeadLine::Game),
    ("seats", HeadLine::Seats),
    ("players", HeadLine::Seats),
    ("key", HeadLine::Key),
    ("cards", HeadLine::Cards),
    ("mode", HeadLine::Cards),
    ("engine", HeadLine::Engine),
    ("started", HeadLine::Started),
    ("fork", HeadLine::Fork),
    ("director", HeadLine::Director),
    ("penalties", HeadLine::Penalties),
    ("secret", HeadLine::Secret),
    ("seed", HeadLine::Seed),
];

impl HeadLine {
    /// Returns the kind of a line and the rest of the line; `None` if the line is not of a head. The name of
    /// a preset alone is a line of rules.
    pub(super) fn of(line: Span<'_>) -> Option<(Self, Span<'_>)> {
        let (word, rest) = line.word();
        if PresetId::from_name(&word.text.to_ascii_lowercase()).is_some() {
            return Some((Self::Rules, line));
        }
        let known = LINES.iter().find(|(name, _)| word.text.trim_end_matches(':').eq_ignore_ascii_case(name));
        known.map(|&(_, line)| (line, rest))
    }
}

/// A line of a head, as found in the text.
pub(super) struct FoundLine<'a> {
    pub line: HeadLine,
    pub number: u32,
    pub whole: &'a str,
    pub rest: Span<'a>,
}

impl Head {
    /// Reads the lines, which may be in any order. `at` is the number of the first line after the head.
    pub(super) fn of(found: &[FoundLine<'_>], at: u32) -> Result<Self, GameError> {
        let line_of = |wanted: HeadLine| found.iter().find(|found| found.line == wanted);
        let Some(rules) = line_of(HeadLine::Rules) else {
            return Err(GameError::of_line(
                at,
                "expected the rules before the game, such as rules classic-4p",
            ));
        };
        let house = line_of(HeadLine::House);
        let mut head = located(rules, || {
            let rules = header::read(rules.rest)?;
            let (players, engine) = (usual_players(&rules), ENGINE_VERSION.to_string());
            let genesis = Genesis { players, mode: DealMode::Transcribed, engine, ..Genesis::default() };
            let is_written = line_of(HeadLine::Format).is_some();
            let seated = Vec::new();
            Ok(Self { line: at, rules, game_id: None, genesis, seated, is_written, secret: None })
        })?;
        if let Some(house) = house {
            head.rules = located(house, || {
                let name = name(house.rest)?;
                let named = Rules::house(head.rules.base(), head.rules.set().clone(), Some(&name));
                let named = named.ok().filter(|_| head.rules.is_house());
                named
                    .map(Arc::new)
                    .ok_or_else(|| house.rest.error("the name of rules that differ from the preset"))
            })?;
        }
        if line_of(HeadLine::Seed).or(line_of(HeadLine::Secret)).is_some() {
            head.genesis.mode = DealMode::Seeded;
        }
        let mut seen: Vec<HeadLine> = Vec::new();
        let keys_last = |found: &&FoundLine<'_>| found.line == HeadLine::Key;
        let ordered = found.iter().filter(|found| !keys_last(found)).chain(found.iter().filter(keys_last));
        let mut registration = None;
        for found in ordered {
            located(found, || {
                if seen.contains(&found.line) && found.line != HeadLine::Key {
                    let whole = Span::of(found.whole).trim();
                    return Err(whole.error("a line that is not there yet"));
                }
                seen.push(found.line);
                head.take(found.line, found.rest, &mut registration)
            })?;
        }
        head.genesis.registration = registration.unwrap_or_else(|| usual_registration(head.genesis.mode));
        if head.rules.set().side_choice != SideChoice::DrawnCards {
            head.seated = head.genesis.players.iter().map(|player| player.name.clone()).collect();
        }
        Ok(head)
    }

    fn take(&mut self, line: HeadLine, rest: Span<'_>, registration: &mut Option<Registration>) -> Read<()> {
        match line {
            HeadLine::Format => rest.finish("the end of the line")?,
            HeadLine::Rules | HeadLine::House => {}
            HeadLine::Game => self.game_id = Some(rest.hex()?),
            HeadLine::Seats => self.seats(rest)?,
            HeadLine::Key => {
                let players: Vec<_> = self.genesis.players.iter().map(|player| player.name.clone()).collect();
                let names = Names::of(self.rules.set()).with_players(&players);
                let names = if self.is_written { names.as_written() } else { names };
                let (seat, key) = names.word(rest);
                let place = names.seat(seat.part(0, seat.text.trim_end_matches(':').len()))?;
                self.genesis.players[place.index()].key = Some(key.hex()?);
            }
            HeadLine::Cards => self.cards(rest, registration)?,
            HeadLine::Engine => self.genesis.engine = name(rest)?,
            HeadLine::Started => {
                let time = time::from_text(rest.text);
                let expected = "a time such as 2026-01-31T12:00:00.000Z";
                self.genesis.started_at_ms = Some(time.ok_or_else(|| rest.error(expected))?);
            }
            HeadLine::Fork => {
                let (game_id, rest) = rest.word();
                let (n, head) = rest.word();
                let number = n.text.parse().map_err(|_| n.error("the number of a record"))?;
                self.genesis.fork_of = Some(Fork { game_id: game_id.hex()?, n: number, head: head.hex()? });
            }
            HeadLine::Director => self.genesis.director = Some(rest.hex()?),
            HeadLine::Penalties => {
                let version = rest.text.parse().ok().filter(|&version| version > 0);
                self.genesis.penalties =
                    Some(version.ok_or_else(|| rest.error("the version of the table of penalties"))?);
            }
            HeadLine::Secret => self.secret = Some(rest.hex()?),
            HeadLine::Seed => {
                let (seed, game) = rest.word();
                let seed = seed.text.parse().map_err(|_| seed.error("a number"))?;
                let number = if game.is_empty() { "0" } else { game.text };
                let number = number.parse().map_err(|_| game.error("the number of a game"))?;
                let secret = simulate::game_secret(seed, number);
                self.game_id.get_or_insert(simulate::game_id(&secret).0);
                self.secret = Some(secret.0);
            }
        }
        Ok(())
    }

    fn seats(&mut self, rest: Span<'_>) -> Read<()> {
        let names = rest.list();
        if names.len() != self.genesis.players.len() {
            return Err(rest.error("the name of every player, by seat, with commas between"));
        }
        for (player, word) in self.genesis.players.iter_mut().zip(names) {
            player.name = name(word)?;
        }
        Ok(())
    }

    /// Reads `MODE [auto | by_table] [commitment HEX]`.
    fn cards(&mut self, rest: Span<'_>, registration: &mut Option<Registration>) -> Read<()> {
        let (mode, mut rest) = rest.word();
        let found = codes::from_word(&DEAL_MODES, &mode.text.to_ascii_lowercase());
        self.genesis.mode = found.ok_or_else(|| mode.error("seeded, committed, explicit or transcribed"))?;
        while !rest.is_empty() {
            let (word, after) = rest.word();
            rest = after;
            if word.is("commitment") {
                let (bytes, after) = after.word();
                (self.genesis.commitment, rest) = (Some(bytes.hex()?), after);
            } else {
                let found = codes::from_word(&REGISTRATIONS, &word.text.to_ascii_lowercase());
                *registration = Some(found.ok_or_else(|| word.error("auto, by_table or commitment"))?);
            }
        }
        Ok(())
    }

    /// Returns the players by seat.
    pub(super) fn players(&self) -> &[Player] {
        &self.genesis.players
    }

    /// Returns the game's id: that of the text, or of its seed, or else the beginning of its digest, so that equal texts
    /// describe the same game.
    pub(super) fn id(&self, text_digest: &[u8; 32]) -> [u8; 16] {
        self.game_id.unwrap_or_else(|| core::array::from_fn(|at| text_digest[at]))
    }

    /// Returns the names that lines of the game may use.
    pub(super) fn names(&self) -> Names<'_> {
        let names = Names::of(self.rules.set()).with_players(&self.seated);
        if self.is_written { names.as_written() } else { names }
    }

    /// Returns the first record.
    pub(super) fn genesis(&self, secret: Option<&[u8; 64]>, text_digest: &[u8; 32]) -> Genesis {
        let game_id = self.id(text_digest);
        let given = self.genesis.commitment;
        let commitment = given.or_else(|| commitment(self.genesis.mode, game_id, secret));
        Genesis {
            game_id,
            rule_set_id: self.rules.id().to_string(),
            base: self.rules.base().name().to_string(),
            rule_set: self.rules.canonical().to_vec(),
            commitment,
            ..self.genesis.clone()
        }
    }
}

/// Returns the commitment that follows from the game's secret; `None` if no secret is known, or the mode has
/// none.
fn commitment(mode: DealMode, game_id: [u8; 16], secret: Option<&[u8; 64]>) -> Option<[u8; 32]> {
    let secret = secret.filter(|_| matches!(mode, DealMode::Seeded | DealMode::Committed))?;
    Some(Commitment::game(GameId(game_id), &GameSecret(*secret)).0)
}

fn located<T>(found: &FoundLine<'_>, read: impl FnOnce() -> Read<T>) -> Result<T, GameError> {
    read().map_err(|error| place(found.number, found.whole, &error))
}

/// Returns the writer of registers if the text names none: players who shuffle by hand name the dealer of
/// each round.
fn usual_registration(mode: DealMode) -> Registration {
    if mode == DealMode::Transcribed { Registration::ByTable } else { Registration::Auto }
}

fn usual_players(rules: &Rules) -> Vec<Player> {
    let compass = ["North", "East", "South", "West"];
    let seats = rules.set().seats;
    let name = |seat: u8| match compass.get(usize::from(seat)) {
        Some(name) if seats == 4 => String::from(*name),
        _ => format!("Seat {seat}"),
    };
    (0..seats).map(|seat| Player { name: name(seat), key: None }).collect()
}

/// Reads a name, with or without quotes.
fn name(word: Span<'_>) -> Read<String> {
    if !word.text.starts_with('"') {
        return if word.is_empty() { Err(word.error("a name")) } else { Ok(String::from(word.text)) };
    }
    let (name, rest) = unquote(word)?;
    rest.finish("a comma or the end of the line").map(|()| name)
}

/// Appends a name, in quotes if it could be read as something else.
fn put_name(name: &str, out: &mut String) {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '.' | '_' | '\'' | '+');
    let is_plain = !name.is_empty() && name.chars().all(plain) && name.trim() == name;
    if is_plain { out.push_str(name) } else { quote(name, out) }
}

/// Appends the head of a game. Returns its rules.
///
/// # Errors
/// If the rules are not played here.
pub(super) fn write(genesis: &Genesis, secret: Option<&[u8; 64]>, out: &mut String) -> Result<Rules, String> {
    let rules = playable(genesis).map_err(|(_, detail)| detail)?;
    let names = Names::of(rules.set());
    let mut line = format!("{FORMAT}\nrules ");
    header::write(&rules, &mut line);
    if let Some(name) = rules.house_name() {
        line.push_str("\nhouse ");
        put_name(name, &mut line);
    }
    write!(line, "\ngame {}\nseats ", hex(&genesis.game_id)).expect("a string takes all text");
    for (i, player) in genesis.players.iter().enumerate() {
        line.push_str(if i > 0 { ", " } else { "" });
        put_name(&player.name, &mut line);
    }
    for (seat, player) in (0..).zip(&genesis.players) {
        if let Some(key) = player.key {
            write!(line, "\nkey {} {}", names.seat_name(Seat(seat)), hex(&key))
                .expect("a string takes all text");
        }
    }
    write!(line, "\ncards {}", codes::word(&DEAL_MODES, genesis.mode)).expect("a string takes all text");
    if genesis.registration != usual_registration(genesis.mode) {
        line.push(' ');
        line.push_str(codes::word(&REGISTRATIONS, genesis.registration));
    }
    if let Some(found) = genesis.commitment
        && genesis.commitment != commitment(genesis.mode, genesis.game_id, secret)
    {
        put_hex("commitment", &found, &mut line);
    }
    line.push_str("\nengine ");
    put_name(&genesis.engine, &mut line);
    if let Some(started) = genesis.started_at_ms {
        write!(line, "\nstarted {}", time::to_text(started)).expect("a string takes all text");
    }
    if let Some(Fork { game_id, n, head }) = &genesis.fork_of {
        write!(line, "\nfork {} {n} {}", hex(game_id), hex(head)).expect("a string takes all text");
    }
    if let Some(key) = &genesis.director {
        write!(line, "\ndirector {}", hex(key)).expect("a string takes all text");
    }
    if let Some(version) = genesis.penalties {
        write!(line, "\npenalties {version}").expect("a string takes all text");
    }
    line.push('\n');
    out.push_str(&line);
    Ok(rules)
}
