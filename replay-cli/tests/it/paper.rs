//! Games from paper: score sheets without actions, drafts with many faults, names in place of seats.

use crate::common::transcripts::{golden, transcript};
use crate::common::{Extras, command, directory, play, short};
use canasta_engine::log::audit::{Expect, audit};
use canasta_engine::notation::Names;
use canasta_engine::rules::{PRESETS, Rules};
use canasta_engine::seat::Side;
use canasta_engine::text::from_text;
use canasta_replay::Exit;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::fs;

/// A sheet whose sums, minimums and winner were counted by hand. Minimums of Classic (CL-058): 15 below 0, 50 below 1,500,
/// 90 below 3,000, else 120; the game ends at 5,000 (CL-108).
const SHEET: &str = "\
rules classic-4p
seats Anna, Boris, Cyril, Diana
round 1 dealer Diana
end went_out
score NS 1295: melded_cards 455, mixed_canastas (2) 600, threes (3) 300, hand_cards -60
score EW 680: melded_cards 305, mixed_canastas (1) 300, going_out 100, hand_cards -25
round 2 dealer Anna
end stock_exhausted
score NS 1705: melded_cards 705, natural_canastas (2) 1000
score EW -700: hand_cards -400, threes (3) -300
round 3
end
score NS 2100: melded_cards 700, natural_canastas (2) 1000, mixed_canastas (1) 300, going_out 100
score EW 500: melded_cards 400, threes (1) 100
winner NS
";

fn check(text: &str, more: &[&str]) -> (Exit, String) {
    let ran = command(&[&["sheet", "--check", "-"], more].concat(), text.as_bytes());
    (ran.exit, String::from_utf8(ran.out).unwrap() + &ran.err)
}

#[test]
fn a_score_sheet_is_counted_again() {
    let (exit, text) = check(SHEET, &[]);
    assert_eq!(exit, Exit::Clean, "{text}");
    let (_, json) = check(SHEET, &["--format", "json"]);
    let value: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["verdict"], "SCORES_ONLY");
    let minimums: Vec<&Value> =
        value["rounds"].as_array().unwrap().iter().map(|round| &round["minimums"]).collect();
    assert_eq!(minimums, [&json!([50, 50]), &json!([50, 50]), &json!([120, 15])]);
    assert_eq!(
        (&value["totals"], &value["result"]),
        (&json!([5100, 480]), &json!({"winner": 0, "margin": 4620}))
    );
    assert_eq!(value["faults"], json!([]));
    assert!(text.contains("North-South wins by 4,620") && text.contains("SCORES_ONLY"), "{text}");
    assert!(!text.to_lowercase().contains("legal") && text.contains("not judged: play, deals"), "{text}");
}

#[test]
fn what_does_not_add_up_is_named_with_its_line() {
    for (from, to, line) in [
        ("score NS 1295:", "score NS 1300:", "line 5, column 10: expected the sum of the lines"),
        ("winner NS", "winner EW", "line 15: winner: the sheet says EW, the scores give NS"),
        ("winner NS", "winner -", "line 15: winner: the sheet says nobody, the scores give NS"),
        (
            "mixed_canastas (1) 300, going_out 100\nscore EW 500",
            "mixed_canastas (1) 300, going_out 100\nwinner NS\nscore EW 500",
            "",
        ),
        (
            "score NS 2100: melded_cards 700",
            "score NS: melded_cards 0",
            "line 15: the game is not over with these scores",
        ),
        ("round 3\n", "round 4\n", "line 12: expected round 3"),
        ("score EW 500: melded_cards 400, threes (1) 100\n", "", "line 12: the score of EW is missing"),
        // CL-100 and CL-101: 500 for a natural canasta, 300 for a mixed one.
        (
            "natural_canastas (2) 1000\nscore EW -700",
            "natural_canastas (3) 1000\nscore EW -700",
            "line 9: natural_canastas: 3 of 500 are not 1000",
        ),
        ("mixed_canastas (2) 600", "mixed_canastas (1) 600", "line 5: mixed_canastas: 1 of 300 are not 600"),
        ("melded_cards 705", "foot_cards 705", "line 9: foot_cards: these rules have no such score"),
        (
            "score EW 500: melded_cards 400",
            "score EW 503: melded_cards 403",
            "line 14: melded_cards: expected a multiple of 5",
        ),
        (
            "end\nscore NS 2100",
            "N: draw\nend\nscore NS 2100",
            "line 12, column 4: a score sheet has no actions",
        ),
        (
            "winner NS\n",
            "round 4\nend\nscore NS: going_out 100\nscore EW 0:\n",
            "line 16: the game was over before this round",
        ),
    ] {
        assert!(SHEET.contains(from));
        let (exit, text) = check(&SHEET.replacen(from, to, 1), &[]);
        assert_eq!(exit, Exit::Findings, "{to}: {text}");
        assert!(text.contains(line), "{line}: {text}");
    }
}

