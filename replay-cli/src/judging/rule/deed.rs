//! The deeds of a seat that words name. A sentence is read only if every word of it is understood: whatever else it says may be
//! the very thing that was wrong.

use canasta_engine::card::{Card, Rank};

/// Maximum number of words that are read.
const WORDS_MAX: usize = 40;

/// The kind of a deed.
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

/// One thing that was done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Deed {
    pub verb: Verb,
    pub cards: Vec<NamedCards>,
    /// The rank of the meld to which the cards went.
    pub onto: Option<Rank>,
}

/// Cards as people name them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NamedCards {
    /// Their number; 0 if it is not said.
    pub count: usize,
    rank: Option<Rank>,
    suit: Option<u8>,
    is_red: Option<bool>,
    is_wild: Option<bool>,
}

impl NamedCards {
    /// One card, whatever it is.
    pub const ANY_ONE: Self = Self { count: 1, rank: None, suit: None, is_red: None, is_wild: None };

    /// Whether the name fits a card.
    pub fn fits(&self, card: Card) -> bool {
        self.rank.is_none_or(|rank| rank == card.rank())
            && self.suit.is_none_or(|suit| Some(suit) == card.suit())
            && self
                .is_red
                .is_none_or(|is_red| card.suit().is_some_and(|suit| (suit == 1 || suit == 2) == is_red))
            && self.is_wild.is_none_or(|is_wild| is_wild == card.is_wild())
    }

    /// Whether any card fits.
    pub fn is_any(&self) -> bool {
        *self == Self { count: self.count, ..Self::default() }
    }

    fn of(card: Card) -> Self {
        Self { count: 1, rank: Some(card.rank()), suit: card.suit(), ..Self::default() }
    }
}

/// Words that say nothing about what was done. `his` partner, who asks or is asked, is nobody who acts.
const FILLERS: &str =
    "a an the his her their its my our your he she they it i we player then up down off of from has had \
    have was is were being been just now own side table hand hands turn legally at partner mate last final
    away got gets get getting new whole entire";
/// Words before the place where cards go, and before the cards that are used.
const TO: &str = "to onto on in into";
const WITH: &str = "with using by and plus for as";
const PLACES: &str = "pile meld melds canasta canastas stock deck set group card cards sequence run";

const DRAW: &str = "draw draws drew drawn drawing";
const TAKE: &str = "take takes took taken taking pick picks picked picking";
const MELD: &str = "meld melds melded melding lay lays laid laying open opens opened opening add adds added adding make makes \
    made making start starts started starting begin begins began begun";
/// The cards behind these lie on the table already: `extended the kings with a joker`.
const EXTEND: &str = "extend extends extended extending complete completes completed completing";
/// Cards that are put somewhere are melded, or discarded if they go to the pile.
const PUT: &str = "put puts putting place places placed placing use uses used";
const PLAY: &str = "play plays played playing";
const DISCARD: &str = "discard discards discarded discarding throw throws threw thrown throwing rid toss tosses tossed dump dumps dumped";
const FREEZE: &str = "freeze freezes froze freezing block blocks blocked blocking";
/// Words for one more card, which is no card too many in a meld.
const MORE: &str = "another second further more";
const ASK: &str = "ask asks asked asking";
const ANSWER: &str = "answer answers answered answering say says said";
const GO: &str = "go goes went gone going";
/// Words of a question to go out.
const QUESTION: &str = "whether if may can could might permission question partner mate out";
/// Words before a verb, so that `meld` behind one of them is no thing.
const ACTORS: &str = "and then he she they i we";

const NUMBERS: &str = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen \
    sixteen seventeen eighteen nineteen twenty";
const SUITS: [&str; 4] = ["club", "diamond", "heart", "spade"];

fn is_in(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|known| known == word)
}

