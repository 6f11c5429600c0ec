use canasta_engine::log::finding::{DealVerdict, FindingKind, Verdict};
use canasta_proto::v1 as pb;

use super::report;

/// The interface's names are the engine's, which the CLI prints: what one says the other says too.
#[test]
fn verdicts_and_findings_have_one_name() {
    for kind in FindingKind::ALL {
        assert_eq!(report::kind(kind).as_str_name(), format!("FINDING_KIND_{}", kind.name()));
    }
    use Verdict::*;
    for verdict in [Altered, Illegal, Incomplete, Conditional, Ruled, Clean] {
        assert_eq!(report::verdict(verdict).as_str_name(), format!("VERDICT_{}", verdict.name()));
    }
    for deal in [DealVerdict::Failed, DealVerdict::NotChecked, DealVerdict::AsCommitted] {
        assert_eq!(report::deal(deal).as_str_name(), format!("DEAL_VERDICT_{}", deal.name()));
    }
    assert!(pb::FindingKind::try_from(FindingKind::ALL.len() as i32 + 1).is_err(), "and no others");
}
