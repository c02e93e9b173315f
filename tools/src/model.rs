//! A network while it is trained: weights as floats, and how they should change.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;

use super::samples::Samples;
use cublino_engine::network::{HIDDEN_ONE, Network, OUTPUT_LIMIT, OUTPUT_ONE, Weights};
use cublino_rules::game::Features;

/// How much the second output, how likely a draw is, has to say about the hidden layer, compared with the
/// first.
const DRAW_WEIGHT: f32 = 0.1;
/// In a step no position changes the second output by more.
const LARGEST_DRAW_GRADIENT: f32 = 1.0;

/// The weights of a network with those of the groups of its features.
#[derive(Clone, Debug)]
pub(super) struct Model {
    hidden: usize,
    features: usize,
    /// The groups of each feature.
    groups: Vec<Vec<usize>>,
    most_active: usize,
    /// All that is learned, in this order: the rows of the features, then those of the groups, the constants
    /// of the hidden layer, what features and groups add directly, and for each output its weights and its
    /// constant.
    pub(super) parameters: Vec<f32>,
    /// The rows of the features with those of their groups added.
    rows: Vec<f32>,
    direct: Vec<f32>,
}

/// Where what is learned begins.
#[derive(Clone, Copy, Debug)]
struct Layout {
    group_rows: usize,
    bias: usize,
    direct: usize,
    group_direct: usize,
    outputs: [usize; 2],
    end: usize,
}

/// What a batch says about the effective weights, and its loss.
#[derive(Clone, Debug)]
pub(super) struct Gradient {
    rows: Vec<f32>,
    direct: Vec<f32>,
    bias: Vec<f32>,
    /// Of each output the weights, then the constant.
    outputs: [Vec<f32>; 2],
    pub(super) loss: f64,
    hidden: Vec<f32>,
    change: Vec<f32>,
}

impl Model {
    /// A network for a game that knows nothing yet.
    pub(super) fn new<G: Features>(hidden: usize, rng: &mut Pcg64Mcg) -> Self {
        let mut model = Self::zero::<G>(hidden);
        let Layout { group_rows, bias, direct, outputs: [expected, draw], .. } = model.own_layout();
        let parameters = &mut model.parameters;
        // Small enough that most hidden units are between 0 and 1 at first.
        let most_active = u16::try_from(model.most_active).expect("features are few enough");
        let spread = 0.5 / f32::from(most_active).sqrt();
        parameters[..group_rows].fill_with(|| rng.random_range(-spread..spread));
        parameters[bias..direct].fill(0.25);
        parameters[expected..draw - 1].fill_with(|| rng.random_range(-0.5..0.5));
        model.combine();
        model
    }

    /// A network that has learned something already. What its groups have learned is in the rows of their
    /// features.
    pub(super) fn of<G: Features>(network: &Network) -> Self {
        let weights = network.weights();
        let mut model = Self::zero::<G>(weights.hidden);
        let Layout { group_rows, bias, direct, group_direct, outputs, .. } = model.own_layout();
        let parameters = &mut model.parameters;
        parameters[..group_rows].copy_from_slice(&weights.rows);
        parameters[bias..direct].copy_from_slice(&weights.bias);
        parameters[direct..group_direct].copy_from_slice(&weights.direct);
        for (first, (of_hidden, constant)) in outputs.into_iter().zip([weights.expected, weights.draw]) {
            parameters[first..first + weights.hidden].copy_from_slice(&of_hidden);
            parameters[first + weights.hidden] = constant;
        }
        model.combine();
        model
    }

    /// A network whose weights are all 0.
    fn zero<G: Features>(hidden: usize) -> Self {
        let groups: Vec<Vec<usize>> = (0..G::FEATURES).map(|feature| G::groups(feature).collect()).collect();
        let (features, most_active) = (G::FEATURES, G::MOST_ACTIVE);
        let mut model = Self {
            hidden,
            features,
            groups,
            most_active,
            parameters: Vec::new(),
            rows: vec![0.0; features * hidden],
            direct: vec![0.0; features],
        };
        model.parameters = vec![0.0; model.layout(G::GROUPS).end];
        model
    }

    fn layout(&self, groups: usize) -> Layout {
        let group_rows = self.features * self.hidden;
        let bias = group_rows + groups * self.hidden;
        let direct = bias + self.hidden;
        let group_direct = direct + self.features;
        let expected = group_direct + groups;
        let draw = expected + self.hidden + 1;
        Layout {
            group_rows,
            bias,
            direct,
            group_direct,
            outputs: [expected, draw],
            end: draw + self.hidden + 1,
        }
    }

