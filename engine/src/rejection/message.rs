//! Messages for people: lower case, no full stop, what was expected and what was found. Every number
//! and name in the text is also a fact.

use super::{Fact, Field, Repair, Violation};
use crate::action::CardList;
use crate::seat::Seat;
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
            Self::Cards(cards) => cards_text(f, cards),
            Self::Rank(rank) => rank.letter().fmt(f),
            Self::Seat(seat) => seat.fmt(f),
            Self::Side(side) => side.fmt(f),
            Self::Meld(id) => id.0.fmt(f),
            Self::Word(word) => f.write_str(word),
            Self::Words(words) => words_text(f, words.iter().copied()),
            Self::Seats(seats) => seats_text(f, seats),
            Self::Text(text) => f.write_str(text),
            Self::Codes(codes) => words_text(f, codes.iter().map(|code| code.name())),
        }
    }
}

fn cards_text(f: &mut fmt::Formatter<'_>, cards: &CardList) -> fmt::Result {
    for (i, card) in cards.iter().enumerate() {
        write!(f, "{}{card}", if i > 0 { " " } else { "" })?;
    }
    Ok(())
}

fn seats_text(f: &mut fmt::Formatter<'_>, seats: &[Seat]) -> fmt::Result {
    for (i, seat) in seats.iter().enumerate() {
        write!(f, "{}{seat}", if i > 0 { " " } else { "" })?;
    }
    Ok(())
}

fn words_text<'a>(f: &mut fmt::Formatter<'_>, words: impl Iterator<Item = &'a str>) -> fmt::Result {
    for (i, word) in words.enumerate() {
        write!(f, "{}{word}", if i > 0 { " " } else { "" })?;
    }
    Ok(())
}

impl fmt::Display for Repair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DrawFromStock => write!(f, "draw from the stock"),
            Self::DrawOrTake => write!(f, "draw from the stock or take the pile"),
            Self::TakePile => write!(f, "take the pile"),
            Self::EndRound => write!(f, "end the round"),
            Self::MeldOrDiscard => write!(f, "meld or discard"),
            Self::WaitFor(seat) => write!(f, "wait for seat {seat}"),
            Self::WaitForAnswer(seat) => write!(f, "wait for the answer of seat {seat}"),
            Self::LayMore { points, with: Some(card) } => {
                write!(f, "lay {points} more points, for example {card} where it fits")
            }
            Self::LayMore { points, with: None } => write!(f, "lay {points} more points"),
            Self::KeepMore(count) => write!(f, "keep {count} more in the hand"),
            Self::FewerWilds(count) => write!(f, "leave {count} wild out"),
            Self::MoreNaturals(count) => write!(f, "add {count} natural"),
            Self::MoreCards(count) => write!(f, "add {count} to the meld"),
            Self::Onto(id) => write!(f, "name meld {} as the target", id.0),
            Self::OfferPair(rank) => write!(f, "offer two naturals of rank {}", rank.letter()),
            Self::LeaveOut(card) => write!(f, "leave {card} out"),
            Self::WildsOnto(id) => write!(f, "put wild cards onto meld {}", id.0),
            Self::GoOut => write!(f, "go out in this turn"),
            Self::RestorePile => write!(f, "put the top back"),
            Self::LayThrees => write!(f, "lay the three"),
        }
    }
}
