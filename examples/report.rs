//! A game as a report in Markdown: what each move was worth, and a picture of each position in which somebody
//! erred.
//!
//! `cargo run --release --example report -- FOLDER cublino-contra e1e2 e7e6 g1g2` writes `FOLDER/report.md`
//! and its pictures.

use std::{env, error::Error, fmt::Write as _, fs, path::PathBuf};

use cublino::{
    api::{
        analysis::{AnalysedPly, Analysis, AnalysisQuestion},
        picture::{PictureQuestion, Svg},
    },
    games::GameId,
};
use cublino_client::Client;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let folder: PathBuf = arguments.next().ok_or("usage: report FOLDER GAME MOVE ...")?.into();
    let game: GameId = arguments.next().ok_or("usage: report FOLDER GAME MOVE ...")?.parse()?;
    let service = env::var("CUBLINO_URL").unwrap_or_else(|_| "http://127.0.0.1:8080".to_owned());
    let client = Client::new(&service)?;

    let nodes = Some(20_000.try_into()?);
    let question = AnalysisQuestion { moves: arguments.collect(), nodes, ..AnalysisQuestion::default() };
    let analysis = client.ask::<Analysis>(game, &question).await?;
    let about = client.describe_game(game).await?.game;

    fs::create_dir_all(&folder)?;
    let mut report = format!("# A game of {}\n\n| | player | move | loss |\n|---|---|---|---|\n", about.name);
    let mut errors = String::new();
    // The position before a ply is the one after the ply before.
    let mut before = about.start;
    for ply in &analysis.plies {
        match ply {
            AnalysedPly::Roll(roll) => {
                writeln!(report, "| {} | {} | rolls {} | |", roll.index + 1, roll.player, roll.roll)?;
                before.clone_from(&roll.state);
            }
            AnalysedPly::Move(m) => {
                let number = m.index + 1;
                writeln!(report, "| {number} | {} | {} | {:.2} |", m.player, m.text, m.loss)?;
                if m.judgment.is_some() {
                    let text = Some(m.best.text.clone());
                    let question =
                        PictureQuestion { state: before.clone(), text, ..PictureQuestion::default() };
                    let Svg(picture) = client.ask(game, &question).await?;
                    fs::write(folder.join(format!("{number}.svg")), picture)?;
                    let reasons: Vec<_> = m.why.iter().map(|reason| reason.message.as_str()).collect();
                    writeln!(errors, "\n## Move {number}: {} instead of {}\n", m.text, m.best.text)?;
                    writeln!(errors, "{}\n\n![The better move]({number}.svg)", reasons.join("; "))?;
                }
                before.clone_from(&m.state);
            }
        }
    }
    let file = folder.join("report.md");
    fs::write(&file, report + &errors)?;
    println!("{} plies in {}", analysis.plies.len(), file.display());
    Ok(())
}
