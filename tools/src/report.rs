//! The report of a training run, as a page of Markdown with plots.

#![expect(clippy::cast_precision_loss, reason = "counts are turned into rates for people to read")]

use std::{
    fmt::{self, Write},
    time::Duration,
};

use super::{
    fit::Pass,
    run::{Plan, Progress, learned},
};
use cublino_engine::{
    Calibration, Curves, Playable,
    arena::{Report, Sprt},
};
use cublino_rules::games::GameId;

/// The report of a training run so far.
#[derive(Clone, Debug)]
pub struct TrainingReport {
    game: GameId,
    plan: Plan,
    generations: Vec<Generation>,
    time: Duration,
    gate: Option<(Report, Sprt, u64)>,
}

/// The losses of a generation.
#[derive(Clone, Debug)]
struct Generation {
    number: u32,
    positions: usize,
    passes: Vec<Pass>,
}

impl TrainingReport {
    /// The empty report of a new run.
    #[must_use]
    pub const fn new(game: GameId, plan: Plan) -> Self {
        Self { game, plan, generations: Vec::new(), time: Duration::ZERO, gate: None }
    }

    /// Adds progress of the run.
    pub fn add(&mut self, progress: Progress) {
        if let Progress::Fitted { generation: number, positions, pass } = progress {
            if self.generations.last().is_none_or(|last| last.number != number) {
                self.generations.push(Generation { number, positions, passes: Vec::new() });
            }
            if let Some(last) = self.generations.last_mut() {
                last.passes.push(pass);
            }
        }
    }

    /// Sets how long the run took, without the match.
    pub const fn took(&mut self, time: Duration) {
        self.time = time;
    }

    /// Sets the result of the match against the network of the program, with the milliseconds per move.
    pub const fn match_was(&mut self, report: Report, test: Sprt, milliseconds: u64) {
        self.gate = Some((report, test, milliseconds));
    }

    /// The page about the network in a file.
    #[must_use]
    pub fn markdown<G: Playable>(&self, network: &[u8]) -> String {
        let mut page = String::new();
        self.write::<G>(network, &mut page).expect("a string takes everything");
        page
    }

    fn write<G: Playable>(&self, network: &[u8], page: &mut String) -> fmt::Result {
        let Self { game, plan, generations, time, gate } = self;
        let Plan { hidden, generations: number, calibration_games, threads, .. } = plan;
        writeln!(page, "# The evaluation of {}\n", game.about().name)?;
        writeln!(
            page,
            "Made by `{} --generations {number} --calibration-games {calibration_games}`: {} features, \
             {hidden} hidden units, {} bytes, in {:.0} minutes on {threads} threads (without generations \
             that were there already).\n",
            plan.settings(game.about().id),
            G::FEATURES,
            network.len(),
            time.as_secs_f64() / 60.0,
        )?;

        writeln!(
            page,
            "## Loss\n\nThe cross entropy between expected results and targets, after the last pass.\n"
        )?;
        writeln!(page, "| generation | positions | training | validation |\n|---|---|---|---|")?;
        for Generation { number, positions, passes } in generations {
            if let Some(last) = passes.last() {
                writeln!(page, "| {number} | {positions} | {:.4} | {:.4} |", last.loss, last.loss_of_unseen)?;
            }
        }
        if let Some(last) = generations.last() {
            let losses = |of: fn(&Pass) -> f64| last.passes.iter().map(of).collect::<Vec<_>>();
            writeln!(page)?;
            plot(
                page,
                "Loss of the last generation by pass (training, validation)",
                "pass",
                &(1..=last.passes.len()).map(|pass| pass as f64).collect::<Vec<_>>(),
                &[losses(|pass| pass.loss), losses(|pass| pass.loss_of_unseen)],
            )?;
        }

        writeln!(
            page,
            "\n## Calibration\n\nThe mean result of games by the score of the search: one curve where \
             the network expects no draw, one where it expects a certain draw. The third curve is the share \
             of draws in the rest, by the share that the network expects.\n"
        )?;
        let learned = learned::<G>(network);
        let [few, many] = learned.network.calibration.0.map(|curves| curves.0);
        let [of_few, of_many] = Calibration::NODES;
        for (i, (title, axis)) in [
            ("Mean result by score without draws", "score"),
            ("Mean result by score where a draw is certain", "score"),
            ("Draws", "share"),
        ]
        .into_iter()
        .enumerate()
        {
            let title = format!("{title} ({of_few} nodes a move, {of_many}, and if the network were right)");
            let line = Curves::LINE.to_vec();
            plot(page, &title, axis, &line, &[few[i].to_vec(), many[i].to_vec(), line.clone()])?;
        }

        writeln!(page, "\n## Match\n")?;
        match gate {
            None => writeln!(page, "None was played."),
            Some((report, test, milliseconds)) => writeln!(
                page,
                "Against the network of the program, {milliseconds} ms a move:\n\n```text\n{report}\n\
                 test {test}: log-likelihood ratio {:.2}, decided at ±{:.2}\n```",
                test.log_likelihood_ratio(report),
                Sprt::BOUND,
            ),
        }
    }
}

/// A line chart that pages of Markdown show: Mermaid's.
fn plot(page: &mut String, title: &str, x: &str, places: &[f64], lines: &[Vec<f64>]) -> fmt::Result {
    let numbers =
        |numbers: &[f64]| numbers.iter().map(|number| format!("{number:.4}")).collect::<Vec<_>>().join(", ");
    writeln!(
        page,
        "```mermaid\nxychart-beta\n    title \"{title}\"\n    x-axis \"{x}\" [{}]",
        numbers(places)
    )?;
    for line in lines {
        writeln!(page, "    line [{}]", numbers(line))?;
    }
    writeln!(page, "```")
}
