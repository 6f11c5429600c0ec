//! Method GetServerInfo.

use canasta_engine::rules::PresetId;
use canasta_proto::v1::{GetServerInfoResponse, RuleSetDigest};

use crate::context::RequestContext;

/// The revision of the interface. It grows with each release that adds to the proto files.
const API_REVISION: u32 = 1;

/// Answers what a client should know of the server. There is nothing in it that only some callers may know.
pub fn answer(ctx: &RequestContext) -> GetServerInfoResponse {
    let digest = |preset: PresetId| RuleSetDigest {
        id: preset.name().into(),
        digest: preset.rule_set().digest().into(),
    };
    GetServerInfoResponse {
        version: env!("CARGO_PKG_VERSION").into(),
        api_revision: API_REVISION,
        sealed: ctx.ring.is_some(),
        audience: ctx.audience.clone(),
        checkpoint_key: ctx.signer.as_ref().map(|signer| signer.get().verifier()).unwrap_or_default(),
        limits: Some(ctx.limits),
        rule_sets: PresetId::all().map(digest).collect(),
    }
}
