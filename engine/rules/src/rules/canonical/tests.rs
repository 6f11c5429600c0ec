use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;

use super::super::{
    Band, Bands, CardPoints, Courtesy, EmptyPileSafe, FootComes, FootThrees, FrozenTake, GarbageShape,
    GoOutBar, Knob, NextDealer, NoCanastaScore, OppCanastaRank, PileLook, PresetId, RankMap, RankWilds, Set,
    SideChoice, SpecialScores, TakeCanastaRank, TalonAward, ThreesKeep, Tie, WildCapScope, WildRatio,
    WildValue, Word,
};
use super::*;
use crate::card::Rank;

fn classic_text() -> String {
    let set = PresetId::from_name("classic-4p").expect("a preset").rule_set();
    String::from_utf8(set.to_canonical()).expect("UTF-8")
}

fn read(text: &str) -> Result<RuleSet, KnobError> {
    RuleSet::from_canonical(text.as_bytes())
}

/// Reads the canonical form of classic-4p with `from` replaced by `to`. Returns the knob and the kind of the error,
/// which must occur.
fn refusal(from: &str, to: &str) -> (Option<&'static str>, KnobErrorKind) {
    let classic = classic_text();
    assert!(classic.contains(from), "{from}");
    let error = read(&classic.replacen(from, to, 1)).expect_err(to);
    (error.knob, error.kind)
}

/// Returns a rule set in which no knob has its default. It need not be valid.
fn all_set() -> RuleSet {
    // No preset sets these knobs to other values than the default.
    let mut set = RuleSet {
        side_choice: SideChoice::DrawnCards,
        next_dealer: NextDealer::Random,
        talon_award: TalonAward::Manual,
        talon_expires: 1,
        stock_marker: 4,
        foot_comes: FootComes::FirstCanasta,
        start_frozen: true,
        draw_rounds: Vec::from([1, 2]),
        go_out_mixed: 1,
        bonus_rank_mixed: RankMap::NONE.with(Rank::Seven, 5),
        more_feet: Vec::from([1, 2]),
        black_three_table: Vec::from([5, 10]),
        go_out_ranks: Set::of(&[Rank::Seven]),
        courtesy: Courtesy::WithConsent,
        take_canasta_rank: TakeCanastaRank::UnlessWildsFull,
        frozen_always: true,
        frozen_take: FrozenTake::NaturalMeld,
        pile_look: PileLook::Three,
        wild_cap_scope: WildCapScope::ToCanasta,
        opp_canasta_rank: OppCanastaRank::NoNewMeld,
        overfill_out: true,
        initial_bonus: true,
        threes_keep: ThreesKeep::StraightOnly,
        foot_threes: FootThrees::Choice,
        empty_pile_safe: EmptyPileSafe::Forbid,
        go_out_bars: Set::of(&[GoOutBar::Sevens, GoOutBar::PureAces]),
        garbage_shape: GarbageShape::F3333WildPair,
        special_distinct: true,
        wild_value: WildValue::Substituted,
        no_canasta_score: NoCanastaScore::AllNegative,
        tie: Tie::PlayOn,
        ..RuleSet::defaults()
    };
    for preset in PresetId::all().map(PresetId::rule_set) {
        for knob in KNOBS.iter().filter(|knob| !knob.is_default(&preset)) {
            let text = knob.value(&preset);
            let mut reader = CanonicalReader::new(text.as_bytes());
            (knob.read)(&mut set, &mut reader).expect("a knob reads what it writes");
        }
    }
    assert!(KNOBS.iter().all(|knob| !knob.is_default(&set)));
    set
}

#[test]
fn the_table_lists_the_fields_of_the_rule_set_in_order() {
    let debug = format!("{:#?}", RuleSet::defaults());
    let fields = debug.lines().filter(|line| line.starts_with("    ") && !line.starts_with("     "));
    let names: Vec<&str> =
        fields.filter_map(|line| line.trim().split_once(':')).map(|(name, _)| name).collect();
    let listed: Vec<&str> = KNOBS.iter().map(|knob| knob.name).collect();
    assert_eq!(names, listed);
    assert_eq!(listed.len(), 136);
}

