//! The sections of positions, by name.

use super::span::{Read, Span};

/// The sections in the order of writing. A name stands after the longer names that begin with it.
const SECTIONS: &[(&str, Section)] = &[
    ("score", Section::Score),
    ("round over", Section::RoundOver),
    ("round", Section::Round),
    ("attempt", Section::Attempt),
    ("dealer", Section::Dealer),
    ("seating", Section::Seating),
    ("lone", Section::Lone),
    ("cut", Section::Cut),
    ("to move", Section::ToMove),
    ("to register", Section::ToRegister),
    ("to deal", Section::ToDeal),
    ("drew", Section::Drew),
    ("took top", Section::TookTop),
    ("took", Section::Took),
    ("taking", Section::Taking),
    ("melded", Section::Melded),
    ("first", Section::First),
    ("began", Section::Began),
    ("added", Section::Added),
    ("last three", Section::LastThree),
    ("fresh", Section::Fresh),
    ("all wild", Section::AllWild),
    ("refused", Section::Refused),
    ("agreed", Section::Agreed),
    ("asked", Section::Asked),
    ("answered", Section::Answered),
    ("game over", Section::GameOver),
    ("has melded", Section::HasMelded),
    ("special", Section::Special),
    ("talon for", Section::TalonFor),
    ("to show", Section::ToShow),
    ("talon", Section::Talon),
    ("face down", Section::FaceDown),
    ("has asked", Section::HasAsked),
    ("restores", Section::Restores),
    ("next ids", Section::NextIds),
    ("has played", Section::HasPlayed),
    ("on foot", Section::OnFoot),
    ("courtesy", Section::Courtesy),
    ("may still meld", Section::Courteous),
    ("hand", Section::Hand),
    ("foot", Section::Foot),
    ("laid", Section::Laid),
    ("threes", Section::Laid),
    ("melds", Section::Melds),
    ("loose", Section::Loose),
    ("pile", Section::Pile),
    ("upcards", Section::Upcards),
    ("stock", Section::Stock),
    ("ruling", Section::Ruling),
    ("rulings", Section::Rulings),
    ("adjusted", Section::Adjusted),
    ("lost", Section::Lost),
    ("dispute", Section::Dispute),
    ("signed", Section::Signed),
    ("forfeited", Section::Forfeited),
    ("penalty", Section::Penalty),
];

impl Section {
    /// Whether the defaults of other sections depend on this section.
    pub(super) fn is_early(self) -> bool {
        matches!(self, Self::Lone | Self::ToMove | Self::OnFoot)
    }
}

/// Returns the names of all sections of a position.
pub fn section_names() -> impl Iterator<Item = &'static str> {
    SECTIONS.iter().map(|(name, _)| *name)
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Section {
    Score,
    RoundOver,
    Round,
    Attempt,
    Dealer,
    Seating,
    Lone,
    Cut,
    ToMove,
    ToRegister,
    ToDeal,
    Drew,
    Took,
    TookTop,
    Taking,
    Melded,
    First,
    Began,
    Added,
    LastThree,
    Fresh,
    AllWild,
    Special,
    TalonFor,
    ToShow,
    Talon,
    FaceDown,
    Refused,
    Agreed,
    Asked,
    Answered,
    Courtesy,
    Courteous,
    GameOver,
    HasMelded,
    HasAsked,
    Restores,
    NextIds,
    HasPlayed,
    OnFoot,
    Hand,
    Foot,
    Laid,
    Melds,
    Loose,
    Pile,
    Upcards,
    Stock,
    Ruling,
    Rulings,
    Adjusted,
    Lost,
    Dispute,
    Signed,
    Forfeited,
    Penalty,
}

/// Identifies the section of `part`. Returns the section, the whole part, and the text after the section's name.
pub(super) fn section(part: Span<'_>) -> Read<(Section, Span<'_>, Span<'_>)> {
    let known = SECTIONS.iter().find_map(|&(name, section)| Some((section, part.after(name)?)));
    let (section, body) = known.ok_or_else(|| part.error("a section such as hand, melds, pile or stock"))?;
    Ok((section, part, body))
}
