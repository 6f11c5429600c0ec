//! Events in words. The facts of an event are fields of its message.

use canasta_engine::violations::template::Wording;
use canasta_engine::violations::{FactKind, FactRow};

const CARD: FactRow = FactRow::new("card", FactKind::Card);
const CARDS: FactRow = FactRow::new("cards", FactKind::Cards);
const COUNT: FactRow = FactRow::new("count", FactKind::Int);
const MELD: FactRow = FactRow::new("meld", FactKind::Meld);
const OPEN: FactRow = FactRow::new("open", FactKind::Word);
const RULING: FactRow = FactRow::new("ruling", FactKind::Int);
const SEAT: FactRow = FactRow::new("seat", FactKind::Seat);
const SEEN_CARD: FactRow = CARD.unless("the asker may not see it");
const SEEN_CARDS: FactRow = CARDS.unless("the asker may not see them, or there are none");
const SIDE: FactRow = FactRow::new("side", FactKind::Side);
const SPECIAL_HAND: FactRow = FactRow::new("special_hand", FactKind::Word);
const TO: FactRow = FactRow::new("to", FactKind::Seat);

/// The events, in the order of the interface.
pub const EVENTS: [Wording; 30] = [
    Wording::new(
        "drawn",
        &[FactRow::new("dealer", FactKind::Seat)],
        "cards are drawn for seats: {dealer} deals first",
        "die Plätze sind ausgelost: zuerst gibt {dealer}",
    ),
    Wording::new("dealt", &[], "the cards are dealt", "die Karten sind gegeben"),
    Wording::new(
        "upcard",
        &[CARD, FactRow::new("covered", FactKind::Word)],
        "{card} is turned{covered, select, true {, and covered} other {}}",
        "{card} wird aufgedeckt{covered, select, true { und überdeckt} other {}}",
    ),
    Wording::new(
        "drew",
        &[SEAT, SEEN_CARDS, COUNT],
        "{seat} drew {cards, select, none {{count, plural, one {a card} other {{count} cards}}} other {{cards}}}",
        "{seat} hat {cards, select, none {{count, plural, one {eine Karte} other {{count} Karten}}} other {{cards}}} \
            gezogen",
    ),
    Wording::new("three_laid", &[SEAT, CARD], "{seat} laid {card}", "{seat} hat {card} ausgelegt"),
    Wording::new(
        "replaced",
        &[SEAT, SEEN_CARD],
        "{seat} drew {card, select, none {a card} other {{card}}} to replace it",
        "{seat} hat dafür {card, select, none {eine Karte} other {{card}}} gezogen",
    ),
    Wording::new(
        "melded",
        &[
            SIDE,
            MELD,
            FactRow::new("kind", FactKind::Word),
            FactRow::new("rank", FactKind::Rank).unless("the meld is no set"),
            CARDS,
        ],
        "{side} melded {cards} ({meld})",
        "{side} hat {cards} gemeldet ({meld})",
    ),
    Wording::new(
        "canasta",
        &[SIDE, MELD, FactRow::new("grade", FactKind::Word)],
        "{meld} of {side} is now a {grade, select, GRADE_NATURAL {natural canasta} GRADE_MIXED {mixed canasta} \
            GRADE_WILD {canasta of wild cards} GRADE_SEQUENCE {sequence canasta} other {canasta}}",
        "{meld} von {side} ist jetzt eine {grade, select, GRADE_NATURAL {reine Canasta} GRADE_MIXED {gemischte Canasta} \
            GRADE_WILD {Canasta aus wilden Karten} GRADE_SEQUENCE {Sequenz-Canasta} other {Canasta}}",
    ),
    Wording::new(
        "merged",
        &[SIDE, FactRow::new("kept", FactKind::Meld), FactRow::new("merged", FactKind::Meld)],
        "{side} joined {merged} to {kept}",
        "{side} hat {merged} mit {kept} vereinigt",
    ),
    Wording::new(
        "unmelded",
        &[SIDE, MELD, CARDS],
        "{side} took {cards} back from {meld}",
        "{side} hat {cards} von {meld} zurückgenommen",
    ),
    Wording::new(
        "took_pile",
        &[SEAT, SEEN_CARDS, COUNT],
        "{seat} took the pile{count, plural, =0 {} other {: {cards, select, none {{count, plural, one {a card} other \
            {{count} cards}}} other {{cards}}} to the hand}}",
        "{seat} hat den Ablagestapel genommen{count, plural, =0 {} other {: {cards, select, none {{count, plural, one \
            {eine Karte} other {{count} Karten}}} other {{cards}}} auf die Hand}}",
    ),
    Wording::new(
        "took_top",
        &[SEAT, CARD],
        "{seat} took the top card {card}",
        "{seat} hat die oberste Karte {card} genommen",
    ),
    Wording::new(
        "restored_pile",
        &[SEAT],
        "{seat} put the top card back",
        "{seat} hat die oberste Karte zurückgelegt",
    ),
    Wording::new(
        "discarded",
        &[SEAT, SEEN_CARD, FactRow::new("face_down", FactKind::Word)],
        "{seat} discarded {card, select, none {a card} other {{card}}}{face_down, select, true { face down} other {}}",
        "{seat} hat {card, select, none {eine Karte} other {{card}}}{face_down, select, true { verdeckt} other {}} \
            abgeworfen",
    ),
    Wording::new(
        "froze",
        &[FactRow::new("cause", FactKind::Word)],
        "the pile is frozen{cause, select, FREEZE_CAUSE_WILD {: a wild card lies in it} FREEZE_CAUSE_RED_THREE {: a red \
            three lies in it} other {}}",
        "der Ablagestapel ist gesperrt{cause, select, FREEZE_CAUSE_WILD {: eine wilde Karte liegt darin} \
            FREEZE_CAUSE_RED_THREE {: eine rote Drei liegt darin} other {}}",
    ),
    Wording::new("passed", &[SEAT], "{seat} passed", "{seat} hat ohne Abwurf beendet"),
    Wording::new("took_foot", &[SEAT], "{seat} took up the foot", "{seat} hat den Fuß aufgenommen"),
    Wording::new(
        "talon_awarded",
        &[SEAT, FactRow::new("talon", FactKind::Int)],
        "{seat} was given talon {talon}",
        "{seat} hat Zusatzkarten bekommen (Paket {talon})",
    ),
    Wording::new(
        "took_talon",
        &[SEAT, SEEN_CARDS, COUNT],
        "{seat} took the talon: {cards, select, none {{count, plural, one {a card} other {{count} cards}}} other \
            {{cards}}}",
        "{seat} hat die Zusatzkarten genommen: {cards, select, none {{count, plural, one {eine Karte} other {{count} \
            Karten}}} other {{cards}}}",
    ),
    Wording::new(
        "asked",
        &[SEAT, FactRow::new("about", FactKind::Word), TO],
        "{seat} asked {to}: {about, select, ABOUT_GO_OUT {may I go out?} other {may I meld after the discard?}}",
        "{seat} hat {to} gefragt: {about, select, ABOUT_GO_OUT {darf ich ausmachen?} other {darf ich nach dem Abwurf \
            noch melden?}}",
    ),
    Wording::new(
        "answered",
        &[SEAT, FactRow::new("yes", FactKind::Word)],
        "{seat} said {yes, select, true {yes} other {no}}",
        "{seat} hat {yes, select, true {Ja} other {Nein}} gesagt",
    ),
    Wording::new("revealed", &[SEAT, CARDS], "{seat} showed {cards}", "{seat} hat {cards} gezeigt"),
    Wording::new(
        "sides_fixed",
        &[FactRow::new("lone", FactKind::Seat)],
        "{lone} plays alone from now on",
        "{lone} spielt von jetzt an allein",
    ),
    Wording::new(
        "went_out",
        &[SEAT, FactRow::new("concealed", FactKind::Word)],
        "{seat} went out{concealed, select, true { concealed} other {}}",
        "{seat} hat{concealed, select, true { verdeckt} other {}} ausgemacht",
    ),
    Wording::new(
        "special_hand",
        &[SEAT, SPECIAL_HAND, CARDS],
        "{seat} showed a special hand ({special_hand, select, SPECIAL_HAND_STRAIGHT {straight} SPECIAL_HAND_PAIRS \
            {pairs} SPECIAL_HAND_GARBAGE {garbage} other {?}}): {cards}",
        "{seat} hat ein besonderes Blatt gezeigt ({special_hand, select, SPECIAL_HAND_STRAIGHT {Straße} \
            SPECIAL_HAND_PAIRS {Paare} SPECIAL_HAND_GARBAGE {Sätze} other {?}}): {cards}",
    ),
    Wording::new("stock_exhausted", &[], "the stock is exhausted", "der Talon ist aufgebraucht"),
    Wording::new("ruled", &[RULING], "ruling {ruling} holds", "Entscheidung {ruling} gilt"),
    Wording::new(
        "disputed",
        &[OPEN],
        "{open, select, true {play is suspended: a dispute is open} other {the dispute is closed: play goes on}}",
        "{open, select, true {das Spiel ruht: ein Streitfall ist offen} other {der Streitfall ist geklärt: es geht \
            weiter}}",
    ),
    Wording::new(
        "signed",
        &[SIDE],
        "{side} signed the score sheet",
        "{side} hat den Spielzettel unterschrieben",
    ),
    Wording::new("scored", &[], "the round is scored", "die Runde ist abgerechnet"),
];
