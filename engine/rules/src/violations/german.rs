//! The German sentences of refusals, in the order of the catalogue: templates over the same facts.
//!
//! Words: stock = Talon, pile = Ablagestapel, meld = Meldung, initial meld = Erstmeldung, side = Partei, wild card = wilde
//! Karte, natural = natürliche Karte, going out = Ausmachen, dealer = Geber, foot = Fuß, talon = Zusatzkarten. docs/MESSAGES.md
//! has the glossary.

use super::{ALL, Code};

/// Returns the German sentence of a code.
pub(super) const fn sentence(code: Code) -> &'static str {
    SENTENCES[code.entry().precedence()].1
}

const _: () = {
    let mut at = 0;
    while at < ALL.len() {
        assert!(SENTENCES[at].0 as u16 == ALL[at].code as u16, "{}", ALL[at].name);
        at += 1;
    }
};

const SENTENCES: [(Code, &str); Code::COUNT] = [
    (Code::GameOver, "das Spiel ist zu Ende"),
    (
        Code::GameRoundOver,
        "die Runde ist beendet{reason, select, WENT_OUT {: jemand hat ausgemacht} STOCK_EXHAUSTED {: der Talon ist \
            aufgebraucht} LAST_THREE {: eine rote Drei konnte nicht ersetzt werden} other {}}",
    ),
    (Code::GameDisputeOpen, "das Spiel ruht, bis ein Streitfall geklärt ist"),
    (Code::GameClock, "vor dem Startzeichen oder nach Ablauf der Zeit"),
    (Code::SetupWrongTime, "gegeben wird nur zwischen den Runden"),
    (Code::AskPending, "{asked} muss zuerst eine Frage beantworten"),
    (Code::TurnNotYours, "{turn, select, none {die Spielleitung ist am Zug} other {{turn} ist am Zug}}"),
    (Code::TurnOver, "die eigene Karte ist schon abgeworfen"),
    (Code::AskNothingPending, "es ist keine Frage offen"),
    (Code::AskNotAddressed, "{asked} wurde gefragt"),
    (Code::TurnActionNotInRules, "diese Regeln kennen {action} nicht (Einstellung {knob})"),
    (Code::AskNoPartner, "es gibt keinen solchen Partner zu fragen"),
    (Code::SpecialNotAgreed, "dieses besondere Blatt ist nicht vereinbart"),
    (Code::TurnDrawFirst, "zuerst vom Talon ziehen oder den Ablagestapel nehmen"),
    (Code::SpecialNotAfterStockDraw, "nur unmittelbar nach dem Ziehen vom Talon"),
    (
        Code::TurnAlreadyDrew,
        "in diesem Zug wurden schon Karten {source, select, STOCK {vom Talon gezogen} PILE {vom Ablagestapel \
            genommen} other {genommen}}",
    ),
    (
        Code::TurnWrongPhase,
        "{phase, select, SETUP {vor dem Geben} DEAL {vor dem Geben} START {vor dem Ziehen} PLAY {nach dem Ziehen} ASKED {bei \
            einer offenen Frage} other {jetzt}} nicht möglich",
    ),
    (Code::TurnEmptyAction, "jede Gruppe nennt mindestens eine Karte"),
    (Code::PileBuriedCard, "{card} liegt im Ablagestapel: zum Nehmen berechtigen nur Karten der Hand"),
    (
        Code::TurnCardNotInHand,
        "{card} ist nicht so oft auf der Hand wie genannt (vorhanden {found}, genannt {required})",
    ),
    (Code::SetupPlayerCount, "{range} Spieler erwartet, {found} gefunden"),
    (Code::SetupSides, "bei gleich großen Parteien bleibt übrig: {seats}"),
    (
        Code::SetupDeck,
        "{card, select, none {zum Geben braucht es {required, plural, one {eine Karte} other {{required} Karten}}, gefunden {found}} other {die \
            Pakete haben {card} {required}-mal, gefunden {found}-mal}}",
    ),
    (Code::SetupKnobs, "die Regeln widersprechen sich: {knobs}"),
    (Code::SetupDrawTied, "die gezogenen Karten entscheiden nicht: {seats} zieht noch einmal"),
    (
        Code::SetupDealer,
        "{dealer, select, none {{decided_by, select, CARDS {wer gibt, entscheiden die gezogenen Karten und nicht die \
            Spielleitung{seat, select, none {} other {: genannt ist {seat}}}} other {{seat, select, none {{decided_by, \
            select, RULE_SET {diese Regeln überlassen den ersten Geber der Spielleitung} other {bei vorgegebenen Karten \
            nennt die Spielleitung den Geber}}} other {{seat} gibt es nicht}}{range, select, none {} other {: `dealer` \
            angeben, {range}}}}}} other {{dealer} gibt{seat, select, none {} other {, nicht {seat}}}}}",
    ),
    (
        Code::SetupDeal,
        "{zone, select, CONTRIBUTIONS {der Beitrag ist nicht der angemeldete} SIGNATURE {{required, plural, =0 {keine \
            Signatur eines Zufallsdienstes erwartet, eine gefunden} other {Signatur eines Zufallsdienstes erwartet, \
            keine gefunden}}} other {{required} erwartet, {found} gefunden ({zone})}}",
    ),
    (
        Code::SetupStartCard,
        "der Ablagestapel beginnt mit der ersten Karte, die nicht überdeckt werden muss; {card} passt nicht",
    ),
    (Code::StockEmpty, "der Talon ist leer"),
    (Code::StockNotEmpty, "der Talon hat noch {stock, plural, one {eine Karte} other {{stock} Karten}}"),
    (Code::PilePending, "die oberste Karte hat noch keinen Platz: melden oder zurücklegen"),
    (Code::PileRestoreForbidden, "es ist nichts zurückzulegen"),
    (Code::MeldFixed, "gemeldete Karten bleiben liegen: {card} kann nicht von {meld} genommen werden"),
    (Code::ThreeLayWrongTime, "{card} kann jetzt nicht ausgelegt werden"),
    (Code::ThreeMustBeLaid, "{cards} darf nicht auf der Hand bleiben: zuerst auslegen"),
    (
        Code::PileForfeited,
        "durch eine Entscheidung darf der Ablagestapel in diesem Zug nicht genommen werden",
    ),
    (Code::PileEmpty, "es liegt kein Ablagestapel"),
    (Code::PileTopWild, "obenauf liegt eine wilde Karte ({card}): niemand nimmt den Ablagestapel"),
    (Code::PileTopBlackThree, "obenauf liegt eine schwarze Drei ({card}): niemand nimmt den Ablagestapel"),
    (Code::PileTopRedThree, "obenauf liegt eine rote Drei ({card}): niemand nimmt den Ablagestapel"),
    (Code::PileOneCard, "mit einer Karte auf der Hand darf man keinen Ablagestapel aus einer Karte nehmen"),
    (
        Code::StockMustTakePile,
        "der Talon ist leer, und die oberste Karte passt an eine eigene Meldung: der Ablagestapel (Rang {rank}) muss \
            genommen werden",
    ),
    (
        Code::PileInitialTurnForbidden,
        "wer vor diesem Zug nichts gemeldet hatte, darf den Ablagestapel noch nicht nehmen",
    ),
    (
        Code::PileCanastaRankForbidden,
        "die Partei hat eine Canasta vom Rang {rank}: mit dieser Karte obenauf wird nicht genommen",
    ),
    (
        Code::PileFrozenNeedsPair,
        "der Ablagestapel ist gesperrt: zum Nehmen braucht man {required, plural, one {eine natürliche Karte} other {{required} natürliche Karten}} vom Rang {rank} \
            aus der Hand, angeboten {found}",
    ),
    (
        Code::PileNeedsPair,
        "zum Nehmen braucht man {required, plural, one {eine natürliche Karte} other {{required} natürliche Karten}} vom Rang {rank} aus der \
            Hand, angeboten {found}",
    ),
    (
        Code::PileCanastaWildsFull,
        "{meld} nimmt keine wilde Karte mehr auf ({wilds, plural, one {eine wilde Karte} other {{wilds} wilde Karten}})",
    ),
    (Code::PileLayoffForbidden, "man nimmt den Ablagestapel nicht, um seine oberste Karte nur anzulegen"),
    (
        Code::PileCanastaTargetForbidden,
        "{named, select, none {} other {die oberste Karte passt nicht an {named}, und }}man nimmt den Ablagestapel nicht, \
            um seine oberste Karte nur an eine fertige Canasta anzulegen ({meld})",
    ),
    (Code::PileSequenceStart, "die oberste Karte darf eine Sequenz verlängern, aber keine beginnen"),
    (Code::PileSequenceBridged, "die oberste Karte kommt allein und unmittelbar an ein Ende von {meld}"),
    (
        Code::PileTopNotMelded,
        "mit den angebotenen Karten ergibt {card} keine Meldung (natürliche {naturals}, wilde {wilds})",
    ),
    (
        Code::PileMeldTooFull,
        "beim Nehmen entsteht eine Meldung von höchstens {allowed, plural, one {einer Karte} other {{allowed} Karten}}, hier {found}",
    ),
    (Code::ThreeNotMeldable, "{card} kann hier nicht gemeldet werden"),
    (
        Code::MeldKindMismatch,
        "diese Karten oder dieses Ziel sind {kind, select, set {kein Satz} wild {keine Meldung wilder Karten} sequence \
            {keine Sequenz} black_threes {keine schwarzen Dreien} other {nicht {kind}}}{target, select, none {} other {; für die genannte Meldung `as {target}` schreiben}}",
    ),
    (Code::MeldWildMeldOff, "diese Regeln kennen keine Meldungen nur aus wilden Karten"),
    (Code::MeldSequenceOff, "diese Regeln kennen keine Sequenzen"),
    (Code::MeldNotFound, "{meld} gibt es nicht"),
    (Code::MeldNotOwnSide, "{meld} gehört {side}"),
    (Code::MeldSequenceWild, "{card} gehört nicht in eine Sequenz"),
    (Code::MeldSequenceSuits, "eine Sequenz ist von einer Farbe, nicht von {suits}"),
    (Code::MeldSequenceDuplicate, "in einer Sequenz ist kein Rang doppelt ({rank})"),
    (Code::MeldSequenceGap, "{ranks} folgen nicht aufeinander; Asse sind hoch"),
    (Code::MeldMixedRanks, "{card} gehört nicht in eine Meldung vom Rang {rank}"),
    (Code::MeldRankDuplicate, "die Partei hat schon eine Meldung dieses Rangs"),
    (Code::MeldRankClosedByOpponents, "die Gegner haben eine Canasta vom Rang {rank}"),
    (
        Code::MeldTooSmall,
        "eine Meldung hat mindestens {required, plural, one {eine Karte} other {{required} Karten}}, diese {found}",
    ),
    (
        Code::MeldTooLarge,
        "eine Meldung hat höchstens {allowed, plural, one {eine Karte} other {{allowed} Karten}}, diese {found}",
    ),
    (Code::MeldMergeForbidden, "diese Meldungen dürfen nicht vereinigt werden"),
    (Code::MeldCanastaClosed, "an eine fertige Canasta kommen keine wilden Karten"),
    (Code::MeldRankTakesNoWild, "zum Rang {rank} kommt hier keine wilde Karte"),
    (
        Code::MeldTooFewNaturals,
        "eine Meldung hat mindestens {required, plural, one {eine natürliche Karte} other {{required} natürliche Karten}}, diese {found}",
    ),
    (Code::MeldWildsOutnumber, "mehr wilde Karten ({wilds}) als natürliche ({naturals})"),
    (
        Code::MeldTooManyWilds,
        "diese Meldung hat höchstens {allowed, plural, one {eine wilde Karte} other {{allowed} wilde Karten}}, \
            gefunden {found}",
    ),
    (Code::ThreeBlackWild, "schwarze Dreien werden ohne wilde Karten gemeldet"),
    (
        Code::ThreeBlackCount,
        "eine Meldung schwarzer Dreien hat mindestens {required} und höchstens {allowed, plural, one {eine Karte} other {{allowed} Karten}}, diese {found}",
    ),
    (Code::ThreeBlackNotLast, "schwarze Dreien sind die letzte Meldung eines Zuges"),
    (Code::MeldWildsLocked, "{card} muss an die offene Meldung wilder Karten ({meld})"),
    (Code::PileInitialMeldFirst, "eine Partei ohne Erstmeldung muss eine Meldung aus der Hand anbieten"),
    (Code::InitialBelowMinimum, "die Erstmeldung braucht {required} Punkte, ausgelegt sind {found}"),
    (
        Code::InitialContentMissing,
        "die Erstmeldung braucht eine Meldung ohne wilde Karten oder nur aus wilden Karten",
    ),
    (
        Code::ThreeBlackNotGoingOut,
        "schwarze Dreien meldet nur, wer ausmacht; {hand_after, plural, one {eine Karte bliebe} other {{hand_after} \
            Karten blieben}} übrig",
    ),
    (Code::GoOutDiscardRequired, "zum Ausmachen gehört eine letzte Karte zum Abwerfen"),
    (Code::DiscardRequired, "der Zug endet mit einem Abwurf"),
    (Code::DiscardPenaltyCardFirst, "zuerst muss eine Strafkarte abgeworfen werden ({cards})"),
    (Code::GoOutNotAsked, "ausgemacht wird nur nach der vorgeschriebenen Frage"),
    (Code::GoOutRefused, "{refused_by} hat das Ausmachen in diesem Zug abgelehnt"),
    (
        Code::MeldLeavesTooFewCards,
        "es {found, plural, one {bliebe eine Karte} other {blieben {found} Karten}}, {required} müssen bleiben: die Partei darf nicht ausmachen",
    ),
    (
        Code::GoOutNeedsCanastas,
        "zum Ausmachen braucht die Partei {required, plural, one {eine Canasta} other {{required} Canastas}}, sie hat \
            {found}",
    ),
    (
        Code::GoOutNeedsClean,
        "zum Ausmachen braucht die Partei {required, plural, one {eine reine Canasta} other {{required} reine \
            Canastas}}, sie hat {found}",
    ),
    (
        Code::GoOutNeedsWild,
        "zum Ausmachen braucht die Partei {required, plural, one {eine Canasta} other {{required} Canastas}} aus wilden \
            Karten, sie hat {found}",
    ),
    (
        Code::GoOutNeedsSequence,
        "zum Ausmachen braucht die Partei {required, plural, one {eine Sequenz-Canasta} other {{required} \
            Sequenz-Canastas}}, sie hat {found}",
    ),
    (
        Code::GoOutNeedsHandsFinished,
        "ausgemacht wird erst, wenn jeder Partner sein erstes Blatt ausgespielt hat: {seats}",
    ),
    (
        Code::GoOutIncompleteMeld,
        "unvollständige Siebener oder reine Asse verhindern das Ausmachen ({melds, plural, one {eine Meldung} other \
            {{melds} Meldungen}})",
    ),
    (
        Code::MeldLeavesNoFinish,
        "{hand_after, plural, one {mit der Karte, die bleibt, wäre} other {mit den {hand_after} Karten, die bleiben, \
            wäre}} der Zug nicht zu beenden",
    ),
    (Code::DiscardThreeForbidden, "{card} darf nicht abgeworfen werden"),
    (Code::DiscardWildForbidden, "die wilde Karte {card} darf jetzt nicht abgeworfen werden"),
    (
        Code::DiscardRankOnEmptyPile,
        "{card} darf nicht auf einen leeren Ablagestapel, solange andere natürliche Karten auf der Hand sind",
    ),
    (
        Code::DiscardSafeOnEmptyPile,
        "{card} ist eine sichere Karte und darf nicht auf einen leeren Ablagestapel",
    ),
    (
        Code::GoOutBound,
        "nach \u{201e}Ja\u{201c} muss in diesem Zug ausgemacht werden{search, select, none {} other {, und die Suche hat \
            danach keinen Weg gefunden}}",
    ),
    (
        Code::AskUsedUp,
        "die Frage wurde schon gestellt (einmal je {scope, select, TURN {Zug} ROUND_SEAT {Platz und Runde} ROUND_SIDE \
            {Partei und Runde} other {{scope}}})",
    ),
    (Code::AskTooLate, "gefragt wird unmittelbar nach dem Ziehen, vor jeder Meldung"),
    (
        Code::AskCannotGoOut,
        "{fault, select, none {{search, select, none {mit diesem Blatt kann man nicht ausmachen} other {die Suche hat mit \
            diesem Blatt keinen Weg zum Ausmachen gefunden und kann ihn nicht ausschließen}}} other {der Weg, \
            den die Frage nennt, führt nicht zum Ausmachen}}",
    ),
    (Code::AskNoChoice, "mit einer Karte könnte ein \u{201e}Nein\u{201c} nicht befolgt werden"),
    (Code::SpecialSideHasMelded, "die Partei hat schon gemeldet"),
    (
        Code::SpecialWrongSize,
        "das Blatt hat nicht genau eine Karte mehr als gegeben ({required} erwartet, {found} gefunden)",
    ),
    (Code::SpecialShape, "das Blatt hat nicht die Form (es fehlen {missing}, zu viel sind {surplus})"),
    (Code::TalonNotAvailable, "es gibt keine Zusatzkarten zu nehmen"),
    (Code::RevealNotAvailable, "es gibt keinen besonderen Abwurf nachzuweisen"),
    (Code::RulingNotAuthorised, "so darf nicht entschieden werden"),
    (Code::RulingTooLate, "der Spielzettel ist schon unterschrieben"),
    (
        Code::RulingSideInvalid,
        "{seat, select, none {{side} gibt es hier nicht} other {{seat} gehört nicht zu {side}}}",
    ),
    (Code::RulingUnknownRule, "die Strafordnung kennt keine Regel {rule}; Hausregeln beginnen mit house:"),
    (
        Code::RulingPointsOutOfRange,
        "diese Regel sieht {range} Punkte in Schritten von 5 vor, gefunden {points}",
    ),
    (
        Code::RulingEffectNotApplicable,
        "diese Folge ist jetzt nicht möglich, oder die Regel sieht sie nicht vor ({effect})",
    ),
    (Code::RulingAlreadyReversed, "die Entscheidung {ruling} ist schon aufgehoben"),
    (Code::EventRepeatOpponents, "eine Paarung wiederholt sich ({teams})"),
];
