//! Simulation of an honest caller beside `k` attackers, for each kind of attack, by the default settings: on virtual time,
//! with the shares and turns that the server uses.
//!
//! Attackers take all that they can get, and take it anew as soon as it ends or is revoked. Each of them has one
//! address with all the connections of one peer.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use clap::Parser;
use tokio::time::sleep;

use super::Turns;
use super::shares::{ShareLimits, SharedPlace, Shares};
use crate::config::{Config, ServiceCli};
use crate::identity::CallerKey;
use crate::outside::timer_now;

/// Time between two looks at what is held.
const TICK: Duration = Duration::from_millis(250);
/// Number of ticks of a simulation: longer than most attacks last until the server ends them.
const TICKS: u32 = 80;
/// The honest caller; attackers have the numbers from 1.
const HONEST: u32 = 0;
/// Maximum number of requests of one connection (`connection::traffic`), and of its streams (`server`).
const REQUESTS: usize = 32;
const STREAMS: usize = 64;

/// An attack that holds places.
struct HoldingAttack {
    name: &'static str,
    capacity: u64,
    caller_max: u64,
    /// Units of a place of an attacker, and of the honest caller.
    units: [u64; 2],
    /// Number of places that one attacker asks for at a time.
    at_once: usize,
    /// Time until the server ends what is held.
    lasts: Duration,
}

fn attacks(config: &Config) -> Vec<HoldingAttack> {
    let connections = usize::from(config.max_peer_connections);
    let of_requests = |name, capacity: u16, at_once, lasts| {
        let capacity = capacity.into();
        HoldingAttack { name, capacity, caller_max: capacity, units: [1, 1], at_once, lasts }
    };
    let (all, streams) = (connections * REQUESTS, connections * STREAMS);
    vec![
        of_requests("answers that are not read", config.max_requests, all, config.take_deadline * 5 / 4),
        of_requests("heads without bodies", config.max_requests, all, config.deadline),
        of_requests("floods of requests", config.max_requests, all, TICK),
        of_requests("logs that trickle in", config.max_audits, all, config.audit_deadline),
        of_requests("idle Play streams", config.max_play_streams, streams, config.play_idle),
        of_requests("watchers", config.max_watchers, streams, config.max_age),
        HoldingAttack {
            name: "idle connections",
            capacity: config.max_connections.into(),
            caller_max: config.max_peer_connections.into(),
            units: [1, 1],
            at_once: connections,
            lasts: config.idle,
        },
        HoldingAttack {
            name: "long messages that trickle in",
            capacity: config.max_body_bytes.into(),
            caller_max: config.max_body_bytes.into(),
            units: [256 << 10, 64 << 10],
            at_once: all,
            lasts: config.deadline,
        },
    ]
}

fn peer(number: u32) -> CallerKey {
    CallerKey::Peer(std::net::Ipv4Addr::from_bits(number).into())
}

/// Places of one attacker, with the ticks at which they end.
type Held = Vec<(u32, SharedPlace)>;

/// Returns the shares of its requests, of the time of a long stream, and of all places that the honest caller gets.
fn held_beside(attack: &HoldingAttack, attackers: u32) -> [f64; 3] {
    let limits = ShareLimits { all: attack.capacity, party: attack.caller_max, caller: attack.caller_max };
    let shares = Shares::new(limits, Arc::default());
    let lasts = u32::try_from(attack.lasts.as_millis() / TICK.as_millis()).unwrap_or(TICKS);
    let mut held: Vec<Held> = (0..attackers).map(|_| Vec::new()).collect();
    let (mut request, mut stream): (Option<SharedPlace>, Option<SharedPlace>) = (None, None);
    let (mut answered, mut streamed) = (0, 0);
    let grab = |held: &mut Vec<Held>, tick: u32| {
        for (attacker, held) in (1..).zip(held) {
            held.retain(|(ends, place)| *ends > tick && !place.is_revoked());
            while held.len() < attack.at_once {
                let Some(place) = shares.take(&peer(attacker), attack.units[0]) else { break };
                held.push((tick + lasts, place));
            }
        }
    };
    for tick in 0..TICKS {
        grab(&mut held, tick);
        // What the honest caller began a tick ago is done now, unless it was refused or revoked.
        answered += u32::from(request.take().is_some_and(|place| !place.is_revoked()));
        request = shares.take(&peer(HONEST), attack.units[1]);
        streamed += u32::from(stream.as_ref().is_some_and(|place| !place.is_revoked()));
        stream = stream
            .filter(|place| !place.is_revoked())
            .or_else(|| shares.take(&peer(HONEST), attack.units[1]));
        stream.iter().for_each(SharedPlace::touch);
        grab(&mut held, tick);
    }
    drop((request, stream));
    // A caller that wants everything, as the attackers do, once all of them have settled.
    let mut all: Vec<SharedPlace> = Vec::new();
    for tick in TICKS..TICKS + 4 {
        all.retain(|place| !place.is_revoked());
        all.extend(std::iter::from_fn(|| shares.take(&peer(HONEST), attack.units[1])));
        grab(&mut held, tick);
    }
    let kept = all.iter().filter(|place| !place.is_revoked()).count() as u64 * attack.units[1];
    let alone = attack.capacity.min(attack.caller_max);
    let of_ticks = |count: u32| f64::from(count) / f64::from(TICKS - 1);
    [of_ticks(answered), of_ticks(streamed), kept as f64 / alone as f64]
}

