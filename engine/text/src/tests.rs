//! Tests of texts as people type them, and of the places of their faults.

use super::*;
use alloc::string::ToString;
use canasta_log::dealing::Registration;
use canasta_log::record::{Attempt, Author, DealMode, Remark};
use canasta_rules::action::{Action, EffectKind};
use canasta_rules::seat::Seat;

/// The pages whose own examples are tested.
const PAGE: &str = include_str!("../../../docs/formats/NOTATION.md");
const TRANSCRIPT: &str = include_str!("../../../docs/judge/TRANSCRIPT.md");

/// Returns the first block of text of a page that contains `part`.
fn block<'a>(page: &'a str, part: &str) -> &'a str {
    let blocks = page.split("```text\n").skip(1).filter_map(|rest| rest.split("```").next());
    blocks.into_iter().find(|block| block.contains(part)).expect("a block")
}

fn read(text: &str) -> Vec<Record> {
    from_text(text).unwrap_or_else(|error| panic!("{text}\n{error}"))
}

/// Returns the records as strict text. Checks that the text gives the same records, and that they give the
/// same text.
fn strict(records: &[Record]) -> String {
    let text = to_text(records).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(read(&text), records, "{text}");
    assert_eq!(to_text(&read(&text)).as_ref(), Ok(&text));
    text
}

fn kinds(records: &[Record]) -> String {
    let kind = |record: &Record| match record {
        Record::Action(record) => record.action.kind().name().to_string(),
        Record::RoundEnd(end) => format!("end:{}", end.reason.name()),
        Record::Refusal(refusal) => format!("refused:{}", refusal.codes.join("+")),
        record => record.name().to_string(),
    };
    records.iter().map(kind).collect::<Vec<_>>().join(" ")
}

#[test]
fn the_examples_of_the_pages_are_games() {
    let records = read(block(PAGE, "director: note"));
    assert_eq!(kinds(&records), "genesis register deal draw_stock meld discard draw_stock discard note");
    let Record::Genesis(genesis) = &records[0] else { panic!("genesis") };
    assert_eq!((genesis.mode, genesis.registration), (DealMode::Transcribed, Registration::ByTable));
    let note = Remark::note(Author::Director, None, "East asked whether the pile was frozen  @0:04:10");
    assert_eq!(records[8], Record::Remark(note));
    strict(&records);
    let records = read(block(TRANSCRIPT, "rules classic-4p"));
    assert_eq!(kinds(&records), "genesis register deal draw_stock meld discard draw_stock discard");
    strict(&records);
}

/// A round in which East discards a two, so that the pile is frozen. North then tries to take the pile with
/// one seven and a joker; the take is refused (CL-050), disputed and ruled. Only the cards that matter are
/// known.
const DISPUTED: &str = r#"
classic-4p   # the preset alone is enough
seats Ann, "Böb, jr.", Cy, Di
game 00112233445566778899aabbccddeeff
started 2026-01-31T12:00:00.000Z

ROUND 1, dealer w
Deal hands N=4♣4♦4s5c5d5h6c6d7hX10♥ E=11 S=11 W=7d???????????????????? upcards 9d
"#;

