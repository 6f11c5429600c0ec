use super::*;

/// The example of the specification.
const EXAMPLE: &str = "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n\n\u{2014} example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n";

#[test]
fn the_example_is_read_and_written() {
    let checkpoint = Checkpoint::parse(EXAMPLE).expect("a checkpoint");
    assert_eq!((checkpoint.origin.as_str(), checkpoint.size), ("example.com/behind-the-sofa", 20_852_163));
    assert!(EXAMPLE.starts_with(&format!("{}\n", checkpoint.body())));
}

#[test]
fn what_is_no_checkpoint_is_named() {
    for (from, to, bad) in [
        ("\n\n", "\n", BadCheckpoint::Note),
        ("\u{2014} ", "- ", BadCheckpoint::Note),
        ("YQ8=\n", "YQ8=", BadCheckpoint::Note),
        ("q2I=\n", "q2I=\nmore\n", BadCheckpoint::Lines),
        ("example.com/behind", "example com/behind", BadCheckpoint::Origin),
        ("20852163", "020852163", BadCheckpoint::Size),
        ("20852163", "+20852163", BadCheckpoint::Size),
        ("20852163", "99999999999999999999", BadCheckpoint::Size),
        ("CsUY", "CsU", BadCheckpoint::Root),
        ("CsUY", "", BadCheckpoint::Root),
    ] {
        assert!(EXAMPLE.contains(from));
        assert_eq!(Checkpoint::parse(&EXAMPLE.replacen(from, to, 1)), Err(bad), "{from:?} to {to:?}");
    }
}
