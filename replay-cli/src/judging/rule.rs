//! `rule`: the director's assistant. From what happened to the law, the position to go on from and the ruling.

mod allowed;
mod append;
mod deed;
mod dialogue;
mod incident;
mod named;
mod proposal;
mod public_records;
mod spoken;
mod stand;
mod unruled;
mod words;

use crate::shared::io::{Exit, Io, OutputFormat};
use crate::shared::paths;
use crate::shared::text::list;
use allowed::DeedVerdict;
use anyhow::{anyhow, bail};
use canasta_engine::irregularity::heard::{Listener, Matter, Meaning};
use canasta_engine::irregularity::{
    self, Answered, Irregularity, LawSanction, Question, QuestionAnswer, Remedy, Topic,
};
use canasta_engine::seat::Seat;
use canasta_engine::violations::template::Language;
use incident::Incident;
use proposal::ProposedRuling;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use words::RuleAnswer;

/// Maximum number of irregularities that are named besides the one that is ruled on.
const OTHERS: usize = 3;

/// The arguments of `rule`.
#[derive(clap::Args, Debug, Default)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// A log, or a position in notation (docs/formats/NOTATION.md), in which ?? stands for a card that is not known, or - for
    /// a position on standard input. Without it, only law and penalty are looked up
    #[arg(value_name = "LOG|POSITION")]
    subject: Option<String>,
    /// Number of the record of the log at which it happened, from 0 [default: after the last]
    #[arg(long, value_name = "N", requires = "subject")]
    at: Option<u64>,
    /// Words that say what happened ("partner said go out, then he could not"), or an action in notation ("take 7h X")
    #[arg(long, value_name = "WORDS")]
    what: Option<String>,
    /// The answer to a question: corrected=yes
    #[arg(long = "answer", value_name = "KEY=ANSWER", value_parser = answer)]
    answers: Vec<(String, String)>,
    /// The law, if the first proposal is not the right one: IR-053
    #[arg(long, value_name = "ID")]
    law: Option<String>,
    /// The seat that offended: a letter, a number or a player's name [default: who is named in the words, or who acts]
    #[arg(long, value_name = "SEAT")]
    seat: Option<String>,
    /// The cards that lie open from now on, for the effect penalty_cards: "Kd 4c"
    #[arg(long, value_name = "CARDS")]
    cards: Option<String>,
    /// Points of the ruling, 0 or negative [default: what is usual under the law]
    #[arg(long, value_name = "POINTS", allow_hyphen_values = true)]
    points: Option<i32>,
    /// The effect in notation: "raise_minimum 10", "none" [default: what is usual under the law]
    #[arg(long, value_name = "EFFECT", allow_hyphen_values = true)]
    effect: Option<String>,
    /// The authority that rules: director, jury or table [default: director]
    #[arg(long, value_name = "WHO")]
    by: Option<String>,
    /// The reason that the record states [default: the words]
    #[arg(long, value_name = "TEXT")]
    reason: Option<String>,
    /// Append the ruling to the log: only to a transcribed log, or after the end of the game
    #[arg(long, requires = "subject")]
    append: bool,
    /// Format of the answer
    #[arg(long, value_enum, default_value_t)]
    format: OutputFormat,
}

const EXAMPLES: &str = "\
At a terminal, what is missing is asked. Otherwise the first answer of each question is assumed, and the \
assumption is stated. Players rule on nothing: the answer is a proposal to the official, with the range of \
the law (docs/reference/PENALTIES.md).

A log is changed by --append only, and only where no server keeps the game: a game that is being played \
takes the ruling as a request (--format json has it).

Exit codes: 0 a law was found; 1 nothing irregular was found, or the ruling is refused; 2 the input \
cannot be read.

Examples:
  canasta-replay rule --what 'a player exposed a card'
  canasta-replay rule 'classic-4p; to move N; drew; hand N Kd 4c' --what 'North exposed the Kd'
  canasta-replay rule 'classic-4p; hand N 7h X Kd; melds NS 7s7c7d; pile 2c 7d' --what 'take 7h X'
  canasta-replay rule table.clog --at 188 --what 'asked to go out, was told yes, cannot'
  canasta-replay rule table.clog --at 188 --law IR-050 --append";