#[test]
fn a_disputed_hand_is_typed() {
    let text = String::from(DISPUTED)
        + r#"
ann: draw 9c at 0:12, discard 9C @0:20.5
E draw, discard 2c
draw, discard 8c
Di: draw gets ??
Di: discard 7d
N: tries take 7h X @1:01
W: dispute open "she says a joker is as good as a seven"
director: ruling IR-074 0 NS N by jury effect warning reason "one natural card", dispute close "settled"
N: draw 8c, discard 8c @1:30
West: note that took long # and this is part of it
"#;
    let records = read(&text);
    assert_eq!(
        kinds(&records),
        "genesis register deal draw_stock discard draw_stock discard draw_stock discard draw_stock discard \
         refused:PILE_FROZEN_NEEDS_PAIR dispute ruling dispute draw_stock discard note"
    );
    let Record::Refusal(refusal) = &records[11] else { panic!("a refusal") };
    assert_eq!(refusal.actor, Some(Seat(0)));
    assert!(matches!(&refusal.attempt, Attempt::Clear(Action::TakePile(take)) if take.with.len() == 2));
    let Record::Action(ruling) = &records[13] else { panic!("a ruling") };
    let Action::Ruling(ruling) = &ruling.action else { panic!("a ruling") };
    assert_eq!((ruling.id, ruling.points, ruling.reason.as_str()), (1, 0, "one natural card"));
    assert_eq!(ruling.effect.kind, EffectKind::Warning);
    let elapsed = |record: &Record| match record {
        Record::Action(record) => record.elapsed_ms,
        Record::Refusal(record) => record.elapsed_ms,
        _ => None,
    };
    // Times since the time before: 12 s; 20.5 - 12; 61 - 20.5; 90 - 61.
    let times = [3, 4, 11, 16].map(|at| elapsed(&records[at]));
    assert_eq!(times, [Some(12_000), Some(8_500), Some(40_500), Some(29_000)]);

    let written = strict(&records);
    for line in [
        "canasta-game/1",
        "seats Ann, \"Böb, jr.\", Cy, Di",
        "cards transcribed",
        "round 1 dealer W",
        "deal hands N=4c4d4s5c5d5h6c6d7hXTh E=11 S=11 W=7d???????????????????? upcards 9d",
        "N: draw 9c @0:00:12, discard 9c @0:00:20.500",
        "E: draw, discard 2c",
        "W: draw ??, discard 7d",
        "N: refused take 7h X because PILE_FROZEN_NEEDS_PAIR @0:01:01",
        "W: dispute open \"she says a joker is as good as a seven\"",
        "ruling IR-074 0 NS N by jury effect warning id 1 reason \"one natural card\"",
        "dispute close \"settled\"",
        "N: draw 8c, discard 8c @0:01:30",
        "W: note \"that took long # and this is part of it\"",
    ] {
        assert!(written.lines().any(|found| found == line), "{line}\n{written}");
    }
    // The text means the same in upper case.
    let other = written.to_uppercase().replace("CANASTA-GAME", "canasta-game");
    assert_eq!(kinds(&read(&other)), kinds(&records));
}

#[test]
fn errors_have_line_and_column() {
    let head = "classic-4p\nround 1 dealer W\n";
    let deal = "deal upcards 9d\n";
    for (text, line, column, reason) in [
        ("", 1, 1, "expected the rules before the game"),
        ("classic-9p\n", 1, 1, "expected the rules before the game"),
        ("rules classic-9p\nround 1", 1, 7, "expected a preset"),
        ("classic-4p\nseats A, B, C\nround 1", 2, 7, "expected the name of every player"),
        ("classic-4p\ngame 12\nround 1", 2, 6, "expected 32 hexadecimal digits, found 12"),
        ("classic-4p\nrules samba-4p\nround 1", 2, 1, "expected a line that is not there yet"),
        ("classic-4p\nround 1\n", 2, 1, "expected who deals"),
        ("classic-4p\nround 1 dealer Q\n", 2, 16, "expected a seat, found Q"),
        ("classic-4p\nround 1 dealer W dealt\n", 2, 18, "expected dealer, attempt"),
        ("{head}dance\n", 3, 1, "expected an action such as draw"),
        ("{head}Zoe: draw\n", 3, 1, "expected a seat, table or director before the colon"),
        (
            "{head}{deal}N: draw, discard 1z\n",
            4,
            18,
            "expected a card such as Ks or Th, or X for a joker, found 1z",
        ),
        ("{head}{deal}N: draw 6h gets 5h\n", 4, 9, "expected drawn cards once"),
        ("{head}{deal}N: draw @1:xx\n", 4, 10, "expected a time since the start"),
        ("{head}{deal}N: draw @2:00\nN: discard 4c @1:00\n", 5, 16, "expected a time that is not before"),
        ("{head}{deal}N: draw because X\n", 4, 9, "expected nothing more, or a time"),
        ("{head}{deal}E: draw\n", 4, 4, "draw_stock: "),
        ("{head}{deal}N: draw, meld Ks Kh\n", 4, 10, "meld: "),
        ("{head}{deal}N: draw 5c 5d\n", 4, 4, "draw_stock: 2 received cards are named, the action brought 1"),
        (
            "{head}deal hands N=11 E=11 S=11 W=11\n",
            3,
            1,
            "deal: the deal must say with which card the pile begins",
        ),
        ("{head}{deal}N: note \"tea\n", 4, 9, "expected a text in quotes that ends on its line"),
        ("{head}{deal}N: note \"\\q\"\n", 4, 10, "expected \\\", \\\\, \\n, \\r, \\t or \\u{...}, found \\q"),
        ("{head}{deal}end\n", 4, 1, "the round is not over: N still has 11 cards, "),
        ("{head}score NS 5: threes 5\n", 3, 7, "expected a score under the end of its round"),
        ("{head}{deal}end ruled state 00\n", 4, 17, "expected 64 hexadecimal digits"),
        ("{head}{deal}winner -\n...\nN: draw\n", 6, 1, "expected nothing after ..."),
        ("{head}{deal}S: refused draw\n{head}", 5, 1, "expected an action"),
    ] {
        let text = text.replace("{head}", head).replace("{deal}", deal);
        let error = from_text(&text).expect_err(&text);
        assert!(error.reason.contains(reason), "{text}: {error}");
        assert_eq!((error.line, error.column), (line, column), "{text}: {error}");
        assert!(error.to_string().starts_with(&format!("line {}, column ", error.line)));
    }
}

