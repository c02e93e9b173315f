//! What a die is worth to the network of a Cublino game, by its top and its square.

use std::{fmt::Write, ops::Range};

use cublino_engine::{
    Features,
    network::{Input, Network},
};

const SQUARES: usize = 49;
const SIDE: usize = 7;
const TOPS: usize = 6;
/// Orientations for each top; the first features are numbered by side, orientation and square, own dice
/// first.
const TURNS: usize = 4;
/// The features of own dice in a Cublino.
const OWN: usize = TOPS * TURNS * SQUARES;
/// With fewer positions, a mean is too noisy to be shown.
const ENOUGH: u32 = 100;

/// Sums over positions: the expected result with a die, less that without it.
#[derive(Clone, Debug)]
pub struct DiceWorth {
    places: Vec<Place>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Place {
    sum: f64,
    count: u32,
}

impl Default for DiceWorth {
    fn default() -> Self {
        Self { places: vec![Place::default(); TOPS * SQUARES] }
    }
}

impl DiceWorth {
    /// Adds the dice of the side to move, in a game with dice that tip. Only the features of single dice are
    /// removed.
    pub fn count<G: Features>(&mut self, position: &G, network: &Network) {
        // Only with such dice do both views share their rows.
        if G::FEATURES.seen_by_other.is_empty() {
            return;
        }
        let phase = position.phase();
        let views = [position.turn(), !position.turn()].map(|seen_by| {
            let mut active = Vec::with_capacity(G::FEATURES.most_active);
            G::active_features(&position.seen_by(seen_by), None, |feature| {
                active.push(u16::try_from(feature).expect("features are few enough"));
            });
            active
        });
        let curves = network.calibration.0[0];
        let expected = |[own, other]: &[Vec<u16>; 2]| {
            let input = Input { phase, views: [own, other] };
            curves.expected(network.score(input).expected(), network.draw_share(input))
        };
        let with = expected(&views);
        // Both players see the dice of the side to move in the same order.
        let places = |view: usize, features: Range<usize>| {
            let active = views[view].iter().enumerate();
            active.filter(move |(_, feature)| features.contains(&usize::from(**feature))).map(|(i, _)| i)
        };
        for (own, other) in places(0, 0..OWN).zip(places(1, OWN..2 * OWN)) {
            let feature = usize::from(views[0][own]);
            let mut others = views.clone();
            others[0].swap_remove(own);
            others[1].swap_remove(other);
            let place = &mut self.places[feature / (TURNS * SQUARES) * SQUARES + feature % SQUARES];
            place.sum += with - expected(&others);
            place.count += 1;
        }
    }

    /// Adds what was counted elsewhere.
    pub fn add(&mut self, others: &Self) {
        for (place, other) in self.places.iter_mut().zip(&others.places) {
            place.sum += other.sum;
            place.count += other.count;
        }
    }

    /// An SVG picture: a board for each top, in hundredths of a game, with the player's own side at the
    /// bottom.
    pub fn picture(&self) -> String {
        const CELL: usize = 34;
        const BOARD: usize = SIDE * CELL + 40;
        let known = |place: &Place| (place.count >= ENOUGH).then(|| place.sum / f64::from(place.count));
        let most = self.places.iter().filter_map(known).fold(0.01, |most: f64, worth| most.max(worth.abs()));
        let (width, height) = (3 * BOARD + 20, 2 * BOARD + 20);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\" text-anchor=\"middle\">\n\
             <title>What a die is worth by its top and its square, in hundredths of a game</title>\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n"
        );
        let mut draw = |text: std::fmt::Arguments<'_>| svg.write_fmt(text).expect("a text grows");
        for top in 0..TOPS {
            let (left, above) = (20 + top % 3 * BOARD, 30 + top / 3 * BOARD);
            let (middle, title) = (left + SIDE * CELL / 2, above - 8);
            draw(format_args!(
                "<text x=\"{middle}\" y=\"{title}\" font-size=\"15\">{} on top</text>\n",
                top + 1
            ));
            for square in 0..SQUARES {
                let (x, y) = (left + square % SIDE * CELL, above + (SIDE - 1 - square / SIDE) * CELL);
                let worth = known(&self.places[top * SQUARES + square]);
                let (fill, opacity) = match worth {
                    None => ("#ddd", 1.0),
                    Some(worth) if worth < 0.0 => ("#d95f02", -worth / most),
                    Some(worth) => ("#1f78b4", worth / most),
                };
                draw(format_args!(
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{CELL}\" height=\"{CELL}\" fill=\"{fill}\" \
                     fill-opacity=\"{opacity:.2}\" stroke=\"#888\"/>\n"
                ));
                if let Some(worth) = worth {
                    let (x, y) = (x + CELL / 2, y + CELL / 2 + 4);
                    draw(format_args!("<text x=\"{x}\" y=\"{y}\">{:.0}</text>\n", 100.0 * worth));
                }
            }
        }
        svg.push_str("</svg>\n");
        svg
    }
}