/// Checks that the twelve knobs of model 5.5 are always written.
#[test]
fn always_written_are_the_twelve_knobs_of_the_rulebook() {
    let always: Vec<&str> = KNOBS.iter().filter(|knob| knob.always_written).map(|knob| knob.name).collect();
    let rulebook = "seats side_count packs jokers hand_size draw_count meld_min canasta_size min_naturals \
                    initial_bands card_points three_table";
    assert_eq!(always, rulebook.split_whitespace().collect::<Vec<_>>());
    let defaults = String::from_utf8(RuleSet::defaults().to_canonical()).expect("UTF-8");
    assert!(
        KNOBS.iter().all(|knob| defaults.contains(&format!("\"{}\":", knob.name)) == knob.always_written)
    );
}

#[test]
fn every_set_reads_back_as_written() {
    let mut sets: Vec<RuleSet> = PresetId::all().map(PresetId::rule_set).collect();
    sets.push(RuleSet::defaults());
    sets.push(all_set());
    sets.push(RuleSet {
        talons: vec![0, 255],
        initial_bands: Bands::ByScore(vec![Band { below: None, minimum: i32::MIN }]),
        rank_wilds: RankMap::NONE.with(Rank::Joker, RankWilds::Never).with_wild(RankWilds::InitialOnly),
        card_points: CardPoints::default().with(Rank::Three, -5),
        special_scores: SpecialScores { garbage: 1, ..SpecialScores::default() },
        three_table: vec![i32::MAX, 0, -1],
        ..RuleSet::defaults()
    });
    for set in sets {
        let canonical = set.to_canonical();
        assert_eq!(RuleSet::from_canonical(&canonical), Ok(set));
    }
}

/// Checks that any replaced, removed or doubled byte of a canonical form is refused, or is another rule set with
/// exactly this spelling.
#[test]
fn no_second_spelling_is_accepted() {
    let mut accepted = 0;
    for name in ["classic-4p", "american-4p", "hand-and-foot-4p"] {
        let canonical = PresetId::from_name(name).expect("a preset").rule_set().to_canonical();
        for at in 0..canonical.len() {
            let (head, tail) = canonical.split_at(at);
            let mut variants = vec![[head, &tail[1..]].concat(), [head, &tail[..1], tail].concat()];
            variants.extend(
                b" \t\n\"{}[]:,-+.0159aAeE_\\\0\xff".iter().map(|byte| [head, &[*byte], &tail[1..]].concat()),
            );
            variants.push(head.to_vec());
            for bytes in variants {
                if let Ok(set) = RuleSet::from_canonical(&bytes) {
                    assert_eq!(set.to_canonical(), bytes);
                    accepted += 1;
                }
            }
        }
    }
    // Some changed digits are valid values.
    assert!(accepted > 100, "{accepted}");
}

#[test]
fn errors_name_the_place_the_knob_and_what_was_expected() {
    let error = read("{\"seats\":4,\"side_count\":x").expect_err("no integer");
    assert_eq!((error.offset, error.knob, error.kind), (24, Some("side_count"), KnobErrorKind::NotInteger));
    assert_eq!(
        format!("{error}"),
        "rule set, byte 24, knob side_count: expected an integer in its shortest form"
    );
}

