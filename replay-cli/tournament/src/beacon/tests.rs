use super::*;
use canasta_engine::hex::hex;

/// Checks the chain's hash against the hash that drand publishes, which covers key, period, times, group and
/// name.
#[test]
fn the_stored_chain_has_the_published_hash() {
    let hash = "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971";
    assert_eq!(hex(&BeaconChain::quicknet().hash()), hash);
}

/// Round 123 of quicknet, a test vector of the crate drand-verify 0.6.2 (src/verify.rs), which took it from
/// <https://api3.drand.sh/52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971/public/123>.
const ROUND_123: &str =
    "b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482e26cd02df835d3546d23c4b13e0dfc92";

#[test]
fn a_published_round_verifies_and_nothing_else_does() {
    let chain = BeaconChain::quicknet();
    let signature = lower::decode_vec(ROUND_123).expect("hex");
    assert_eq!(chain.verify(123, &signature), Ok(()));
    assert_eq!(chain.verify(124, &signature), Err(BeaconError::Wrong { round: 124 }));
    assert_eq!(chain.verify(123, &signature[..47]), Err(BeaconError::Form { length: 47 }));
    assert_eq!(chain.verify(123, &[0; 48]), Err(BeaconError::Form { length: 48 }));
    for at in 0..48 {
        let mut flipped = signature.clone();
        flipped[at] ^= 1;
        assert!(chain.verify(123, &flipped).is_err(), "byte {at}");
    }
    // The point at infinity, and the same point uncompressed.
    let mut infinity = [0; 48];
    infinity[0] = 0xc0;
    assert_eq!(chain.verify(123, &infinity), Err(BeaconError::Form { length: 48 }));
    let spelled = Signature::from_bytes(&signature).expect("a point").serialize();
    assert_eq!(chain.verify(123, &spelled), Err(BeaconError::Form { length: 96 }));
}

/// Verifies test vectors of the scheme's author, from the same crate: rounds 3, 4 and 6 of another chain.
#[test]
fn another_chains_rounds_verify_under_its_key() {
    let key = "a1ee12542360bf75742bcade13d6134e7d5283d9eb782887c47d3d9725f05805d37b0106b7f744395bf82c175dd7434a169e998f188a657a030d588892c0cd2c01f996aaf331c4d8bc5b9734bbe261d09e7d2d39ef88b635077f262bd7bbb30f";
    let chain = BeaconChain { public_key: key.into(), ..BeaconChain::quicknet() };
    let rounds = [
        (
            3,
            "b98dae74f6a9d2ec79d75ba273dcfda86a45d589412860eb4c0fd056b00654dbf667c1b6884987c9aee0d43f8ba9db52",
        ),
        (
            4,
            "962c2b2969e8f3351cf5cc457b04ecbf0c65bd79f4c1ee3bd0205f581368aaaa0cdeb1531a0709d39ef06a8ba1e1bb93",
        ),
        (
            6,
            "a054dafb27a4a4fb9e06b17b30da3e0c7b13b4ca8e1dec3c6775f81758587029aa358523f2e7e62204018347db7cbd1c",
        ),
    ];
    for (round, signature) in rounds {
        let signature = lower::decode_vec(signature).expect("hex");
        assert_eq!(chain.verify(round, &signature), Ok(()));
        assert!(BeaconChain::quicknet().verify(round, &signature).is_err());
    }
}

/// Checks that round 1 has the time at which the chain begins, and that round 123 follows 366 seconds later.
#[test]
fn rounds_have_their_times() {
    let chain = BeaconChain::quicknet();
    assert_eq!(chain.published_ms(1), Some(1_692_803_367_000));
    assert_eq!(chain.published_ms(123), Some(1_692_803_733_000));
    assert_eq!((chain.published_ms(0), chain.published_ms(u64::MAX)), (None, None));
}

#[test]
fn a_chain_of_another_scheme_or_form_is_refused() {
    let chain = |from: &str, to: &str| {
        BeaconChain::read(&QUICKNET.replace(from, to)).map(|_| ()).unwrap_err().to_string()
    };
    assert!(chain(SCHEME, "pedersen-bls-chained").contains("scheme"));
    assert!(chain("83cf0f", "").contains("public_key"));
    assert!(chain("f477d5", "zz77d5").contains("groupHash"));
    assert!(BeaconChain::read(QUICKNET).is_ok() && BeaconChain::read("[").is_err());
}
