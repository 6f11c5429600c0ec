//! Conversion of the settings and fixed limits that concern callers to a message.

use std::time::Duration;

use canasta_engine::legal::STEPS_MAX;
use canasta_messages::limits::{ACTIONS_MAX, ANSWER_BYTES_MAX, OBSERVERS_MAX};
use canasta_proto::v1::ServerLimits;

use canasta_serve::config::Config;
use canasta_serve::limits::{CHUNK_BYTES_MAX, CHUNKS_MAX, LOG_BYTES_MAX, RECORDS_MAX, REQUEST_BYTES_MAX};

/// Writes the limits that a caller meets.
pub fn write(config: &Config) -> ServerLimits {
    ServerLimits {
        request_bytes: REQUEST_BYTES_MAX as u32,
        answer_bytes: ANSWER_BYTES_MAX as u32,
        batch_actions: ACTIONS_MAX as u32,
        observers: OBSERVERS_MAX as u32,
        listed_actions: STEPS_MAX as u32,
        log_bytes: LOG_BYTES_MAX,
        log_records: RECORDS_MAX as u32,
        log_pieces: CHUNKS_MAX as u32,
        log_piece_bytes: CHUNK_BYTES_MAX as u32,
        deadline_ms: ms(config.deadline),
        audit_deadline_ms: ms(config.audit_deadline),
        play_idle_ms: ms(config.play_idle),
        connection_age_ms: ms(config.max_age),
        caller_rate: config.max_rate,
        caller_burst: config.max_rate.map(|_| config.burst()),
        lifetime_ms: config.max_lifetime_ms,
    }
}

fn ms(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
