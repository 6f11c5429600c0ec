use super::*;
use tokio::time::{sleep, timeout};

fn peer(number: u8) -> CallerKey {
    CallerKey::Peer([127, 0, 0, number].into())
}

/// Returns the callers of `jobs`, which take so many ms, in the order of their turns, with one turn at a time.
async fn order(jobs: &[(u8, u64)]) -> Vec<u8> {
    let turns = Turns::new(1);
    let first = turns.take(&peer(0)).await;
    let had = Arc::new(Mutex::new(Vec::new()));
    let mut running = tokio::task::JoinSet::new();
    for &(caller, takes) in jobs {
        let (turns, had) = (turns.clone(), Arc::clone(&had));
        running.spawn(async move {
            let _turn = turns.take(&peer(caller)).await;
            had.lock().expect("no panic").push(caller);
            sleep(Duration::from_millis(takes)).await;
        });
        tokio::task::yield_now().await;
    }
    drop(first);
    running.join_all().await;
    let had = had.lock().expect("no panic");
    had.clone()
}

#[tokio::test(start_paused = true)]
async fn callers_have_turns_and_not_jobs() {
    let jobs = [(1, 1), (1, 1), (1, 1), (1, 1), (2, 1), (3, 1), (2, 1)];
    assert_eq!(order(&jobs).await, [1, 2, 3, 1, 2, 1, 1]);
}

#[tokio::test(start_paused = true)]
async fn who_has_long_jobs_has_fewer_turns() {
    let jobs = [(1, 3), (1, 3), (2, 1), (2, 1), (2, 1), (2, 1)];
    assert_eq!(order(&jobs).await, [1, 2, 2, 2, 1, 2]);
}

/// Runs jobs of 4 ms without end, for twenty links of one address and for an address without a link: of the time of the
/// turns the latter has one part in nine.
#[tokio::test(start_paused = true)]
async fn links_of_one_address_have_the_turns_of_eight_callers() {
    let (turns, had) = (Turns::new(1), Arc::new(Mutex::new([0; 2])));
    let links = (0..20).map(|id| (0, CallerKey::Link { peer: Some([127, 0, 0, 1].into()), id: [id; 16] }));
    for (at, caller) in links.chain([(1, peer(2)), (1, peer(2))]) {
        let (turns, had) = (turns.clone(), Arc::clone(&had));
        tokio::spawn(async move {
            loop {
                let _turn = turns.take(&caller).await;
                sleep(Duration::from_millis(4)).await;
                had.lock().expect("no panic")[at] += 4;
            }
        });
    }
    sleep(Duration::from_secs(9)).await;
    let [links, other] = *had.lock().expect("no panic");
    assert!((900..1_100).contains(&other), "{other} ms of {} ms", links + other);
}

#[tokio::test(start_paused = true)]
async fn who_comes_and_goes_has_no_more_than_who_waits() {
    let turns = Turns::new(1);
    let first = turns.take(&peer(0)).await;
    let (waiting, counts) = (turns.clone(), Arc::new(Mutex::new([0; 2])));
    let backlog = Arc::clone(&counts);
    let spawned = tokio::spawn(async move {
        let jobs = async || {
            loop {
                let _turn = waiting.take(&peer(1)).await;
                sleep(Duration::from_millis(1)).await;
                backlog.lock().expect("no panic")[0] += 1;
            }
        };
        tokio::join!(jobs(), jobs(), jobs());
    });
    tokio::task::yield_now().await;
    drop(first);
    // Long jobs, one at a time.
    for _ in 0..20 {
        let _turn = turns.take(&peer(2)).await;
        sleep(Duration::from_millis(5)).await;
        counts.lock().expect("no panic")[1] += 5;
    }
    spawned.abort();
    let [short, long] = *counts.lock().expect("no panic");
    assert!(short >= long - 5, "{short} ms for the one that waits, {long} ms for the other");
}

#[tokio::test(start_paused = true)]
async fn who_stops_waiting_delays_nobody_and_loses_no_turn() {
    let turns = Turns::new(1);
    let first = turns.take(&peer(1)).await;
    for caller in [2, 2, 3] {
        let given_up = timeout(Duration::from_millis(1), turns.take(&peer(caller))).await;
        assert!(given_up.is_err(), "the turn is another's");
    }
    let waiting = turns.clone();
    let next = tokio::spawn(async move { drop(waiting.take(&peer(2)).await) });
    tokio::task::yield_now().await;
    drop(first);
    next.await.expect("it has its turn");
    let queue = lock(&turns.0);
    assert_eq!(queue.free, 1);
    assert!(queue.parties.all.values().all(|party| party.what.all.values().all(|one| one.what.is_empty())));
}