fn answer(text: &str) -> Result<(String, String), String> {
    let (key, answer) = text.split_once('=').ok_or("expected KEY=ANSWER, for example corrected=yes")?;
    Ok((key.trim().to_owned(), answer.trim().to_owned()))
}

/// An irregularity with the law that decides, and the way there.
struct FoundLaw {
    row: Irregularity,
    answers: Vec<Answered>,
    /// The keys of the questions whose answers nobody gave.
    assumed: Vec<&'static str>,
    remedy: Remedy,
    sanction: LawSanction,
    /// Other irregularities that the words may mean.
    others: Vec<Irregularity>,
    /// Whether the irregularity was found from words alone.
    by_words: bool,
}

/// Finds the law and writes the ruling.
pub fn run(args: &Args, io: &mut Io<'_>) -> anyhow::Result<Exit> {
    io.speak(args.format);
    let mut incident = match (&args.subject, args.at) {
        (Some(log), at) if at.is_some() || Path::new(log).is_file() => Incident::at(Path::new(log), at, io)?,
        (Some(position), _) => Incident::of_position(position, io)?,
        (None, _) => Incident::unknown(),
    };
    let mut given = args.answers.clone();
    let mut what = args.what.clone().unwrap_or_default();
    anyhow::ensure!(what.len() <= words::WHAT_MAX, "--what: expected at most {} bytes", words::WHAT_MAX);
    incident.hear(&what, io)?;
    let asks = io.terminal && args.format == OutputFormat::Text;
    let mut law = args.law.clone();
    if asks
        && args.what.is_none()
        && law.is_none()
        && incident.offence.is_none()
        && let Some(exit) = ask_what(&mut incident, &mut what, &mut law, args, io)?
    {
        return Ok(exit);
    }
    if law.is_none() && !incident.is_action {
        match allowed::judge(&incident, args.seat.as_deref(), &what) {
            Some(DeedVerdict::Allowed(act)) => return unruled::allowed(&act, &incident.names, args, io),
            Some(DeedVerdict::Broken(offence)) => {
                (incident.offence, incident.is_deed) = (Some(offence), true);
            }
            None => {}
        }
    }
    let (row, others, by_words) = match irregular(&incident, law.as_deref(), &what)? {
        Incidence::Law(row, others, by_words) => (row, others, by_words),
        Incidence::Topic(topic) => return unruled::topic(&topic, &incident, args, io),
        Incidence::Few(matters) => return unruled::few(&matters, &incident, args, &what, io),
        Incidence::Nothing => return unruled::nothing(&incident, args, &what, io),
    };
    // An action in notation answers no question.
    let said = if incident.is_action { "" } else { what.as_str() };
    if asks {
        dialogue::answer(&row, said, &mut given, &incident.names, io)?;
    }
    // The law on a defect of the position answers the questions about it.
    let of_position =
        || incident.irregular_laws().find(|law| !by_words && what.is_empty() && has_law(&row, law));
    let law = law.or_else(|| of_position().map(str::to_owned));
    if let Some(count) = incident.count_in(said, &row)
        && !given.iter().any(|(key, _)| key == "count")
    {
        given.push(("count".to_owned(), count.to_owned()));
    }
    let finding = FoundLaw::of(row, others, by_words, law.as_deref(), &given, said)?;
    let mut proposed = ProposedRuling::new(args, &incident, &finding, &what)?;
    let judged = proposed.judge(&incident);
    let log = args.subject.as_ref().map(PathBuf::from).unwrap_or_default();
    // What the position allows, the game as it is now may refuse.
    if judged.as_ref().is_none_or(Result::is_ok) && !args.append {
        proposed.refused = append::refusal(&log, &incident, &proposed, io)?;
    }
    let answer = RuleAnswer { incident, finding, proposed, judged, what };
    words::write(&answer, args.format, io)?;
    if answer.judged.as_ref().is_some_and(Result::is_err) || answer.proposed.refused.is_some() {
        return Ok(Exit::Findings);
    }
    if args.append {
        paths::named_file(&log, "a ruling is appended to a file")?;
        append::append(&log, &answer.incident, &answer.proposed, io)?;
    }
    Ok(Exit::Clean)
}

