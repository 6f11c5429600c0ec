//! An open Play stream, for tests.

use canasta_proto::v1::{self as pb, ApplyActionRequest, PlayRequest, PlayResponse};
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::metadata::MetadataMap;
use tonic::{Request, Status, Streaming};
use tonic_types::StatusExt;

use super::game::Client;

/// An open stream and the sender of its requests.
pub struct OpenStream {
    pub requests: mpsc::Sender<PlayRequest>,
    pub answers: Streaming<PlayResponse>,
}

impl OpenStream {
    pub async fn start(client: &mut Client) -> Self {
        Self::start_as(client, |_| ()).await
    }

    /// Opens a stream with a request that `change` adds credentials to.
    pub async fn start_as(client: &mut Client, change: impl Fn(&mut MetadataMap)) -> Self {
        let (requests, sent) = mpsc::channel(4);
        let mut request = Request::new(ReceiverStream::new(sent));
        change(request.metadata_mut());
        let answers = client.play(request).await.expect("a place").into_inner();
        Self { requests, answers }
    }

    pub async fn ask(&mut self, request: PlayRequest) -> PlayResponse {
        self.requests.send(request).await.expect("the stream is open");
        self.answers.message().await.expect("no fault").expect("an answer")
    }

    /// Returns the last message and the status after it.
    pub async fn end(mut self) -> (PlayResponse, Result<(), Status>) {
        let last = self.answers.message().await.expect("the state comes first").expect("a last message");
        assert!(last.last && last.outcome.is_none(), "{last:?}");
        let status = self.answers.message().await.map(|more| assert_eq!(more, None));
        (last, status)
    }
}

pub fn on(state: &[u8]) -> PlayRequest {
    PlayRequest { state: state.into(), ..Default::default() }
}

pub fn move_of(who: Option<pb::Actor>, action: Option<pb::Action>) -> PlayRequest {
    let apply = ApplyActionRequest { actor: who, action, want_head: true, ..Default::default() };
    PlayRequest { apply: Some(apply), ..Default::default() }
}

pub fn reason(status: &Status) -> String {
    status.get_details_error_info().expect("an ErrorInfo").reason
}
