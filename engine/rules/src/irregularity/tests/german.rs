//! Both languages of the table, and sentences that answer its questions in both.

use super::*;

/// Returns the figures and the ids of rules in a text.
fn figures(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
    words.filter(|word| word.bytes().any(|byte| byte.is_ascii_digit())).collect()
}

/// Checks that a German text says something, with the figures and the knobs of the English one, and no English word.
fn check_german(english: &str, german: &str) {
    let quoted = [english, german].map(|text| text.split('`').skip(1).step_by(2).collect::<Vec<_>>());
    assert!(!german.is_empty() && german.trim() == german && german != english, "{english} / {german}");
    assert_eq!(figures(english), figures(german), "{english} / {german}");
    assert_eq!(quoted[0], quoted[1], "{english} / {german}");
    let plain: String = german.split('`').step_by(2).collect();
    // Words in capitals are values of knobs.
    let words =
        plain.split(|c: char| !c.is_alphabetic() && c != '_').filter(|word| *word != word.to_uppercase());
    let mut words = words.map(str::to_lowercase);
    let foreign = "the of and or is are has have with from card cards hand's player players pile stock meld melds foot draw drew \
        turn side pair yes no not who may then next discard discarded penalty round ours engine";
    assert_eq!(words.find(|word| foreign.split_whitespace().any(|other| other == word)), None, "{german}");
}

/// Checks the German table against the English one, block by block, and each law.
#[test]
fn the_tables_are_one_in_both_languages() {
    let both = |text: Translated| check_german(text.of(Language::English), text.of(Language::German));
    let heads =
        |table: &'static str| table.split("\n= ").skip(1).map(block).map(|(id, ..)| id).collect::<Vec<_>>();
    assert_eq!(heads(TABLE), heads(GERMAN));
    for row in all() {
        both(row.name);
        let count = |word, language| lines_in(row.block.of(language), word).count();
        for word in ["ask", "law"] {
            assert_eq!(count(word, Language::English), count(word, Language::German), "{}", row.id);
        }
        for (english, german) in row.pairs("ask") {
            let ((key, _, answers), (other, _, words)) = (ask_fields(english), ask_fields(german));
            assert_eq!((key, answers.count()), (other, words.count()), "{}", row.id);
        }
        for question in row.questions() {
            both(question.text);
            for answer in &question.answers {
                both(answer.word);
                assert!(!answer.hints.of(Language::German).is_empty(), "{} {}", row.id, answer.key());
            }
        }
        for (remedy, (_, german)) in row.remedies().zip(row.pairs("law")) {
            both(remedy.next);
            assert!(german.starts_with(remedy.law), "{} {german}", row.id);
        }
    }
    let laws: Vec<&str> = sanctions().map(|sanction| sanction.law).collect();
    let lines = |word| GERMAN.lines().filter_map(move |line| line.strip_prefix(word)?.split(" | ").next());
    assert!(lines("text ").all(|law| laws.contains(&law)));
    for law in laws {
        check_german(law_text(law, Language::English), law_text(law, Language::German));
    }
    let words: Vec<&str> =
        AUTHORITIES.iter().map(|(_, word)| *word).chain(EFFECTS.iter().map(|(_, word)| *word)).collect();
    assert_eq!(lines("word ").collect::<BTreeSet<_>>(), words.into_iter().collect());
}

/// Checks the language in which words are heard, and what may be ruled in both, by hand.
#[test]
fn words_are_answered_in_their_language() {
    let listener = Listener::of_all_hands();
    let language = |words| listener.language_of(words);
    assert_eq!(language("Ost hat gezogen, obwohl Nord dran war"), Language::German);
    assert_eq!(language("East drew although it was North's turn"), Language::English);
    assert_eq!(language(""), Language::English);
    let ruling = |law| sanction(law).expect("a law").in_words(Language::German);
    assert_eq!(
        ruling("IR-062"),
        "keine Punkte; durch die Turnierleitung (director), die Jury (jury), beide Parteien gemeinsam (table); \
         mögliche Folgen: die Zusatzkarten gehen verloren (revoke_talon)"
    );
    assert!(
        ruling("IR-080")
            .ends_with("aufgezeichnet als house:IR-080, was Version 1 der Straftabelle nicht kennt")
    );
    assert_eq!(law_text("CL-001", Language::German), law_text("CL-001", Language::English));
}

