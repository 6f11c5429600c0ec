//! The spelling of each type of knob in the canonical form.

use alloc::string::String;
use alloc::vec::Vec;

use super::knob_text::{
    CanonicalReader, KnobErrorKind, KnobForm, Value, write_integer, write_items, write_key, write_string,
};
use super::knobs::Word;
use super::values::{Band, Bands, CardPoints, RankMap, Set, SpecialScores};
use crate::card::Rank;

const LIST: (char, char) = ('[', ']');
const OBJECT: (char, char) = ('{', '}');
/// The key of wild melds in rank maps.
const WILD_KEY: &str = "W";

/// Returns the ranks that have card points, in order, each with its key. The three stands for the black three.
fn point_keys() -> impl Iterator<Item = (Rank, &'static str)> {
    let others = Rank::WORDS.iter().copied().filter(|(rank, _)| *rank != Rank::Three);
    others.chain([(Rank::Three, "3b")])
}

type Read<T> = Result<T, KnobErrorKind>;

impl Value for u8 {
    const FORM: KnobForm = KnobForm::Number;
    fn write(&self, out: &mut String) {
        write_integer(i32::from(*self), out);
    }

    fn read(reader: &mut CanonicalReader<'_>) -> Read<Self> {
        Self::try_from(reader.integer()?).map_err(|_| KnobErrorKind::IntegerTooLarge)
    }

    fn numbers(&self, each: &mut dyn FnMut(i32)) {
        each(i32::from(*self));
    }
}

impl Value for i32 {
    const FORM: KnobForm = KnobForm::Number;
    const POINTS: bool = true;

    fn write(&self, out: &mut String) {
        write_integer(*self, out);
    }

    fn read(reader: &mut CanonicalReader<'_>) -> Read<Self> {
        reader.integer()
    }

    fn numbers(&self, each: &mut dyn FnMut(i32)) {
        each(*self);
    }
}

impl Value for bool {
    const FORM: KnobForm = KnobForm::Switch;
    fn write(&self, out: &mut String) {
        out.push_str(if *self { "true" } else { "false" });
    }

    fn read(reader: &mut CanonicalReader<'_>) -> Read<Self> {
        if reader.skip("true") {
            return Ok(true);
        }
        reader.expect("false").map_err(|_| KnobErrorKind::Expected("true or false"))?;
        Ok(false)
    }

    fn all() -> Vec<String> {
        ["false", "true"].map(String::from).to_vec()
    }
}

impl<E: Word> Value for E {
    const FORM: KnobForm = KnobForm::Word;
    fn write(&self, out: &mut String) {
        write_string(self.word(), out);
    }

    fn read(reader: &mut CanonicalReader<'_>) -> Read<Self> {
        Self::from_word(reader.string()?).ok_or(KnobErrorKind::UnknownWord)
    }

    fn all() -> Vec<String> {
        let spelled = |(value, _): &(E, &str)| {
            let mut text = String::new();
            value.write(&mut text);
            text
        };
        E::WORDS.iter().map(spelled).collect()
    }
}

impl<E: Word> Value for Set<E> {
    const FORM: KnobForm = KnobForm::Words;
    fn write(&self, out: &mut String) {
        write_items(LIST, self.iter(), out, |member, out| write_string(member.word(), out));
    }

    fn read(reader: &mut CanonicalReader<'_>) -> Read<Self> {
        let mut set = Self::NONE;
        let mut last = None;
        reader.list(|reader| {
            let word = reader.string()?;
            let place = reader.in_order(word, E::WORDS.iter().map(|(_, word)| *word), &mut last)?;
            set = set.with(E::WORDS[place].0);
            Ok(())
        })?;
        Ok(set)
    }

    fn all() -> Vec<String> {
        E::all()
    }
}

impl<T: Value + Copy> Value for RankMap<T> {
    const FORM: KnobForm = KnobForm::ByRank;
    const POINTS: bool = T::POINTS;

    fn write(&self, out: &mut String) {
        let ranks = self.iter().map(|(rank, value)| (rank.word(), value));
        let entries = ranks.chain(self.wild().map(|value| (WILD_KEY, value)));
        write_items(OBJECT, entries, out, |(key, value), out| {
            write_key(key, out);
            value.write(out);
        });
    }

    fn read(reader: &mut CanonicalReader<'_>) -> Read<Self> {
        let mut map = Self::NONE;
        let mut last = None;
        reader.object(|reader| {
            let key = reader.key()?;
            let keys = Rank::WORDS.iter().map(|(_, word)| *word).chain([WILD_KEY]);
            let place = reader.in_order(key, keys, &mut last)?;
            let value = T::read(reader)?;
            map = match Rank::WORDS.get(place) {
                Some(&(rank, _)) => map.with(rank, value),
                None => map.with_wild(value),
            };
            Ok(())
        })?;
        Ok(map)
    }