/// Checks that a game from a seed needs no cards: they follow, and cards in the text are compared.
#[test]
fn a_seeded_game_is_typed() {
    let records = read("classic-4p\nseed 1 0\ndeal\ndraw\n");
    assert_eq!(kinds(&records), "genesis register deal draw_stock");
    let Record::Genesis(genesis) = &records[0] else { panic!("genesis") };
    assert_eq!(genesis.mode, DealMode::Seeded);
    // The log does not disclose the secret, so the text shows no card and has every digest.
    let text = strict(&records);
    assert!(text.contains("commitment ") && text.contains("deal state "), "{text}");
    assert!(!text.contains("hands") && !text.contains("secret"), "{text}");
    // The dealer follows too (FirstDealer::Random).
    let dealt = |seat: &&str| from_text(&format!("classic-4p\nseed 1 0\nround 1 dealer {seat}\ndeal\n"));
    let refused = ["N", "E", "S", "W"].iter().filter_map(|seat| dealt(seat).err());
    let refused: Vec<String> = refused.map(|error| error.to_string()).collect();
    assert_eq!(refused.len(), 3, "{refused:?}");
    assert!(
        refused.iter().all(|error| error.starts_with("line 4, column 1: deal: SETUP_DEALER")),
        "{refused:?}"
    );
    let error = from_text("classic-4p\nseed 1 0\ndeal\ndraw 3s 3s\n").expect_err("other cards");
    assert_eq!((error.line, error.column), (4, 1));
    assert!(error.reason.contains("which follows from the deal, found 3s3s"), "{error}");
}

/// Checks that any characters of a note or a name come back, and that the text contains no invisible
/// character.
#[test]
fn hostile_texts_are_quoted() {
    let nasty = "a\"b\\c\n\r\t\u{0}\u{1b}[2J\u{202e}\u{2028}é, # x @1 : ??";
    let mut records = read(DISPUTED);
    records.push(Record::Remark(Remark::note(Author::Seat(Seat(3)), Some(7), nasty)));
    let text = strict(&records);
    assert!(
        text.chars().all(|c| c == '\n' || !(c.is_control() || c == '\u{202e}' || c == '\u{2028}')),
        "{text}"
    );
}

#[test]
fn what_is_too_much_is_refused() {
    let long = format!("classic-4p\n{}", "x".repeat(LINE_MAX + 1));
    let error = from_text(&long).expect_err("a long line");
    assert_eq!((error.line, error.column), (2, 1));
    assert!(error.reason.starts_with("expected a line of at most 262144 bytes"), "{error}");
    // 64 MiB of comments are no game, and for that alone they are refused.
    let mut comments = format!("#{}\n", "x".repeat(LINE_MAX - 2)).repeat(1 << 8);
    assert_eq!(comments.len(), 64 << 20);
    let refused = |text: &str| from_text(text).expect_err("no game").reason;
    assert!(!refused(&comments).contains("at most"), "{}", refused(&comments));
    comments.push('\n');
    assert_eq!(refused(&comments), "expected at most 67108864 bytes, found 67108865");
    let many = format!("{DISPUTED}{}", "note x\n".repeat(RECORDS_MAX));
    assert!(
        from_text(&many).expect_err("many records").reason.starts_with("expected at most 262144 records")
    );
    let deep = format!("{DISPUTED}ruling IR-012 0 NS effect stand \"ruling IR-012 0 NS\"\n");
    assert!(
        from_text(&deep).expect_err("a ruling in a ruling").reason.contains("an action that is no ruling")
    );
}