/// Asks what happened, and which matter the words are about if they leave it open: an irregularity gives the law, a topic is answered.
fn ask_what(
    incident: &mut Incident,
    what: &mut String,
    law: &mut Option<String>,
    args: &Args,
    io: &mut Io<'_>,
) -> anyhow::Result<Option<Exit>> {
    // A position that is typed in haste has too few cards: that is seldom what the call is about.
    *what = dialogue::what(!incident.faults.is_empty(), &incident.names, io)?;
    incident.hear(what, io)?;
    if incident.is_action {
        return Ok(None);
    }
    match dialogue::choose(&meaning(incident, what).matters(), &incident.names, io)? {
        Some(Matter::Irregularity(row)) => *law = row.remedies().last().map(|remedy| remedy.law.to_owned()),
        Some(Matter::Topic(topic)) => return unruled::topic(&topic, incident, args, io).map(Some),
        None => {}
    }
    Ok(None)
}

/// The listener that knows what people say, which never changes.
static LISTENER: LazyLock<Listener> = LazyLock::new(Listener::of_all_hands);

/// Returns what the words are about, among what can come up at the table.
fn meaning(incident: &Incident, what: &str) -> Meaning {
    let seat = incident.seat_in(what).or(incident.seat);
    LISTENER.hear(what, |matter| may_be(incident, matter, seat))
}

/// Whether a matter can come up at a table: without one, whatever can. What a typed position does not say may be.
fn may_be(incident: &Incident, matter: Matter, seat: Option<Seat>) -> bool {
    let Some(table) = incident.table() else { return true };
    // Before the first discard some rule sets have no pile.
    let has_pile = incident.record.is_none() || !table.pile().is_empty() || !table.melds().is_empty();
    let is_now = match matter.id() {
        "pile-wrong" | "pile-looked" => has_pile,
        // Nobody can do so lawfully while the pile is frozen against the side.
        "take-wild" | "take-onto" => seat.is_none_or(|seat| table.frozen(table.side_of(seat)).is_empty()),
        _ => true,
    };
    is_now && matter.comes_up_in(table.set())
}

/// The matter of an incident, as far as it is known.
enum Incidence {
    /// The irregularity, the others that it may be, and whether only words led to it.
    Law(Irregularity, Vec<Irregularity>, bool),
    /// Nobody has offended: the rules say how it is.
    Topic(Topic),
    /// The words leave open which of these it is.
    Few(Vec<Matter>),
    Nothing,
}

/// Returns what an incident is about: by the law that was named, by the action that was judged, by the words.
fn irregular(incident: &Incident, law: Option<&str>, what: &str) -> anyhow::Result<Incidence> {
    let meaning = if incident.is_action { Meaning::Nothing } else { meaning(incident, what) };
    let by_words = meaning.clone().irregularities();
    if let Some(law) = law {
        let law = law.to_ascii_uppercase();
        let has = |row: &Irregularity| has_law(row, &law);
        // Several irregularities may have the law: the words choose among them.
        let row = by_words.iter().copied().find(has).or_else(|| row_of(&law));
        let laws = || list(irregularity::sanctions().map(|sanction| sanction.law));
        let row = row.ok_or_else(|| {
            anyhow!("--law: expected a law of docs/reference/PENALTIES.md, found {law:?}: {}", laws())
        })?;
        return Ok(Incidence::Law(row, Vec::new(), false));
    }
    if let Some(offence) = &incident.offence
        && let Some(row) = offence.irregularity()
        && (what.is_empty() || incident.is_action || incident.is_deed)
    {
        return Ok(Incidence::Law(row, Vec::new(), false));
    }
    // What is irregular in the position itself outweighs the words, if they fit it or say nothing.
    let in_position: Vec<Irregularity> = incident.irregular_laws().filter_map(row_of).collect();
    let seen = by_words.iter().copied().find(|row| incident.irregular_laws().any(|law| has_law(row, law)));
    if let Some(row) = seen.or(in_position.first().copied().filter(|_| by_words.is_empty())) {
        let others = in_position.into_iter().chain(by_words).filter(|other| other.id != row.id);
        let mut named: Vec<Irregularity> = Vec::new();
        others.for_each(|other| {
            if named.len() < OTHERS && !named.contains(&other) {
                named.push(other);
            }
        });
        return Ok(Incidence::Law(row, named, false));
    }
    Ok(match meaning {
        Meaning::One(Matter::Irregularity(row)) => Incidence::Law(row, Vec::new(), true),
        Meaning::One(Matter::Topic(topic)) => match topic.breach(incident.rules.set()) {
            // What is asked has not been done.
            Some(row) if what.contains('?') => {
                Incidence::Few(vec![Matter::Topic(topic), Matter::Irregularity(row)])
            }
            Some(row) => Incidence::Law(row, Vec::new(), true),
            None => Incidence::Topic(topic),
        },
        Meaning::Few(matters) => Incidence::Few(matters),
        Meaning::Nothing => Incidence::Nothing,
    })
}

