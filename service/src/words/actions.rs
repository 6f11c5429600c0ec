//! Actions in words, as a button or a list of moves names them. The facts of an action are fields of its message.

use canasta_engine::violations::template::Wording;
use canasta_engine::violations::{FactKind, FactRow};

const CARD: FactRow = FactRow::new("card", FactKind::Card);
const CARDS: FactRow = FactRow::new("cards", FactKind::Cards);
const MELD: FactRow = FactRow::new("meld", FactKind::Meld);
const OPTIONAL_CARDS: FactRow = CARDS.unless("no card is named");
const POINTS: FactRow = FactRow::new("points", FactKind::Int);
const SIDE: FactRow = FactRow::new("side", FactKind::Side);

/// The actions, in the order of the interface.
pub const ACTIONS: [Wording; 21] = [
    Wording::new("deal", &[], "deal", "geben"),
    Wording::new("draw_cards", &[], "draw cards for the seats", "die Plätze auslosen"),
    Wording::new("draw_stock", &[], "draw from the stock", "vom Talon ziehen"),
    Wording::new(
        "take_pile",
        &[OPTIONAL_CARDS, FactRow::new("others", FactKind::Cards).unless("nothing else is melded")],
        "take the pile{cards, select, none {} other { with {cards}}}{others, select, none {} other { and meld {others}}}",
        "den Ablagestapel{cards, select, none {} other { mit {cards}}} nehmen{others, select, none {} other { und \
            {others} melden}}",
    ),
    Wording::new("take_top", &[], "take the top card of the pile", "die oberste Karte nehmen"),
    Wording::new("restore_pile", &[], "put the top card back", "die oberste Karte zurücklegen"),
    Wording::new("lay_threes", &[CARDS], "lay {cards}", "{cards} auslegen"),
    Wording::new("take_talon", &[], "take the talon", "die Zusatzkarten nehmen"),
    Wording::new(
        "meld",
        &[OPTIONAL_CARDS],
        "meld{cards, select, none {} other { {cards}}}",
        "{cards, select, none {} other {{cards} }}melden",
    ),
    Wording::new(
        "merge_melds",
        &[FactRow::new("kept", FactKind::Meld), FactRow::new("merged", FactKind::Meld)],
        "join {merged} to {kept}",
        "{merged} mit {kept} vereinigen",
    ),
    Wording::new(
        "undo_meld",
        &[MELD, CARDS],
        "take {cards} back from {meld}",
        "{cards} von {meld} zurücknehmen",
    ),
    Wording::new(
        "ask",
        &[
            FactRow::new("about", FactKind::Word),
            FactRow::new("to", FactKind::Seat).unless("the rules name the seat that is asked"),
        ],
        "ask{to, select, none {} other { {to}}}: {about, select, ABOUT_GO_OUT {may I go out?} other {may I meld after \
            the discard?}}",
        "{to, select, none {} other {{to} }}fragen: {about, select, ABOUT_GO_OUT {darf ich ausmachen?} other {darf ich \
            nach dem Abwurf noch melden?}}",
    ),
    Wording::new(
        "answer",
        &[FactRow::new("yes", FactKind::Word)],
        "say {yes, select, true {yes} other {no}}",
        "{yes, select, true {Ja} other {Nein}} sagen",
    ),
    Wording::new(
        "special_hand",
        &[FactRow::new("special_hand", FactKind::Word)],
        "show a special hand ({special_hand, select, SPECIAL_HAND_STRAIGHT {straight} SPECIAL_HAND_PAIRS {pairs} \
            SPECIAL_HAND_GARBAGE {garbage} other {?}})",
        "ein besonderes Blatt zeigen ({special_hand, select, SPECIAL_HAND_STRAIGHT {Straße} SPECIAL_HAND_PAIRS {Paare} \
            SPECIAL_HAND_GARBAGE {Sätze} other {?}})",
    ),
    Wording::new(
        "discard",
        &[CARD.unless("the asker may not see it")],
        "discard {card, select, none {a card} other {{card}}}",
        "{card, select, none {eine Karte} other {{card}}} abwerfen",
    ),
    Wording::new("pass", &[], "pass", "ohne Abwurf beenden"),
    Wording::new("end_round", &[], "end the round", "die Runde beenden"),
    Wording::new(
        "call_reveal",
        &[FactRow::new("seat", FactKind::Seat)],
        "ask {seat} to show the hand",
        "von {seat} verlangen, das Blatt zu zeigen",
    ),
    Wording::new(
        "ruling",
        &[
            FactRow::new("ruling", FactKind::Int).unless("the ruling has no number yet"),
            FactRow::new("rule", FactKind::Word),
            POINTS,
            SIDE,
            FactRow::new("seat", FactKind::Seat).unless("nobody has offended"),
        ],
        "rule under {rule} on {side}{seat, select, none {} other { ({seat})}}{points, plural, =0 {} one {: {points} \
            point} other {: {points} points}}",
        "nach {rule} über {side}{seat, select, none {} other { ({seat})}} entscheiden{points, plural, =0 {} one {: \
            {points} Punkt} other {: {points} Punkte}}",
    ),
    Wording::new(
        "dispute",
        &[
            FactRow::new("open", FactKind::Word),
            FactRow::new("reason", FactKind::Word).unless("no reason is given"),
        ],
        "{open, select, true {open a dispute} other {close the dispute}}{reason, select, none {} other {: {reason}}}",
        "{open, select, true {einen Streitfall eröffnen} other {den Streitfall schließen}}{reason, select, none {} other \
            {: {reason}}}",
    ),
    Wording::new("sign", &[SIDE], "sign for {side}", "für {side} unterschreiben"),
];