/// Returns the number of sentences in a language whose words lead to their law, and of all, where the law hangs on answers.
fn answered(files: &[&'static str], language: &str) -> (usize, usize) {
    let asks = |id: &str| irregularity(id).filter(|row| row.questions().next().is_some());
    let lines = files.iter().flat_map(|file| file.lines()).filter_map(|line| line.split_once(" | "));
    let is_right = lines.filter_map(|(head, words)| {
        let fields: Vec<&str> = head.split(' ').collect();
        let row = asks(fields[0]).filter(|_| fields[2] == language)?;
        Some(row.remedy(&row.answers(&[], words)).law == fields[1])
    });
    let is_right: Vec<bool> = is_right.collect();
    (is_right.iter().filter(|is_right| **is_right).count(), is_right.len())
}

/// Checks how often the answers that sentences give lead to their law. The German hints were chosen with the sentences of the
/// hands in sight, and before anybody looked at the unseen ones.
#[test]
fn sentences_answer_the_questions_in_both_languages() {
    for (files, language, least) in
        [(&HANDS[..], "en", 92), (&HANDS, "de", 95), (&[UNSEEN], "en", 92), (&[UNSEEN], "de", 92)]
    {
        let (right, all) = answered(files, language);
        assert!(right * 100 >= all * least, "{language}: {right} of {all}");
    }
}

/// Checks answers inside German sentences, made by hand: an irregularity, a sentence, the law.
#[test]
fn german_sentences_give_answers() {
    for (row, said, law) in [
        ("pile-wrong", "Sie hat den Stapel ohne Recht genommen, Ost hat inzwischen gezogen", "IR-023"),
        ("pile-wrong", "Er hat das Paket genommen, wir haben sofort widersprochen", "IR-013"),
        ("bad-meld", "Die Meldung war falsch, es fiel erst zwei Runden später auf", "IR-023"),
        ("bad-meld", "Die Meldung war falsch", "IR-022"),
        ("opened-low", "Die Erstmeldung war zu klein, er hat sie mit zwei Assen ergänzt", "IR-020"),
        ("opened-low", "Die Erstmeldung war zu klein, er hat sie zurückgenommen", "IR-021"),
        ("wrong-dealer", "Nord hat statt Ost gegeben, wir sind schon mitten in der Runde", "IR-003"),
        ("wrong-dealer", "Nord hat statt Ost gegeben, noch hat niemand gezogen", "IR-002"),
        ("dealt-wrong", "Süd bekam zu viele Karten, gemerkt nach drei Runden", "IR-007"),
        ("dealt-wrong", "Süd bekam zu wenige Karten, gemerkt nach drei Runden", "IR-006"),
        ("three-held", "Die rote Drei hatte ich vergessen, beim Abrechnen kam sie heraus", "IR-040"),
        ("three-forgotten", "Rote Drei vergessen, hier ohne Ersatz", "IR-042"),
        ("foot-early", "Der Fuß wurde zu früh aufgenommen und angeschaut", "IR-081"),
        ("foot-early", "Der Fuß wurde zu früh aufgenommen und mit der Hand vermischt", "IR-082"),
        ("foot-early", "Der Fuß wurde zu früh aufgenommen, ungesehen wieder zurückgelegt", "IR-080"),
    ] {
        let row = irregularity(row).expect("a row");
        assert_eq!(row.remedy(&row.answers(&[], said)).law, law, "{said}");
    }
}
