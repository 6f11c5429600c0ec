//! Citations by cause: of alternative rules, a refusal names those that apply. The expected rules were read from the
//! rulebook by hand.

use canasta_engine::action::As;
use canasta_engine::check::check;
use canasta_engine::citation::cite_violation;
use canasta_engine::notation::{Position, Proposal};

/// Position, refused action, one of the codes of the refusal, and the rules that decide it.
const CASES: &[(&str, &str, &str, &str)] = &[
    // The pile: a wild card (CL-050), a red three (CL-051), a side that has not melded (CL-052), always (CV-011).
    (
        "classic-4p; to move N; hand N 7h X Kd; melds NS 8s8h8d; pile 2c 4d 7d",
        "take 7h X",
        "PILE_FROZEN_NEEDS_PAIR",
        "CL-050 CL-053",
    ),
    (
        "classic-4p; to move N; hand N 7h X Kd; melds NS 8s8h8d; pile 3h 4d 7d",
        "take 7h X",
        "PILE_FROZEN_NEEDS_PAIR",
        "CL-051 CL-053",
    ),
    (
        "classic-4p; to move N; hand N 7h X Kd; pile 4d 7d",
        "take 7h X",
        "PILE_FROZEN_NEEDS_PAIR",
        "CL-052 CL-053",
    ),
    (
        "classic-4p; to move N; hand N 7h X Kd; pile 3h 2c 7d",
        "take 7h X",
        "PILE_FROZEN_NEEDS_PAIR",
        "CL-050 CL-051 CL-052 CL-053",
    ),
    (
        "classic-4p frozen_always=true; to move N; hand N 7h X Kd; melds NS 8s8h8d; pile 4d 7d",
        "take 7h X",
        "PILE_FROZEN_NEEDS_PAIR",
        "CL-053 CV-011",
    ),
    (
        "wahhi-4p; to move N; hand N 7h X Kd; melds NS 8s8h8d; pile 2c 4d 7d",
        "take 7h X",
        "PILE_FROZEN_NEEDS_PAIR",
        "WH-074 WH-077",
    ),
    (
        "hoyle-2p pile_steps=\"one\" pile_restore=false undo_meld=false meld_check=\"immediate\" restore_penalty=0; to move 0; hand 0 7h X Kd; melds 0 8s8h8d; pile 2c 4d 7d",
        "take 7h X",
        "PILE_FROZEN_NEEDS_PAIR",
        "HN-038",
    ),
    ("s3-4p; to move N; hand N 7h X Kd; pile 4d 7d", "take 7h X", "PILE_FROZEN_NEEDS_PAIR", "S3-015 S3-023"),
    // The initial meld: the band, a take (CL-063, CL-064), a canasta's bonus (CL-066, CL-067), a ruling (IR-110).
    ("classic-4p; drew; hand N 4s 4h 4d 9s 9c", "meld 4s 4h 4d", "INITIAL_BELOW_MINIMUM", "CL-058"),
    (
        "classic-4p; to move N; hand N Js Jh 9c 8s; pile 5c Jd",
        "take Js Jh",
        "INITIAL_BELOW_MINIMUM",
        "CL-058 CL-063 CL-064",
    ),
    (
        "classic-4p; drew; hand N 4s 4h 4d 4c 4s 4h 4c 9c 8s Td",
        "meld 4s 4h 4d 4c 4s 4h 4c",
        "INITIAL_BELOW_MINIMUM",
        "CL-058 CL-066 CL-067",
    ),
    (
        "classic-6p-2x3; score 7000 0; drew; hand 0 As Ah Ad Ks Kh Kd 9c 8c",
        "meld As Ah Ad / Ks Kh Kd",
        "INITIAL_BELOW_MINIMUM",
        "P6-010 CL-058",
    ),
    (
        "classic-6p-2x3; score 3000 0; drew; hand 0 As Ah Ad Ks Kh Kd 9c 8c",
        "meld As Ah Ad / Ks Kh Kd",
        "INITIAL_BELOW_MINIMUM",
        "CL-058",
    ),
    ("american-4p; drew; hand N Ks Kh Kd 9c 8c", "meld Ks Kh Kd", "INITIAL_BELOW_MINIMUM", "MA-092"),
    ("s3-4p; drew; hand N 4s 4h 4d 9s 9c", "meld 4s 4h 4d", "INITIAL_BELOW_MINIMUM", "S3-025 S3-021"),
    ("wahhi-4p; drew; hand N 4s 4h 4d 9s 9c", "meld 4s 4h 4d", "INITIAL_BELOW_MINIMUM", "WH-053 WH-052"),
    ("hand-and-foot-4p; drew; hand N 4s 4h 4d 9s 9c", "meld 4s 4h 4d", "INITIAL_BELOW_MINIMUM", "HF-062"),
    // A second draw, a take after the draw (CL-041); a meld before it (CL-018).
    ("classic-4p; drew; hand N 4s 5s; pile 6c", "draw", "TURN_ALREADY_DREW", "CL-015"),
    ("classic-4p; drew; hand N 6s 6h 5s; pile 6c", "take 6s 6h", "TURN_ALREADY_DREW", "CL-015 CL-041"),
    ("classic-4p; to move N; hand N 6s 6h 6d", "meld 6s 6h 6d", "TURN_DRAW_FIRST", "CL-015 CL-018"),
    ("classic-4p; to move N; hand N 6s 6h 6d", "discard 6s", "TURN_DRAW_FIRST", "CL-015"),
    // The top alone (CL-046) or with two cards (CL-045).
    (
        "classic-4p; to move N; hand N 9s 9h 5d; melds NS 8s8h8d; pile 4d 7d",
        "take",
        "PILE_TOP_NOT_MELDED",
        "CL-020 CL-043 CL-046",
    ),
    (
        "classic-4p; to move N; hand N 7s 9h 5d; melds NS 8s8h8d; pile 4d 7d",
        "take 7s",
        "PILE_TOP_NOT_MELDED",
        "CL-020 CL-043 CL-045",
    ),
    // Too many wilds: in a meld (CL-032), in a canasta that has three (CL-035).
    (
        "classic-4p; drew; hand N X 9s 9c; melds NS 8s8h8d8c2s2h2d",
        "meld X onto 0",
        "MELD_TOO_MANY_WILDS",
        "CL-035",
    ),
    (
        "classic-4p; drew; hand N X 9s 9c; melds NS 8s8h8d2s2h2d",
        "meld X onto 0",
        "MELD_TOO_MANY_WILDS",
        "CL-032",
    ),
    // A second meld of a rank: never (CL-038), or not while one is open (CV-006).
    (
        "classic-4p; drew; hand N 8c 8c 8s 9c 5d; melds NS 8s8h8d",
        "meld 8c 8c 8s onto new",
        "MELD_RANK_DUPLICATE",
        "CL-038",
    ),
    // Sevens (MA-045); aces begun later (MA-049), begun pure (MA-050).
    (
        "american-4p; drew; hand N 7s 7h X 9c 5d; melds NS 8s8h8d",
        "meld 7s 7h X",
        "MELD_RANK_TAKES_NO_WILD",
        "MA-045",
    ),
    (
        "american-4p; drew; hand N As Ah X 9c 5d; melds NS 8s8h8d",
        "meld As Ah X",
        "MELD_RANK_TAKES_NO_WILD",
        "MA-047 MA-049",
    ),
    (
        "american-4p; drew; hand N X 9c 9d 5d; melds NS AsAhAd",
        "meld X onto 0",
        "MELD_RANK_TAKES_NO_WILD",
        "MA-047 MA-050",
    ),
    // Threes of Hand and Foot: red (HF-093), black (HF-097).
    (
        "hand-and-foot-4p; drew; hand N 3s 3c 3s 9c 5d; melds NS 8s8h8d",
        "meld 3s 3c 3s",
        "THREE_NOT_MELDABLE",
        "HF-059 HF-097",
    ),
    // Black threes: four in two packs (CL-076), six in three (P6-011).
    (
        "classic-4p; drew; hand N 3s 3c 9s; melds NS 8s8h8d8c8s8h8d",
        "meld 3s 3c",
        "THREE_BLACK_COUNT",
        "CL-076",
    ),
    (
        "classic-6p-2x3; drew; hand 0 3s 3c 9s; melds 0 8s8h8d8c8s8h8d / 9s9h9d9c9s9h9d",
        "meld 3s 3c",
        "THREE_BLACK_COUNT",
        "P6-011",
    ),
    // Three players alone have rule AMB-21.
    ("classic-4p ask=\"off\"; drew; hand N 9s 8s", "ask S", "ASK_NO_PARTNER", "CL-085"),
    ("classic-2p; drew; hand 0 9s 8s", "ask", "ASK_NO_PARTNER", "CL-085 P2-005"),
    ("classic-3p; drew; hand 0 9s 8s", "ask", "ASK_NO_PARTNER", "CL-085 AMB-21"),
    // Actions that canasta.net does not have, and an undo that is switched off (HN-013).
    (
        "samba-4p merge=\"none\"; drew; hand N 9s 8s; melds NS 8s8h8d / 8s8h8c",
        "merge_melds 0 1",
        "TURN_ACTION_NOT_IN_RULES",
        "SA-036",
    ),
    // Going out: the number of each form.
    (
        "classic-2p; drew; hand 0 Kd 4c; melds 0 KsKhKc",
        "meld Kd onto 0",
        "MELD_LEAVES_TOO_FEW_CARDS",
        "CL-083 CL-084",
    ),
    ("american-4p; drew; hand N 7s 7h 7d 9c", "special_hand pairs", "SPECIAL_WRONG_SIZE", "MA-140"),
    // The special hands, each by its own shape.
    (
        "american-4p; drew; hand N 4s 4h 5s 5h 6s 6h 8s 8h 9s 9h Ts Th Js Kd",
        "special_hand pairs",
        "SPECIAL_SHAPE",
        "MA-145 MA-146 MA-147",
    ),
    (
        "american-4p; drew; hand N 4s 4h 5s 5h 6s 6h 8s 8h 9s 9h Ts Th Js Kd",
        "special_hand garbage",
        "SPECIAL_SHAPE",
        "MA-148",
    ),
    (
        "american-4p; drew; hand N 4s 4h 5s 5h 6s 6h 8s 8h 9s 9h Ts Th Js Kd",
        "special_hand straight",
        "SPECIAL_SHAPE",
        "MA-143",
    ),
    // The end of the round: everything ends (CL-078), a last red three (CL-094).
    ("classic-4p; to move N; round over went_out N; hand N -", "draw", "GAME_ROUND_OVER", "CL-078"),
    ("classic-4p; to move N; round over last_three N; hand N 4c", "draw", "GAME_ROUND_OVER", "CL-094"),
];

/// Returns the rules that the refusal of `action` names for `code`.
fn cited(position: &str, action: &str, code: &str) -> Result<String, String> {
    let setup = Position::parse(position).map_err(|error| error.to_string())?.setup();
    let state = setup.into_table().map_err(|faults| faults[0].to_string())?;
    let read = Proposal::parse(action, state.set()).map_err(|error| error.to_string())?;
    let actor = read.actor.or_else(|| state.to_act().map(As::Seat)).unwrap_or(As::Table);
    let Err(rejection) = check(&state, actor, &read.action) else { return Err("legal".into()) };
    let found = rejection.violations.iter().find(|violation| violation.code.name() == code);
    let found = found.ok_or_else(|| format!("refused otherwise: {:?}", rejection.codes()))?;
    Ok(cite_violation(found, &state.rules().books()).join(" "))
}

#[test]
fn a_refusal_names_the_rules_of_its_cause() {
    let mut wrong = Vec::new();
    for &(position, action, code, expected) in CASES {
        match cited(position, action, code) {
            Ok(found) if found == expected => {}
            found => wrong.push(format!("{position}: {action}\n  expected {expected}, found {found:?}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