/// Returns the irregularity that usually leads to a law, or one that may.
fn row_of(law: &str) -> Option<Irregularity> {
    let usual = |row: &Irregularity| row.remedies().last().is_some_and(|remedy| remedy.law == law);
    irregularity::all().find(usual).or_else(|| irregularity::all().find(|row| has_law(row, law)))
}

fn has_law(row: &Irregularity, law: &str) -> bool {
    row.remedies().any(|remedy| remedy.law == law)
}

impl FoundLaw {
    /// Returns the other answers to a question, each with what would hold then.
    fn otherwise(&self, question: &Question) -> impl Iterator<Item = (QuestionAnswer, Remedy)> {
        let others = question.answers.iter().copied();
        others.filter(|other| !self.answers.contains(&(question.key, other.key()))).map(|other| {
            let changed =
                |&(key, answer)| if key == question.key { (key, other.key()) } else { (key, answer) };
            (other, self.row.remedy(&self.answers.iter().map(changed).collect::<Vec<_>>()))
        })
    }

    fn of(
        row: Irregularity,
        others: Vec<Irregularity>,
        by_words: bool,
        law: Option<&str>,
        given: &[(String, String)],
        what: &str,
    ) -> anyhow::Result<Self> {
        let mut named: Vec<(&str, &str)> = Vec::new();
        for (key, answer) in given {
            let question = row.questions().find(|question| question.key == key);
            let keys = || list(row.questions().map(|question| question.key));
            let Some(question) = question else {
                bail!("--answer: this irregularity has the questions [{}], found {key:?}", keys());
            };
            let Some(known) = question.answer(|word| word == answer) else {
                let (text, known) = (question.text.of(Language::English), question.choice(Language::English));
                bail!("--answer: {text}: expected one of {known}, found {answer:?}");
            };
            named.push((key, known));
        }
        let given = named;
        let mut answers = row.answers(&given, what);
        let is_assumed =
            |key: &&str| !given.iter().any(|(known, _)| known == key) && !row.is_answered_by(what, key);
        let mut assumed: Vec<&str> = answers.iter().map(|(key, _)| *key).filter(is_assumed).collect();
        let law = law.map(str::to_ascii_uppercase);
        let named = law.and_then(|law| row.remedies().find(|remedy| remedy.law == law));
        if let Some(remedy) = &named {
            // A law that was named answers its questions.
            for (key, answer) in &remedy.answers {
                answers.iter_mut().filter(|(known, _)| known == key).for_each(|known| known.1 = answer);
                assumed.retain(|known| known != key);
            }
        }
        let remedy = named.unwrap_or_else(|| row.remedy(&answers));
        let sanction = irregularity::sanction(remedy.law)
            .ok_or_else(|| anyhow!("{}: nothing can be ruled under this rule", remedy.law))?;
        Ok(Self { row, answers, assumed, remedy, sanction, others, by_words })
    }
}
