//! The parser for the lines of a game.

use super::form::{self, GameError, RECORDS_MAX};
use super::given::{
    Actor, Given, GivenAction, GivenEnd, GivenRecord, GivenRefusal, GivenRegister, ScorePlace, Tried,
    TypedAction,
};
use super::head::{FoundLine, Head, HeadLine};
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use canasta_log::codes::{self, END_REASONS};
use canasta_log::record::{Author, Beacon, Reveal, Score, ScoreLine};
use canasta_rules::action::ActionKind;
use canasta_rules::notation::Names;
use canasta_rules::notation::action::action;
use canasta_rules::notation::rulings::{unit, whole};
use canasta_rules::notation::span::{Read, Span};
use canasta_rules::notation::suits::Suits;
use canasta_rules::notation::words::outside;

mod remark;
pub(super) mod score;
mod typed;
mod whole;

pub(super) use typed::typed_action;
pub(super) use whole::{FAULTS_MAX, every_line, records_before, text};
use whole::{bounded, lines_of};

#[derive(Default)]
struct TextReader<'a> {
    found: Vec<FoundLine<'a>>,
    head: Option<Head>,
    entries: Vec<GivenRecord>,
    /// The last claimed time since the start, in milliseconds.
    clock: u64,
    cut: bool,
}

/// The first words of the fields that may follow an action.
const TAIL: [&str; 5] = ["gets", "at", "state", "sig", "because"];

/// The fields that may follow an action.
#[derive(Default)]
struct Tail<'a> {
    gets: Option<Span<'a>>,
    elapsed_ms: Option<u64>,
    state: Option<Span<'a>>,
    sig: Option<Span<'a>>,
    because: Option<Vec<String>>,
}

impl<'a> TextReader<'a> {
    /// Reads all lines, and returns the number of the last line.
    fn lines(&mut self, text: &'a str) -> Result<u32, GameError> {
        bounded(text)?;
        let mut last = 1;
        for (number, line) in (1..).zip(lines_of(text)) {
            last = number;
            self.line(number, line)?;
            if self.entries.len() >= RECORDS_MAX {
                return Err(GameError::of_line(number, format!("expected at most {RECORDS_MAX} records")));
            }
        }
        Ok(last)
    }

    fn line(&mut self, number: u32, line: &'a str) -> Result<(), GameError> {
        let span = Span::of(line).trim();
        let content = uncommented(span);
        if content.is_empty() {
            return Ok(());
        }
        if self.head.is_none() {
            if let Some((found, rest)) = HeadLine::of(content) {
                self.found.push(FoundLine { line: found, number, whole: line, rest });
                return Ok(());
            }
            let word = content.word().0;
            if self.found.is_empty() && word.text.to_ascii_lowercase().starts_with("canasta-game") {
                return Err(form::place(number, line, &word.error(form::FORMAT)));
            }
            self.begin(number)?;
        }
        self.body(number, line, span, content).map_err(|error| form::place(number, line, &error))
    }

    /// Builds the head from its lines, at the first line of the game.
    fn begin(&mut self, number: u32) -> Result<(), GameError> {
        if self.head.is_none() {
            self.head = Some(Head::of(&self.found, number)?);
        }
        Ok(())
    }