/// Checks the bonuses of wild canastas and of ranks by the knobs of each rule set: American pays 2,000, for seven twos 3,000,
/// with four jokers 2,500, and 2,500 for aces and sevens.
#[test]
fn bonuses_are_those_of_the_rule_set() {
    let sheet = |line: &str| {
        format!("rules american-wikipedia-4p\nend\nscore NS: melded_cards 300, {line}\nscore EW:\n")
    };
    for (line, holds) in [
        ("wild_canastas (1) 2000", true),
        ("wild_canastas (1) 2500", true),
        ("wild_canastas (1) 3000", true),
        // The pack has 12 wild cards.
        ("wild_canastas (2) 5000", false),
        ("wild_canastas (1) 1000", false),
        ("natural_canastas (2) 3000", true),
        ("natural_canastas (1) 2500", true),
        ("natural_canastas (1) 1000", false),
        ("mixed_canastas 600", true),
    ] {
        let (exit, text) = check(&sheet(line), &[]);
        assert_eq!(exit == Exit::Clean, holds, "{line}: {text}");
    }
}

#[test]
fn photographs_and_second_sheets_have_digests() {
    let place = directory("paper-second");
    let path = |name: &str| place.join(name).to_str().unwrap().to_owned();
    fs::write(path("sheet.jpg"), b"a photograph").unwrap();
    fs::write(path("same.txt"), SHEET.replace("NS 1705", "NS")).unwrap();
    fs::write(path("other.txt"), SHEET.replace("NS 2100: melded_cards 700", "NS 2000: melded_cards 600"))
        .unwrap();
    let digest = base16ct::lower::encode_string(&Sha256::digest(b"a photograph"));
    let (exit, text) = check(SHEET, &["--photo", &path("sheet.jpg"), "--second", &path("same.txt")]);
    assert_eq!(exit, Exit::Clean, "{text}");
    assert!(text.contains(&format!("note photo sha256 {digest}\n")), "{text}");
    let named = format!("{SHEET}note photo sha256 {digest}\n");
    let (_, text) = check(&named, &["--photo", &path("sheet.jpg")]);
    assert!(text.contains("sheet.jpg is named in a note of the sheet"), "{text}");
    let (exit, text) = check(SHEET, &["--second", &path("other.txt")]);
    assert_eq!(exit, Exit::Findings);
    assert!(text.contains("line 13: NS: 2100 here, 2000 in the second sheet"), "{text}");
}

