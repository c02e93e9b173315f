//! The commands for measurements, as a user runs them.

use std::{
    fs,
    io::{BufRead, BufReader},
    process::{Command, Output, Stdio},
};

/// The start of Cublino Contra.
const START_OF_CONTRA: &str = "CWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7";

fn tools(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tools"));
    command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn run(arguments: &[&str]) -> Output {
    tools(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    str::from_utf8(bytes).unwrap()
}

#[test]
fn perft_prints_a_line_for_each_depth() {
    let output = run(&["perft", "cublino-pur", "3"]);
    assert!(output.status.success());
    let leaves: Vec<Vec<&str>> =
        text(&output.stdout).lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!(leaves.len(), 3);
    assert_eq!(leaves[2][..2], ["3", "805"]);
    assert_eq!(leaves[2].len(), 4);
    assert!(leaves[2][3].parse::<f64>().is_ok());

    let from_the_end =
        run(&["perft", "cublino-pur", "1", "--state", "Pga1mb1vc1id1se1cf1og1Aa4Na7Rb7Fc7Ad7Fe7Mg7"]);
    assert!(text(&from_the_end.stdout).starts_with("1\t0\t0\t"));
}

#[test]
fn a_reader_who_has_read_enough_is_no_failure() {
    let mut child = tools(&["perft", "cublino-pur", "4"]).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(!text(&output.stderr).contains("panic"));
}

#[test]
fn match_prints_how_it_went() {
    let output =
        run(&["match", "cublino-pur", "--one", "depth=2", "--two", "random", "--games", "4", "--seed", "1"]);
    assert!(output.status.success());
    assert!(text(&output.stdout).starts_with("games 4: won "), "{}", text(&output.stdout));
    assert!(text(&output.stdout).contains("\nElo +"), "{}", text(&output.stdout));
    assert!(!run(&["match", "cublino-pur", "--one", "clever", "--two", "random"]).status.success());
}

#[test]
fn solve_prints_a_forced_win_with_its_line() {
    let output = run(&["solve", "cublino-contra", "CWa5vg7"]);
    assert!(output.status.success());
    let lines: Vec<_> = text(&output.stdout).lines().collect();
    assert_eq!(lines.len(), 2);
    assert!(lines[0].starts_with("win for player one in 3 plies: a5a6 "), "{}", lines[0]);
    assert!(lines[0].ends_with(" a6a7"), "{}", lines[0]);
    assert!(lines[1].starts_with("visited nodes: "), "{}", lines[1]);
    assert!(lines[1].ends_with("; the result is certain"), "{}", lines[1]);
}

#[test]
fn solve_says_how_far_no_win_can_be_forced() {
    let solve = |limit: &[&str]| {
        let output =
            run(&[&["solve", "cublino-contra", START_OF_CONTRA, "--table-mib", "4"], limit].concat());
        assert!(output.status.success());
        text(&output.stdout).to_owned()
    };
    let verdict = "player one cannot force a win within ";
    let by_depth = solve(&["--depth", "13"]);
    assert!(by_depth.starts_with(verdict), "{by_depth}");
    assert!(by_depth.ends_with("; that is as far as was asked\n"), "{by_depth}");
    let by_nodes = solve(&["--nodes", "1000"]);
    assert!(by_nodes.starts_with(verdict), "{by_nodes}");
    assert!(by_nodes.ends_with("\nvisited nodes: 1000; the limit of nodes is reached\n"), "{by_nodes}");
}

#[test]
fn solve_searches_the_games_without_a_solver() {
    let white_finishes = "Pva3vb3vc3vd3ve3vf3vg3Wg6Wa7Wb7Wc7Wd7We7Wf7";
    let output = run(&["solve", "cublino-pur", white_finishes]);
    assert!(text(&output.stdout).starts_with("win for player one in 1 ply: g6g7\n"));
    let wari = |state: &str| {
        let output = run(&["solve", "wari", state, "--depth", "2"]);
        text(&output.stdout).to_owned()
    };
    let start = wari("W-4-4-4-4-4-4-4-4-4-4-4-4-0-0");
    assert!(start.starts_with("unknown after 2 plies: player one expects "), "{start}");
    // Three marbles: player two has more than half of all, whatever happens to them.
    let endgame = wari("W-0-0-0-0-1-1-0-0-0-0-1-0-10-35");
    assert!(endgame.starts_with("win for player two"), "{endgame}");
}

#[test]
fn commands_say_what_is_wrong() {
    let over = run(&["solve", "cublino-contra", "cqd2hb4Lf7"]);
    assert_eq!(text(&over.stdout), "the game is over, won by player one\n");
    let help = run(&["solve", "--help"]);
    let words: Vec<_> = text(&help.stdout).split_whitespace().collect();
    assert!(words.join(" ").contains("neither player can ever force a win"), "{}", text(&help.stdout));
    for (wrong, code) in [
        (&["perft", "chess", "1"][..], 2),
        (&["perft", "cublino-pur", "0"], 2),
        (&["perft", "cublino-pur", "1", "--state", "P?"], 1),
        (&["solve", "cublino-contra", "C?"], 1),
        (&["solve", "mahbusa", "M-o22O"], 1),
        (&["solve", "chess", "C"], 2),
        (&["solve", "cublino-contra", "CWa5vg7", "--table-mib", "0"], 2),
        (&["solve", "cublino-contra", "CWa5vg7", "--depth", "201"], 2),
    ] {
        let output = run(wrong);
        assert_eq!(output.status.code(), Some(code), "{wrong:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty(), "{wrong:?}");
    }
}

#[test]
fn the_command_writes_the_games_and_ends_when_it_is_clear() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("games");
    let output = tools(&[])
        .args(["match", "wari", "--one", "depth=3", "--two", "random", "--games", "200", "--sprt", "-50,50"])
        .arg("--games-to")
        .arg(&file)
        .output()
        .expect("the command runs");
    let printed = String::from_utf8(output.stdout).expect("text");
    assert!(printed.contains("the first player is stronger"), "{printed}");
    let written = fs::read_to_string(&file).expect("the games are written");
    assert!((2..200).contains(&written.lines().count()), "{written}");
    for line in written.lines() {
        let game: serde_json::Value = serde_json::from_str(line).expect("a body");
        assert!(game["state"].as_str().is_some_and(|state| state.to_uppercase().starts_with('W')), "{line}");
        assert!(game["moves"].as_array().is_some_and(|moves| !moves.is_empty()), "{line}");
    }
}

#[test]
fn an_interrupted_match_prints_what_was_played_so_far() {
    // More games than anybody waits for.
    let arguments = ["match", "wari", "--one", "greedy", "--two", "random", "--games", "4000000000"];
    let mut child = tools(&arguments).args(["--games-to", "/dev/stderr"]).spawn().unwrap();
    let mut written = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    assert!(written.next().unwrap().starts_with("{\"state\":"));
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-s", "INT", &pid]).status().unwrap().success());
    let games = 1 + written.count();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let printed = text(&output.stdout);
    assert!(printed.starts_with(&format!("games {games}: won ")), "{games}: {printed}");
    assert!(printed.contains("\nElo +"), "{printed}");
}