#[test]
fn attackers_who_hold_what_they_can_leave_everybody_a_share() {
    let config = ServiceCli::parse_from(["canasta-service"]).config;
    for attack in attacks(&config) {
        for attackers in [1, 2, 3, 4, 8, 16, 32, 64] {
            let [requests, streams, all] = held_beside(&attack, attackers);
            let what = format!("{attackers} attackers, {}: {requests} {streams} {all}", attack.name);
            assert!(requests > 0.95, "of its requests, {what}");
            assert!(streams > 0.95, "of the time of its stream, {what}");
            // A part of a place is none.
            let part = attack.units[1] as f64 / attack.capacity as f64;
            assert!(all >= 1.0 / f64::from(attackers + 1) - part, "of everything, {what}");
        }
    }
}

/// Returns how many searches of 1 ms a caller gets in two seconds that asks for `at_once` at a time and pauses for
/// `pause` after each, beside attackers with 100 searches of 5 ms at a time.
async fn searches_beside(attackers: u32, at_once: usize, pause: Duration) -> u32 {
    let turns = Turns::new(2);
    let mut running = tokio::task::JoinSet::new();
    let done = Arc::new(AtomicU32::new(0));
    let begin = |caller: u32, takes: u64, pause: Duration| {
        let (turns, done) = (turns.clone(), Arc::clone(&done));
        async move {
            loop {
                let turn = turns.take(&peer(caller)).await;
                sleep(Duration::from_millis(takes)).await;
                drop(turn);
                if caller == HONEST {
                    done.fetch_add(1, Ordering::Relaxed);
                }
                sleep(pause).await;
            }
        }
    };
    for attacker in 1..=attackers {
        (0..100).for_each(|_| _ = running.spawn(begin(attacker, 5, Duration::ZERO)));
    }
    (0..at_once).for_each(|_| _ = running.spawn(begin(HONEST, 1, pause)));
    let began = timer_now();
    sleep(Duration::from_secs(2)).await;
    assert!(began.elapsed() < Duration::from_secs(3), "the time is virtual");
    running.shutdown().await;
    done.load(Ordering::Relaxed)
}

#[tokio::test(start_paused = true)]
async fn attackers_who_search_leave_everybody_turns() {
    // A player's front end, which asks now and then, and a back end, which always has searches waiting.
    let pause = Duration::from_millis(200);
    let beside = async |attackers| {
        [searches_beside(attackers, 1, pause).await, searches_beside(attackers, 8, Duration::ZERO).await]
    };
    let alone = beside(0).await;
    for attackers in [1, 2, 4, 8, 16, 32, 64] {
        let got = beside(attackers).await;
        let [now_and_then, always] = [0, 1].map(|kind| f64::from(got[kind]) / f64::from(alone[kind]));
        let part = 1.0 / f64::from(attackers + 1);
        let what = format!("{attackers} attackers: {got:?} of {alone:?}");
        assert!(now_and_then >= part.max(0.05), "{what}");
        assert!(now_and_then > 0.95 || attackers > 1, "{what}");
        assert!(always >= 0.9 * part, "{what}");
    }
}
