//! The meaning of each kind of finding for people, and what they can do about it.

use canasta_engine::log::finding::FindingKind;

/// Returns what has happened, and what to do next.
pub fn advice(kind: FindingKind) -> &'static str {
    match kind {
        FindingKind::Torn => {
            "the file ends in the middle of a record: a copy or a write was cut short. Ask for the whole file; what is whole counts (append --repair cuts the rest off)"
        }
        FindingKind::Corrupt => {
            "bytes are not those that were written: the file was damaged, or somebody changed it. Compare it with another copy (canasta-replay diff), or ask for it again"
        }
        FindingKind::NotALog => {
            "it was not judged: whoever gave it out as a log gave another file. Take the log itself"
        }
        FindingKind::UnsupportedVersion => {
            "it was not judged: take a program that reads this version. If none does, the file is damaged"
        }
        FindingKind::Malformed => {
            "the chain holds, but this is no record that this program knows. Ask who wrote the log, and with which version"
        }
        FindingKind::Order => {
            "a record stands where none like it may stand: records were moved, left out or put in. Compare the log with another copy (canasta-replay diff)"
        }
        FindingKind::RuleSet => {
            "the rules that the log names cannot be played as it says, so nothing of it is judged. Ask who wrote the log for its rule set"
        }
        FindingKind::Commitment => {
            "what was revealed is not what was fixed before the deal: the cards may have been chosen. Take it up with whoever ran the game (canasta-replay verify-deal)"
        }
        FindingKind::Register => {
            "the deal was not prepared as the rules say. Take it up with whoever ran the game (canasta-replay verify-deal)"
        }
        FindingKind::Deal => {
            "the cards cannot have been as the log says. Take it up with whoever ran the game (canasta-replay verify-deal)"
        }
        FindingKind::Illegal => {
            "the rules do not allow this, and no ruling covers it. A director decides what follows; the rest of the round is not judged, later rounds are, from the scores as declared"
        }
        FindingKind::Digest => {
            "the table after this record is not the one that the log declares: it was changed, or its program does not play by these rules. Compare it with another copy (canasta-replay diff)"
        }
        FindingKind::Score => {
            "the score sheet does not say what the table gives. Whoever keeps the standings takes the expected lines, or a director rules"
        }
        FindingKind::Tally => {
            "a second count of the table gives other points than the score sheet. Whoever keeps the standings counts the round by hand"
        }
        FindingKind::Result => {
            "the declared end is not the one that was played. Whoever keeps the standings takes the expected one, or a director rules"
        }
        FindingKind::Refusal => {
            "what is recorded of a refused action is not true: it changes nothing on the table, but the log was not written as it should be"
        }
        FindingKind::Signature => {
            "the player whose action this is said to be did not sign it: anybody may have written it. Ask the player"
        }
        FindingKind::Incomplete => {
            "the log has no end of the game. If it is still going on, audit with --live; else records are missing: ask for the whole log"
        }
        FindingKind::Head => {
            "this is not the log that was vouched for: records were cut off, added or changed. Ask whoever gave the head, or signed, for that log"
        }
        FindingKind::Checkpoint => {
            "a signature in the log is not one over the record before it, or not of the key that was given. Ask the signer for the note, and for the public key"
        }
        FindingKind::RoundTooLong => {
            "no round may have so many records: nothing of it is judged from here on"
        }
        FindingKind::NotJudged => {
            "this cannot be decided from what the log says; it is neither legal nor illegal. A director decides whether it counts"
        }
        FindingKind::Unproven => {
            "nothing is wrong with it, but --strict asks for proof that the log, or the command line, does not give"
        }
    }
}
