//! Shares: limits and what callers get in full houses.

use super::*;
use proptest::prelude::*;

/// Returns the link of this number, which is shown from an address.
fn link(address: u8, id: u8) -> CallerKey {
    CallerKey::Link { peer: Some([127, 0, 0, address].into()), id: [id; 16] }
}

fn peer(address: u8) -> CallerKey {
    CallerKey::Peer([127, 0, 0, address].into())
}

fn of_all(all: u64) -> Shares {
    Shares::new(ShareLimits::of_all(all), Arc::default())
}

fn take_of(shares: &Shares, caller: &CallerKey, count: usize) -> Vec<SharedPlace> {
    (0..count).map_while(|_| shares.take(caller, 1)).collect()
}

fn take(shares: &Shares, caller: u8, count: usize) -> Vec<SharedPlace> {
    take_of(shares, &peer(caller), count)
}

fn valid(places: &[SharedPlace]) -> usize {
    places.iter().filter(|place| !place.is_revoked()).count()
}

fn held(places: &[Vec<SharedPlace>]) -> Vec<usize> {
    places.iter().map(|places| valid(places)).collect()
}

#[test]
fn one_caller_may_have_all_until_others_ask() {
    let revoked = Arc::<AtomicU64>::default();
    let shares = Shares::new(ShareLimits::of_all(12), Arc::clone(&revoked));
    let first = take(&shares, 1, 20);
    assert_eq!(valid(&first), 12);
    let second = take(&shares, 2, 20);
    assert_eq!((valid(&first), valid(&second)), (6, 6), "halves");
    let third = take(&shares, 3, 20);
    assert_eq!((valid(&first), valid(&second), valid(&third)), (4, 4, 4), "thirds");
    assert!(shares.take(&peer(1), 1).is_none(), "everybody has a share");
    drop(second);
    assert_eq!(take(&shares, 1, 20).len(), 4, "there is room again");
    assert_eq!(revoked.load(Ordering::Relaxed), 6 + 4);
}

#[test]
fn the_place_that_was_unused_for_longest_goes_first() {
    let shares = of_all(3);
    let places = take(&shares, 1, 3);
    places[0].touch();
    let _other = shares.take(&peer(2), 1).expect("below its share");
    let revoked: Vec<_> = places.iter().map(SharedPlace::is_revoked).collect();
    assert_eq!(revoked, [false, true, false]);
}

#[test]
fn a_revoked_place_gives_nothing_back_and_wakes_who_waits() {
    let shares = of_all(1);
    let first = shares.take(&peer(1), 1).expect("there is room");
    let mut cx = Context::from_waker(Waker::noop());
    assert_eq!(first.poll_revoked(&mut cx), Poll::Pending);
    let second = shares.take(&peer(2), 1).expect("one each: in turns");
    assert_eq!(first.poll_revoked(&mut cx), Poll::Ready(()));
    drop(first);
    assert!(shares.take(&peer(2), 1).is_none(), "the place is the second caller's");
    drop(second);
    assert!(shares.take(&peer(2), 1).is_some());
}

#[test]
fn a_place_has_units_and_a_caller_a_maximum() {
    let shares = Shares::new(ShareLimits { all: 100, party: 60, caller: 60 }, Arc::default());
    let first = shares.take(&peer(1), 50).expect("there is room");
    assert!(shares.take(&peer(1), 11).is_none(), "more than one caller may have");
    let most = shares.take(&peer(2), 51).expect("the one place of a caller that holds nothing");
    assert!(first.is_revoked(), "in turns");
    drop((first, most));
    let first = shares.take(&peer(1), 50).expect("there is room");
    let second = shares.take(&peer(2), 40).expect("there is room");
    let third = shares.take(&peer(3), 33).expect("a third");
    assert_eq!([&first, &second, &third].map(SharedPlace::is_revoked), [true, false, false]);
    assert!(shares.take(&peer(4), u64::MAX).is_none());
}

#[test]
fn a_place_is_passed_on_within_the_maximum() {
    let shares = Shares::new(ShareLimits { all: 10, party: 10, caller: 2 }, Arc::default());
    let places = take(&shares, 1, 3);
    assert_eq!(places.len(), 2);
    places.iter().for_each(|place| place.pass_to(&peer(2)));
    let more = take(&shares, 1, 3);
    assert_eq!((more.len(), shares.used()), (2, 4), "the first caller has none of the others");
    more[0].pass_to(&peer(2));
    assert!(shares.take(&peer(1), 1).is_none(), "the second caller has all that it may have");
    drop(places);
    assert_eq!(take(&shares, 2, 3).len(), 2, "they were the second caller's");
}

