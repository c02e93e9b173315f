//! The commands for people: help, showing a state, analysing games.

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

/// The output of a command for lines that are piped in.
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

/// Whether no line is wider than a usual terminal.
fn fits_terminal(help: &str) -> bool {
    help.lines().all(|line| line.chars().count() <= 80)
}

#[test]
fn the_help_fits_on_a_screen_and_leaves_the_settings_to_the_command_that_has_them() {
    let output = run(&["--help"]);
    let help = good(&output);
    // The prompt takes the last line.
    assert!(help.lines().count() < 24 && fits_terminal(help), "{help}");
    for command in ["serve", "analyse", "state", "endgames", "openapi", "health", "completions"] {
        assert!(help.contains(&format!("\n  {command} ")), "{command}");
        let output = run(&[command, "--help"]);
        assert!(fits_terminal(good(&output)), "{}", good(&output));
    }
    assert!(!help.contains("--listen"));
    assert!(good(&run(&["serve", "--help"])).contains("--listen"));
    // Settings may also stand without the command, and are checked.
    assert_eq!(run(&["--workers", "none"]).status.code(), Some(2));
}

#[test]
fn paragraphs_of_the_help_break_only_where_the_terminal_ends() {
    for command in [&["analyse"][..], &["endgames", "wari"]] {
        let output = run(&[command, &["--help"]].concat());
        let about = good(&output).split("\nUsage:").next().unwrap();
        let mut pairs = about
            .lines()
            .zip(about.lines().skip(1))
            .filter(|(line, next)| !line.is_empty() && !next.is_empty());
        let is_full = |(line, next): (&str, &str)| line.len() + next.split(' ').next().unwrap().len() >= 80;
        assert!(pairs.all(is_full), "{about}");
    }
}

#[test]
fn a_name_that_is_almost_right_or_a_game_without_a_command_gets_a_hint() {
    for (arguments, hint) in [
        (&["analyze", "wari", "-"][..], "exists: 'analyse'"),
        (&["state", "cublino-per", "P"], "exists: 'cublino-pur'"),
        (&["state", "wary", "W"], "exists: 'wari'"),
        (&["pur"], "'cublino state pur STATE'"),
        (&["wari"], "'cublino state wari STATE'"),
    ] {
        let output = run(arguments);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(hint), "{}", text(&output.stderr));
    }
    assert!(!text(&run(&["chess"]).stderr).contains("cublino state"));
}

#[test]
fn shells_get_completions() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = run(&["completions", shell]);
        for word in ["analyse", "completions", "max-wait-ms"] {
            assert!(good(&script).contains(word), "{shell}: {word}");
        }
    }
    assert_eq!(run(&["completions", "dos"]).status.code(), Some(2));
}

#[test]
fn a_state_is_shown_with_its_board_value_and_moves() {
    for (game, state, lines) in [
        ("cublino-pur", START, vec!["turn   White to move", "score  0 to 0", "moves  7", "1  5[6]2 5[6]2"]),
        ("contra", "CWa5vg7", vec!["a certain win in 3 plies", "best   a5a6 "]),
        ("cublino-contra", "cqd2hb4Lf7", vec!["turn   over", "White has won (far rank reached)"]),
        ("mahbusa", "M-o22O", vec!["turn   White to roll", "value  ", " X    W ", "\n[15] "]),
        ("wari", "W-4-4-4-4-4-4-4-4-4-4-4-4-0-0", vec!["A to move", "  A    4   4", "1  2  3  4  5  6"]),
    ] {
        let output = run(&["state", game, state, "--nodes", "300"]);
        for line in lines {
            assert!(good(&output).contains(line), "{line}: {}", text(&output.stdout));
        }
    }
}

#[actix_web::test]
async fn the_value_of_a_state_is_that_of_the_service() {
    let state = "W-4-4-4-4-0-5-5-5-5-4-4-4-0-0";
    let output = run(&["state", "wari", state, "--nodes", "3000"]);
    let answer = SHARED.get(&format!("/v1/games/wari/suggestion?state={state}&nodes=3000")).await.json();
    let (line, pv) = (&answer["lines"][0], answer["lines"][0]["pv"].as_array().unwrap());
    let best: Vec<_> = pv.iter().take(6).map(|text| text.as_str().unwrap()).collect();
    let expected = format!("value  {:+.2} for A", line["value"]["expected"].as_f64().unwrap());
    assert!(good(&output).contains(&expected), "{expected}: {}", text(&output.stdout));
    assert!(good(&output).contains(&format!("best   {}\n", best.join(" "))), "{}", text(&output.stdout));
}

#[test]
fn what_is_wrong_with_a_text_is_shown_under_its_place() {
    let output = run(&["state", "cublino-pur", "PWa1Wz9"]);
    let expected = "PWa1Wz9\n     ^ 'z' is not a file: a to g\n      ^ '9' is not a rank: 1 to 7\n";
    assert_eq!(text(&output.stdout), expected);
    assert_eq!(bad(&output), "cublino: this is not a state of the game\n");
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
    let json: Vec<Value> = good(&run(&[&here[..], &["--json"]].concat()))
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let asked = json!({"moves": ["e1e2", "d7d6", "g1g2"], "resign": "two", "nodes": 300});
    let answer = actix_web::rt::System::new()
        .block_on(SHARED.post("/v1/games/cublino-contra/analysis", &asked))
        .json();
    assert_eq!(json[0], answer);
    assert_eq!(json[1]["plies"][0]["move"], "a5a6");
}

#[test]
fn an_analysis_is_a_summary_and_then_the_mistakes() {
    let lost = "{\"state\":\"CWa6vg2\",\"moves\":[\"a6b6\"]}\n";
    let analyse = |text: &str| {
        let output = told(&["analyse", "contra", "-", "--nodes", "300"], text);
        good(&output).to_owned()
    };
    let one = analyse(lost);
    let summary = "1 game of Cublino Contra: nobody has won yet\n\
                   White: 1 move, accuracy ";
    assert!(one.starts_with(summary), "{one}");
    assert!(one.contains("   1     1  White  a6b6             "), "{one}");
    assert!(one.contains(" a6a7             "), "{one}");

    let many = analyse(&(lost.repeat(50) + "e1e2\nresign two\n"));
    let summary = "51 games of Cublino Contra: White won 1, Black won 0, 0 drawn, 50 not finished\n\
                   White: 51 moves, accuracy ";
    assert!(many.starts_with(summary), "{many}");
    assert!(many.ends_with("\nthe 40 worst of 50; --json prints every move\n"), "{many}");
    assert_eq!(many.matches("  White  a6b6").count(), 40, "{many}");
}

#[test]
fn a_game_that_cannot_be_judged_is_named() {
    let output = told(&["analyse", "cublino-contra", "-", "--depth", "1"], "e1e2\n\ne1e7\n");
    assert!(bad(&output).starts_with("cublino: game 2: "), "{}", text(&output.stderr));
    let output = told(&["analyse", "cublino-contra", "-"], "e1e2\nresign three\n");
    assert_eq!(bad(&output), "cublino: line 2: 'three' is neither one nor two\n");
    assert!(bad(&run(&["analyse", "cublino-contra", "/nowhere"])).contains("/nowhere"));
}