    fn numbers(&self, each: &mut dyn FnMut(i32)) {
        self.values().for_each(|value| value.numbers(each));
    }

    fn all() -> Vec<String> {
        T::all()
    }
}

impl<T: Value> Value for Vec<T> {
    const FORM: KnobForm = KnobForm::Numbers;
    const POINTS: bool = T::POINTS;

    fn write(&self, out: &mut String) {
        write_items(LIST, self, out, |value, out| value.write(out));
    }

    fn read(reader: &mut CanonicalReader<'_>) -> Read<Self> {
        let mut values = Self::new();
        reader.list(|reader| {
            values.push(T::read(reader)?);
            Ok(())
        })?;
        Ok(values)
    }

    fn numbers(&self, each: &mut dyn FnMut(i32)) {
        self.iter().for_each(|value| value.numbers(each));
    }
}

/// The form is `{"below":0,"minimum":15}`. The last band of a list has no `below`.
impl Value for Band {
    const FORM: KnobForm = KnobForm::Bands;
    const POINTS: bool = true;

    fn write(&self, out: &mut String) {
        out.push('{');
        if let Some(below) = self.below {
            write_key("below", out);
            write_integer(below, out);
            out.push(',');
        }
        write_key("minimum", out);
        write_integer(self.minimum, out);
        out.push('}');
    }

    fn read(reader: &mut CanonicalReader<'_>) -> Read<Self> {
        let mut below = None;
        reader.expect("{")?;
        if reader.skip("\"below\":") {
            below = Some(reader.integer()?);
            reader.expect(",")?;
        }
        reader.expect("\"minimum\":")?;
        let minimum = reader.integer()?;
        reader.expect("}")?;
        Ok(Self { below, minimum })
    }

    fn numbers(&self, each: &mut dyn FnMut(i32)) {
        self.below.iter().for_each(|below| each(*below));
        each(self.minimum);
    }
}

/// Bands by score are a list of objects, bands by round a list of integers. An empty list is read as bands by score.
impl Value for Bands {
    const FORM: KnobForm = KnobForm::Bands;
    const POINTS: bool = true;

    fn write(&self, out: &mut String) {
        match self {
            Self::ByScore(bands) => bands.write(out),
            Self::ByRound(minimums) => minimums.write(out),
        }
    }

    fn read(reader: &mut CanonicalReader<'_>) -> Read<Self> {
        if reader.comes("[{") || reader.comes("[]") {
            return Ok(Self::ByScore(Vec::read(reader)?));
        }
        Ok(Self::ByRound(Vec::read(reader)?))
    }

    fn numbers(&self, each: &mut dyn FnMut(i32)) {
        match self {
            Self::ByScore(bands) => bands.numbers(each),
            Self::ByRound(minimums) => minimums.numbers(each),
        }
    }
}

impl Value for CardPoints {
    const FORM: KnobForm = KnobForm::CardPoints;
    const POINTS: bool = true;

    fn write(&self, out: &mut String) {
        write_items(OBJECT, point_keys(), out, |(rank, key), out| {
            write_key(key, out);
            write_integer(self.of_rank(rank), out);
        });
    }

    fn read(reader: &mut CanonicalReader<'_>) -> Read<Self> {
        let mut points = Self::default();
        let mut keys = point_keys();
        reader.object(|reader| {
            let (rank, key) = keys.next().ok_or(KnobErrorKind::Expected("}"))?;
            if reader.key()? != key {
                return Err(KnobErrorKind::OutOfOrder);
            }
            points = points.with(rank, reader.integer()?);
            Ok(())
        })?;
        match keys.next() {
            None => Ok(points),
            Some((_, key)) => Err(KnobErrorKind::Expected(key)),
        }
    }

    fn numbers(&self, each: &mut dyn FnMut(i32)) {
        point_keys().for_each(|(rank, _)| each(self.of_rank(rank)));
    }
}

/// A list of four numbers of points: straight, pairs, pairs with wild cards, garbage.
impl Value for SpecialScores {
    const FORM: KnobForm = KnobForm::Numbers;
    const POINTS: bool = true;

    fn write(&self, out: &mut String) {
        write_items(LIST, self.in_order(), out, write_integer);
    }

    fn read(reader: &mut CanonicalReader<'_>) -> Read<Self> {
        let scores: Vec<i32> = Vec::read(reader)?;
        let [straight, pairs, pairs_with_wilds, garbage] = scores[..] else {
            return Err(KnobErrorKind::Expected("four scores"));
        };
        Ok(Self { straight, pairs, pairs_with_wilds, garbage })
    }

    fn numbers(&self, each: &mut dyn FnMut(i32)) {
        self.in_order().into_iter().for_each(each);
    }
}