/// Returns the deeds that words name, in their order; `None` if a word is not understood. `seat` tells of a name
/// whether its seat is the one that acts; `None` for other words.
pub fn deeds(what: &str, seat: &dyn Fn(&str) -> Option<bool>) -> Option<Vec<Deed>> {
    let what = what.replace("'s", "").replace("\u{2019}s", "");
    let words: Vec<&str> =
        what.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    if words.len() > WORDS_MAX {
        return None;
    }
    let lower: Vec<String> = words.iter().map(|word| word.to_lowercase()).collect();
    let mut reader = DeedReader::default();
    let mut at = 0;
    while at < words.len() {
        at += reader.word(&words[at..], &lower[at..], at.checked_sub(1).map(|at| &*lower[at]), seat)?;
    }
    reader.is_complete().then_some(reader.deeds)
}

/// The deeds that were read so far.
#[derive(Default)]
struct DeedReader {
    deeds: Vec<Deed>,
    /// The cards that stand before the first verb: `a black three was discarded`.
    early: Vec<NamedCards>,
    /// Whether the place is being named to which the cards go.
    is_target: bool,
    /// The number and the adjectives before the name of cards.
    pending: NamedCards,
}

impl DeedReader {
    /// Reads the first of the words, and returns how many were read.
    fn word(
        &mut self,
        words: &[&str],
        lower: &[String],
        before: Option<&str>,
        seat: &dyn Fn(&str) -> Option<bool>,
    ) -> Option<usize> {
        let word = lower[0].as_str();
        let next = lower.get(1).map(String::as_str);
        if let Some(cards) = run(words[0]).filter(|_| self.pending.count < 2) {
            cards.into_iter().try_for_each(|card| self.name(NamedCards::of(card)))?;
            return Some(1);
        }
        if let Some(read) = self.cards(lower, before) {
            return read;
        }
        // The discard pile and the draw pile.
        if next == Some("pile")
            && (is_in(DISCARD, word) || is_in(DRAW, word))
            && before.is_some_and(|b| b != "and")
        {
            return self.place(if is_in(DRAW, word) { "stock" } else { "pile" }).map(|()| 2);
        }
        if word == "discards" && before == Some("the") {
            return self.place("pile").map(|()| 1);
        }
        let verb = self.deeds.last().map(|deed| deed.verb);
        let is_top = word == "top" && (self.is_target || verb == Some(Verb::Draw));
        let is_frozen = word == "frozen" && next == Some("pile");
        if is_top || is_frozen || is_in(MORE, word) && verb == Some(Verb::Meld) {
            return Some(1);
        }
        // The rules say whether melds and questions may be left out.
        if word == "without" && next.is_some_and(|next| next == "melding" || next == "asking") {
            return Some(2);
        }
        if let Some(read) = self.verb(lower, before) {
            return read;
        }
        if is_in(PLACES, word) {
            return self.place(word).map(|()| 1);
        }
        if is_in(TO, word) || is_in(WITH, word) {
            self.is_target = is_in(TO, word);
            return Some(1);
        }
        // Who is asked does not act.
        let asks = self.deeds.last().is_some_and(|deed| deed.verb == Verb::Ask);
        let is_named = || seat(words[0]).is_some_and(|is_actor| is_actor || asks);
        (is_in(FILLERS, word) || is_named()).then_some(1)
    }

    /// Reads a verb; `None` if the word is none.
    fn verb(&mut self, lower: &[String], before: Option<&str>) -> Option<Option<usize>> {
        let (word, next) = (lower[0].as_str(), lower.get(1).map(String::as_str));
        if self.deeds.last().is_some_and(|deed| deed.verb == Verb::Ask)
            && (is_in(QUESTION, word) || is_in(GO, word))
        {
            return Some(Some(1));
        }
        if is_in(GO, word) && next == Some("out") {
            return Some(self.begin(Verb::GoOut).map(|()| 2));
        }
        if is_in(ANSWER, word) {
            let answer = next.filter(|answer| *answer == "yes" || *answer == "no");
            return Some(answer.and_then(|answer| self.begin(Verb::Answer(answer == "yes"))).map(|()| 2));
        }
        let verbs = [
            (DRAW, Verb::Draw),
            (TAKE, Verb::Take),
            (PLAY, Verb::Play),
            (DISCARD, Verb::Discard),
            (ASK, Verb::Ask),
        ];
        if let Some((_, verb)) = verbs.into_iter().find(|(list, _)| is_in(list, word)) {
            return Some(self.begin(verb).map(|()| 1));
        }
        let is_thing =
            is_in(PLACES, word) && !self.deeds.is_empty() && !before.is_some_and(|b| is_in(ACTORS, b));
        if (is_in(MELD, word) || is_in(PUT, word)) && !is_thing {
            return Some(self.begin(Verb::Meld).map(|()| 1));
        }
        if is_in(EXTEND, word) {
            self.begin(Verb::Meld)?;
            self.is_target = true;
            return Some(Some(1));
        }
        if is_in(FREEZE, word) {
            return Some(self.freeze(word.starts_with('f'), lower).map(|()| 1));
        }
        None
    }

