//! The meaning of each kind of finding for people, and what they can do about it.

use canasta_engine::log::finding::FindingKind;

/// Returns what has happened, and what to do next.
pub fn advice(kind: FindingKind) -> &'static str {
    match kind {
        FindingKind::Torn => {
            "the file ends in the middle of a record: a copy or a write was cut short. Ask for the whole file; the whole records count (append --repair cuts the rest off)"
        }
        FindingKind::Corrupt => {
            "bytes differ from what was written: the file was damaged, or somebody changed it. Compare it with another copy (canasta-replay diff), or ask for it again"
        }
        FindingKind::NotALog => "the file is not a log, and nothing was judged. Ask for the log itself",
        FindingKind::UnsupportedVersion => {
            "nothing was judged: use a program that reads this version. If there is none, the file is damaged"
        }
        FindingKind::Malformed => {
            "the chain is valid, but this program does not know such a record. Ask who wrote the log, and with which version"
        }
        FindingKind::Order => {
            "a record of this kind is not allowed here: records were moved, removed or inserted. Compare the log with another copy (canasta-replay diff)"
        }
        FindingKind::RuleSet => {
            "the rule set in the log cannot be played, so nothing was judged. Ask who wrote the log for its rule set"
        }
        FindingKind::Commitment => {
            "the revealed values do not match those fixed before the deal: somebody may have chosen the cards. Ask whoever ran the game (canasta-replay verify-deal shows the steps)"
        }
        FindingKind::Register => {
            "the deal was not prepared as the rules require. Ask whoever ran the game (canasta-replay verify-deal shows the steps)"
        }
        FindingKind::Deal => {
            "the cards cannot be those that the log states. Ask whoever ran the game (canasta-replay verify-deal shows the steps)"
        }
        FindingKind::Illegal => {
            "the rules do not allow this action, and no ruling covers it. A director decides what follows. The rest of the round is not judged; later rounds are judged from the declared scores"
        }
        FindingKind::Digest => {
            "the table after this record differs from the table that the log declares: the log was changed, or its program does not follow these rules. Compare it with another copy (canasta-replay diff)"
        }
        FindingKind::Score => {
            "the score sheet differs from the score that the table gives. Use the expected lines for the standings, or ask a director for a ruling"
        }
        FindingKind::Tally => {
            "a second count of the table gives other points than the score sheet. Count the round by hand for the standings"
        }
        FindingKind::Result => {
            "the declared end of the game differs from the end that was played. Use the expected result for the standings, or ask a director for a ruling"
        }
        FindingKind::Clerical => "a slip of the pen, not a changed log: correct it and import again",
        FindingKind::Refusal => {
            "the record of a refused action is false. It changes nothing on the table, but the log was not written correctly"
        }
        FindingKind::Signature => {
            "the player to whom the log attributes this action did not sign it: anybody may have written it. Ask the player"
        }
        FindingKind::Incomplete => {
            "the log has no end of the game. If the game is still going on, audit with --live; otherwise records are missing: ask for the whole log"
        }
        FindingKind::Head => {
            "this is not the log with the given head or signature: records were cut off, added or changed. Ask whoever gave the head, or signed, for that log"
        }
        FindingKind::Checkpoint => {
            "a checkpoint does not sign the record before it, or is not signed with the given key. Ask the signer for the note, and for the public key"
        }
        FindingKind::RoundTooLong => "the round is too long: its records from here on are not judged",
        FindingKind::NotJudged => {
            "the log does not contain enough to judge this action. A director decides whether it counts"
        }
        FindingKind::Unproven => {
            "nothing is wrong here, but --strict demands a proof that neither the log nor the command line gives"
        }
    }
}
