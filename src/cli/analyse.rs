//! `cublino analyse`, and the files that it reads.

use std::{
    fs,
    io::{self, Write},
    path::PathBuf,
};

use clap::Args;

use super::{Progress, game};
use crate::{
    api::{
        Played, Ranged, Series as _,
        analysis::{AnalysedMove, AnalysedPly, Analysis, AnalysisLine, AnalysisQuestion, Tally},
        moves_in, to_json,
    },
    config::{Config, Within as _},
    engine::{Tablebases, TranspositionTable},
    game::{Player, Standing, Status},
    games::GameId,
    with_game,
    words::{in_a_line, name, standing},
};

/// Find and explain the mistakes in the games of a file
///
/// Prints a summary and then the 40 worst mistakes.
///
/// An empty line ends a game. Other lines have moves and rolls, separated by spaces, or `start STATE`,
/// `repetition 3` or `resign two`. Move numbers, such as `12.`, are ignored. A line that begins with # is a
/// comment. A line of JSON is a whole game, as in a request to `analysis`. The tool
/// `match --games-to` writes such lines.
#[derive(Args, Debug)]
pub(super) struct Analyse {
    /// The game
    #[arg(value_parser = game())]
    game: GameId,

    /// File with the games; - reads standard input
    file: PathBuf,

    /// Maximum nodes to search for each position [default: 20000]
    #[arg(long, within(1..=1_000_000_000_u64), conflicts_with = "depth")]
    nodes: Option<u64>,

    /// Maximum depth for each position, in plies
    #[arg(long, within(1..=100_u64))]
    depth: Option<u64>,

    /// Print the answer of the operation `analysis` instead, a line of JSON for each game
    #[arg(long)]
    json: bool,
}

/// Default of `--nodes`: nodes for each position.
const NODES: u64 = 20_000;
/// How many mistakes are printed at most.
const MOST: usize = 40;

impl Analyse {
    pub(super) fn run(&self) -> io::Result<()> {
        let text = if self.file.as_os_str() == "-" {
            io::read_to_string(io::stdin())?
        } else {
            let about =
                |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", self.file.display()));
            fs::read_to_string(&self.file).map_err(about)?
        };
        let mut games = read_all(&text)?;
        let nodes = self.nodes.or_else(|| self.depth.is_none().then_some(NODES));
        for game in &mut games {
            game.nodes = nodes.map(TryInto::try_into).transpose().map_err(io::Error::other)?;
            game.depth = self.depth.map(TryInto::try_into).transpose().map_err(io::Error::other)?;
            game.time_ms = None;
        }
        with_game!(self.game, G => self.analyse::<G>(&games))
    }

    fn analyse<G: Played>(&self, games: &[AnalysisQuestion]) -> io::Result<()> {
        // No other caller shares the threads here, so these are the highest limits.
        let (max_time_ms, max_depth, max_nodes) = (600_000, 100, 1_000_000_000);
        let config = Config { max_time_ms, max_depth, max_nodes, table_mib: 64, ..Config::default() };
        let bounds = config.bounds(Tablebases::built_in());
        let mut table = TranspositionTable::new(bounds.table_bytes);
        let mut progress = Progress::default();
        let mut tally = Tally::new(!G::ROLLS.is_empty());
        let (mut outcomes, mut mistakes) = (Vec::new(), Vec::new());
        for (game, number) in games.iter().zip(1..) {
            let mut series = Analysis::series::<G>(game, &bounds)
                .map_err(|failure| io::Error::other(format!("game {number}: {}", failure.detail)))?;
            let mut plies = Vec::new();
            series.run(&mut table, &mut |line| {
                let AnalysisLine::Ply(ply) = line else { return };
                let stage = format!("game {number} of {}, ply", games.len());
                progress.show(&stage, plies.len() as u64 + 1, game.moves.len() as u64);
                tally.add(&ply);
                if let AnalysedPly::Move(m) = &ply
                    && m.judgment.is_some()
                {
                    mistakes.push((number, m.clone()));
                }
                plies.push(ply);
            });
            progress.clear();
            let analysis = Analysis { plies, ..series.whole() };
            if self.json {
                writeln!(io::stdout(), "{}", to_json(&analysis))?;
            }
            outcomes.push(analysis.outcome);
        }
        if self.json {
            return Ok(());
        }
        let players = tally.players();
        let mut lines = vec![self.results(&outcomes)];
        for (player, judged) in Player::ALL.into_iter().zip([&players.one, &players.two]) {
            lines.push(format!("{}: {}\n", name(self.game, player), in_a_line(judged)));
        }
        lines.extend(self.mistakes(mistakes));
        write!(io::stdout(), "{}", lines.concat())
    }

    /// How many games there are, and who has won them.
    fn results(&self, outcomes: &[Standing]) -> String {
        let about = self.game.about().name;
        if let [outcome] = outcomes {
            return format!("1 game of {about}: {}\n", standing(self.game, *outcome));
        }
        let count = |status, winner| {
            let same = outcomes.iter().filter(|outcome| (outcome.status, outcome.winner) == (status, winner));
            same.count()
        };
        let [one, two] = Player::ALL
            .map(|player| format!("{} won {}", name(self.game, player), count(Status::Won, Some(player))));
        let (drawn, open) = (count(Status::Drawn, None), count(Status::InProgress, None));
        format!("{} games of {about}: {one}, {two}, {drawn} drawn, {open} not finished\n", outcomes.len())
    }