/// Checks that a log which would not come back unchanged has no text.
#[test]
fn damaged_logs_are_refused() {
    let records = read(&(String::from(DISPUTED) + "N: draw, discard 9c\n"));
    for (at, reason) in [(0, "a log begins with genesis"), (1, "expected round 1, attempt 1")] {
        let mut damaged = records.clone();
        damaged.remove(at);
        let error = to_text(&damaged).expect_err("a record is missing");
        assert!(error.reason.contains(reason) || error.record > 0, "{error}");
    }
    let mut twice = records.clone();
    twice.insert(1, records[0].clone());
    assert_eq!(to_text(&twice).expect_err("two games").record, 1);
    let mut other = records;
    if let Record::Genesis(genesis) = &mut other[0] {
        genesis.rule_set = b"{}".to_vec();
    }
    assert_eq!(to_text(&other).expect_err("no rules").record, 0);
}

/// Imports a transcript, and then the same text with more lines, with blank lines and with other ends of lines: the game is
/// the same, and its log goes on from the first one.
#[test]
fn a_transcript_goes_on_as_the_same_game() {
    let evening = "rules classic-4p\n\nround 1 dealer W\ndeal upcards 9d\n\nN: draw, discard 4d # tea\n";
    let first = read(evening);
    let compact = evening.replace("\n\n", "\n");
    for same in [compact.clone(), evening.replace('\n', "\r\n"), format!("\n\n  {compact}\n\n")] {
        assert_eq!(read(&same), first, "{same:?}");
    }
    let named = formatted(evening).expect("can be read");
    assert_eq!((read(&named), formatted(&named).as_ref()), (first.clone(), Ok(&named)));
    let longer = read(&format!("{named}E: draw, discard 8c\n"));
    assert!(longer.len() > first.len() && longer.starts_with(&first), "the log goes on");
    assert!(!read(&format!("{evening}E: draw, discard 8c\n")).starts_with(&first), "another game");
}

/// Reads a game as paper has it, by ranks alone: cards of known hands are played first, and cards that are named later keep
/// their suits.
#[test]
fn a_game_on_paper_needs_no_suits() {
    let text = "rules classic-4p\nround 1 dealer W\ndeal hands N=KKKQQ2c4567J E=11 S=11 W=11 upcards 9d\n\
                N: draw 6?, meld KKK / QQ2, discard 4\nE: draw, discard 8\nS: draw, discard 8\n\
                W: draw, meld 999*, discard 8s\n";
    let records = read(text);
    let played: Vec<&Action> = records
        .iter()
        .filter_map(|record| match record {
            Record::Action(record) => Some(&record.action),
            _ => None,
        })
        .collect();
    let discarded = |at: usize| match played[at] {
        Action::Discard(card) => card.to_string(),
        other => panic!("{other:?}"),
    };
    // The eights of East and South are clubs, of which the pack has two; West's keeps its suit, and so does what it leaves.
    assert_eq!([3, 5, 7, 10].map(discarded), ["4c", "8c", "8c", "8s"]);
    let kings = read(&text.replace("meld KKK", "meld KsKhKd"));
    let Some(Record::Action(meld)) = kings.get(4) else { panic!("{kings:#?}") };
    assert!(format!("{:?}", meld.action).contains("Ks"), "{:?}", meld.action);
    let samba = "rules samba-4p\nround 1 dealer W\ndeal upcards 9d\nN: draw, discard 8\n";
    let error = from_text(samba).expect_err("suits make sequences");
    assert!(error.to_string().contains("a card with its suit"), "{error}");
}
