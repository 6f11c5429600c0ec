//! Words of a sentence, as the reader of deeds knows them: English words, in English order.

const WORDS: &str = include_str!("spoken.txt");

/// Maximum number of words of a phrase.
const PHRASE_MAX: usize = 3;
pub const SUITS: [&str; 4] = ["club", "diamond", "heart", "spade"];

pub struct SpokenWord<'a> {
    /// The word that the reader knows; in lower case as it was said if it knows none.
    pub is: String,
    pub said: &'a str,
    /// Its place in the text, in bytes.
    pub at: usize,
}

impl SpokenWord<'_> {
    /// Whether a part of the sentence ends before this word.
    pub fn is_stop(&self) -> bool {
        [",", ".", "aside", "aim"].contains(&self.is.as_str())
    }
}

/// Returns the words of a text that tell what was done. German verbs at the end of their clause stand before what they
/// are about.
pub fn words(text: &str) -> Vec<SpokenWord<'_>> {
    let said: Vec<(usize, &str)> = parts(text).collect();
    let lower: Vec<String> = said.iter().map(|(_, word)| word.to_lowercase()).collect();
    let mut found: Vec<SpokenWord<'_>> = Vec::new();
    let (mut at, mut clause) = (0, 0);
    while at < said.len() {
        let longest = PHRASE_MAX.min(said.len() - at);
        let known = (1..=longest)
            .rev()
            .find_map(|length| Some((length, meaning(&lower[at..at + length].join("_"))?)));
        let (length, (is, is_late)) = known.unwrap_or((1, (&lower[at], false)));
        let (place, word) = said[at];
        let new = |is: &str| SpokenWord { is: is.to_owned(), said: word, at: place };
        at += length;
        match is {
            "-" => continue,
            "," => {}
            _ if is_late => {
                let auxiliary = found[clause..].iter().rposition(|word| word.is == "has");
                found.insert(clause + auxiliary.map_or(0, |place| place + 1), new(is));
                clause = found.len();
                continue;
            }
            _ => {}
        }
        match compound(is) {
            Some(parts) => found.extend(parts.map(new)),
            None => found.push(new(is)),
        }
        if is_verb(is) || ["aside", "aim", "."].contains(&is) {
            clause = found.len();
        }
    }
    found
}

/// Whether a word names a deed.
pub fn is_verb(word: &str) -> bool {
    const VERBS: &str = "draw take meld extend put play discard freeze block leave ask answer goout";
    VERBS.split(' ').any(|verb| verb == word)
}

/// Returns the point of the compass that a word names in some language.
pub fn compass(word: &str) -> Option<&'static str> {
    let (is, _) = meaning(&word.to_lowercase())?;
    ["north", "east", "south", "west"].contains(&is).then_some(is)
}

/// Returns words and stops with their places.
fn parts(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_part = |c: char| c.is_alphanumeric() || ",.;?!".contains(c);
    let mut at = 0;
    std::iter::from_fn(move || {
        at += text[at..].find(is_part)?;
        let (start, rest) = (at, &text[at..]);
        let is_stop = rest.starts_with([',', '.', ';', '?', '!']);
        let end = |rest: &str| rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
        let (part, after) = rest.split_at(if is_stop { 1 } else { end(rest) });
        let genitive = ["'s", "\u{2019}s"].into_iter().find(|genitive| after.starts_with(genitive));
        at += part.len() + genitive.map_or(0, str::len);
        Some((start, part))
    })
}

/// Returns the word that the reader knows for a word or phrase, and whether German puts it behind what it is about.
fn meaning(said: &str) -> Option<(&'static str, bool)> {
    if [",", ".", ";", "?", "!"].contains(&said) {
        return Some((if said == "," { "," } else { "." }, false));
    }
    WORDS.lines().filter(|line| !line.starts_with('#')).find_map(|line| {
        let (is, said_for_it) = line.split_once(" | ")?;
        let place = said_for_it.split(' ').position(|word| word == said)?;
        Some((is, said_for_it.split(' ').take(place).any(|word| word == "<")))
    })
}

/// Returns the words of a German card: `herzkönig` is a king of hearts.
fn compound(word: &str) -> Option<impl Iterator<Item = &'static str> + use<>> {
    let suits = ["kreuz", "karo", "herz", "pik"].iter().zip(SUITS);
    let (rank, suit) = suits.filter_map(|(name, suit)| Some((word.strip_prefix(name)?, suit))).next()?;
    let (rank, _) = meaning(rank)?;
    Some([rank, "of", suit].into_iter())
}
