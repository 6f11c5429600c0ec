//! The catalogue: one row per code, in order of precedence: the order in which `check` judges. The gates come first (table,
//! seat, phase, cards), then the lists of the single actions, in one total order that agrees with each list. There is one
//! exception: if the pile is taken with cards of two ranks, `MELD_MIXED_RANKS` comes before all violations of the right to
//! take.
//!
//! A row gives the code's variant, number and name, and then:
//!
//! - `summary`: the fault in a few words: lower case, no full stop;
//! - `message`: the English sentence of a refusal, a [template](super::template) over the facts; the summary if it is
//!   left out. The German sentences stand in `german.txt`;
//! - `facts`: name and type ([`FactKind`]) of each fact, in the order in which a violation states them. `unless` says
//!   when the fact is absent. What is compared with `required` (at least) or `allowed` (at most) is called `found`;
//! - `rules`: ids of the rules that raise the code, of all books.
//!
//! The page of a code is `pages/NAME.md`; its title comes from the row.

use super::{CatalogueEntry, FactKind, FactRow};

/// Makes [`Code`] and [`ALL`] from the rows.
macro_rules! catalogue {
    ($(
        $code:ident = $number:literal $name:literal {
            summary: $summary:literal,
            $(message: $message:literal,)?
            facts: [$($fact:ident: $type:ident $(unless $absent:literal)?),* $(,)?],
            rules: $rules:literal,
            $(since: $since:literal,)?
        }
    )*) => {
        /// The reason why an action was refused.
        ///
        /// Numbers and names are permanent, because logs, the API and the documentation contain them. A new
        /// code takes the next free number, and the number of a retired code is never reused. The order of
        /// the numbers means nothing; the order of precedence is that of [`ALL`].
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[repr(u16)]
        pub enum Code {
            $(#[doc = concat!("`", $name, "`: ", $summary, ".")] $code = $number,)*
        }

        /// Every code, in order of precedence.
        pub const ALL: &[CatalogueEntry] = &[$(CatalogueEntry {
            code: Code::$code,
            name: $name,
            since: [$($since,)? "0.1.0"][0],
            summary: $summary,
            message: [$($message,)? $summary][0],
            facts: &[$(FactRow {
                name: stringify!($fact),
                kind: FactKind::$type,
                absent: [$(Some($absent),)? None][0],
            }),*],
            rules: $rules,
            page: concat!("# ", $name, "\n\n", include_str!(concat!("pages/", $name, ".md"))),
        }),*];
    };
}

catalogue! {
    GameOver = 1 "GAME_OVER" {
        summary: "the game is finished (or its sheet is signed)",
        message: "the game is over",
        facts: [signed: Word],
        rules: "CL-109 MA-191 HN-023 WH-092 HF-005 SA-070 IR-104",
    }
    GameRoundOver = 2 "GAME_ROUND_OVER" {
        summary: "play of this round has ended",
        message: "play of this round has ended{reason, select, WENT_OUT {: somebody went out} STOCK_EXHAUSTED {: the stock is \
            exhausted} LAST_THREE {: the last card of the stock was a red three} LAST_DRAWER_DONE {: the last drawer \
            has played} SPECIAL_HAND {: a special hand was shown} RULED {: by a ruling} VOIDED {: the deal is void} \
            other {}}",
        facts: [reason: Word],
        rules: "CL-078 CL-094 MA-120 HN-019 WH-080 HF-081",
    }
    GameDisputeOpen = 3 "GAME_DISPUTE_OPEN" {
        summary: "play is suspended",
        facts: [dispute: Int],
        rules: "IR-107 TF-024",
    }
    GameClock = 4 "GAME_CLOCK" {
        summary: "before the start signal, or after time",
        facts: [state: Word],
        rules: "TF-007 TF-011 TF-012 IR-072",
    }
    SetupWrongTime = 13 "SETUP_WRONG_TIME" {
        summary: "setup or deal input at another time",
        message: "cards are dealt between rounds, not now",
        facts: [phase: Word],
        rules: "CL-008 HF-006",
    }
    AskPending = 96 "ASK_PENDING" {
        summary: "a question is open",
        message: "{asked} has a question to answer first",
        facts: [asked: Seat],
        rules: "CL-087 MA-126 WH-084 S3-032",
    }
    TurnNotYours = 14 "TURN_NOT_YOURS" {
        summary: "another seat is to act",
        message: "{turn, select, none {the table is to act} other {{turn} is to act}}",
        facts: [seat: Seat unless "the table acted, or an official", turn: Seat unless "the table is to act"],
        rules: "CL-014 MA-018 HN-006 WH-011 HF-037 SA-009",
    }
    TurnOver = 15 "TURN_OVER" {
        summary: "own discard already made",
        facts: [courtesy: Word],
        rules: "HF-072 HF-073",
    }
    AskNothingPending = 97 "ASK_NOTHING_PENDING" {
        summary: "answer without a question",
        message: "no question is open",
        facts: [],
        rules: "CL-087",
    }
    AskNotAddressed = 98 "ASK_NOT_ADDRESSED" {
        summary: "answer by a seat not asked",
        message: "{asked} was asked",
        facts: [asked: Seat],
        rules: "CL-087",
    }
    TurnActionNotInRules = 16 "TURN_ACTION_NOT_IN_RULES" {
        summary: "the rule set has no such action",
        message: "this rule set has no {action} (knob {knob})",
        facts: [action: Word, knob: Word],
        rules: "CL-015 HN-013 HN-039 SA-036 HF-088",
    }
    AskNoPartner = 95 "ASK_NO_PARTNER" {
        summary: "nobody to ask, or the rule set has no question",
        message: "there is no such partner to ask",
        facts: [],
        rules: "CL-085 P2-005 AMB-21 WH-083",
    }
    SpecialNotAgreed = 103 "SPECIAL_NOT_AGREED" {
        summary: "special hand that the rule set does not know",
        facts: [kind: Word],
        rules: "MA-142 MV-009",
    }
    TurnDrawFirst = 17 "TURN_DRAW_FIRST" {
        summary: "needs the draw or the take first",
        message: "draw from the stock or take the pile first",
        facts: [],
        rules: "CL-015 CL-018 MA-020 HN-008 WH-017 HF-041 SA-015",
    }
    SpecialNotAfterStockDraw = 104 "SPECIAL_NOT_AFTER_STOCK_DRAW" {
        summary: "only right after a stock draw",
        facts: [source: Word],
        rules: "MA-140",
    }
    TurnAlreadyDrew = 18 "TURN_ALREADY_DREW" {
        summary: "second draw or take",
        message: "this turn's cards have come already{source, select, STOCK {, from the stock} PILE {, from the pile} TOP_ONLY {, \
            from the top of the pile} other {}}",
        facts: [source: Word],
        rules: "CL-015 CL-041 MA-020 HN-017 WH-018 HF-041 SA-015",
    }
    TurnWrongPhase = 19 "TURN_WRONG_PHASE" {
        summary: "not in this phase",
        message: "not possible {phase, select, SETUP {before the deal} DEAL {before the deal} START {before the draw} PLAY {after \
            the draw} ASKED {while a question is open} TAKING {while the top is taken tentatively} ROUND_OVER {after \
            the round} GAME_OVER {after the game} LAST_THREE {after a last red three} other {now}}",
        facts: [phase: Word],
        rules: "CL-015 MA-020 MZ-012",
    }
    TurnEmptyAction = 20 "TURN_EMPTY_ACTION" {
        summary: "no group, or a group without a card",
        message: "every group names at least one card",
        facts: [],
        rules: "CL-026",
    }
    PileBuriedCard = 31 "PILE_BURIED_CARD" {
        summary: "a named card lies in the pile under the top",
        message: "{card} lies in the pile: only cards of the hand justify a take",
        facts: [card: Card],
        rules: "CL-048 MA-070 WH-030 WH-033 HF-049",
    }
    TurnCardNotInHand = 21 "TURN_CARD_NOT_IN_HAND" {
        summary: "named card not held (counted)",
        message: "{card} is not in the hand as often as named ({found} held)",
        facts: [card: Card, found: Int, required: Int],
        rules: "CL-018 MA-027 MA-112 HF-055 HF-064",
    }
    SetupPlayerCount = 6 "SETUP_PLAYER_COUNT" {
        summary: "no form for this number",
        message: "expected {range} players, found {found}",
        facts: [found: Int, range: Word],
        rules: "CL-006 WH-001 WH-002 WH-003 HF-002 GR-047 MZD-08",
    }
    SetupSides = 7 "SETUP_SIDES" {
        summary: "sides of unequal size, or mates side by side",
        message: "sides of one size leave {seats} over",
        facts: [seats: Seats],
        rules: "CL-006 P6-003 MA-002 WH-002 HF-003 GR-029",
    }
    SetupDeck = 8 "SETUP_DECK" {
        summary: "cards differ from the packs and jokers, or the deck is too small",
        message: "{card, select, none {the deal needs {required, plural, one {one card} other {{required} cards}}, found {found}} other {the \
            pack has {card} {required, plural, one {once} other {{required} times}}, found {found, plural, one {once} other {{found} times}}}}",
        facts: [card: Card unless "there is no wall at all, or every pack is too small", found: Int,
            required: Int],
        rules: "CL-001 AMB-05 MA-001 HN-069 HF-010 GR-009",
    }
    SetupKnobs = 5 "SETUP_KNOBS" {
        summary: "rule set or switches contradict each other",
        message: "{problem}",
        facts: [detail: Word, knobs: Words, problem: Word],
        rules: "CL-001 CV-005 CV-010 HN-015",
    }
    SetupDrawTied = 12 "SETUP_DRAW_TIED" {
        summary: "drawn cards tie where it matters: repick",
        message: "the cards drawn do not decide: {seats} pick again",
        facts: [seats: Seats],
        rules: "HF-021 AMB-HF-03",
    }
    SetupDealer = 11 "SETUP_DEALER" {
        summary: "dealer other than the one whose turn to deal it is",
        message: "{dealer, select, none {{decided_by, select, CARDS {the cards that are drawn decide who deals, not \
            the table{seat, select, none {} other {: {seat} is named}}} other {{seat, select, none {{decided_by, \
            select, RULE_SET {this rule set leaves the first dealer to the table} other {where the wall is given \
            the table names the dealer}}} other {there is no {seat}}}{range, select, none {} other {: give \
            `dealer`, {range}}}}}} other {{dealer} deals{seat, select, none {} other {, not {seat}}}}}",
        facts: [seat: Seat unless "nobody is named",
            dealer: Seat unless "the dealer is free, but there is no such seat",
            range: Word unless "one dealer is right", decided_by: Word unless "the turn decides"],
        rules: "CL-007 HN-009 WH-010 HF-036 GR-003",
    }
    SetupDeal = 9 "SETUP_DEAL" {
        summary: "hand, foot, talon or stock of a wrong size",
        message: "{zone, select, CONTRIBUTIONS {the contribution is not what the seat registered} SIGNATURE {{required, \
            plural, =0 {expected no signature of a beacon, found a signature} other {expected a signature of a \
            beacon, found no signature}}} other {expected {required} {zone, select, HANDS {hands} \
            PICKS {drawn cards} UPCARDS {upcards} WALL {cards in the wall} other {of {zone}}}, found {found}}}",
        facts: [zone: Word, found: Int, required: Int],
        rules: "CL-009 MA-011 MA-012 MA-013 MA-014 HN-004 WH-012 HF-024 HF-028 GR-004",
    }
    SetupStartCard = 10 "SETUP_START_CARD" {
        summary: "start of the pile not built as the rule set says",
        message: "the pile starts with the first card that needs no cover, and {card} does not fit",
        facts: [card: Card],
        rules: "CL-012 HN-028 HN-029 WH-014 S3-003 HF-034 GR-034 GR-035 GR-036",
    }
    StockEmpty = 22 "STOCK_EMPTY" {
        summary: "draw from an empty stock",
        message: "the stock is empty",
        facts: [must_take: Word, may_end: Word],
        rules: "CL-092 HN-046 S3-006 HF-042",
    }
    StockNotEmpty = 23 "STOCK_NOT_EMPTY" {
        summary: "round ended while the stock has cards",
        message: "the stock still has cards ({stock})",
        facts: [stock: Int],
        rules: "CL-092 AMB-HN-30 S3-037",
    }
    PilePending = 44 "PILE_PENDING" {
        summary: "tentative top neither justified nor restored",
        message: "the top has not found its place: meld it or put it back",
        facts: [reasons: Words],
        rules: "HN-068 AMB-HN-08",
    }
    PileRestoreForbidden = 45 "PILE_RESTORE_FORBIDDEN" {
        summary: "nothing pending, off, or cards locked",
        message: "{reason, select, LOCKED {cards that came with the take can no longer go back} other {no take is open}}",
        facts: [reason: Word],
        rules: "HN-039 AMB-HN-09",
    }
    MeldFixed = 51 "MELD_FIXED" {
        summary: "melded card moved, exchanged or taken back",
        facts: [card: Card, meld: Meld],
        rules: "CL-022 MA-019 HN-013 GR-013 GR-045 SA-028 IR-025",
    }
    ThreeLayWrongTime = 72 "THREE_LAY_WRONG_TIME" {
        summary: "a three laid outside its window (or a card that is not laid)",
        message: "{card} cannot be laid now{window, select, START_OR_FRESH {: only at the start of a turn, or when it has just come} other {}}",
        facts: [card: Card, window: Word],
        rules: "MA-033 MA-035 HF-090",
    }
    ThreeMustBeLaid = 73 "THREE_MUST_BE_LAID" {
        summary: "a three that may not be kept must be laid first",
        message: "{cards} may not be kept: lay it first",
        facts: [cards: Cards],
        rules: "MA-039 HN-031 WH-016 WH-060 HF-043 HF-079",
    }
    PileForfeited = 30 "PILE_FORFEITED" {
        summary: "a ruling took this turn's right to the pile",
        facts: [ruling: Int],
        rules: "IR-011",
    }
    PileEmpty = 25 "PILE_EMPTY" {
        summary: "nothing to take",
        message: "there is no pile to take",
        facts: [],
        rules: "CL-041 MA-067 WH-018 HF-044 MZ-006",
    }
    PileTopWild = 26 "PILE_TOP_WILD" {
        summary: "wild on top",
        message: "a wild card lies on top ({card}): nobody takes the pile",
        facts: [card: Card],
        rules: "CL-047 MA-066 MA-087 WH-073 S3-020 BO-007",
    }
    PileTopBlackThree = 27 "PILE_TOP_BLACK_THREE" {
        summary: "black three on top",
        message: "a black three lies on top ({card}): nobody takes the pile",
        facts: [card: Card],
        rules: "CL-047 CL-073 HN-040 WH-064 S3-018 HF-045 GR-024 SA-046",
    }
    PileTopRedThree = 28 "PILE_TOP_RED_THREE" {
        summary: "red three on top",
        message: "a red three lies on top ({card}): nobody takes the pile",
        facts: [card: Card],
        rules: "HN-040 S3-028 SA-046",
    }
    PileOneCard = 29 "PILE_ONE_CARD" {
        summary: "one-card hand, one-card pile",
        message: "a hand of one card may not take a pile of one card",
        facts: [],
        rules: "AMB-11 HN-045 SA-019",
    }
    StockMustTakePile = 24 "STOCK_MUST_TAKE_PILE" {
        summary: "round ended, or the pile taken in a wrong form, where the take is a duty",
        message: "the stock is empty and an own meld takes the top card: the pile of rank {rank} must be \
            taken",
        facts: [yields: Word, rank: Rank],
        rules: "CL-091 HN-047 HN-048 AMB-HN-15 S3-036",
    }
    PileInitialTurnForbidden = 32 "PILE_INITIAL_TURN_FORBIDDEN" {
        summary: "pile closed to a side that had not melded before this turn",
        facts: [],
        rules: "MV-004",
    }
    PileCanastaRankForbidden = 33 "PILE_CANASTA_RANK_FORBIDDEN" {
        summary: "top has the rank of an own canasta",
        message: "the side owns a canasta of rank {rank}: such a top is never taken",
        facts: [rank: Rank, meld: Meld],
        rules: "CV-009",
    }
    PileFrozenNeedsPair = 34 "PILE_FROZEN_NEEDS_PAIR" {
        summary: "frozen against the side, fewer than two naturals of the rank offered",
        message: "the pile is frozen: taking it needs {required, plural, one {one natural} other {{required} naturals}} of rank \
            {rank} from the hand, {found} offered",
        facts: [causes: Words, rank: Rank, found: Int, required: Int],
        rules: "CL-050 CL-051 CL-052 CL-053 CV-011 HN-037 HN-038 WH-074 WH-075 WH-076 WH-077 S3-015 S3-023 \
            GR-032 SA-047",
    }
    PileNeedsPair = 35 "PILE_NEEDS_PAIR" {
        summary: "not frozen, but only a pair takes it",
        message: "taking the pile needs {required, plural, one {one natural} other {{required} naturals}} of rank {rank} from the hand, \
            {found} offered",
        facts: [rank: Rank, found: Int, required: Int],
        rules: "CV-002 MA-060 HF-046 SA-041",
    }
    PileCanastaWildsFull = 38 "PILE_CANASTA_WILDS_FULL" {
        summary: "natural + wild onto a canasta full of wilds",
        message: "{meld} takes no further wild card ({wilds, plural, one {one wild} other {{wilds} wilds}})",
        facts: [meld: Meld, wilds: Int],
        rules: "CV-008",
    }
    PileLayoffForbidden = 36 "PILE_LAYOFF_FORBIDDEN" {
        summary: "top merely added to a table meld",
        message: "the pile may not be taken by adding its top to a meld",
        facts: [meld: Meld],
        rules: "S3-007",
    }
    PileCanastaTargetForbidden = 37 "PILE_CANASTA_TARGET_FORBIDDEN" {
        summary: "top merely added to a completed canasta",
        message: "{named, select, none {} other {the top does not go onto {named}, and }}the pile may not be taken by \
            adding its top to a completed canasta ({meld})",
        facts: [meld: Meld, named: Meld unless "the take names no other meld"],
        rules: "CV-001 SA-045",
    }
    PileSequenceStart = 39 "PILE_SEQUENCE_START" {
        summary: "top would start a sequence",
        message: "the top may lengthen a sequence, but not begin one",
        facts: [],
        rules: "SA-044",
    }
    PileSequenceBridged = 40 "PILE_SEQUENCE_BRIDGED" {
        summary: "top reaches the sequence only over a hand card",
        message: "the top goes onto {meld} alone and directly at an end",
        facts: [meld: Meld],
        rules: "SA-043",
    }
    PileTopNotMelded = 41 "PILE_TOP_NOT_MELDED" {
        summary: "offered cards give the top no meld",
        message: "the cards offered give the top {card} no meld ({naturals, plural, one {one natural} other {{naturals} naturals}}, {wilds, plural, one {one wild} other {{wilds} wilds}})",
        facts: [card: Card, naturals: Int, wilds: Int],
        rules: "CL-020 CL-043 CL-045 CL-046 HN-018 WH-022 GR-021 SA-042 SA-043 MZ-011",
    }
    PileMeldTooFull = 42 "PILE_MELD_TOO_FULL" {
        summary: "pair and top would make a meld larger than a take may make",
        message: "a take makes a meld of at most {allowed, plural, one {one card} other {{allowed} cards}}, this one {found}",
        facts: [meld: Meld, found: Int, allowed: Int],
        rules: "SA-040 SAD-06 MA-065",
    }
    ThreeNotMeldable = 67 "THREE_NOT_MELDABLE" {
        summary: "three in a meld where it can never be",
        message: "{card} cannot be melded here",
        facts: [card: Card],
        rules: "CL-005 MA-006 WH-044 HF-059 HF-093 HF-097 SA-005",
    }
    MeldKindMismatch = 46 "MELD_KIND_MISMATCH" {
        summary: "kind of a group and its cards or target differ (also: a rank of twos or jokers named)",
        message: "these cards or this target are no {kind, select, set {set} wild {meld of wild cards} sequence {sequence} \
            black_threes {meld of black threes} other {{kind}}}{target, select, none {} other {; for the \
            meld that is named write `as {target}`}}",
        facts: [kind: Word, target: Word unless "no meld is named, or of this kind"],
        rules: "CL-003 BOD-06 BO-002",
    }
    MeldWildMeldOff = 47 "MELD_WILD_MELD_OFF" {
        summary: "wild meld where there is none",
        message: "this rule set has no melds of wild cards only",
        facts: [],
        rules: "CL-037 WH-048 SA-023 MZ-024",
    }
    MeldSequenceOff = 48 "MELD_SEQUENCE_OFF" {
        summary: "sequence where there is none",
        message: "this rule set has no sequences",
        facts: [],
        rules: "CL-023 MZ-024 HN-012",
    }
    MeldNotFound = 49 "MELD_NOT_FOUND" {
        summary: "no such meld",
        message: "{meld} does not exist",
        facts: [meld: Meld],
        rules: "CL-027 MA-041 SA-027",
    }
    MeldNotOwnSide = 50 "MELD_NOT_OWN_SIDE" {
        summary: "meld of another side (three players: another seat)",
        message: "{meld} belongs to {side}",
        facts: [meld: Meld, side: Side],
        rules: "CL-027 P3-003 MA-041 WH-041 S3-010 HF-055 SA-027",
    }
    MeldSequenceWild = 52 "MELD_SEQUENCE_WILD" {
        summary: "wild in a sequence",
        message: "{card} has no place in a sequence",
        facts: [card: Card],
        rules: "SA-032",
    }
    MeldSequenceSuits = 53 "MELD_SEQUENCE_SUITS" {
        summary: "more than one suit",
        message: "a sequence is of one suit, not of {suits}",
        facts: [suits: Words],
        rules: "SA-030",
    }
    MeldSequenceDuplicate = 54 "MELD_SEQUENCE_DUPLICATE" {
        summary: "one rank twice",
        message: "a sequence holds no two cards of rank {rank}",
        facts: [rank: Rank],
        rules: "SA-033",
    }
    MeldSequenceGap = 55 "MELD_SEQUENCE_GAP" {
        summary: "not consecutive (ace is high only)",
        message: "{ranks} are not consecutive; aces are high",
        facts: [ranks: Words],
        rules: "SA-030 SA-031 SA-035",
    }
    MeldMixedRanks = 56 "MELD_MIXED_RANKS" {
        summary: "more than one natural rank",
        message: "{card} does not belong to a meld of rank {rank}",
        facts: [rank: Rank, card: Card],
        rules: "CL-023 MA-040 HN-011 HN-012 WH-037 HF-051 SA-020",
    }
    MeldRankDuplicate = 57 "MELD_RANK_DUPLICATE" {
        summary: "a second (open) set of a rank",
        message: "the side has a meld of this rank already",
        facts: [rank: Rank unless "wild melds have none", meld: Meld unless "the other is of the same action",
            open: Word],
        rules: "CL-038 CV-006 MA-056 HF-070 AMB-HN-26 MZ-023",
    }
    MeldRankClosedByOpponents = 58 "MELD_RANK_CLOSED_BY_OPPONENTS" {
        summary: "rank of an opponents' canasta",
        message: "opponents own a canasta of rank {rank}",
        facts: [rank: Rank],
        rules: "MV-005",
    }
    MeldTooSmall = 59 "MELD_TOO_SMALL" {
        summary: "fewer cards than the smallest meld has",
        message: "a meld has at least {required, plural, one {one card} other {{required} cards}}, this one {found}",
        facts: [found: Int, required: Int],
        rules: "CL-023 MA-040 HN-024 S3-004 HF-051 SA-020 MZ-020",
    }
    MeldTooLarge = 60 "MELD_TOO_LARGE" {
        summary: "more cards than the largest meld may have",
        message: "a meld has at most {allowed, plural, one {one card} other {{allowed} cards}}, this one {found}",
        facts: [found: Int, allowed: Int],
        rules: "MA-055 MA-057 SA-034 BO-003",
    }
    MeldMergeForbidden = 66 "MELD_MERGE_FORBIDDEN" {
        summary: "these two melds may not be merged",
        message: "these melds may not be united{reason, select, SAME_MELD {: they are one} KINDS {: they are of two kinds} KIND {: \
            melds of this kind are not united} BOTH_COMPLETE {: both are canastas} RANKS {: they are of two ranks} \
            TOO_LARGE {: the meld would be too large} NOT_CONSECUTIVE {: they are not consecutive} LOOSE {: a card of \
            this turn may still be taken back} other {}}",
        facts: [reason: Word],
        rules: "SA-036",
    }
    MeldCanastaClosed = 61 "MELD_CANASTA_CLOSED" {
        summary: "wild onto a completed canasta",
        message: "a completed canasta takes no wild cards",
        facts: [meld: Meld unless "it was completed by the same action", card: Card],
        rules: "HF-069 SA-024 MZ-022",
    }
    MeldRankTakesNoWild = 62 "MELD_RANK_TAKES_NO_WILD" {
        summary: "wild with a rank that has its own policy",
        message: "{policy, select, INITIAL_ONLY {rank {rank} takes wild cards only in the initial meld} other {rank {rank} takes no \
            wild card}}",
        facts: [rank: Rank, policy: Word],
        rules: "MA-045 MA-047 MA-049 MA-050",
    }
    MeldTooFewNaturals = 63 "MELD_TOO_FEW_NATURALS" {
        summary: "fewer naturals than every meld needs",
        message: "a meld has at least {required, plural, one {one natural} other {{required} naturals}}, this one {found}",
        facts: [found: Int, required: Int],
        rules: "CL-028 CV-007 MA-042 WH-048 HF-052 SA-021 IR-063",
    }
    MeldWildsOutnumber = 64 "MELD_WILDS_OUTNUMBER" {
        summary: "more wilds than naturals",
        message: "{wilds, plural, one {one wild} other {{wilds} wilds}} outnumber {naturals, plural, one {one natural} other {{naturals} naturals}}",
        facts: [wilds: Int, naturals: Int],
        rules: "HN-027 WH-042 S3-012 GR-016",
    }
    MeldTooManyWilds = 65 "MELD_TOO_MANY_WILDS" {
        summary: "more wilds than a meld may hold, after merging",
        message: "this meld holds at most {allowed, plural, one {one wild} other {{allowed} wilds}}, found {found}",
        facts: [found: Int, allowed: Int],
        rules: "CL-032 CL-035 CV-007 MA-042 WH-043 WH-049 HF-057 SA-021",
    }
    ThreeBlackWild = 68 "THREE_BLACK_WILD" {
        summary: "wild among black threes",
        message: "black threes are melded without wild cards",
        facts: [card: Card],
        rules: "CL-077 WH-067 SA-063",
    }
    ThreeBlackCount = 69 "THREE_BLACK_COUNT" {
        summary: "fewer than three black threes, or more than the packs hold",
        message: "a meld of black threes has at least {required} and at most {allowed, plural, one {one card} other {{allowed} cards}}, this one {found}",
        facts: [found: Int, required: Int, allowed: Int],
        rules: "CL-076 P6-011 HN-032 WH-066 S3-035",
    }
    ThreeBlackNotLast = 70 "THREE_BLACK_NOT_LAST" {
        summary: "another meld after the black threes",
        message: "black threes are the last meld of a turn",
        facts: [],
        rules: "HN-033",
    }
    MeldWildsLocked = 74 "MELD_WILDS_LOCKED" {
        summary: "wild outside the open wild meld",
        message: "{card} must go to the open wild {meld}",
        facts: [meld: Meld, card: Card],
        rules: "CV-015 MA-053",
    }
    PileInitialMeldFirst = 43 "PILE_INITIAL_MELD_FIRST" {
        summary: "side that has not melded offers no meld from the hand",
        facts: [],
        rules: "MA-063 HF-048 HF-061",
    }
    InitialBelowMinimum = 75 "INITIAL_BELOW_MINIMUM" {
        summary: "count under the minimum",
        message: "the initial meld needs {required} points, {found} laid",
        facts: [found: Int, required: Int, key: Int, surcharge: Int],
        rules: "P6-010 CL-058 CL-059 CL-060 CL-061 CL-062 CL-063 CL-064 CL-065 CL-066 CL-067 MA-092 MA-098 \
            HN-042 HN-063 HN-064 HN-065 HN-066 HN-067 WH-052 WH-053 S3-021 S3-022 S3-023 S3-024 S3-025 \
            HF-062 HF-063 GR-030 SA-055 MZ-025 IR-110",
    }
    InitialContentMissing = 76 "INITIAL_CONTENT_MISSING" {
        summary: "batch lacks the natural triple or wild meld / the clean or wild meld",
        message: "the initial meld needs a meld without wild cards or of wild cards only",
        facts: [content: Word],
        rules: "MA-095 HF-066",
    }
    ThreeBlackNotGoingOut = 71 "THREE_BLACK_NOT_GOING_OUT" {
        summary: "black threes while cards stay or going out is not legal",
        message: "black threes are melded only when going out; {hand_after, plural, one {one card} other {{hand_after} cards}} would stay",
        facts: [hand_after: Int, reasons: Words],
        rules: "CL-075 WH-066 S3-035 SA-063",
    }
    GoOutDiscardRequired = 77 "GO_OUT_DISCARD_REQUIRED" {
        summary: "no card left for the final discard",
        message: "going out needs a last card to discard",
        facts: [],
        rules: "MA-123 HF-085",
    }
    DiscardRequired = 89 "DISCARD_REQUIRED" {
        summary: "pass where a discard is due",
        facts: [hand: Int, canastas: Int],
        rules: "CL-015 MA-026 HN-014 HN-044 WH-019 S3-034 GR-018",
    }
    DiscardPenaltyCardFirst = 90 "DISCARD_PENALTY_CARD_FIRST" {
        summary: "a penalty card must go first",
        facts: [cards: Cards],
        rules: "IR-109",
    }
    GoOutNotAsked = 78 "GO_OUT_NOT_ASKED" {
        summary: "going out without the compulsory question",
        facts: [],
        rules: "IR-055",
    }
    GoOutRefused = 79 "GO_OUT_REFUSED" {
        summary: "going out after \"no\"",
        message: "{refused_by} has refused going out in this turn",
        facts: [refused_by: Seat],
        rules: "CL-089 MA-128 WH-084 S3-033 SA-062",
    }
    MeldLeavesTooFewCards = 80 "MELD_LEAVES_TOO_FEW_CARDS" {
        summary: "fewer cards stay than must be kept; the reasons against going out follow",
        message: "{found, plural, one {one card} other {{found} cards}} would stay, {required} must be kept: the side may not go out",
        facts: [found: Int, required: Int],
        rules: "CL-083 CL-084 MA-075 WH-028 WH-029 S3-030 AMB-HF-26 MZD-06",
    }
    GoOutNeedsCanastas = 81 "GO_OUT_NEEDS_CANASTAS" {
        summary: "too few canastas",
        message: "going out needs {required, plural, one {one canasta} other {{required} canastas}}, the side has {found}",
        facts: [found: Int, required: Int, may_pass: Word],
        rules: "CL-079 P2-004 P6-007 ML-005 MA-076 MA-121 HN-022 HN-044 WH-025 S3-029 GR-026 AMB-HF-25 \
            SA-060 BO-010 MZ-014",
    }
    GoOutNeedsClean = 82 "GO_OUT_NEEDS_CLEAN" {
        summary: "too few clean canastas",
        message: "going out needs {required, plural, one {one clean canasta} other {{required} clean canastas}}, the side has {found}",
        facts: [found: Int, required: Int],
        rules: "ML-006 HF-083",
    }
    GoOutNeedsWild = 83 "GO_OUT_NEEDS_WILD" {
        summary: "too few wild canastas",
        message: "going out needs {required, plural, one {one wild canasta} other {{required} wild canastas}}, the side has {found}",
        facts: [found: Int, required: Int],
        rules: "HF-084",
    }
    GoOutNeedsSequence = 84 "GO_OUT_NEEDS_SEQUENCE" {
        summary: "too few sequence canastas",
        message: "going out needs {required, plural, one {one sequence canasta} other {{required} sequence canastas}}, the side has {found}",
        facts: [found: Int, required: Int],
        rules: "BO-010",
    }
    GoOutNeedsHandsFinished = 85 "GO_OUT_NEEDS_HANDS_FINISHED" {
        summary: "a mate still plays the hand",
        message: "going out waits until every mate has played its hand: {seats}",
        facts: [seats: Seats],
        rules: "HF-082",
    }
    GoOutIncompleteMeld = 86 "GO_OUT_INCOMPLETE_MELD" {
        summary: "open sevens or pure aces bar it",
        message: "going out is barred by incomplete sevens or pure aces ({melds, plural, one {one meld} other {{melds} melds}})",
        facts: [melds: Int],
        rules: "MV-001",
    }
    MeldLeavesNoFinish = 87 "MELD_LEAVES_NO_FINISH" {
        summary: "no legal way left to end the turn",
        message: "{hand_after, plural, one {the card that stays} other {the {hand_after} cards that stay}} could not end the turn",
        facts: [hand_after: Int],
        rules: "CL-083 MA-077 AC-42",
    }
    DiscardThreeForbidden = 91 "DISCARD_THREE_FORBIDDEN" {
        summary: "this three may not be discarded",
        message: "{card} may not be discarded",
        facts: [card: Card],
        rules: "MA-080 HF-075 HF-092 CL-069",
    }
    DiscardWildForbidden = 92 "DISCARD_WILD_FORBIDDEN" {
        summary: "wild discard outside the exceptions",
        message: "the wild card {card} may not be discarded now",
        facts: [card: Card],
        rules: "MA-083 MA-084 MA-085",
    }
    DiscardRankOnEmptyPile = 93 "DISCARD_RANK_ON_EMPTY_PILE" {
        summary: "barred rank onto an empty pile",
        message: "{card} may not go onto an empty pile while other naturals are held",
        facts: [card: Card, other_naturals: Int],
        rules: "MA-081",
    }
    DiscardSafeOnEmptyPile = 94 "DISCARD_SAFE_ON_EMPTY_PILE" {
        summary: "safe card onto an empty pile",
        message: "{card} is safe and may not go onto an empty pile",
        facts: [card: Card, alternatives: Int],
        rules: "MV-002",
    }
    GoOutBound = 88 "GO_OUT_BOUND" {
        summary: "not going out, or no longer able to, after \"yes\"",
        message: "{search, select, none {after \"yes\" this turn must go out} other {after \"yes\" this turn must go out, \
            and the search has found no way after this}}",
        facts: [search: Word unless "it is certain that the action leaves no way out"],
        rules: "CL-088 MA-127 WH-084 S3-033 SA-062",
    }
    AskUsedUp = 99 "ASK_USED_UP" {
        summary: "limit of questions reached",
        message: "the question has been asked already (one per {scope, select, TURN {turn} ROUND_SEAT {seat and round} ROUND_SIDE \
            {side and round} other {{scope}}})",
        facts: [scope: Word],
        rules: "AMB-18 MA-129",
    }
    AskTooLate = 100 "ASK_TOO_LATE" {
        summary: "outside the time for asking",
        message: "the question comes directly after the draw, before any meld",
        facts: [melds_since_draw: Word],
        rules: "CL-086 WH-083 S3-031 GR-027",
    }
    AskCannotGoOut = 101 "ASK_CANNOT_GO_OUT" {
        summary: "asked although no legal going out exists",
        message: "{fault, select, none {{search, select, none {there is no way to go out from this hand} other {the \
            search has found no way to go out from this hand, and cannot rule it out}}} other {the way \
            out that the question names does not go out{fault, select, GROUPS {: its melds are refused} DISCARD {: its discard is refused} KEPT {: it keeps cards} ABOUT {: it is about something else} other {}}}}",
        facts: [reasons: Words, fault: Word unless "the question names no way out",
            search: Word unless "the search has ended"],
        rules: "CL-085 AMB-16 AC-46",
    }
    AskNoChoice = 102 "ASK_NO_CHOICE" {
        summary: "a \"no\" could not be obeyed",
        message: "with one card a \"no\" could not be obeyed",
        facts: [],
        rules: "AMB-17 AC-45",
    }
    SpecialSideHasMelded = 105 "SPECIAL_SIDE_HAS_MELDED" {
        summary: "the side has melded",
        facts: [],
        rules: "MA-141",
    }
    SpecialWrongSize = 106 "SPECIAL_WRONG_SIZE" {
        summary: "hand is not one card larger than the deal",
        facts: [found: Int, required: Int],
        rules: "MA-140",
    }
    SpecialShape = 107 "SPECIAL_SHAPE" {
        summary: "hand does not have the shape",
        facts: [kind: Word, missing: Int, surplus: Int],
        rules: "MA-143 MA-144 MA-145 MA-146 MA-147 MA-148",
    }
    TalonNotAvailable = 108 "TALON_NOT_AVAILABLE" {
        summary: "no talon to take",
        facts: [],
        rules: "IR-060",
    }
    RevealNotAvailable = 109 "REVEAL_NOT_AVAILABLE" {
        summary: "no exceptional discard to prove",
        facts: [],
        rules: "MA-082 MA-086 AC-49",
    }
    RulingNotAuthorised = 110 "RULING_NOT_AUTHORISED" {
        summary: "ruling issued by a seat",
        facts: [by: Word],
        rules: "IR-100",
    }
    RulingTooLate = 114 "RULING_TOO_LATE" {
        summary: "ruling after the sheet is signed",
        facts: [],
        rules: "IR-104",
    }
    RulingSideInvalid = 111 "RULING_SIDE_INVALID" {
        summary: "ruling on no such side, or an offender not in it",
        facts: [side: Side, seat: Seat unless "there is no such side, or the ruling reverses one of another side"],
        rules: "IR-101",
    }
    RulingUnknownRule = 112 "RULING_UNKNOWN_RULE" {
        summary: "ruling under a rule not in the penalty table",
        message: "expected a rule of the penalty table, or one of the house (house:...), found {rule}",
        facts: [rule: Word], rules: "IR-102",
    }
    RulingPointsOutOfRange = 113 "RULING_POINTS_OUT_OF_RANGE" {
        summary: "points of a ruling outside the range of its rule",
        message: "the rule allows {range} points in steps of 5, found {points}",
        facts: [points: Int, range: Word], rules: "IR-103",
    }
    RulingEffectNotApplicable = 115 "RULING_EFFECT_NOT_APPLICABLE" {
        summary: "effect of a ruling impossible now",
        message: "the effect {effect} is impossible now, or its rule does not allow it",
        facts: [effect: Word], rules: "IR-105",
    }
    RulingAlreadyReversed = 116 "RULING_ALREADY_REVERSED" {
        summary: "second reversal of a ruling",
        facts: [ruling: Int],
        rules: "IR-106",
    }
    EventRepeatOpponents = 117 "EVENT_REPEAT_OPPONENTS" {
        summary: "a pairing repeats (a warning of the event layer)",
        facts: [teams: Words],
        rules: "TF-006",
    }
}