/// Breaks a line of each of three rounds of a whole game in three ways: all three are named, and the log ends before the
/// first.
#[test]
fn a_draft_names_the_faults_of_all_rounds() {
    let place = directory("paper-draft");
    let log = play(&short("classic-4p", 12_000), 4, Extras::None);
    let text = String::from_utf8(command(&["export", "-", "--format", "notation"], &log).out).unwrap();
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let rounds: Vec<usize> = (0..lines.len()).filter(|&at| lines[at].starts_with("round ")).collect();
    assert!(rounds.len() >= 4, "{} rounds", rounds.len());
    // The deal follows the line of the round, then the turns.
    let [unreadable, illegal] = [rounds[0] + 4, rounds[1] + 5];
    lines[unreadable] = lines[unreadable].replacen(": ", ": x", 1);
    let (actor, rest) = lines[illegal].split_once(": ").expect("an action");
    let other = if actor == "N" { "E" } else { "N" };
    lines[illegal] = format!("{other}: {rest}");
    let score = (rounds[2]..lines.len()).find(|&at| lines[at].starts_with("score ")).unwrap();
    let (head, items) = lines[score].split_once(": ").unwrap();
    let whose = head.rsplit_once(' ').unwrap().0;
    lines[score] = format!("{whose}: {items}, concealed 100");
    let file = place.join("draft.txt");
    fs::write(&file, lines.join("\n") + "\n").unwrap();
    let (file, output) = (file.to_str().unwrap(), place.join("draft.clog"));
    let ran = command(&["import", "--draft", file, "-o", output.to_str().unwrap()], b"");
    assert_eq!(ran.exit, Exit::Findings);
    for (line, what) in [(unreadable, "expected"), (illegal, "TURN_NOT_YOURS"), (score, "")] {
        let place = format!("line {}", line + 1);
        assert!(ran.err.contains(&place) && ran.err.contains(what), "{place} {what}: {}", ran.err);
    }
    assert_eq!(ran.err.matches("canasta-replay: ").count(), 3, "{}", ran.err);
    let made = fs::read(output).unwrap();
    assert!(log.starts_with(&made) && made.len() > 100, "the log has what stands before the first fault");
    assert!(String::from_utf8(ran.out).unwrap().contains(", up to the first fault · "));
    // Without faults a draft is the log.
    let ran = command(&["import", "--draft", "-", "-o", "-"], text.as_bytes());
    assert!(ran.exit == Exit::Clean && ran.out == log, "{}", ran.err);
    let ran = command(&["import", "--draft", "-", "-o", "-"], b"rules clasic-4p\n");
    assert!(ran.exit == Exit::Findings && ran.out.is_empty(), "{}", ran.err);
}

/// Types the same game with letters and with names: the logs are equal, byte for byte.
#[test]
fn names_stand_wherever_a_seat_may_stand() {
    let letters = "\
rules classic-4p
game 07b3db9397282c0df39bdbf569421aa9
seats Anna, Boris, Cyril, By
key E 8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c
cards transcribed
round 1 dealer W
deal hands N=KsKhKdQsQh2c4d5d7h9cJd E=11 S=11 W=11 upcards 9d
N: draw 6h
director: ruling IR-074 0 EW W by jury effect warning reason \"talked\"
";
    let names = letters
        .replace("key E", "key boris")
        .replace("dealer W", "dealer By")
        .replace("N=Ks", "Anna=Ks")
        .replace("E=11 S=11 W=11", "Boris=11 cyril=11 By=11")
        .replace("N: draw", "Anna: draw");
    let import = |text: &str| {
        let ran = command(&["import", "-", "-o", "-"], text.as_bytes());
        assert_eq!(ran.exit, Exit::Clean, "{}", ran.err);
        ran.out
    };
    assert_eq!(import(letters), import(&names));
    // A ruling's own words come first, also where a player is called like one of them.
    let ruled = names.replace("EW W by jury", "EW Boris by jury");
    assert_eq!(import(&ruled), import(&letters.replace("EW W by jury", "EW E by jury")));
    assert_eq!(import(&letters.replace("EW W by jury", "EW by jury")).len() + 1, import(letters).len());
    // Names of several words, in any case, wherever a seat or a side may stand.
    let several =
        |text: &str| text.replace("Anna, Boris, Cyril, By", "Anna Maria, Boris de la Tour, Cyril, By");
    let long = several(&names)
        .replace("key boris", "key Boris de la tour")
        .replace("Anna=Ks", "Anna Maria=Ks")
        .replace("Boris=11", "boris de la Tour=11")
        .replace("Anna: draw", "anna maria draw")
        .replace("EW W by jury effect warning", "Boris de la Tour W by jury effect forfeit_pile Anna Maria 1")
        .replace("IR-074", "house:pile");
    let same =
        several(letters).replace("effect warning", "effect forfeit_pile N 1").replace("IR-074", "house:pile");
    assert_eq!(import(&same), import(&long));
    assert_eq!(import(&same), import(&long.replace("anna maria draw", "Anna Maria: draw")));
}

