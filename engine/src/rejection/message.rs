//! Messages for people: lower case, no full stop, what was expected and what was found. Every number
//! and name in the text is also a fact.

use super::{Fact, Field, Violation};
use crate::violations::Code;
use core::fmt;

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let v = Facts(self);
        match self.code {
            Code::GameOver => write!(f, "the game is over"),
            Code::GameRoundOver => write!(f, "play of this round has ended ({})", v.of("reason")),
            Code::SetupWrongTime => {
                write!(f, "cards are dealt between rounds, the phase is {}", v.of("phase"))
            }
            Code::SetupDrawTied => {
                write!(f, "the cards drawn do not decide: seats {} pick again", v.of("seats"))
            }
            Code::SetupDeal if matches!(self.field, Field::Contribution(_)) => {
                write!(f, "the contribution is not what the seat registered")
            }
            Code::SetupDeal if self.field == Field::Signature => {
                let said =
                    |fact| if self.get(fact) == Some(&Fact::Int(0)) { "no signature" } else { "a signature" };
                write!(f, "expected {} of a beacon, found {}", said("required"), said("found"))
            }
            Code::SetupDeal if self.get("zone").is_some() => {
                write!(f, "expected {} of {}, found {}", v.of("required"), v.of("zone"), v.of("found"))
            }
            Code::SetupDealer if self.get("required").is_some() => {
                write!(f, "seat {} deals, not seat {}", v.of("required"), v.of("seat"))
            }
            Code::SetupDealer => dealer_text(f, self),
            Code::SetupPlayerCount => {
                write!(f, "expected {} players, found {}", v.of("allowed"), v.of("found"))
            }
            Code::SetupSides => write!(f, "sides of one size leave seats {} over", v.of("seats")),
            Code::SetupDeck if self.get("card").is_some() => {
                let (card, found, required) = (v.of("card"), v.of("found"), v.of("required"));
                write!(f, "the pack has {card} {required} times, found {found} times")
            }
            Code::SetupStartCard => {
                write!(
                    f,
                    "the pile starts with the first card that needs no cover, and {} does not fit",
                    v.of("card")
                )
            }
            Code::SetupDeal | Code::SetupDeck => {
                write!(
                    f,
                    "the wall must be the whole pack of {} cards, found {}",
                    v.of("required"),
                    v.of("found")
                )
            }
            Code::TurnNotYours => write!(f, "seat {} is to act", v.of("turn")),
            Code::TurnActionNotInRules => {
                write!(f, "this rule set has no {} (knob {})", v.of("action"), v.of("knob"))
            }
            Code::TurnDrawFirst => write!(f, "draw from the stock or take the pile first"),
            Code::TurnAlreadyDrew => {
                write!(f, "this turn's cards have come already, from the {}", v.of("source"))
            }
            Code::TurnWrongPhase => write!(f, "not possible in the phase {}", v.of("phase")),
            Code::TurnEmptyAction => write!(f, "every group names at least one card"),
            Code::TurnCardNotInHand => {
                write!(f, "{} is not in the hand as often as named ({} held)", v.of("card"), v.of("held"))
            }
            Code::PileBuriedCard => {
                write!(f, "{} lies in the pile: only cards of the hand justify a take", v.of("card"))
            }
            Code::StockEmpty => write!(f, "the stock is empty"),
            Code::StockNotEmpty => write!(f, "the stock still has cards ({})", v.of("stock")),
            Code::StockMustTakePile => {
                write!(
                    f,
                    "the stock is empty and an own meld takes the top card: the pile of rank {} must be taken",
                    v.of("rank")
                )
            }
            Code::PileEmpty => write!(f, "there is no pile to take"),
            Code::PileTopWild => {
                write!(f, "a wild card lies on top ({}): nobody takes the pile", v.of("card"))
            }
            Code::PileTopBlackThree => {
                write!(f, "a black three lies on top ({}): nobody takes the pile", v.of("card"))
            }
            Code::PileTopRedThree => {
                write!(f, "a red three lies on top ({}): nobody takes the pile", v.of("card"))
            }
            Code::PileOneCard => write!(f, "a hand of one card may not take a pile of one card"),
            Code::PileCanastaRankForbidden => {
                write!(f, "the side owns a canasta of rank {}: such a top is never taken", v.of("rank"))
            }
            Code::PileFrozenNeedsPair => write!(
                f,
                "the pile is frozen ({}): taking it needs {} naturals of rank {} from the hand, {} offered",
                v.of("causes"),
                v.of("required"),
                v.of("rank"),
                v.of("found")
            ),
            Code::PileNeedsPair => write!(
                f,
                "taking the pile needs {} naturals of rank {} from the hand, {} offered",
                v.of("required"),
                v.of("rank"),
                v.of("found")
            ),
            Code::PileLayoffForbidden => write!(f, "the pile may not be taken by adding its top to a meld"),
            Code::PileCanastaTargetForbidden => {
                write!(
                    f,
                    "the pile may not be taken by adding its top to a completed canasta (meld {})",
                    v.of("meld")
                )
            }
            Code::PileCanastaWildsFull => {
                write!(f, "canasta {} takes no further wild card ({} wilds)", v.of("meld"), v.of("wilds"))
            }
            Code::PileSequenceStart => write!(f, "the top may lengthen a sequence, but not begin one"),
            Code::PileSequenceBridged => {
                write!(f, "the top goes onto sequence {} alone and directly at an end", v.of("meld"))
            }
            Code::PileMeldTooFull => {
                write!(f, "a take makes a meld of at most {} cards, this one {}", v.of("max"), v.of("size"))
            }
            Code::PileTopNotMelded => {
                write!(
                    f,
                    "the cards offered give the top {} no meld ({} naturals, {} wilds)",
                    v.of("top"),
                    v.of("naturals"),
                    v.of("wilds")
                )
            }
            Code::PilePending => {
                write!(f, "the top has not found its place ({}): meld it or put it back", v.of("reasons"))
            }
            Code::PileRestoreForbidden => write!(f, "no take is open ({})", v.of("reason")),
            Code::ThreeBlackNotLast => write!(f, "black threes are the last meld of a turn"),
            Code::MeldKindMismatch => write!(f, "these cards or this target are no {}", v.of("kind")),
            Code::MeldWildMeldOff => write!(f, "this rule set has no melds of wild cards only"),
            Code::MeldSequenceOff => write!(f, "this rule set has no sequences"),
            Code::MeldNotFound => write!(f, "there is no meld {}", v.of("meld")),
            Code::MeldNotOwnSide => write!(f, "meld {} belongs to side {}", v.of("meld"), v.of("owner")),
            Code::MeldSequenceWild => write!(f, "{} has no place in a sequence", v.of("card")),
            Code::MeldSequenceSuits => write!(f, "a sequence is of one suit, not of {}", v.of("suits")),
            Code::MeldSequenceDuplicate => {
                write!(f, "a sequence holds no two cards of rank {}", v.of("rank"))
            }
            Code::MeldSequenceGap => write!(f, "{} are not consecutive; aces are high", v.of("ranks")),
            Code::MeldMixedRanks => {
                write!(f, "{} does not belong to a meld of rank {}", v.of("card"), v.of("rank"))
            }
            Code::MeldRankDuplicate => write!(f, "the side has a meld of this rank already"),
            Code::MeldRankClosedByOpponents => write!(f, "opponents own a canasta of rank {}", v.of("rank")),
            Code::MeldTooSmall => {
                write!(f, "a meld has at least {} cards, this one {}", v.of("required"), v.of("size"))
            }
            Code::MeldTooLarge => {
                write!(f, "a meld has at most {} cards, this one {}", v.of("max"), v.of("size"))
            }
            Code::MeldCanastaClosed => write!(f, "a completed canasta takes no wild cards"),
            Code::MeldTooFewNaturals => {
                write!(f, "a meld has at least {} naturals, this one {}", v.of("required"), v.of("found"))
            }
            Code::MeldWildsOutnumber => {
                write!(f, "{} wilds outnumber {} naturals", v.of("wilds"), v.of("naturals"))
            }
            Code::MeldMergeForbidden => {
                write!(f, "these melds may not be united ({})", v.of("reason"))
            }
            Code::MeldTooManyWilds => {
                write!(f, "this meld holds at most {} wilds, found {}", v.of("max"), v.of("found"))
            }
            Code::MeldWildsLocked => {
                write!(f, "{} must go to the open wild meld {}", v.of("card"), v.of("meld"))
            }
            Code::ThreeNotMeldable => write!(f, "{} cannot be melded here", v.of("card")),
            Code::ThreeBlackWild => write!(f, "black threes are melded without wild cards"),
            Code::ThreeBlackCount => write!(
                f,
                "a meld of black threes has {} to {} cards, this one {}",
                v.of("min"),
                v.of("max"),
                v.of("found")
            ),
            Code::ThreeBlackNotGoingOut => {
                write!(
                    f,
                    "black threes are melded only when going out; {} cards would stay",
                    v.of("hand_after")
                )
            }
            Code::ThreeLayWrongTime => {
                write!(f, "{} cannot be laid now (window {})", v.of("card"), v.of("window"))
            }
            Code::ThreeMustBeLaid => write!(f, "{} may not be kept: lay it first", v.of("cards")),
            Code::InitialBelowMinimum => {
                write!(f, "the initial meld needs {} points, {} laid", v.of("required"), v.of("count"))
            }
            Code::GoOutDiscardRequired => write!(f, "going out needs a last card to discard"),
            Code::InitialContentMissing => {
                write!(f, "the initial meld needs a meld without wild cards or of wild cards only")
            }
            Code::GoOutRefused => write!(f, "seat {} has refused going out in this turn", v.of("refused_by")),
            Code::MeldLeavesTooFewCards => {
                write!(
                    f,
                    "{} cards would stay, {} must be kept: the side may not go out",
                    v.of("hand_after"),
                    v.of("required")
                )
            }
            Code::GoOutNeedsCanastas => {
                write!(f, "going out needs {} canastas, the side has {}", v.of("need"), v.of("have"))
            }
            Code::GoOutNeedsClean => {
                write!(f, "going out needs {} clean canastas, the side has {}", v.of("need"), v.of("have"))
            }
            Code::GoOutNeedsWild => {
                write!(f, "going out needs {} wild canastas, the side has {}", v.of("need"), v.of("have"))
            }
            Code::GoOutIncompleteMeld => {
                write!(f, "going out is barred by incomplete sevens or pure aces ({} melds)", v.of("melds"))
            }
            Code::MeldLeavesNoFinish => {
                write!(f, "the {} cards that stay could not end the turn", v.of("hand_after"))
            }
            Code::MeldRankTakesNoWild => {
                write!(f, "rank {} takes no wild card here ({})", v.of("rank"), v.of("policy"))
            }
            Code::DiscardWildForbidden => {
                write!(f, "the wild card {} may not be discarded now", v.of("card"))
            }
            Code::DiscardRankOnEmptyPile => {
                write!(f, "{} may not go onto an empty pile while other naturals are held", v.of("card"))
            }
            Code::DiscardSafeOnEmptyPile => {
                write!(f, "{} is safe and may not go onto an empty pile", v.of("card"))
            }
            Code::GoOutNeedsSequence => {
                write!(f, "going out needs {} sequence canastas, the side has {}", v.of("need"), v.of("have"))
            }
            Code::GoOutBound => write!(f, "after \"yes\" this turn must go out"),
            Code::GoOutNeedsHandsFinished => {
                write!(f, "going out waits until every mate has played its hand: seat {}", v.of("seats"))
            }
            Code::DiscardThreeForbidden => write!(f, "{} may not be discarded", v.of("card")),
            Code::AskNoPartner => write!(f, "there is no such partner to ask"),
            Code::AskPending => write!(f, "seat {} has a question to answer first", v.of("asked")),
            Code::AskNothingPending => write!(f, "no question is open"),
            Code::AskNotAddressed => write!(f, "seat {} was asked", v.of("seat")),
            Code::AskUsedUp => write!(f, "the question has been asked already (one per {})", v.of("scope")),
            Code::AskTooLate => write!(f, "the question comes directly after the draw, before any meld"),
            Code::AskCannotGoOut => write!(f, "there is no way to go out from this hand"),
            Code::AskNoChoice => write!(f, "with one card a \"no\" could not be obeyed"),
            code => write!(f, "{}", code.entry().summary),
        }
    }
}