    /// The number of groups follows from that of the parameters.
    fn own_layout(&self) -> Layout {
        let without = self.layout(0).end;
        self.layout((self.parameters.len() - without) / (self.hidden + 1))
    }

    /// Works the effective rows out from those of features and groups.
    pub(super) fn combine(&mut self) {
        let (hidden, layout) = (self.hidden, self.own_layout());
        self.rows.copy_from_slice(&self.parameters[..layout.group_rows]);
        self.direct.copy_from_slice(&self.parameters[layout.direct..layout.group_direct]);
        for (feature, groups) in self.groups.iter().enumerate() {
            let row = &mut self.rows[feature * hidden..][..hidden];
            for &group in groups {
                add(row, &self.parameters[layout.group_rows + group * hidden..][..hidden]);
                self.direct[feature] += self.parameters[layout.group_direct + group];
            }
        }
    }

    /// Cuts off what cannot be rounded to the numbers of a network.
    #[expect(clippy::cast_precision_loss, reason = "limits need not be exact")]
    pub(super) fn limit(&mut self) {
        let layout = self.own_layout();
        let output = OUTPUT_LIMIT as f32 / OUTPUT_ONE as f32;
        for first in layout.outputs {
            for weight in &mut self.parameters[first..first + self.hidden] {
                *weight = weight.clamp(-output, output);
            }
        }
        // So that the sum of all rows of a position fits, whatever their groups add.
        let row = f32::from(i16::MAX) / HIDDEN_ONE as f32 / self.most_active as f32 / 4.0;
        for weight in &mut self.parameters[..layout.bias] {
            *weight = weight.clamp(-row, row);
        }
    }

    pub(super) fn gradient(&self) -> Gradient {
        Gradient {
            rows: vec![0.0; self.rows.len()],
            direct: vec![0.0; self.features],
            bias: vec![0.0; self.hidden],
            outputs: [vec![0.0; self.hidden + 1], vec![0.0; self.hidden + 1]],
            loss: 0.0,
            hidden: vec![0.0; self.hidden],
            change: vec![0.0; self.hidden],
        }
    }

    /// Adds what some positions say. The loss is the cross entropy between what is expected and what should
    /// be.
    pub(super) fn learn(&self, samples: &Samples, picked: &[u32], gradient: &mut Gradient) {
        let (hidden, layout) = (self.hidden, self.own_layout());
        let bias = &self.parameters[layout.bias..layout.direct];
        let [expected_output, draw_output] =
            layout.outputs.map(|first| self.parameters[first..=first + hidden].split_at(hidden));
        let Gradient { rows, direct, bias: to_bias, outputs, loss, hidden: sums, change } = gradient;
        let [to_expected, to_draw] = outputs;
        for &i in picked {
            let (features, label) = samples.get(i as usize);
            let (expected, draw) = self.forward(features, bias, [expected_output, draw_output], sums);

            // What is expected should be the target, and a game was drawn or not.
            let root = (1.0 + expected * expected).sqrt();
            let (result, target) = (expected / root, label.target);
            *loss += f64::from(cross_entropy(result, target));
            let by_expected = (result - target) / root;
            let draw_root = (1.0 + draw * draw).sqrt();
            let left = 1.0 - result.abs();
            let chance = left * f32::midpoint(1.0, draw / draw_root);
            let is_draw = f32::from(u8::from(label.result == 0.0));
            let by_draw = (chance - is_draw) / (chance * (1.0 - chance)).max(0.01) * left
                / (2.0 * draw_root * draw_root * draw_root);
            let by_draw = by_draw.clamp(-LARGEST_DRAW_GRADIENT, LARGEST_DRAW_GRADIENT);

            for unit in 0..hidden {
                let cut_off = sums[unit].clamp(0.0, 1.0);
                let squared = cut_off * cut_off;
                to_expected[unit] += by_expected * squared;
                to_draw[unit] += by_draw * squared;
                let by_squared =
                    by_expected * expected_output.0[unit] + DRAW_WEIGHT * by_draw * draw_output.0[unit];
                let is_between = sums[unit] > 0.0 && sums[unit] < 1.0;
                change[unit] = if is_between { by_squared * 2.0 * cut_off } else { 0.0 };
            }
            to_expected[hidden] += by_expected;
            to_draw[hidden] += by_draw;
            add(to_bias, change);
            for &feature in features {
                let feature = usize::from(feature);
                add(&mut rows[feature * hidden..][..hidden], change);
                direct[feature] += by_expected;
            }
        }
    }