/// Checks that a word with two meanings is refused in a text that people type: East is called N. A text that a program wrote
/// has letters and numbers, whatever players are called.
#[test]
fn a_word_that_is_a_seat_and_a_name_elsewhere_is_refused() {
    let typed = "rules classic-4p\nseats Anna, N, Cyril, 3\ncards transcribed\nround 1 dealer 3\n\
                 deal hands N=11 E=11 S=11 W=11 upcards 9d\nN: draw\n";
    let import = |text: &str| command(&["import", "-", "-o", "-"], text.as_bytes());
    let ran = import(typed);
    let expected = "line 5, column 12: expected another word: this is a seat or side, and the name of a player elsewhere, \
                    found N";
    assert!(ran.exit == Exit::Findings && ran.err.contains(expected), "{}", ran.err);
    let anna = typed.replace("N=11", "Anna=11");
    let ran = import(&anna);
    assert!(ran.err.contains("line 6, column 1: expected another word"), "{}", ran.err);
    let ran = import(&anna.replace("N: draw", "Anna: draw"));
    assert_eq!(ran.exit, Exit::Clean, "{}", ran.err);
    let written = import(&format!("canasta-game/1\n{typed}"));
    assert!(written.exit == Exit::Clean && written.out.len() > 100, "{}", written.err);
    let place = directory("paper-two-meanings");
    let log = place.join("t.clog");
    fs::write(&log, ran.out).unwrap();
    let show = |seat: &str| command(&["show", log.to_str().unwrap(), "--seat", seat], b"");
    let ran = show("N");
    assert!(ran.exit != Exit::Clean && ran.err.contains("a seat or side, and the name"), "{}", ran.err);
    assert_eq!(show("Anna").exit, Exit::Clean);
}

/// Writes games of every rule set down without hands, and lets a player show a card that is discarded next: the card is a
/// penalty card, and what is known besides stays as it was.
#[test]
fn a_penalty_card_of_an_unknown_hand_goes_in() {
    for preset in PRESETS {
        let rules = Rules::preset(preset).unwrap();
        let text = (3..9).map(|game| transcript(&golden(preset, game), rules.set()));
        let text = { text }.find(|text| from_text(text).is_ok()).unwrap_or_else(|| panic!("{preset}"));
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let (mut shown, side) = (0, Names::of(rules.set()).side_name(Side(0)));
        for line in &mut lines {
            let Some((before, card)) = line.rsplit_once(", discard ").filter(|(_, card)| card.len() <= 2)
            else {
                continue;
            };
            let Some((seat, _)) = before.split_once(": ").filter(|_| shown < 6) else { continue };
            shown += 1;
            *line = format!(
                "{before}\ndirector: ruling IR-030 0 {side} effect penalty_cards {seat} {card}\n{seat}: discard {card}"
            );
        }
        assert_eq!(shown, 6, "{preset}");
        let with = lines.join("\n") + "\n";
        let import = |text: &str| command(&["import", "-", "-o", "-"], text.as_bytes());
        let ran = import(&with);
        assert_eq!(ran.exit, Exit::Clean, "{preset}: {}", ran.err);
        let verdict = |log: &[u8]| {
            let report = audit(log, Expect::default());
            (report.verdict, report.findings.len(), report.rounds, report.totals)
        };
        assert_eq!(verdict(&ran.out), verdict(&import(&text).out), "{preset}");
        // The first discard is another card: the penalty card was there, and had to go first.
        let at = with.find("director: ruling").unwrap();
        let (head, rest) = with.split_at(at);
        let (ruling, rest) = rest.split_once('\n').unwrap();
        let (discard, _) = rest.split_once('\n').unwrap();
        let other = if discard.ends_with("4c") { "5d" } else { "4c" };
        let discard = format!("{} {other}", discard.rsplit_once(' ').unwrap().0);
        let fault = from_text(&format!("{head}{ruling}\n{discard}\n")).err().unwrap();
        assert!(fault.reason.contains("DISCARD_PENALTY_CARD_FIRST"), "{preset}: {fault}");
    }
}