/// Says who decides on a dealer.
fn dealer_text(f: &mut fmt::Formatter<'_>, fault: &Violation) -> fmt::Result {
    let v = Facts(fault);
    match (fault.get("decided_by"), fault.get("seat")) {
        (Some(Fact::Word("CARDS")), _) => {
            write!(
                f,
                "the cards that are drawn decide who deals, not the table: seat {} is named",
                v.of("seat")
            )
        }
        (_, Some(_)) => write!(f, "there is no seat {}: give `dealer`, {}", v.of("seat"), v.of("allowed")),
        (Some(Fact::Word("RULE_SET")), None) => {
            let allowed = v.of("allowed");
            write!(f, "this rule set leaves the first dealer to the table: give `dealer`, {allowed}")
        }
        _ => write!(
            f,
            "where the wall is given the table names the dealer: give `dealer`, {}",
            v.of("allowed")
        ),
    }
}

/// Looks facts up for a message.
struct Facts<'a>(&'a Violation);

impl Facts<'_> {
    fn of(&self, name: &str) -> Text<'_> {
        debug_assert!(self.0.get(name).is_some(), "{:?} carries {name}", self.0.code);
        Text(self.0.get(name))
    }
}

struct Text<'a>(Option<&'a Fact>);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(fact) => fact.fmt(f),
            None => f.write_str("?"),
        }
    }
}

impl fmt::Display for Fact {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(value) => value.fmt(f),
            Self::Card(card) => card.fmt(f),
            Self::Cards(cards) => listed(f, cards),
            Self::Rank(rank) => rank.letter().fmt(f),
            Self::Seat(seat) => seat.fmt(f),
            Self::Side(side) => side.fmt(f),
            Self::Meld(id) => id.0.fmt(f),
            Self::Word(word) => f.write_str(word),
            Self::Words(words) => listed(f, words),
            Self::Seats(seats) => listed(f, seats),
            Self::Text(text) => f.write_str(text),
            Self::Codes(codes) => listed(f, codes.iter().map(|code| code.name())),
        }
    }
}

fn listed<T: fmt::Display>(f: &mut fmt::Formatter<'_>, items: impl IntoIterator<Item = T>) -> fmt::Result {
    for (i, item) in items.into_iter().enumerate() {
        write!(f, "{}{item}", if i > 0 { " " } else { "" })?;
    }
    Ok(())
}