    /// The loss of some positions together.
    pub(super) fn loss(&self, samples: &Samples, picked: impl Iterator<Item = usize>) -> f64 {
        let (hidden, layout) = (self.hidden, self.own_layout());
        let bias = &self.parameters[layout.bias..layout.direct];
        let outputs = layout.outputs.map(|first| self.parameters[first..=first + hidden].split_at(hidden));
        let mut sums = vec![0.0; hidden];
        let loss = |i| {
            let (features, label) = samples.get(i);
            let (expected, _) = self.forward(features, bias, outputs, &mut sums);
            f64::from(cross_entropy(expected / (1.0 + expected * expected).sqrt(), label.target))
        };
        picked.map(loss).sum()
    }

    /// Both outputs for some features; the sums of the hidden units are left in `sums`.
    fn forward(
        &self,
        features: &[u16],
        bias: &[f32],
        [expected_output, draw_output]: [(&[f32], &[f32]); 2],
        sums: &mut [f32],
    ) -> (f32, f32) {
        sums.copy_from_slice(bias);
        let mut expected = expected_output.1[0];
        for &feature in features {
            let feature = usize::from(feature);
            add(sums, &self.rows[feature * self.hidden..][..self.hidden]);
            expected += self.direct[feature];
        }
        let mut draw = draw_output.1[0];
        for ((&sum, by_expected), by_draw) in sums.iter().zip(expected_output.0).zip(draw_output.0) {
            let cut_off = sum.clamp(0.0, 1.0);
            expected += by_expected * cut_off * cut_off;
            draw += by_draw * cut_off * cut_off;
        }
        (expected, draw)
    }

    /// What a gradient says about all that is learned, divided by the number of positions.
    pub(super) fn spread(&self, gradient: &Gradient, positions: f32, of_parameters: &mut [f32]) {
        let (hidden, layout) = (self.hidden, self.own_layout());
        of_parameters.fill(0.0);
        of_parameters[..layout.group_rows].copy_from_slice(&gradient.rows);
        of_parameters[layout.bias..layout.direct].copy_from_slice(&gradient.bias);
        of_parameters[layout.direct..layout.group_direct].copy_from_slice(&gradient.direct);
        for (first, output) in layout.outputs.into_iter().zip(&gradient.outputs) {
            of_parameters[first..=first + hidden].copy_from_slice(output);
        }
        for (feature, groups) in self.groups.iter().enumerate() {
            for &group in groups {
                let row = &mut of_parameters[layout.group_rows + group * hidden..][..hidden];
                add(row, &gradient.rows[feature * hidden..][..hidden]);
                of_parameters[layout.group_direct + group] += gradient.direct[feature];
            }
        }
        for number in of_parameters {
            *number /= positions;
        }
    }

    /// The weights that a network is made of.
    pub(super) fn weights(&self) -> Weights {
        let (hidden, layout) = (self.hidden, self.own_layout());
        let [expected, draw] = layout
            .outputs
            .map(|first| (self.parameters[first..first + hidden].to_vec(), self.parameters[first + hidden]));
        Weights {
            hidden,
            rows: self.rows.clone(),
            bias: self.parameters[layout.bias..layout.direct].to_vec(),
            direct: self.direct.clone(),
            expected,
            draw,
        }
    }
}

impl Gradient {
    /// As if no position had been seen.
    pub(super) fn clear(&mut self) {
        let [expected, draw] = &mut self.outputs;
        for numbers in [&mut self.rows, &mut self.direct, &mut self.bias, expected, draw] {
            numbers.fill(0.0);
        }
        self.loss = 0.0;
    }

    /// Adds what other positions say.
    pub(super) fn add(&mut self, other: &Self) {
        add(&mut self.rows, &other.rows);
        add(&mut self.direct, &other.direct);
        add(&mut self.bias, &other.bias);
        for (output, other) in self.outputs.iter_mut().zip(&other.outputs) {
            add(output, other);
        }
        self.loss += other.loss;
    }
}

/// The cross entropy between two expected results, each as the chance of a win.
fn cross_entropy(found: f32, wanted: f32) -> f32 {
    let [found, wanted] = [found, wanted].map(|result| f32::midpoint(1.0, result));
    let found = found.clamp(1e-6, 1.0 - 1e-6);
    -(wanted * found.ln() + (1.0 - wanted) * (1.0 - found).ln())
}

#[inline]
fn add(sums: &mut [f32], others: &[f32]) {
    for (sum, other) in sums.iter_mut().zip(others) {
        *sum += other;
    }
}