    /// The mistakes in the order of the file, each with the reasons why it is one.
    fn mistakes(&self, mut mistakes: Vec<(usize, AnalysedMove)>) -> Vec<String> {
        let all = mistakes.len();
        if all == 0 {
            return vec!["\nno mistakes\n".to_owned()];
        }
        mistakes.sort_by(|(_, a), (_, b)| b.loss.total_cmp(&a.loss));
        mistakes.truncate(MOST);
        mistakes.sort_by_key(|(game, m)| (*game, m.index));
        let mut lines = vec!["\n".to_owned(), row(["game", "ply", "player", "played", "loss", "best", ""])];
        for (game, m) in &mistakes {
            let (game, ply, loss) = (game.to_string(), (m.index + 1).to_string(), format!("{:.2}", m.loss));
            let judgment = m.judgment.map(|judgment| judgment.to_string()).unwrap_or_default();
            let player = name(self.game, m.player);
            lines.push(row([&game, &ply, player, &m.text, &loss, &m.best.text, &judgment]));
            lines.extend(m.why.iter().map(|reason| format!("            {}\n", reason.message)));
        }
        if all > MOST {
            lines.push(format!("\nthe {MOST} worst of {all}; --json prints every move\n"));
        }
        lines
    }
}

/// A line of the table; moves of Mahbusa may be long.
fn row([game, ply, player, text, loss, best, rest]: [&str; 7]) -> String {
    let line = format!("{game:>4}  {ply:>4}  {player:<6} {text:<16} {loss:>4}  {best:<16} {rest}");
    line.trim_end().to_owned() + "\n"
}

/// The games in a file. Whether moves are legal is not checked.
fn read_all(text: &str) -> io::Result<Vec<AnalysisQuestion>> {
    let mut games = Vec::new();
    let mut game: Option<AnalysisQuestion> = None;
    for (line, number) in text.lines().map(str::trim).zip(1..) {
        let wrong = |reason: String| io::Error::other(format!("line {number}: {reason}"));
        if line.starts_with('{') {
            games.extend(game.take());
            games.push(serde_json::from_str(line).map_err(|error| wrong(error.to_string()))?);
        } else if line.is_empty() {
            games.extend(game.take());
        } else if !line.starts_with('#') {
            add(game.get_or_insert_default(), line).map_err(wrong)?;
        }
    }
    games.extend(game);
    Ok(games)
}

/// Parses a line of the file and adds it to the game.
fn add(game: &mut AnalysisQuestion, line: &str) -> Result<(), String> {
    let (first, rest) = line.split_once(' ').map_or((line, ""), |(first, rest)| (first, rest.trim()));
    match (first, rest) {
        ("start", state) => game.state = Some(state.to_owned()),
        ("repetition", limit) => {
            let number = limit.parse::<u64>().ok().and_then(|limit| Ranged::try_from(limit).ok());
            game.repetition_limit =
                Some(number.ok_or_else(|| format!("'{limit}' is not a number from 2 to 10"))?);
        }
        ("resign", "one") => game.resign = Some(Player::One),
        ("resign", "two") => game.resign = Some(Player::Two),
        ("resign", _) => return Err(format!("'{rest}' is neither one nor two")),
        _ => game.moves.extend(moves_in(line).map(str::to_owned)),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    /// The games as JSON, without the members that are null.
    fn read(text: &str) -> Vec<Value> {
        let games = read_all(text).unwrap().into_iter().map(|game| {
            let mut game = json!(game);
            game.as_object_mut().unwrap().retain(|_, value| !value.is_null());
            game
        });
        games.collect()
    }

    #[test]
    fn a_line_may_say_what_else_there_is_to_know() {
        let text = "start M-o22O\nrepetition 3\n63 XU-UT\nA(5,4)\nresign two\n";
        let moves = ["63", "XU-UT", "A(5,4)"];
        let game = json!({"state": "M-o22O", "moves": moves, "repetition_limit": 3, "resign": "two"});
        assert_eq!(read(text), [game]);
    }

    #[test]
    fn moves_may_be_numbered() {
        let text = "1. e1e2 e7e6\n2.d1d2 d7d6 3...c1c2\n\n1. 63 XU-UT\n";
        let games =
            [json!({"moves": ["e1e2", "e7e6", "d1d2", "d7d6", "c1c2"]}), json!({"moves": ["63", "XU-UT"]})];
        assert_eq!(read(text), games);
    }

    #[test]
    fn empty_lines_end_games_and_a_line_of_json_is_one() {
        let text = "# a comment\ne1e2 d7d6\n\n\n {\"state\":\"S\",\"moves\":[\"1\"]}\n5\n# another\n 7 \n";
        let games = [
            json!({"moves": ["e1e2", "d7d6"]}),
            json!({"state": "S", "moves": ["1"]}),
            json!({"moves": ["5", "7"]}),
        ];
        assert_eq!(read(text), games);
        assert!(read("\n# nothing\n").is_empty());
    }

    #[test]
    fn what_cannot_be_read_is_told_with_its_line() {
        for (text, said) in [
            ("5\nrepetition 1\n", "line 2: '1' is not a number from 2 to 10"),
            ("resign three", "line 1: 'three' is neither one nor two"),
            ("\n{\"moves\":1}", "line 2: invalid type: integer `1`"),
        ] {
            let error = read_all(text).unwrap_err().to_string();
            assert!(error.starts_with(said), "{error}");
        }
    }
}
