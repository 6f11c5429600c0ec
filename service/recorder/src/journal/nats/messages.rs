//! One JetStream stream: messages read from its leader, and published behind an expected one.

use std::error::Error as _;
use std::time::Duration;

use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::{Info, RawMessageErrorKind, Stream};
use async_nats::jetstream::{Context, Error as ApiError, ErrorCode};
use bytes::Bytes;
use tokio::time::timeout;

use crate::journal::{JournalResult, ReadError};

/// Maximum time from a request to its answer. Silence of a server that has lost the lead must not use up the time of an
/// append.
pub const ANSWER: Duration = Duration::from_secs(2);
/// The header with the sequence of the message that the publisher expected as the last of its subject. The server keeps
/// it, so it leads from each message of a subject to the one before.
const EXPECTED: &str = "Nats-Expected-Last-Subject-Sequence";

#[derive(Clone, Debug)]
pub struct StreamMessage {
    pub subject: String,
    /// Sequence in the stream, from 1.
    pub sequence: u64,
    /// Sequence of the subject's message before it; 0 if there was none, or if the publisher expected nothing.
    pub before: u64,
    pub payload: Bytes,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Published {
    /// The message is stored with this sequence.
    Stored(u64),
    /// The server says that another message is the last of the subject.
    Refused,
    Full,
    /// It is not known whether the message is stored.
    Unknown,
}

#[derive(Clone, Debug)]
pub struct MessageStream {
    context: Context,
    stream: Stream<()>,
    name: String,
}

impl MessageStream {
    /// Returns the stream with this name; whether it exists is not asked.
    ///
    /// # Errors
    /// If the name cannot be that of a stream.
    pub async fn named(context: &Context, name: String) -> JournalResult<Self> {
        let stream = context.get_stream_no_info(&name).await.map_err(unavailable)?;
        Ok(Self { context: context.clone(), stream, name })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn stream(&self) -> &Stream<()> {
        &self.stream
    }

    /// Returns settings and size of the stream, from its leader.
    pub async fn info(&self) -> JournalResult<Info> {
        within(self.stream.get_info()).await
    }

    /// Returns the last message of a subject, which may have wildcards.
    pub async fn last(&self, subject: &str) -> JournalResult<Option<StreamMessage>> {
        found(within_kind(self.stream.raw_message_builder().last_by_subject(subject).send()).await)
    }

    /// Returns the first message of a subject, which may have wildcards, with at least this sequence.
    pub async fn next(&self, subject: &str, from: u64) -> JournalResult<Option<StreamMessage>> {
        let request = self.stream.raw_message_builder().next_by_subject(subject).sequence(from.max(1));
        found(within_kind(request.send()).await)
    }

    pub async fn at(&self, sequence: u64) -> JournalResult<Option<StreamMessage>> {
        found(within_kind(self.stream.raw_message_builder().sequence(sequence).send()).await)
    }

    /// Publishes a message; with `expected`, only if the last message of the subject has this sequence, 0 if there must be
    /// none.
    pub async fn publish(&self, subject: String, payload: Bytes, expected: Option<u64>) -> Published {
        let mut message = PublishMessage::build().payload(payload).expected_stream(&self.name);
        if let Some(expected) = expected {
            message = message.expected_last_subject_sequence(expected);
        }
        let sent = async { self.context.send_publish(subject, message).await?.await };
        match timeout(ANSWER, sent).await {
            Ok(Ok(stored)) => Published::Stored(stored.sequence),
            Ok(Err(error)) if error.kind() == PublishErrorKind::WrongLastSequence => Published::Refused,
            Ok(Err(error)) => {
                let cause = error.source().and_then(|cause| cause.downcast_ref::<ApiError>());
                match cause {
                    Some(cause) if is_full(cause) => Published::Full,
                    _ => Published::Unknown,
                }
            }
            Err(_) => Published::Unknown,
        }
    }

    /// Publishes a message that no rival can keep out.
    pub async fn put(&self, subject: String, payload: Bytes) -> JournalResult<()> {
        acknowledged(self.publish(subject, payload, None).await)
    }

    /// Publishes a message behind the message with this sequence, 0 if there must be none. Returns false if another one is the
    /// last of the subject.
    pub async fn put_behind(&self, sequence: u64, subject: String, payload: Bytes) -> JournalResult<bool> {
        match self.publish(subject, payload, Some(sequence)).await {
            Published::Refused => Ok(false),
            other => acknowledged(other).map(|()| true),
        }
    }

    /// Deletes the messages of a subject, which may have wildcards, up to this sequence.
    pub async fn purge(&self, subject: &str, upto: u64) -> JournalResult<()> {
        within(self.stream.purge().sequence(upto + 1).filter(subject).into_future()).await.map(drop)
    }

    /// Deletes all messages of a subject, which may have wildcards.
    pub async fn purge_all(&self, subject: &str) -> JournalResult<()> {
        within(self.stream.purge().filter(subject).into_future()).await.map(drop)
    }
}

fn acknowledged(published: Published) -> JournalResult<()> {
    match published {
        Published::Stored(_) => Ok(()),
        Published::Full => Err(unavailable("the stream has no room")),
        Published::Refused | Published::Unknown => Err(unavailable("no acknowledgement")),
    }
}

/// Whether the server has refused a message since there is no room for it.
fn is_full(error: &ApiError) -> bool {
    let codes = [
        ErrorCode::STREAM_STORE_FAILED,
        ErrorCode::STORAGE_RESOURCES_EXCEEDED,
        ErrorCode::ACCOUNT_RESOURCES_EXCEEDED,
        ErrorCode::INSUFFICIENT_RESOURCES,
    ];
    codes.contains(&error.error_code())
}

type RawMessage = async_nats::jetstream::message::StreamMessage;
type RawMessageError = async_nats::jetstream::stream::RawMessageError;

fn found(answer: JournalResult<Result<RawMessage, RawMessageError>>) -> JournalResult<Option<StreamMessage>> {
    match answer? {
        Ok(message) => Ok(Some(StreamMessage {
            before: message.headers.get(EXPECTED).and_then(|n| n.as_str().parse().ok()).unwrap_or(0),
            subject: message.subject.to_string(),
            sequence: message.sequence,
            payload: message.payload,
        })),
        Err(error) if error.kind() == RawMessageErrorKind::NoMessageFound => Ok(None),
        Err(error) => Err(unavailable(error)),
    }
}

async fn within_kind<T>(answer: impl Future<Output = T>) -> JournalResult<T> {
    timeout(ANSWER, answer).await.map_err(|_| unavailable("no answer in time"))
}

/// Waits for an answer, for a limited time.
pub async fn within<T, E: ToString>(answer: impl Future<Output = Result<T, E>>) -> JournalResult<T> {
    within_kind(answer).await?.map_err(unavailable)
}

/// Returns the error of a journal that does not answer.
pub fn unavailable(error: impl ToString) -> ReadError {
    ReadError::Unavailable(error.to_string())
}
