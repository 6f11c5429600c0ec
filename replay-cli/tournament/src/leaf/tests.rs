use super::*;

#[test]
fn leaves_have_one_spelling() {
    let opened = OpenedGame {
        at_ms: 1_769_860_800_000,
        game_id: [0xab; 16],
        label: "t1".into(),
        rule_set: RuleSetName { id: "classic-2p".into(), digest: [1; 32] },
        players: vec![OpenedPlayer { name: "Ann".into(), key: Some([2; 32]) }],
        mode: "seeded".into(),
        commitment: None,
        records: 2,
        head: [3; 32],
    };
    let (in_progress, list) = heads(5, &[HeadInProgress { game_id: [1; 16], records: 7, head: [9; 32] }]);
    let table = AnnouncedTable { game_id: [4; 16], title: "table 4".into() };
    for milestone in [
        Milestone::Open(opened),
        in_progress,
        Milestone::Tables { at_ms: 0, tables: vec![table.clone()] },
        Milestone::Board(AnnouncedBoard {
            at_ms: 0,
            board_id: [5; 16],
            name: "1".into(),
            commitment: [6; 32],
            tables: vec![table],
        }),
        Milestone::Reveal { at_ms: 0, board_id: [5; 16], secret: [7; 64] },
        Milestone::Void { at_ms: -1, game_id: [0; 16], reason: "rain".into() },
        Milestone::Sheet { at_ms: 0, note: "x\n".into() },
        Milestone::End { at_ms: 9 },
        Milestone::Anyway { at_ms: 9, reason: "TIME".into() },
    ] {
        let leaf = Leaf::Milestone(milestone);
        let bytes = leaf.to_bytes();
        assert_eq!(Leaf::from_bytes(&bytes), Some(leaf));
        let text = String::from_utf8(bytes).unwrap();
        assert!(text.starts_with("{\"format\":\"canasta-"), "{text}");
        for other in
            [text.replace(":", ": "), text.replacen('}', ",\"more\":1}", 1), text.replace("/1", "/2")]
        {
            assert_eq!(Leaf::from_bytes(other.as_bytes()), None, "{other}");
        }
    }
    assert_eq!(parse_heads(&list).map(|heads| heads.len()), Some(1));
    assert_eq!(parse_heads(b""), Some(vec![]));
    for bad in [&list[1..], &list[..list.len() - 1], &[&list[..], &list].concat(), b"\n"] {
        assert_eq!(parse_heads(bad), None);
    }
}
