//! Intake of a log in chunks, with limits. The service holds one chunk of the log, and each audit holds one
//! round.

use canasta_messages::audit;
use canasta_messages::audit::messages::LogMessage;
use canasta_messages::audit::open_audit::{FinishedAudit, OpenAudit};
use canasta_messages::audit::query::LogQuery;
use canasta_messages::convert::field::{fault, within};
use canasta_messages::fault::RequestFault;
use canasta_messages::status::explained;
use canasta_serve::OrFault;
use canasta_serve::limits::{CHUNK_BYTES_MAX, CHUNKS_MAX, LOG_BYTES_MAX, RECORDS_MAX};
use canasta_serve::workers::CancelOnDrop;
use tonic::{Status, Streaming};

use super::LogCall;

/// Number of bytes that are charged for a log while it is read, and for each record that a question asks for.
const AUDIT_BYTES: usize = 32 << 10;
const RECORD_BYTES: usize = 4 << 10;

/// The number of chunks and bytes received so far.
#[derive(Default)]
struct IntakeCounts {
    chunks: u64,
    bytes: u64,
}

/// Reads the questions, which come first, and then the log; feeds the log to the audits that answer them. Returns these
/// audits and the questions.
pub async fn read<M: LogMessage>(
    call: &LogCall,
    mut stream: Streaming<M>,
) -> Result<(FinishedAudit, Vec<LogQuery>), Status> {
    let first = stream.message().await.map_err(explained)?;
    let (audit, queries, wanted) = audit::begin(first)?;
    call.account.expect_answer(AUDIT_BYTES + wanted * RECORD_BYTES).await?;
    let cancel = CancelOnDrop::default();
    let mut audit = audit.until(&call.is_over(&cancel));
    let (mut taken, mut held) = (IntakeCounts::default(), Vec::new());
    while let Some(message) = stream.message().await.map_err(explained)? {
        let chunk = taken.check(audit::chunk(message)?)?;
        held.extend(chunk);
        // Small chunks are audited together: each change of threads costs as much as some dozen records.
        if held.len() >= CHUNK_BYTES_MAX {
            call.caller()?;
            let piece = std::mem::take(&mut held);
            audit = feed(call, audit, piece).await?;
        }
    }
    let audit = feed(call, audit, held).await?;
    Ok((call.run(move || audit.finish()).await?, queries))
}

async fn feed(call: &LogCall, mut audit: OpenAudit, piece: Vec<u8>) -> OrFault<OpenAudit> {
    let feed = move || {
        audit.feed(&piece);
        audit
    };
    let audit = call.run(feed).await?;
    if audit.records() > RECORDS_MAX {
        return Err(RequestFault::LogTooLarge { max: RECORDS_MAX, unit: "records" });
    }
    Ok(audit)
}

impl IntakeCounts {
    fn check(&mut self, chunk: Vec<u8>) -> OrFault<Vec<u8>> {
        if chunk.is_empty() || chunk.len() > CHUNK_BYTES_MAX {
            let problem = format!("{} bytes, expected 1 to {CHUNK_BYTES_MAX}", chunk.len());
            return Err(within("chunk")(fault(problem)).into());
        }
        self.chunks += 1;
        self.bytes += chunk.len() as u64;
        if self.bytes > LOG_BYTES_MAX {
            return Err(RequestFault::LogTooLarge { max: LOG_BYTES_MAX, unit: "bytes" });
        }
        if self.chunks > CHUNKS_MAX {
            return Err(RequestFault::LogTooLarge { max: CHUNKS_MAX, unit: "chunks" });
        }
        Ok(chunk)
    }
}