    fn names(&self) -> Names<'_> {
        self.head.as_ref().expect("a line of the game stands behind the head").names()
    }

    fn push(&mut self, number: u32, line: &str, at: Span<'_>, given: Given) {
        let column = line.char_indices().take_while(|(byte, _)| *byte < at.at).count() as u32 + 1;
        self.entries.push(GivenRecord { line: number, column, given, score_lines: Vec::new() });
    }

    fn body(&mut self, number: u32, line: &str, span: Span<'a>, content: Span<'a>) -> Read<()> {
        if self.cut {
            return Err(content.error("nothing after ..., where the log stops"));
        }
        let (word, rest) = content.word();
        let given = match word.text.to_ascii_lowercase().as_str() {
            "round" => self.register(rest)?,
            "end" => end(rest)?,
            "score" => return self.score(number, rest),
            "winner" => self.winner(rest)?,
            "game" if rest.word().0.is("over") => {
                let (_, rest) = rest.word();
                Given::GameEnd { winner: None, secret: secret(rest)? }
            }
            "..." => {
                self.cut = true;
                return rest.finish("the end of the line");
            }
            _ => match remark::without_author(word, rest)? {
                Some(given) => given,
                None => return self.actions(number, line, span, content),
            },
        };
        self.push(number, line, content, given);
        Ok(())
    }

    /// Reads `[SEAT:] ACTION, ACTION ...` or a remark with an author.
    fn actions(&mut self, number: u32, line: &str, span: Span<'a>, content: Span<'a>) -> Read<()> {
        let (by, body) = self.actor(content)?;
        // The text of a remark may contain any characters, also `#`.
        let text = span.part(body.at - span.at, span.text.len()).word().1;
        if let Some(given) = self.remark(by, body.word().0, text)? {
            self.push(number, line, content, given);
            return Ok(());
        }
        let actor = by.map_or(Actor::Unsaid, |by| match by {
            Author::Seat(seat) => Actor::Seat(seat),
            Author::Table | Author::Director => Actor::Nobody,
        });
        for part in body.list() {
            let given = self.action(actor, part)?;
            self.push(number, line, part, given);
        }
        Ok(())
    }

    /// Reads the actor before an action (a seat, a player's name, table or director). Returns the actor and the rest.
    fn actor(&self, content: Span<'a>) -> Read<(Option<Author>, Span<'a>)> {
        let known = |name: Span<'_>| {
            let roles =
                [("table", Author::Table), ("director", Author::Director), ("judge", Author::Director)];
            match roles.into_iter().find(|(role, _)| name.is(role)) {
                Some((_, role)) => Ok(Some(role)),
                None => Ok(self.names().seat_or_none(name)?.map(Author::Seat)),
            }
        };
        let colon = outside(content.text).find(|(_, c)| *c == ':').map(|(at, _)| at);
        if let Some(at) = colon
            && let Some(by) = known(content.part(0, at).trim())?
        {
            return Ok((Some(by), content.part(at + 1, content.text.len()).trim()));
        }
        let (word, rest) = self.names().word(content);
        match known(word)? {
            Some(by) => Ok((Some(by), rest)),
            None if word.text.ends_with(':') => Err(word.error("a seat, table or director before the colon")),
            None => Ok((None, content)),
        }
    }

    fn action(&mut self, actor: Actor, part: Span<'a>) -> Read<Given> {
        let words = part.plain_words();
        let is_tail = |word: &&Span<'_>| word.text.starts_with('@') || TAIL.iter().any(|name| word.is(name));
        let cut = words.iter().find(is_tail).map_or(part.text.len(), |word| word.at - part.at);
        let (body, tail) = (part.part(0, cut).trim(), part.part(cut, part.text.len()).trim());
        let (verb, rest) = body.word();
        if verb.is("refused") || verb.is("tries") {
            let tail = self.tail(tail, &["because"])?;
            let tried = self.tried(rest)?;
            let (codes, elapsed_ms) = (tail.because, tail.elapsed_ms);
            return Ok(Given::Refusal(Box::new(GivenRefusal { actor, tried, codes, elapsed_ms })));
        }
        let tail = self.tail(tail, &["gets", "state", "sig"])?;
        let suits = Suits::provisional();
        let (action, received) = typed_action(body, tail.gets, self.names().with_suits(&suits))?;
        let typed = suits.was_asked().then(|| TypedAction {
            body: String::from(body.text),
            gets: tail.gets.map(|gets| String::from(gets.text)),
        });
        Ok(Given::Action(Box::new(GivenAction {
            actor,
            action,
            received,
            typed,
            elapsed_ms: tail.elapsed_ms,
            signature: tail.sig.map(Span::hex).transpose()?,
            digest: tail.state.map(Span::hex).transpose()?,
        })))
    }

    /// Reads `ACTION`, `clear ACTION` or `KIND masked HEX`.
    fn tried(&self, body: Span<'_>) -> Read<Tried> {
        let (verb, rest) = body.word();
        if verb.is("clear") {
            return Ok(Tried::Clear(action(rest, self.names())?));
        }
        let (word, bytes) = rest.word();
        if word.is("masked") {
            let kind = ActionKind::from_name(&verb.text.to_ascii_lowercase());
            let kind = kind.ok_or_else(|| verb.error("the type of an action such as take_pile"))?;
            return Ok(Tried::Masked(kind, bytes.hex_bytes()?));
        }
        Ok(Tried::Action(action(body, self.names())?))
    }

    fn tail<'t>(&mut self, tail: Span<'t>, allowed: &[&'static str]) -> Read<Tail<'t>> {
        let mut read = Tail::default();
        let words = tail.plain_words();
        let is_name = |word: &Span<'_>| word.text.starts_with('@') || TAIL.iter().any(|name| word.is(name));
        let starts: Vec<usize> =
            words.iter().filter(|word| is_name(word)).map(|word| word.at - tail.at).collect();
        if let Some(first) = words.first().filter(|first| !is_name(first)) {
            return Err(first.error("@ and a time, or the end"));
        }
        for (at, from) in starts.iter().enumerate() {
            let to = starts.get(at + 1).copied().unwrap_or(tail.text.len());
            let (word, value) = tail.part(*from, to).trim().word();
            let clock = word.text.strip_prefix('@').map(|text| match text {
                "" => value,
                text => Span { text, at: word.at + 1, ..word },
            });
            if let Some(clock) = clock.or_else(|| word.is("at").then_some(value)) {
                if read.elapsed_ms.is_some() {
                    return Err(word.error("one time"));
                }
                if word.text.len() > 1 && word.text.starts_with('@') {
                    value.finish("the next word or the end")?;
                }
                read.elapsed_ms = Some(self.elapsed(clock)?);
                continue;
            }
            let name = allowed.iter().copied().find(|name| word.is(name));
            match name {
                Some("gets") if read.gets.is_none() => read.gets = Some(value),
                Some("state") if read.state.is_none() => read.state = Some(value),
                Some("sig") if read.sig.is_none() => read.sig = Some(value),
                Some("because") if read.because.is_none() => {
                    let codes = value.words().map(|word| word.text.to_ascii_uppercase());
                    read.because = Some(codes.collect());
                }
                _ => return Err(word.error("nothing more, or a time")),
            }
        }
        Ok(read)
    }

    /// Reads a time since the start. Returns the milliseconds since the last time.
    fn elapsed(&mut self, clock: Span<'_>) -> Read<u64> {
        let time = clock.clock()?;
        let elapsed = time.checked_sub(self.clock);
        self.clock = time;
        elapsed.ok_or_else(|| clock.error("a time that is not before the last one"))
    }

    /// Reads `[N] [dealer SEAT] [attempt N] [commitment HEX] [seats HEX - ...] [beacon CHAIN ROUND CLOSE]
    /// [signatures HEX - ...]`.
    fn register(&self, rest: Span<'_>) -> Read<Given> {
        let mut given = GivenRegister::default();
        let mut words = self.names().words(rest).map(|word| trimmed(word, ',')).peekable();
        if let Some(word) = words.next_if(|word| word.text.bytes().all(|byte| byte.is_ascii_digit())) {
            given.round = Some(whole(word, "the number of a round")?);
        }
        while let Some(word) = words.next() {
            let mut value = |expected| words.next().ok_or_else(|| word.error(expected));
            match word.text.to_ascii_lowercase().as_str() {
                "dealer" => {
                    given.rest.dealer = Some(self.names().seat(value("dealer and a seat")?)?);
                }
                "attempt" => {
                    given.attempt = Some(whole(value("attempt and a number")?, "the number of a deal")?);
                }
                "commitment" => given.rest.commitment = Some(value("commitment and a hash")?.hex()?),
                "beacon" => {
                    let chain = value("beacon and the hash of its chain")?.hex()?;
                    let round = whole(value("the round of the beacon")?, "the round of the beacon")?;
                    let close = value("when contributions close")?;
                    let close_ms = close.text.parse().map_err(|_| close.error("milliseconds since 1970"))?;
                    given.rest.beacon = Some(Beacon { chain, round, close_ms });
                }
                "seats" => {
                    while let Some(word) = words.next_if(|word| word.text == "-" || word.text.len() == 64) {
                        given.rest.seats.push(if word.text == "-" { None } else { Some(word.hex()?) });
                    }
                }
                "signatures" => {
                    while let Some(word) = words.next_if(|word| word.text == "-" || word.text.len() == 128) {
                        given.rest.signatures.push(if word.text == "-" { None } else { Some(word.hex()?) });
                    }
                }
                _ => return Err(word.error("dealer, attempt, commitment, seats, beacon or signatures")),
            }
        }
        Ok(Given::Register(Box::new(given)))
    }

    /// Reads `UNIT [TOTAL]: ITEM [(COUNT)] POINTS, ...` under the end of a round; `-` for no score at all.
    fn score(&mut self, number: u32, rest: Span<'_>) -> Read<()> {
        let rules = self.head.as_ref().map(|head| head.rules.clone());
        let set = rules.as_ref().expect("a line of the game stands behind the head").set();
        let (head, items) = rest.cut(':').map_or((rest, None), |(head, items)| (head, Some(items.trim())));
        let (of, total) = self.names().word(head);
        let unit = unit(of, set, self.names());
        let Some(GivenRecord { given: Given::RoundEnd(end), score_lines, .. }) = self.entries.last_mut()
        else {
            return Err(rest.error("a score under the end of its round"));
        };
        let scores = end.scores.get_or_insert_default();
        if rest.text == "-" {
            return Ok(());
        }
        if items.is_none() && total.is_empty() {
            return Err(rest.error("whose score, a colon and its lines"));
        }
        let unit = unit?;
        if scores.len() >= canasta_log::record::SCORES_MAX || scores.iter().any(|score| score.unit == unit) {
            return Err(of.error("the score of each once"));
        }
        let lines = items.into_iter().filter(|items| !items.is_empty()).flat_map(Span::list);
        let lines: Vec<ScoreLine> = lines.map(score::score_line).collect::<Read<_>>()?;
        let stated = total.text.parse::<i64>();
        if items.is_some() && !total.is_empty() && stated != Ok(ScoreLine::sum(&lines)) {
            return Err(total.error("the sum of the lines"));
        }
        let alone = match items {
            Some(_) => None,
            None => Some(stated.map_err(|_| total.error("a total, or a colon and the lines of the score"))?),
        };
        scores.push(Score { unit, lines });
        score_lines.push(ScorePlace { line: number, alone });
        Ok(())
    }

    /// Reads `UNIT [secret HEX]`, `-` for nobody.
    fn winner(&self, rest: Span<'_>) -> Read<Given> {
        let head = self.head.as_ref().expect("a line of the game stands behind the head");
        let (of, rest) = self.names().word(rest);
        let winner = if of.text == "-" { None } else { Some(unit(of, head.rules.set(), self.names())?) };
        Ok(Given::GameEnd { winner: Some(winner), secret: secret(rest)? })
    }
}