/// Shares out places to a club behind one router, of which one member attacks, beside an attacker with 40 links of its own:
/// the addresses count as three and as eight callers, and the club's members share alike.
#[test]
fn an_address_has_a_larger_share_than_a_link_and_its_links_share_it() {
    let shares = of_all(88);
    let mut attack: Vec<_> = (0..40).map(|id| take_of(&shares, &link(1, id), 100)).collect();
    assert_eq!(held(&attack).iter().sum::<usize>(), 88, "alone");
    let rogue = take_of(&shares, &link(2, 1), 100);
    assert_eq!(valid(&rogue), 9, "one of nine callers");
    let members = [2, 3].map(|id| take_of(&shares, &link(2, id), 4));
    assert_eq!((held(&members), valid(&rogue)), (vec![4, 4], 9), "taken from the attacker: 3 of 11 are 24");
    let more = [2, 3].map(|id| take_of(&shares, &link(2, id), 100));
    let all = [0, 1].map(|at| valid(&members[at]) + valid(&more[at]));
    assert_eq!((all, valid(&rogue)), ([8, 8], 8), "thirds of their address's share");
    attack.push(take_of(&shares, &link(1, 41), 100));
    assert_eq!(held(&attack).iter().sum::<usize>(), 64, "another link takes from the same address");
}

#[test]
fn links_count_under_their_address_as_well() {
    let shares = Shares::new(ShareLimits { all: 100, party: 10, caller: 4 }, Arc::default());
    let links: Vec<_> = (0..3).map(|id| take_of(&shares, &link(1, id), 100)).collect();
    assert_eq!(held(&links), [4, 3, 3], "the limit of a link, and that of its address");
    let fourth = take_of(&shares, &link(1, 3), 100);
    assert_eq!(
        (held(&links), valid(&fourth)),
        (vec![3, 3, 2], 2),
        "a quarter of ten, taken from who holds most"
    );
    assert_eq!(take_of(&shares, &link(2, 0), 100).len(), 4, "another address does not notice");
}

/// Charges for what is there already: the caller that holds most loses its place, however little the other has.
#[test]
fn what_is_there_is_charged_and_the_largest_makes_room() {
    let shares = of_all(100);
    let (large, small) = (shares.charge(&peer(1), 80), shares.charge(&peer(2), 15));
    let third = shares.charge(&peer(3), 10);
    assert_eq!([&large, &small, &third].map(SharedPlace::is_revoked), [true, false, false]);
    small.resize(95);
    assert_eq!((small.is_revoked(), shares.used()), (true, 10), "it has outgrown the others");
    third.resize(1);
    third.revoke();
    assert_eq!(shares.used(), 0);
}

#[tokio::test(start_paused = true)]
async fn who_is_over_its_share_waits_and_others_do_not() {
    let shares = of_all(10);
    let first = shares.wait(&peer(1), 8).await;
    let mut waiting = tokio::task::JoinSet::new();
    for _ in 0..WAITING_MAX {
        let (shares, one) = (shares.clone(), peer(1));
        waiting.spawn(async move { shares.wait(&one, 4).await });
    }
    while shares.0.waiting.available_permits() > 0 {
        tokio::task::yield_now().await;
    }
    assert!(shares.wait(&peer(1), 4).await.is_none(), "enough of them wait");
    let other = shares.wait(&peer(2), 2).await.expect("within its share");
    drop(first);
    while let Some(done) = waiting.join_next().await {
        assert!(done.expect("no panic").is_some(), "one after the other");
    }
    assert!(!other.is_revoked());
}

proptest! {
    /// Checks what shares promise after any sequence of takes, uses and returns: never more than its capacity
    /// is held, and a caller that asks for a place within its share gets it.
    #[test]
    fn shares_hold_in_every_sequence(
        capacity in 1_u64..20,
        steps in prop::collection::vec((0_u8..6, 0_u8..4, 1_u64..4), 0..200),
    ) {
        let shares = of_all(capacity);
        let mut places: Vec<(u8, u64, SharedPlace)> = Vec::new();
        for (caller, step, units) in steps {
            let held = |who: u8| places.iter().filter(|(other, _, place)| *other == who && !place.is_revoked())
                .map(|(_, units, _)| units).sum::<u64>();
            match step {
                0 if !places.is_empty() => drop(places.remove(usize::from(caller) % places.len())),
                1 if !places.is_empty() => places[usize::from(caller) % places.len()].2.touch(),
                _ => {
                    let callers = (0..6).filter(|&who| who == caller || held(who) > 0).count() as u64;
                    let is_due = held(caller) + units <= (capacity / callers).max(1);
                    let taken = shares.take(&peer(caller), units);
                    prop_assert!(taken.is_some() || !is_due);
                    places.extend(taken.map(|place| (caller, units, place)));
                }
            }
            let used: u64 = places.iter().filter(|(.., place)| !place.is_revoked()).map(|(_, units, _)| units).sum();
            prop_assert!(used <= capacity);
            prop_assert_eq!(used, shares.used());
        }
    }
}