    /// Reads a number, an adjective or a name of cards; `None` if the word is none of these.
    fn cards(&mut self, lower: &[String], before: Option<&str>) -> Option<Option<usize>> {
        let word = lower[0].as_str();
        let pending = &mut self.pending;
        match word {
            "red" | "black" => pending.is_red = Some(word == "red"),
            "natural" => pending.is_wild = Some(false),
            "pair" => {
                pending.count = 2;
                let is_named = lower.get(1).is_some_and(|next| next == "of");
                let pair = NamedCards { is_wild: Some(false), ..*pending };
                return Some(if is_named { Some(1) } else { self.name(pair).map(|()| 1) });
            }
            "wild" | "wilds" => {
                let named = NamedCards { is_wild: Some(true), ..one_at_least(pending) };
                let read = 1 + usize::from(lower.get(1).is_some_and(|next| next.starts_with("card")));
                return Some(self.name(named).map(|()| read));
            }
            _ => {
                let (rank, is_plural) = rank_of(word)?;
                let number = number_of(word);
                let is_count =
                    !is_plural && number.is_some_and(|number| number > 0) && names_cards(&lower[1..]);
                if is_count {
                    pending.count = number.unwrap_or(1);
                    return Some(Some(1));
                }
                let rank = rank?;
                // `discarded two` may be a two, or two cards.
                let alone =
                    number.is_some() && !is_plural && pending.count == 0 && *pending == NamedCards::default();
                let has_article =
                    before.is_some_and(|before| is_in("a an the his her another one their my", before));
                let suit = lower.get(2).filter(|_| lower.get(1).is_some_and(|of| of == "of"));
                let suit = suit.and_then(|suit| {
                    SUITS.iter().position(|name| suit.strip_suffix('s').unwrap_or(suit) == *name)
                });
                if alone && !has_article && suit.is_none() {
                    return Some(None);
                }
                // Of `kings` nobody knows how many.
                let counted = if is_plural { *pending } else { one_at_least(pending) };
                let suit_of = suit.map(|suit| suit as u8);
                let named = NamedCards { rank: Some(rank), suit: suit_of, ..counted };
                return Some(self.name(named).map(|()| if suit.is_some() { 3 } else { 1 }));
            }
        }
        Some(Some(1))
    }

    /// Reads that the pile was frozen by a wild card, or blocked by a black three: by the discard that was named, or that
    /// follows, or by any.
    fn freeze(&mut self, by_wild: bool, lower: &[String]) -> Option<()> {
        if self.deeds.last().is_some_and(|deed| deed.verb == Verb::Discard) {
            return Some(());
        }
        self.begin(Verb::Discard)?;
        let wild = NamedCards { count: 1, is_wild: Some(true), ..NamedCards::default() };
        let three =
            NamedCards { count: 1, rank: Some(Rank::Three), is_red: Some(false), ..NamedCards::default() };
        let is_named = lower.iter().any(|word| word == "with" || word == "by");
        if is_named { Some(()) } else { self.name(if by_wild { wild } else { three }) }
    }

    fn begin(&mut self, verb: Verb) -> Option<()> {
        self.is_target = false;
        self.deeds.push(Deed { verb, cards: std::mem::take(&mut self.early), onto: None });
        Some(())
    }

    /// Adds cards to the deed: those that it moves, or those that lie where they go.
    fn name(&mut self, cards: NamedCards) -> Option<()> {
        self.pending = NamedCards::default();
        match self.deeds.last_mut() {
            Some(deed) if self.is_target => deed.onto = Some(cards.rank.filter(|_| deed.onto.is_none())?),
            Some(deed) => deed.cards.push(cards),
            None => self.early.push(cards),
        }
        Some(())
    }

