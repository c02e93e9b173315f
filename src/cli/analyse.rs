//! `cublino analyse`.

use std::{
    fs,
    io::{self, Read, Write},
    path::PathBuf,
};

use clap::Args;

use super::{
    game_file::GameFile,
    progress::Progress,
    source::Asked,
    words::{name, standing},
};
use crate::{
    games::GameId,
    service::{
        analysis::{AnalysedPlayer, AnalysedPly, Analysis, AnalysisQuestion, Judgment},
        to_json,
    },
};

/// Judge the games of a file: what each move was worth, and why
///
/// A game is some lines up to an empty one: moves and rolls, separated by blanks. A line may be
/// `start STATE`, `repetition 3` or `resign two`, and a line of JSON is a game of its own. `cublino play`
/// writes such files, and so does `cublino match --games-to`.
#[derive(Args, Clone, Debug)]
#[command(verbatim_doc_comment)]
pub struct Analyse {
    /// The game
    game: GameId,

    /// The file with the games; - reads what is piped in
    file: PathBuf,

    /// How many positions to visit for each position of a game [default: 20000]
    #[arg(
        long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000),
        conflicts_with = "depth"
    )]
    nodes: Option<u64>,

    /// How many plies to look ahead in each
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u64).range(1..=100))]
    depth: Option<u64>,

    /// Print a line of JSON for each game, as the operation `analysis` answers
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    asked: Asked,
}

/// How many positions are visited for each if nobody says so.
const NODES: u64 = 20_000;

impl Analyse {
    /// Prints a table for each game.
    pub(super) fn run(&self) -> io::Result<()> {
        let text = if self.file.as_os_str() == "-" {
            let mut text = String::new();
            io::stdin().read_to_string(&mut text)?;
            text
        } else {
            let about =
                |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", self.file.display()));
            fs::read_to_string(&self.file).map_err(about)?
        };
        let games = GameFile::read_all(&text).map_err(io::Error::other)?;
        let mut source = self.asked.source()?;
        for (game, number) in games.into_iter().zip(1..) {
            let question = self.question(game)?;
            let (stage, plies) = (format!("game {number}"), question.moves.len() as u64);
            let (mut shown, mut done) = (Progress::for_people(), 0);
            let analysis = source.analyse(self.game, &question, |_| {
                done += 1;
                shown.tell(&stage, done, plies);
            });
            shown.clear();
            let analysis =
                analysis.map_err(|refusal| io::Error::other(format!("game {number}: {refusal}")))?;
            let told = if self.json { to_json(&analysis) + "\n" } else { self.table(number, &analysis) };
            write!(io::stdout(), "{told}")?;
        }
        Ok(())
    }

    fn question(&self, game: GameFile) -> io::Result<AnalysisQuestion> {
        let nodes = self.nodes.or_else(|| self.depth.is_none().then_some(NODES));
        Ok(AnalysisQuestion {
            nodes: nodes.map(TryInto::try_into).transpose().map_err(io::Error::other)?,
            depth: self.depth.map(TryInto::try_into).transpose().map_err(io::Error::other)?,
            ..game.into()
        })
    }

    /// A line for each ply, one for each reason why a move was bad, and one for each player.
    fn table(&self, number: usize, analysis: &Analysis) -> String {
        let mut lines = vec![
            format!("game {number}: {}\n", standing(self.game, analysis.outcome)),
            row(["ply", "player", "played", "loss", "best", ""]),
        ];
        for ply in &analysis.plies {
            match ply {
                AnalysedPly::Move(m) => {
                    let loss = if m.forced { "-".to_owned() } else { format!("{:.2}", m.loss) };
                    let best = if m.rank == 1 { "" } else { &m.best.text };
                    let judgment = m.judgment.map_or("", in_words);
                    let (ply, player) = ((m.index + 1).to_string(), name(self.game, m.player));
                    lines.push(row([&ply, player, &m.text, &loss, best, judgment]));
                    lines.extend(m.why.iter().map(|reason| format!("      {}\n", reason.message)));
                }
                AnalysedPly::Roll(roll) => {
                    let luck = format!("luck {:+.2}", roll.luck);
                    let (ply, player) = ((roll.index + 1).to_string(), name(self.game, roll.player));
                    lines.push(row([&ply, player, &roll.roll, "", "", &luck]));
                }
            }
        }
        let players = [&analysis.players.one, &analysis.players.two];
        for (player, judged) in crate::game::Player::ALL.into_iter().zip(players) {
            lines.push(format!("{}: {}\n", name(self.game, player), in_a_line(judged)));
        }
        lines.concat() + "\n"
    }
}

/// A line of the table; moves of Mahbusa may be long.
fn row([number, player, text, loss, best, rest]: [&str; 6]) -> String {
    let line = format!("{number:>4}  {player:<6} {text:<16} {loss:>4}  {best:<16} {rest}");
    line.trim_end().to_owned() + "\n"
}

const fn in_words(judgment: Judgment) -> &'static str {
    match judgment {
        Judgment::Inaccuracy => "inaccuracy",
        Judgment::Mistake => "mistake",
        Judgment::Blunder => "blunder",
    }
}

/// How well a player has played.
fn in_a_line(player: &AnalysedPlayer) -> String {
    let AnalysedPlayer { moves, mean_loss, accuracy, judgments, luck } = player;
    let told = |told: Option<String>| told.unwrap_or("-".to_owned());
    let luck = luck.map(|luck| format!(", luck {luck:+.2}")).unwrap_or_default();
    format!(
        "{moves} moves, accuracy {}, mean loss {}, {} inaccuracies, {} mistakes, {} blunders{luck}",
        told(accuracy.map(|accuracy| format!("{accuracy:.0} %"))),
        told(mean_loss.map(|loss| format!("{loss:.2}"))),
        judgments.inaccuracy,
        judgments.mistake,
        judgments.blunder,
    )
}
