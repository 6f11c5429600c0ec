//! Takes a log in, piece by piece, and bounds it while it is read. What is held of it is one piece and what the
//! audit itself holds: one round.

use tonic::{Status, Streaming};

use super::follow::Follower;
use crate::bench::{Bench, Cancel};
use crate::convert::field::{fault, missing, within};
use crate::limits::CHUNK_BYTES_MAX;
use crate::status::{Fault, explained};

/// Largest log.
const LOG_MAX: u64 = 64 * 1024 * 1024;
/// The most pieces.
const CHUNKS_MAX: u64 = 100_000;
/// The most records.
const RECORDS_MAX: u64 = 100_000;

/// What a message of a stream holds.
pub enum Piece<Q> {
    Question(Q),
    Chunk(Vec<u8>),
}

/// What has been taken in.
#[derive(Default)]
struct Taken {
    chunks: u64,
    bytes: u64,
}

/// Reads the question, then the log, with what `open` makes of the question.
pub async fn read<M, Q, T>(
    bench: &Bench,
    cancel: &Cancel,
    mut stream: Streaming<M>,
    split: impl Fn(M) -> Option<Piece<Q>>,
    open: impl FnOnce(Q) -> Result<(Follower, T), Fault>,
) -> Result<(Follower, T), Status> {
    let first = stream.message().await.map_err(explained)?.and_then(&split);
    let Some(Piece::Question(question)) = first else {
        return Err(Fault::from(within("question")(missing())).into());
    };
    let (follower, asked) = open(question).map_err(|fault| fault.within(within("question")))?;
    let mut follower = follower.until(cancel.flag());
    let (mut taken, mut held) = (Taken::default(), Vec::new());
    while let Some(message) = stream.message().await.map_err(explained)? {
        let chunk = match split(message) {
            Some(Piece::Chunk(chunk)) => taken.check(chunk)?,
            Some(Piece::Question(_)) => {
                return Err(Fault::from(within("question")(fault("comes once"))).into());
            }
            None => return Err(Fault::from(within("chunk")(missing())).into()),
        };
        held.extend(chunk);
        // Small pieces are worked on together: each visit to the bench costs as much as some dozen records.
        if held.len() >= CHUNK_BYTES_MAX {
            let piece = std::mem::take(&mut held);
            follower = work(bench, follower, piece).await?;
        }
    }
    Ok((work(bench, follower, held).await?, asked))
}

async fn work(bench: &Bench, mut follower: Follower, piece: Vec<u8>) -> Result<Follower, Fault> {
    let follower = bench
        .work(move || {
            follower.feed(&piece);
            follower
        })
        .await?;
    if follower.records() > RECORDS_MAX {
        return Err(Fault::LogTooLarge("100,000 records"));
    }
    Ok(follower)
}

impl Taken {
    fn check(&mut self, chunk: Vec<u8>) -> Result<Vec<u8>, Fault> {
        if chunk.is_empty() || chunk.len() > CHUNK_BYTES_MAX {
            let problem = format!("{} bytes, expected 1 to {CHUNK_BYTES_MAX}", chunk.len());
            return Err(within("chunk")(fault(problem)).into());
        }
        self.chunks += 1;
        self.bytes += chunk.len() as u64;
        if self.bytes > LOG_MAX {
            return Err(Fault::LogTooLarge("64 MiB"));
        }
        if self.chunks > CHUNKS_MAX {
            return Err(Fault::LogTooLarge("100,000 pieces"));
        }
        Ok(chunk)
    }
}
