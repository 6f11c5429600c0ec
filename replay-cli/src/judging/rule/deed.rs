//! The deeds of a seat that words name. A sentence is read only if every word of it is understood, or stands in a part of it in
//! which nobody hears anything wrong: whatever else it says may be the very thing that was wrong.

use super::named::{
    NamedCards, is_in, names_cards, number_of, one_at_least, rank_of, run, suit_ahead, suit_of,
};
use super::spoken::{SpokenWord, is_verb, words};
use canasta_engine::card::Rank;

/// Maximum number of words that are read.
const WORDS_MAX: usize = 40;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verb {
    Draw,
    Take,
    Meld,
    /// Cards were played: melded or discarded.
    Play,
    Discard,
    Ask,
    Answer(bool),
    GoOut,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deed {
    pub verb: Verb,
    /// The cards that are moved, or with which the pile is taken.
    pub cards: Vec<NamedCards>,
    /// The rank of the meld to which the cards went.
    pub onto: Option<Rank>,
    /// Whether the cards are a meld of their own.
    pub is_alone: bool,
    /// Whether the pile is named in the sentence.
    pub of_pile: bool,
    /// True if the whole pile was taken, false if something was left of it, as far as it is said.
    pub is_whole: Option<bool>,
}

/// Returns the deeds that words name, in their order, and whether nothing else in them may tell of something wrong; `None` if a
/// word of a deed is not understood. `seat` tells of a name whether its seat is the one that acts, `None` for other words;
/// `is_harmless` whether nothing wrong is heard in a part.
pub fn deeds(
    what: &str,
    seat: &dyn Fn(&str) -> Option<bool>,
    is_harmless: &dyn Fn(&str) -> bool,
) -> Option<(Vec<Deed>, bool)> {
    let words = words(what);
    if words.len() > WORDS_MAX {
        return None;
    }
    let mut reader = DeedReader::default();
    // The part that is being read, from its beginning, and what was read before it.
    let (mut part, mut before, mut at) = (0, reader.clone(), 0);
    let mut is_all = true;
    while at < words.len() {
        if words[at].is_stop() {
            (part, before) = (at, reader.clone());
        }
        if let Some(read) = reader.word(&words[at..], at.checked_sub(1).map(|at| words[at].is.as_str()), seat)
        {
            at += read;
            continue;
        }
        let rest = &words[at + 1..];
        at += 1 + rest.iter().position(SpokenWord::is_stop).unwrap_or(rest.len());
        let skipped = &words[part..at];
        let has = |list: &str| skipped.iter().any(|word| is_in(list, &word.is));
        // What somebody could have done was not done.
        if !has("aside aim could may") && skipped.iter().any(|word| is_verb(&word.is)) {
            return None;
        }
        let start = skipped.iter().map(|word| word.at).min().unwrap_or_default();
        let end = skipped.iter().map(|word| word.at + word.said.len()).max().unwrap_or_default();
        is_all &=
            has("aim") || !has("alarm no turn without") && (has("aside") || is_harmless(&what[start..end]));
        reader = before.clone();
    }
    Some((reader.finish()?, is_all))
}

/// The deeds that were read so far.
#[derive(Clone, Default)]
struct DeedReader {
    deeds: Vec<Deed>,
    /// The words before the first verb: `a black three was discarded`.
    early: Vec<NamedCards>,
    /// Whether the place is being named to which the cards go.
    is_target: bool,
    /// The number and the adjectives before the name of cards.
    pending: NamedCards,
    /// The suit that stands before ranks: `hearts five, six and seven`.
    suit: Option<u8>,
    is_whole: Option<bool>,
    of_pile: bool,
}

impl DeedReader {
    /// Reads the first of the words, and returns how many were read.
    fn word(
        &mut self,
        words: &[SpokenWord<'_>],
        before: Option<&str>,
        seat: &dyn Fn(&str) -> Option<bool>,
    ) -> Option<usize> {
        let word = words[0].is.as_str();
        let next = words.get(1).map(|next| next.is.as_str());
        if let Some(cards) = run(words[0].said).filter(|_| self.pending.count < 2) {
            cards.into_iter().try_for_each(|card| self.name(NamedCards::of(card)))?;
            return Some(1);
        }
        if let Some(read) = self.cards(words, before) {
            return read;
        }
        let verb = self.deeds.last().map(|deed| deed.verb);
        match (word, verb) {
            ("top", Some(Verb::Draw)) => return Some(1),
            ("top", _) if self.is_target => return Some(1),
            ("frozen", _) if next.is_some_and(|next| is_in("pile stack", next)) => return Some(1),
            ("more", Some(Verb::Meld)) => return Some(1),
            ("alone", Some(Verb::Meld)) => self.deeds.iter_mut().for_each(|deed| deed.is_alone = true),
            ("whole", _) => self.is_whole = Some(true),
            ("leave" | "rest", Some(Verb::Take)) => self.is_whole = Some(false),
            // The rules say whether melds and questions may be left out.
            ("without", _) => return without(words, seat),
            _ => {
                if let Some(read) = self.verb(words, before) {
                    return read;
                }
                if is_in("pile stock stack set meld card cards", word) {
                    return self.place(word).map(|()| 1);
                }
                if is_in("to with and", word) {
                    self.is_target = word == "to";
                    return Some(1);
                }
                // Who is asked does not act.
                let asks = verb == Some(Verb::Ask);
                let is_named = || seat(words[0].said).is_some_and(|is_actor| is_actor || asks);
                return (is_in("the he has of turn , .", word) || is_named()).then_some(1);
            }
        }
        Some(1)
    }

    fn verb(&mut self, words: &[SpokenWord<'_>], before: Option<&str>) -> Option<Option<usize>> {
        let word = words[0].is.as_str();
        let asks = self.deeds.last().is_some_and(|deed| deed.verb == Verb::Ask);
        let goes_on = word == "goout" && before.is_some_and(|before| is_in("and ,", before));
        if asks && !goes_on && is_in("whether may could goout out", word) {
            return Some(Some(1));
        }
        let verbs = [
            ("draw", Verb::Draw),
            ("take", Verb::Take),
            ("play", Verb::Play),
            ("discard", Verb::Discard),
            ("ask", Verb::Ask),
            ("goout", Verb::GoOut),
        ];
        if let Some((_, verb)) = verbs.into_iter().find(|(name, _)| *name == word) {
            self.begin(verb);
            return Some(Some(1));
        }
        match (word, self.deeds.last_mut()) {
            ("answer", _) => {
                let read = words.iter().take(4).position(|word| is_in("yes no", &word.is));
                if let Some(place) = read {
                    self.begin(Verb::Answer(words[place].is == "yes"));
                }
                Some(read.map(|place| place + 1))
            }
            ("extend", _) => {
                self.begin(Verb::Meld);
                self.is_target = true;
                Some(Some(1))
            }
            ("freeze" | "block", _) => Some(self.freeze(word == "freeze", words).map(|()| 1)),
            // German parts of verbs: `machte Schluss`, `legte ab`.
            ("out", Some(deed)) if deed.verb == Verb::Meld && deed.cards.is_empty() => {
                deed.verb = Verb::GoOut;
                Some(Some(1))
            }
            ("ab", Some(deed)) if matches!(deed.verb, Verb::Meld | Verb::Play) => {
                deed.verb = Verb::Discard;
                Some(Some(1))
            }
            // `added a king to the meld`, but `and meld`.
            ("meld", Some(_))
                if is_thing(words[0].said) && !before.is_some_and(|word| is_in("and he ,", word)) =>
            {
                None
            }
            ("meld" | "put", _) => {
                self.begin(Verb::Meld);
                Some(Some(1))
            }
            _ => None,
        }
    }

    /// Reads a number, an adjective or a name of cards; `None` if the word is none of these.
    fn cards(&mut self, words: &[SpokenWord<'_>], before: Option<&str>) -> Option<Option<usize>> {
        let word = words[0].is.as_str();
        let next = words.get(1).map(|next| next.is.as_str());
        let pending = &mut self.pending;
        match word {
            "red" | "black" => pending.is_red = Some(word == "red"),
            "natural" => pending.is_wild = Some(false),
            "both" => pending.count = 2,
            "pair" => {
                pending.count = 2;
                let pair = NamedCards { is_wild: Some(false), ..*pending };
                return match next {
                    Some("of") => Some(Some(1)),
                    Some(next) if rank_of(next).is_some_and(|(_, is_plural)| is_plural) => Some(Some(1)),
                    _ => Some(self.name(pair).map(|()| 1)),
                };
            }
            "wild" => {
                let named = NamedCards { is_wild: Some(true), ..one_at_least(pending) };
                let read = 1 + usize::from(next.is_some_and(|next| next.starts_with("card")));
                return Some(self.name(named).map(|()| read));
            }
            _ => {
                if let Some(suit) = suit_of(word) {
                    self.suit = Some(suit);
                    return Some(Some(1));
                }
                let (rank, is_plural) = rank_of(word)?;
                let number = number_of(word);
                let is_count =
                    !is_plural && number.is_some_and(|number| number > 0) && names_cards(&words[1..]);
                if is_count {
                    pending.count = number.unwrap_or(1);
                    return Some(Some(1));
                }
                let rank = rank?;
                let has_article = before.is_some_and(|before| is_in("the more one", before));
                let behind = words.get(2).filter(|_| next == Some("of")).and_then(|word| suit_of(&word.is));
                if has_article {
                    self.suit = None;
                }
                let suit = behind.or(self.suit).or_else(|| suit_ahead(words, has_article));
                // `discarded two` may be a two, or two cards.
                let alone =
                    number.is_some() && !is_plural && pending.count == 0 && *pending == NamedCards::default();
                if alone && !has_article && suit.is_none() {
                    return Some(None);
                }
                // Of `kings` nobody knows how many.
                let counted = if is_plural { *pending } else { one_at_least(pending) };
                let named = NamedCards { rank: Some(rank), suit, ..counted };
                return Some(self.name(named).map(|()| if behind.is_some() { 3 } else { 1 }));
            }
        }
        Some(Some(1))
    }

    /// Reads that the pile was frozen by a wild card, or blocked by a black three: by the discard that was named, or that
    /// follows, or by any.
    fn freeze(&mut self, by_wild: bool, words: &[SpokenWord<'_>]) -> Option<()> {
        if self.deeds.last().is_some_and(|deed| deed.verb == Verb::Discard) {
            return Some(());
        }
        self.begin(Verb::Discard);
        let wild = NamedCards { count: 1, is_wild: Some(true), ..NamedCards::default() };
        let three =
            NamedCards { count: 1, rank: Some(Rank::Three), is_red: Some(false), ..NamedCards::default() };
        let is_named = words.iter().any(|word| word.is == "with");
        if is_named { Some(()) } else { self.name(if by_wild { wild } else { three }) }
    }

    fn begin(&mut self, verb: Verb) {
        (self.is_target, self.suit) = (false, None);
        // `froze the pile by throwing a two` is one deed.
        let is_begun = |deed: &Deed| deed.verb == Verb::Discard && deed.cards.is_empty();
        if verb == Verb::Discard && self.deeds.last().is_some_and(is_begun) {
            return;
        }
        let cards = std::mem::take(&mut self.early);
        self.deeds.push(Deed { verb, cards, onto: None, is_alone: false, of_pile: false, is_whole: None });
    }

    /// Adds cards to the deed: those that it moves, or those that lie where they go.
    fn name(&mut self, cards: NamedCards) -> Option<()> {
        self.pending = NamedCards::default();
        match self.deeds.last_mut() {
            Some(deed) if self.is_target => deed.onto = Some(cards.rank.filter(|_| deed.onto.is_none())?),
            Some(deed) => {
                // `began the kings with two kings` names them once.
                deed.cards
                    .pop_if(|last| last.count == 0 && last.rank == cards.rank && deed.verb == Verb::Meld);
                deed.cards.push(cards);
            }
            None => self.early.push(cards),
        }
        Some(())
    }

    fn place(&mut self, thing: &str) -> Option<()> {
        if thing.starts_with("card") {
            let cards = one_at_least(&self.pending);
            return self.name(cards);
        }
        self.of_pile |= thing != "stock" && thing != "set";
        // Before the verb it says on what something is done: `the pile was taken`.
        let Some(deed) = self.deeds.last_mut() else { return Some(()) };
        let is_few = deed.cards.iter().all(|cards| cards.is_any() && cards.count <= 2);
        match (thing, deed.verb) {
            // Put on the pile is discarded, taken from the stock is drawn.
            ("pile" | "stack", Verb::Meld | Verb::Play) if self.is_target => deed.verb = Verb::Discard,
            ("stock", Verb::Take) => deed.verb = Verb::Draw,
            ("stack", Verb::Take) if is_few && !deed.cards.is_empty() => deed.verb = Verb::Draw,
            (
                "pile" | "stack" | "stock",
                Verb::Meld | Verb::Play | Verb::Ask | Verb::Answer(_) | Verb::GoOut,
            ) => return None,
            ("stock", Verb::Discard) | ("pile", Verb::Draw) => return None,
            _ => {}
        }
        Some(())
    }

    /// Returns the deeds, if the sentence names one, and no number or adjective without its cards.
    fn finish(mut self) -> Option<Vec<Deed>> {
        for deed in &mut self.deeds {
            (deed.of_pile, deed.is_whole) = (self.of_pile, self.is_whole);
        }
        (!self.deeds.is_empty() && self.pending == NamedCards::default()).then_some(self.deeds)
    }
}

/// Reads `without asking Ann`, `ohne Ann zu fragen`.
fn without(words: &[SpokenWord<'_>], seat: &dyn Fn(&str) -> Option<bool>) -> Option<usize> {
    let is_name = |word: &SpokenWord<'_>| is_in("the he to", &word.is) || seat(word.said).is_some();
    let place = 1 + words[1..].iter().take_while(|word| is_name(word)).count();
    let verb = words.get(place).filter(|word| is_in("ask meld", &word.is));
    verb.map(|_| place + 1 + words[place + 1..].iter().take_while(|word| is_name(word)).count())
}

/// Whether a word is a thing as well as a verb.
fn is_thing(said: &str) -> bool {
    is_in("meld melds", &said.to_lowercase())
}