/// Reads `[secret HEX]`.
fn secret(rest: Span<'_>) -> Read<Option<[u8; 64]>> {
    if rest.is_empty() {
        return Ok(None);
    }
    let (word, secret) = rest.word();
    if word.is("secret") { secret.hex().map(Some) } else { Err(word.error("secret, or the end of the line")) }
}

/// Reads `[REASON] [round N] [attempt N] [secret HEX | wall CARDS salt HEX] [state HEX]`.
fn end(rest: Span<'_>) -> Read<Given> {
    let mut given = GivenEnd::default();
    let mut words = rest.words().map(|word| trimmed(word, ',')).peekable();
    let reason = |word: &Span<'_>| codes::from_word(&END_REASONS, &word.text.to_ascii_lowercase());
    if let Some(word) = words.next_if(|word| reason(word).is_some()) {
        given.reason = reason(&word);
    }
    let mut wall = None;
    while let Some(word) = words.next() {
        let mut value = |expected| words.next().ok_or_else(|| word.error(expected));
        match word.text.to_ascii_lowercase().as_str() {
            "round" => given.round = Some(whole(value("round and its number")?, "the number of a round")?),
            "attempt" => given.attempt = Some(whole(value("attempt and a number")?, "the number of a deal")?),
            "state" => given.digest = Some(value("state and a digest")?.hex()?),
            "secret" => given.reveal = Some(Reveal::Secret(value("secret and its bytes")?.hex()?)),
            "wall" => {
                let mut named = Vec::new();
                while let Some(word) = words.next_if(|word| !word.is("salt")) {
                    named.extend(word.card_list::<Vec<_>>()?);
                }
                wall = Some(named);
            }
            "salt" => {
                let salt = value("salt and its bytes")?.hex()?;
                let cards = wall.take().ok_or_else(|| word.error("wall and its cards before the salt"))?;
                given.reveal = Some(Reveal::Wall { cards, salt });
            }
            _ => return Err(word.error("how the round ended, round, attempt, secret, wall, salt or state")),
        }
    }
    if wall.is_some() {
        return Err(rest.error("salt and its bytes behind the wall"));
    }
    Ok(Given::RoundEnd(Box::new(given)))
}

/// Removes all characters `c` at the end of a word.
fn trimmed(word: Span<'_>, c: char) -> Span<'_> {
    word.part(0, word.text.trim_end_matches(c).len())
}

/// Returns the part before a `#` that is not in quotes.
fn uncommented(span: Span<'_>) -> Span<'_> {
    let end = outside(span.text).find(|(_, c)| *c == '#').map_or(span.text.len(), |(at, _)| at);
    span.part(0, end).trim()
}
