//! The commands for people: playing, looking at a state, judging games.

use std::{
    fs,
    io::Write,
    process::{Output, Stdio},
};

use serde_json::{Value, json};

use crate::{
    command_line::{Scratch, cublino, run, text},
    service::{SHARED, START},
};

/// What a command answers to lines that are piped in.
fn told(arguments: &[&str], lines: &str) -> Output {
    let mut child = cublino(arguments).stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

/// The output of a command that goes well.
#[track_caller]
fn good(output: &Output) -> &str {
    assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    text(&output.stdout)
}

/// The error output of a command that fails.
#[track_caller]
fn bad(output: &Output) -> &str {
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
    text(&output.stderr)
}

#[test]
fn the_help_fits_on_a_screen_and_leaves_the_settings_to_the_command_that_has_them() {
    let output = run(&["--help"]);
    let help = good(&output);
    // The prompt takes the last line.
    assert!(help.lines().count() < 24 && help.lines().all(|line| line.chars().count() <= 80), "{help}");
    for command in ["serve", "play", "analyse", "state", "perft"] {
        assert!(help.contains(&format!("\n  {command} ")), "{command}");
    }
    assert!(!help.contains("--listen"));
    assert!(good(&run(&["serve", "--help"])).contains("--listen"));
    // They can stand without it all the same, and are checked.
    assert_eq!(run(&["--workers", "none"]).status.code(), Some(2));
}

#[test]
fn a_game_is_played_by_moves_and_numbers_and_taken_back_saved_and_gone_on_with() {
    let file = Scratch::new("played");
    let lines = format!("e1e2\nundo\nmoves\n1\nd7d6\nlevel 5\nundo\nsave {}\nhelp\nquit\n", file.path());
    let output = told(&["play", "cublino-pur", "--two", "human", "--state", START], &lines);
    let said = good(&output);
    for line in ["White: e1e2", "  1 a1a2", "White: a1a2", "Black: d7d6", "at level 5", "take back"] {
        assert!(said.contains(line), "{line}: {said}");
    }
    assert_eq!(
        said.matches("score: 0 to 0").count(),
        6,
        "the board after each move, and each that is taken back"
    );
    let saved = fs::read_to_string(file.path()).unwrap();
    assert_eq!(saved, format!("# Cublino Pur\nstart {START}\nrepetition 3\na1a2\n"));

    let output =
        told(&["play", "cublino-pur", "--two", "human", "--load", file.path()], "d7d6\nresign\nsave\n");
    let said = good(&output);
    assert!(said.contains("Black has won, 0 to 0 (resigned)"), "{said}");
    assert!(said.contains("repetition 3\na1a2 d7d6\nresign one\n"), "{said}");
}

#[test]
fn dice_are_rolled_by_enter_or_by_hand_and_a_roll_is_not_taken_back() {
    let output = told(&["play", "mahbusa", "--two", "human"], "roll 52\n1\nundo\nsave\n");
    let said = good(&output);
    assert_eq!(said.matches("White: 52").count(), 1, "{said}");
    assert!(said.contains("repetition 3\n52\n"), "{said}");
    let seeded = || told(&["play", "mahbusa", "--two", "human", "--seed", "7"], "\nsave\n");
    assert_eq!(good(&seeded()), good(&seeded()));
}

#[test]
fn what_is_refused_is_told_with_the_reason() {
    let output = told(&["play", "cublino-pur"], "e1e7\n");
    assert!(bad(&output).starts_with("cublino: e1e7: "), "{}", text(&output.stderr));
    for (lines, reason) in
        [("99\n", "no move with the number 99"), ("undo\n", "no move of yours"), ("level 9\n", "1 to 8")]
    {
        let output = told(&["play", "cublino-pur"], lines);
        assert!(bad(&output).contains(reason), "{}", text(&output.stderr));
    }
    let output = told(&["play", "cublino-pur", "--load", "/nowhere"], "");
    assert!(bad(&output).contains("/nowhere: "), "{}", text(&output.stderr));
    let output = told(&["play", "cublino-pur", "--url", "localhost"], "");
    assert!(bad(&output).contains("'localhost' is not a URL"), "{}", text(&output.stderr));
}

#[test]
fn machines_play_to_the_end_here_as_they_do_at_a_service() {
    for (game, state) in
        [("cublino-contra", "CWa4vg7"), ("wari", "W-0-0-0-1-1-1-0-0-1-0-1-0-20-23"), ("mahbusa", "M-C22c")]
    {
        let here = ["play", game, "--one", "machine", "--level", "1", "--seed", "3", "--state", state];
        let there = [&here[..], &["--url", &SHARED.base]].concat();
        let here = told(&here, "");
        assert!(good(&here).contains("the game is over: "), "{game}: {}", text(&here.stdout));
        assert_eq!(good(&told(&there, "")), text(&here.stdout), "{game}");
    }
}

#[test]
fn a_state_is_shown_here_as_it_is_at_a_service() {
    for (game, state, lines) in [
        ("cublino-pur", START, vec!["turn   White to move", "score  0 to 0", "moves  7", "1  5[6]2 5[6]2"]),
        ("cublino-contra", "CWa5vg7", vec!["a certain win in 3 plies", "best   a5a6 "]),
        ("cublino-contra", "cqd2hb4Lf7", vec!["turn   over", "White has won (far rank reached)"]),
        ("mahbusa", "M-o22O", vec!["turn   White to roll", "value  ", " X    W ", "\n[15] "]),
        ("wari", "W-4-4-4-4-4-4-4-4-4-4-4-4-0-0", vec!["A to move", "  A    4   4", "1  2  3  4  5  6"]),
    ] {
        let here = ["state", game, state, "--nodes", "300"];
        let there = run(&[&here[..], &["--url", &SHARED.base]].concat());
        let here = run(&here);
        for line in lines {
            assert!(good(&here).contains(line), "{line}: {}", text(&here.stdout));
        }
        assert_eq!(good(&there), good(&here));
    }
}

#[test]
fn what_is_wrong_with_a_text_is_shown_under_its_place() {
    for service in [&[][..], &["--url", &SHARED.base]] {
        let output = run(&[&["state", "cublino-pur", "PWa1Wz9"], service].concat());
        let expected = "PWa1Wz9\n     ^ 'z' is not a file: a to g\n      ^ '9' is not a rank: 1 to 7\n";
        assert_eq!(text(&output.stdout), expected);
        assert_eq!(bad(&output), "cublino: this is no state of the game\n");
    }
}

#[test]
fn games_of_a_file_are_judged_here_as_they_are_at_a_service() {
    let file = Scratch::new("judged");
    fs::write(
        file.path(),
        "# two games\ne1e2 d7d6\ng1g2\nresign two\n\n{\"state\":\"CWa5vg7\",\"moves\":[\"a5a6\"]}\n",
    )
    .unwrap();
    let here = ["analyse", "cublino-contra", file.path(), "--nodes", "300"];
    let there = [&here[..], &["--url", &SHARED.base]].concat();
    let output = run(&here);
    let said = good(&output);
    for line in ["game 1: White has won (resigned)", "game 2: nobody", "   3  White  g1g2", "White: 2 moves"]
    {
        assert!(said.contains(line), "{line}: {said}");
    }
    assert_eq!(good(&run(&there)), said);

    let json = |arguments: &[&str]| -> Vec<Value> {
        let output = run(&[arguments, &["--json"]].concat());
        good(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let judged = json(&here);
    assert_eq!(judged, json(&there));
    let asked = json!({"moves": ["e1e2", "d7d6", "g1g2"], "resign": "two", "nodes": 300});
    let answer = actix_web::rt::System::new()
        .block_on(SHARED.post("/v1/games/cublino-contra/analysis", &asked))
        .json();
    assert_eq!(judged[0], answer);
    assert_eq!(judged[1]["plies"][0]["move"], "a5a6");
}

#[test]
fn a_game_that_cannot_be_judged_is_named() {
    let output = told(&["analyse", "cublino-contra", "-", "--depth", "1"], "e1e2\n\ne1e7\n");
    assert!(bad(&output).starts_with("cublino: game 2: "), "{}", text(&output.stderr));
    let output = told(&["analyse", "cublino-contra", "-"], "e1e2\nresign three\n");
    assert_eq!(bad(&output), "cublino: line 2: 'three' is neither one nor two\n");
    assert!(bad(&run(&["analyse", "cublino-contra", "/nowhere"])).contains("/nowhere"));
}