    /// Reads a thing on the table.
    fn place(&mut self, thing: &str) -> Option<()> {
        if thing == "card" || thing == "cards" {
            let cards = one_at_least(&self.pending);
            return self.name(cards);
        }
        // Before the verb it says on what something is done: `the pile was taken`.
        let Some(deed) = self.deeds.last_mut() else { return Some(()) };
        match (thing, deed.verb) {
            // Put on the pile is discarded, taken from the stock is drawn.
            ("pile", Verb::Meld | Verb::Play) if self.is_target => deed.verb = Verb::Discard,
            ("stock" | "deck", Verb::Take) => deed.verb = Verb::Draw,
            (
                "pile" | "stock" | "deck",
                Verb::Meld | Verb::Play | Verb::Ask | Verb::Answer(_) | Verb::GoOut,
            ) => return None,
            ("stock" | "deck", Verb::Discard) | ("pile", Verb::Draw) => return None,
            _ => {}
        }
        Some(())
    }

    /// Whether the sentence names at least one deed, and no number or adjective without its cards.
    fn is_complete(&self) -> bool {
        !self.deeds.is_empty() && self.pending == NamedCards::default()
    }
}

fn one_at_least(cards: &NamedCards) -> NamedCards {
    NamedCards { count: cards.count.max(1), ..*cards }
}

fn number_of(word: &str) -> Option<usize> {
    NUMBERS.split_whitespace().position(|number| number == word).or_else(|| word.parse().ok())
}

/// Returns the number of cards of which words speak, if it is near to the number that is dealt: a small one says how many
/// are too many.
pub fn count_near(said: &str, dealt: usize) -> Option<usize> {
    let words = said.split(|c: char| !c.is_alphanumeric()).filter_map(|word| number_of(&word.to_lowercase()));
    let is_near = |number: &usize| *number != dealt && (dealt.div_ceil(2)..=2 * dealt).contains(number);
    words.into_iter().find(is_near)
}

/// Returns the rank that a word names (`None` in it for a bare `one`), and whether it names several cards.
fn rank_of(word: &str) -> Option<(Option<Rank>, bool)> {
    const NAMES: [(&str, Rank); 7] = [
        ("ace", Rank::Ace),
        ("deuce", Rank::Two),
        ("jack", Rank::Jack),
        ("queen", Rank::Queen),
        ("king", Rank::King),
        ("joker", Rank::Joker),
        ("trey", Rank::Three),
    ];
    let single = |word: &str| {
        let named = NAMES.iter().find(|(name, _)| *name == word).map(|(_, rank)| Some(*rank));
        let number = number_of(word);
        let number = number.filter(|number| (1..=10).contains(number));
        named.or_else(|| number.map(|number| Rank::from_index(number as u8 - 1).filter(|_| number > 1)))
    };
    let plural = ["s", "es"].iter().filter_map(|end| word.strip_suffix(end)).find_map(single);
    single(word).map(|rank| (rank, false)).or_else(|| plural.map(|rank| (rank, true)))
}

/// Whether the words go on with cards, so that a number before them counts.
fn names_cards(words: &[String]) -> bool {
    let mut words = words.iter().map(String::as_str).skip_while(|word| is_in("black red natural more", word));
    words.next().is_some_and(|word| is_in("card cards wild wilds", word) || rank_of(word).is_some())
}

/// Returns the cards of a word in notation: `Kd`, `7s7c7dX`.
fn run(word: &str) -> Option<Vec<Card>> {
    let ten = word.replace("10", "T");
    let (mut cards, mut rest) = (Vec::new(), ten.as_str());
    // These are words too.
    if rest.is_empty() || is_in("as ah ad", rest) {
        return None;
    }
    while !rest.is_empty() {
        let length = if rest.starts_with(['X', 'x']) { 1 } else { 2 };
        let (card, after) = rest.split_at_checked(length)?;
        let (rank, suit) = card.split_at(1);
        cards.push(Card::parse(&(rank.to_uppercase() + &suit.to_lowercase()))?);
        rest = after;
    }
    Some(cards)
}