/// Shows cards that cannot be in the hand: each is refused at its line, with the cards.
#[test]
fn a_penalty_card_that_cannot_be_there_is_refused() {
    let text = |deal: &str, penalty: &str| {
        format!(
            "rules classic-4p\ncards transcribed\nround 1 dealer W\ndeal {deal}\nN: draw, discard Kd\n\
             director: ruling IR-030 0 EW E effect penalty_cards E {penalty}\nE: draw, discard 5c\n"
        )
    };
    let unknown = "hands N=11 E=11 S=11 W=11 upcards 9d";
    let named = "hands N=11 E=4s4c5s5c6s6c7s7c8s8c9c S=11 W=11 upcards Kd";
    let import = |text: &str| command(&["import", "-", "-o", "-"], text.as_bytes());
    for penalty in ["5c", "5c 5c", "5"] {
        let text = text(unknown, penalty);
        assert_eq!(import(&text).exit, Exit::Clean, "{penalty}: {}", import(&text).err);
    }
    for (deal, penalty, expected) in [
        (unknown, "Kd Kd", "every Kd of the pack has been seen elsewhere"),
        (unknown, "3h", "as far as that hand is known, it cannot have 3h"),
        (unknown, "4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac 4d", "it cannot have 4d"),
        (unknown, "3", "expected a three with its suit"),
        (named, "Qh 5c", "as far as that hand is known, it cannot have Qh"),
        (named, "5c 5c", "as far as that hand is known, it cannot have 5c"),
        (named, "Kd", "as far as that hand is known, it cannot have Kd"),
    ] {
        let ran = import(&text(deal, penalty));
        let is_there = ran.err.contains("line 6") && ran.err.contains(expected);
        assert!(ran.exit == Exit::Findings && is_there, "{penalty}: {}", ran.err);
    }
    // The same card twice needs two of them, in one ruling or in two.
    let twice = text(unknown, "5c")
        .replace("director: ", "director: ruling IR-030 0 EW E effect penalty_cards E 5c\ndirector: ");
    assert_eq!(import(&twice).exit, Exit::Clean);
    let ran = import(&(twice + "S: draw, discard 5c\n"));
    assert!(ran.err.contains("every 5c of the pack has been seen elsewhere"), "{}", ran.err);
    // A position that a ruling lets stand names the penalty cards which are left.
    for (hand, exit) in [("11", Exit::Clean), ("5c ?? ?? ?? ?? ?? ?? ?? ?? ?? ??", Exit::Findings)] {
        let stand = format!(
            "E: draw\ndirector: ruling IR-023 0 EW E effect stand \"meld KsKhKc\" position \"classic-4p; dealer W; to move E; \
             drew; melded; first; hand N 11; hand E 9; hand S {hand}; hand W 11; melds EW KsKhKc; pile 9d Kd\"\n\
             E: discard 5d\nS: draw, discard 4c\n"
        );
        let of_south =
            text(unknown, "5c").replace("EW E effect penalty_cards E", "NS S effect penalty_cards S");
        let ran = import(&of_south.replace("E: draw, discard 5c\n", &stand));
        assert_eq!(ran.exit, exit, "{hand}: {}", ran.err);
        assert_eq!(ran.err.contains("DISCARD_PENALTY_CARD_FIRST"), exit == Exit::Findings, "{}", ran.err);
    }
}