#[test]
fn anything_but_the_canonical_spelling_is_refused() {
    use KnobErrorKind::*;
    let rows = [
        ("\"seats\":4", "\"seats\": 4", Some("seats"), NotInteger),
        ("\"seats\":4", "\"seats\":04", Some("seats"), NotInteger),
        ("\"seats\":4", "\"seats\":-0", Some("seats"), NotInteger),
        ("\"seats\":4", "\"seats\":+4", Some("seats"), NotInteger),
        ("\"seats\":4", "\"seats\":256", Some("seats"), IntegerTooLarge),
        ("\"seats\":4", "\"seats\":-1", Some("seats"), IntegerTooLarge),
        ("\"seats\":4", "\"seats\":99999999999", Some("seats"), IntegerTooLarge),
        ("\"seats\":4", "\"seats\":4.0", Some("side_count"), Expected(",")),
        ("\"seats\":4,", "", Some("seats"), Missing),
        ("\"packs\":2,", "", Some("packs"), Missing),
        ("\"three_table\":[100,200,300,800],", "", Some("three_table"), Missing),
        ("\"side_count\":2", "\"side_count\":2,\"side_count\":2", None, UnknownKnob),
        ("\"packs\":2,\"jokers\":4", "\"jokers\":4,\"packs\":2", Some("packs"), Missing),
        ("\"seats\":4,", "\"seats\":4,\"house\":4,", None, UnknownKnob),
        ("\"jokers\":4,", "\"jokers\":4,\"foot_size\":0,", Some("hand_size"), Missing),
        ("\"hand_size\":11", "\"hand_size\":11,\"foot_size\":0", Some("foot_size"), DefaultWritten),
        ("\"meld_min\"", "\"courtesy\":\"off\",\"meld_min\"", Some("courtesy"), DefaultWritten),
        ("\"meld_min\"", "\"courtesy\":\"maybe\",\"meld_min\"", Some("courtesy"), UnknownWord),
        ("\"meld_min\"", "\"frozen_always\":false,\"meld_min\"", Some("frozen_always"), DefaultWritten),
        (
            "\"meld_min\"",
            "\"frozen_always\":1,\"meld_min\"",
            Some("frozen_always"),
            Expected("true or false"),
        ),
        ("[\"wild\",\"red_three\"]", "[\"red_three\",\"wild\"]", Some("start_cover"), OutOfOrder),
        ("[\"wild\",\"red_three\"]", "[\"wild\",\"wild\"]", Some("start_cover"), OutOfOrder),
        ("[\"wild\",\"red_three\"]", "[]", Some("start_cover"), DefaultWritten),
        ("[\"wild\",\"red_three\"]", "[\"natural\"]", Some("start_cover"), UnknownWord),
        ("\"A\":20,\"K\":10", "\"K\":10,\"A\":20", Some("card_points"), OutOfOrder),
        (",\"3b\":5", "", Some("card_points"), Expected("3b")),
        ("\"3b\":5", "\"3b\":5,\"3b\":5", Some("card_points"), Expected("}")),
        (
            "{\"below\":0,\"minimum\":15}",
            "{\"minimum\":15,\"below\":0}",
            Some("initial_bands"),
            Expected("}"),
        ),
        ("{\"below\":0,\"minimum\":15}", "15", Some("initial_bands"), NotInteger),
        ("[100,200,", "[100,200,,", Some("three_table"), NotInteger),
        ("300,800]", "300,800,]", Some("three_table"), NotInteger),
        ("\"target\":5000}", "\"target\":5000", Some("rounds"), Expected(",")),
        ("\"target\":5000}", "\"target\":5000} ", None, TrailingBytes),
    ];
    for (from, to, knob, kind) in rows {
        assert_eq!(refusal(from, to), (knob, kind), "{from} -> {to}");
    }
    assert_eq!(read("").map_err(|error| error.kind), Err(Expected("{")));
    assert_eq!(read("{}").map_err(|error| (error.knob, error.kind)), Err((Some("seats"), Missing)));
    let long = vec![b'{'; CANONICAL_BYTES_MAX + 1];
    assert_eq!(RuleSet::from_canonical(&long).map_err(|error| error.kind), Err(TooLong));
}

/// Checks words of the rulebook that are not simply the value in lower case.
#[test]
fn words_of_the_rulebook() {
    let words = |name: &str, set: &RuleSet| Knob::named(name).map(|knob| knob.value(set));
    let set = RuleSet {
        wild_ratio: WildRatio::NotAboveNaturals,
        garbage_shape: GarbageShape::F3333WildPair,
        empty_pile_barred: Set::of(&[Rank::Seven, Rank::Ace, Rank::Ten]),
        penalty_incomplete: RankMap::NONE.with_wild(2000).with(Rank::Seven, 5).with(Rank::Ace, 10),
        ..RuleSet::defaults()
    };
    assert_eq!(words("wild_ratio", &set).as_deref(), Some("\"not_above_naturals\""));
    assert_eq!(words("garbage_shape", &set).as_deref(), Some("\"f3333_wild_pair\""));
    assert_eq!(words("empty_pile_barred", &set).as_deref(), Some("[\"A\",\"T\",\"7\"]"));
    assert_eq!(words("penalty_incomplete", &set).as_deref(), Some("{\"A\":10,\"7\":5,\"W\":2000}"));
    assert_eq!(Rank::WORDS.iter().map(|(_, word)| *word).collect::<String>(), "AKQJT98765432X");
}
