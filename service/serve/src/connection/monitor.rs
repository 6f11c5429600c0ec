//! The monitor that closes a connection without requests, with an answer that the client does not read, or whose place
//! another peer needs.

use std::future::Future;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::time::Sleep;

use super::traffic::{CHECKS, Traffic};
use crate::config::Config;
use crate::telemetry::counts::Closed;

/// A timer that checks at a fixed interval whether requests arrive and answers are read.
pub struct ActivityMonitor {
    traffic: Traffic,
    interval: Duration,
    next: Pin<Box<Sleep>>,
    /// Number of requests that had begun at the last check.
    begun: u64,
    /// Number of checks since the last request.
    idle: u32,
    /// Number of checks without a request after which the connection is closed.
    idle_max: u32,
}

impl ActivityMonitor {
    pub fn new(traffic: Traffic, config: &Config) -> Self {
        let interval = (config.idle.min(config.take_deadline) / CHECKS).max(Duration::from_millis(1));
        let idle_max = config.idle.as_nanos().div_ceil(interval.as_nanos());
        let next = Box::pin(tokio::time::sleep(interval));
        let idle_max = idle_max.try_into().unwrap_or(u32::MAX);
        Self { traffic, interval, next, begun: 0, idle: 0, idle_max }
    }

    /// Returns the state that the connection shares with its requests.
    pub fn traffic(&self) -> &Traffic {
        &self.traffic
    }

    /// Polls the timer. Becomes ready, with the reason, when the connection must be closed.
    pub fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Closed> {
        if self.traffic.poll_revoked(cx).is_ready() {
            return Poll::Ready(Closed::Crowded);
        }
        while self.next.as_mut().poll(cx).is_ready() {
            let next = self.next.deadline() + self.interval;
            self.next.as_mut().reset(next);
            if let Some(why) = self.check() {
                return Poll::Ready(why);
            }
        }
        Poll::Pending
    }

    fn check(&mut self) -> Option<Closed> {
        let (begun, all_ended) = self.traffic.begun();
        let is_idle = begun == self.begun && all_ended;
        (self.begun, self.idle) = (begun, if is_idle { self.idle + 1 } else { 0 });
        if self.idle >= self.idle_max {
            return Some(Closed::Idle);
        }
        self.traffic.is_stalled().then_some(Closed::Stalled)
    }
}
