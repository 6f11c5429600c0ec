//! Score lines in words: the heading of a line, without its points, which stand in a column of their own.

use canasta_engine::violations::template::Wording;
use canasta_engine::violations::{FactKind, FactRow};

const LINE: &[FactRow] = &[
    FactRow::new("count", FactKind::Int).unless("nothing is counted"),
    FactRow::new("points", FactKind::Int),
];

/// The score lines, in the order of the sheet.
pub const SCORE_LINES: [Wording; 18] = [
    Wording::new("melded_cards", LINE, "melded cards", "gemeldete Karten"),
    Wording::new(
        "natural_canastas",
        LINE,
        "natural canastas{count, select, none {} other { ({count})}}",
        "reine Canastas{count, select, none {} other { ({count})}}",
    ),
    Wording::new(
        "mixed_canastas",
        LINE,
        "mixed canastas{count, select, none {} other { ({count})}}",
        "gemischte Canastas{count, select, none {} other { ({count})}}",
    ),
    Wording::new(
        "wild_canastas",
        LINE,
        "canastas of wild cards{count, select, none {} other { ({count})}}",
        "Canastas aus wilden Karten{count, select, none {} other { ({count})}}",
    ),
    Wording::new(
        "sequence_canastas",
        LINE,
        "sequence canastas{count, select, none {} other { ({count})}}",
        "Sequenz-Canastas{count, select, none {} other { ({count})}}",
    ),
    Wording::new(
        "incomplete_melds",
        LINE,
        "incomplete melds{count, select, none {} other { ({count})}}",
        "unvollständige Meldungen{count, select, none {} other { ({count})}}",
    ),
    Wording::new(
        "held_trios",
        LINE,
        "three of a kind left in hand{count, select, none {} other { ({count})}}",
        "Drillinge auf der Hand{count, select, none {} other { ({count})}}",
    ),
    Wording::new(
        "threes",
        LINE,
        "threes{count, select, none {} other { ({count})}}",
        "Dreien{count, select, none {} other { ({count})}}",
    ),
    Wording::new("going_out", LINE, "going out", "Ausmachen"),
    Wording::new("concealed", LINE, "going out concealed", "verdecktes Ausmachen"),
    Wording::new("cut", LINE, "exact cut", "genaues Abheben"),
    Wording::new("foot_cut", LINE, "exact cut of the feet", "genaues Abheben der Füße"),
    Wording::new("hand_cards", LINE, "cards left in hand", "Karten auf der Hand"),
    Wording::new("foot_cards", LINE, "cards left in the foot", "Karten im Fuß"),
    Wording::new(
        "restores",
        LINE,
        "tops put back{count, select, none {} other { ({count})}}",
        "zurückgelegte oberste Karten{count, select, none {} other { ({count})}}",
    ),
    Wording::new("special_hand", LINE, "special hand", "besonderes Blatt"),
    Wording::new("no_canasta", LINE, "no canasta", "keine Canasta"),
    Wording::new("adjustments", LINE, "rulings", "Entscheidungen"),
];
