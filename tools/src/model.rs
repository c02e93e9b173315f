//! A network during training: its weights as floats, and their gradient.

use rand::RngExt;
use rand_pcg::Pcg64Mcg;

use super::{samples::Samples, training::Training, weights::Weights};
use cublino_engine::network::{HIDDEN_ONE, Input, OUTPUT_LIMIT, OUTPUT_ONE};

/// Weight of the second output, the draws, in the gradient of the hidden layer, relative to the first.
const DRAW_WEIGHT: f32 = 0.1;
/// Hidden units that are computed together.
const LANES: usize = 16;
/// The gradient of a position for the second output is clipped to this.
const LARGEST_DRAW_GRADIENT: f32 = 1.0;

/// The weights of a network with those of the groups of its features.
#[derive(Clone, Debug)]
pub(super) struct Model {
    size: Size,
    features: usize,
    /// The groups of each feature.
    groups: Vec<Vec<usize>>,
    most_active: usize,
    /// All trained parameters, in this order: the rows of the features, the rows of the groups, the bias of
    /// the hidden layer, the direct weights of features and groups, and for each phase and output its weights
    /// and its constant.
    pub(super) parameters: Vec<f32>,
    /// The rows of the features with those of their groups added.
    rows: Vec<f32>,
    direct: Vec<f32>,
}

/// How large a network is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Size {
    /// Hidden units of a view, a multiple of `Network::FEWEST_HIDDEN`.
    pub(super) hidden: usize,
    /// Views of a position: 1 for that of the side to move, 2 for both players.
    pub(super) views: usize,
    /// Number of phases of the game, each with outputs of its own.
    pub(super) phases: usize,
}

impl Size {
    fn of(weights: &Weights) -> Self {
        let Weights { hidden, outputs, .. } = weights;
        Self { hidden: *hidden, views: outputs[0][0].0.len() / hidden, phases: outputs.len() }
    }
}

/// Where each kind of parameter begins in `Model::parameters`.
#[derive(Clone, Copy, Debug)]
struct Layout {
    group_rows: usize,
    bias: usize,
    direct: usize,
    group_direct: usize,
    outputs: usize,
    end: usize,
}

/// The gradient of some positions by the effective weights, and their summed loss.
#[derive(Clone, Debug)]
pub(super) struct Gradient {
    rows: Vec<f32>,
    direct: Vec<f32>,
    bias: Vec<f32>,
    /// For each phase and output the weights, then the constant.
    outputs: Vec<f32>,
    pub(super) loss: f64,
    hidden: Vec<f32>,
    change: Vec<f32>,
}

impl Model {
    /// An untrained network for a game, with random weights.
    pub(super) fn new<G: Training>(size: Size, rng: &mut Pcg64Mcg) -> Self {
        let mut model = Self::zero::<G>(size);
        let Layout { group_rows, bias, direct, outputs, .. } = model.own_layout();
        let of_output = model.of_output();
        let parameters = &mut model.parameters;
        // Small enough that most hidden units are between 0 and 1 at first.
        let most_active = u16::try_from(model.most_active).expect("features are few enough");
        let spread = 0.5 / f32::from(most_active).sqrt();
        parameters[..group_rows].fill_with(|| rng.random_range(-spread..spread));
        parameters[bias..direct].fill(0.25);
        // All phases start with the same first output, and with a second output of 0.
        parameters[outputs..outputs + of_output - 1].fill_with(|| rng.random_range(-0.5..0.5));
        for phase in 1..size.phases {
            parameters.copy_within(outputs..outputs + of_output, outputs + phase * 2 * of_output);
        }
        model.combine();
        model
    }

    /// Takes over the weights of a network, perhaps of another size. Units and views that it lacks keep their
    /// random weights, and phases that it lacks copy its last one. The weights of its groups are in the rows
    /// of their features.
    pub(super) fn know(&mut self, weights: &Weights) {
        let size = self.size;
        let (of, units) = (Size::of(weights), self.of_output() - 1);
        let kept = of.hidden.min(size.hidden);
        let Layout { group_rows, bias, direct, group_direct, outputs, .. } = self.own_layout();
        let parameters = &mut self.parameters;
        let rows = parameters[..group_rows].chunks_mut(size.hidden).zip(weights.rows.chunks(of.hidden));
        for (row, known) in rows {
            row[..kept].copy_from_slice(&known[..kept]);
        }
        parameters[group_rows..bias].fill(0.0);
        parameters[bias..bias + kept].copy_from_slice(&weights.bias[..kept]);
        for (direct, &known) in parameters[direct..group_direct].iter_mut().zip(&weights.direct) {
            *direct = to_f32(known);
        }
        parameters[group_direct..].fill(0.0);
        for (i, output) in parameters[outputs..].chunks_mut(units + 1).enumerate() {
            let (known, constant) = &weights.outputs[(i / 2).min(of.phases - 1)][i % 2];
            for (view, known) in output[..units].chunks_mut(size.hidden).zip(known.chunks(of.hidden)) {
                view[..kept].copy_from_slice(&known[..kept]);
            }
            output[units] = to_f32(*constant);
        }
        self.combine();
    }

    /// A network whose weights are all 0.
    fn zero<G: Training>(size: Size) -> Self {
        let groups: Vec<Vec<usize>> = (0..G::FEATURES.count).map(G::groups).collect();
        let (features, most_active) = (G::FEATURES.count, G::FEATURES.most_active);
        let mut model = Self {
            size,
            features,
            groups,
            most_active,
            parameters: Vec::new(),
            rows: vec![0.0; features * size.hidden],
            direct: vec![0.0; features],
        };
        model.parameters = vec![0.0; model.layout(G::GROUPS).end];
        model
    }

    fn layout(&self, groups: usize) -> Layout {
        let hidden = self.size.hidden;
        let group_rows = self.features * hidden;
        let bias = group_rows + groups * hidden;
        let direct = bias + hidden;
        let group_direct = direct + self.features;
        let outputs = group_direct + groups;
        let end = outputs + 2 * self.size.phases * self.of_output();
        Layout { group_rows, bias, direct, group_direct, outputs, end }
    }

    /// The layout with as many groups as the parameters have.
    fn own_layout(&self) -> Layout {
        let without = self.layout(0).end;
        self.layout((self.parameters.len() - without) / (self.size.hidden + 1))
    }

    /// Number of parameters of an output: its weights and its constant.
    const fn of_output(&self) -> usize {
        self.size.views * self.size.hidden + 1
    }

    /// Computes the effective weights of each feature: its own plus those of its groups.
    pub(super) fn combine(&mut self) {
        let (hidden, layout) = (self.size.hidden, self.own_layout());
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

    /// Clamps the weights to what the integers of a network can hold.
    #[expect(clippy::cast_precision_loss, reason = "limits need not be exact")]
    pub(super) fn limit(&mut self) {
        let layout = self.own_layout();
        let output = OUTPUT_LIMIT as f32 / OUTPUT_ONE as f32;
        let of_output = self.of_output();
        for weights in self.parameters[layout.outputs..].chunks_mut(of_output) {
            for weight in &mut weights[..of_output - 1] {
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
        let units = self.size.views * self.size.hidden;
        Gradient {
            rows: vec![0.0; self.rows.len()],
            direct: vec![0.0; self.features],
            bias: vec![0.0; self.size.hidden],
            outputs: vec![0.0; 2 * self.size.phases * self.of_output()],
            loss: 0.0,
            hidden: vec![0.0; units],
            change: vec![0.0; units],
        }
    }

    /// Adds the gradient of some positions. The loss is the cross entropy between expected result and target.
    pub(super) fn learn(&self, samples: &Samples, picked: &[u32], gradient: &mut Gradient) {
        let (hidden, units) = (self.size.hidden, self.size.views * self.size.hidden);
        let Gradient { rows, direct, bias: to_bias, outputs, loss, hidden: cut_off, change } = gradient;
        for &i in picked {
            let (input, label) = samples.get(i as usize);
            let [expected_weights, draw_weights] = self.outputs(input.phase);
            let (expected, draw) = self.forward(input, cut_off);

            // The first output predicts the target, and the second whether the game was drawn.
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

            let of_phase = &mut outputs[2 * input.phase * (units + 1)..][..2 * (units + 1)];
            let (to_expected, to_draw) = of_phase.split_at_mut(units + 1);
            let weights = expected_weights[..units].iter().zip(&draw_weights[..units]);
            let to = to_expected[..units].iter_mut().zip(&mut to_draw[..units]);
            let units_of = cut_off.iter().zip(change.iter_mut()).zip(weights).zip(to);
            for (((&cut_off, change), (expected, draw)), (to_expected, to_draw)) in units_of {
                let squared = cut_off * cut_off;
                *to_expected += by_expected * squared;
                *to_draw += by_draw * squared;
                let by_squared = by_expected * expected + DRAW_WEIGHT * by_draw * draw;
                // Outside 0 to 1, the gradient of a unit is 0.
                *change = if cut_off < 1.0 { by_squared * 2.0 * cut_off } else { 0.0 };
            }
            to_expected[units] += by_expected;
            to_draw[units] += by_draw;
            for (features, change) in input.views.into_iter().zip(change.chunks(hidden)) {
                add(to_bias, change);
                for &feature in features {
                    add(&mut rows[usize::from(feature) * hidden..][..hidden], change);
                }
            }
            for &feature in input.views[0] {
                direct[usize::from(feature)] += by_expected;
            }
        }
    }

    /// The summed loss of some positions.
    pub(super) fn loss(&self, samples: &Samples, picked: impl Iterator<Item = u32>) -> f64 {
        let mut cut_off = vec![0.0; self.size.views * self.size.hidden];
        let loss = |i| {
            let (input, label) = samples.get(i as usize);
            let (expected, _) = self.forward(input, &mut cut_off);
            f64::from(cross_entropy(expected / (1.0 + expected * expected).sqrt(), label.target))
        };
        picked.map(loss).sum()
    }

    /// The weights of both outputs of a phase, each followed by its constant.
    fn outputs(&self, phase: usize) -> [&[f32]; 2] {
        let of_output = self.of_output();
        let first = self.own_layout().outputs + 2 * phase * of_output;
        let of_phase = &self.parameters[first..][..2 * of_output];
        let (expected, draw) = of_phase.split_at(of_output);
        [expected, draw]
    }

    /// Both outputs for a position; the hidden units, clamped to 0 to 1, are left in `cut_off`.
    fn forward(&self, input: Input<'_>, cut_off: &mut [f32]) -> (f32, f32) {
        let (hidden, layout) = (self.size.hidden, self.own_layout());
        let bias = &self.parameters[layout.bias..layout.direct];
        for (features, sums) in input.views.into_iter().zip(cut_off.chunks_mut(hidden)) {
            sums.copy_from_slice(bias);
            for &feature in features {
                add(sums, &self.rows[usize::from(feature) * hidden..][..hidden]);
            }
        }
        // A sum for each lane, so that the compiler vectorises the loop.
        let [expected_weights, draw_weights] = self.outputs(input.phase);
        let mut sums = [[0.0; LANES]; 2];
        let lanes = expected_weights.chunks_exact(LANES).zip(draw_weights.chunks_exact(LANES));
        for (units, (by_expected, by_draw)) in cut_off.chunks_exact_mut(LANES).zip(lanes) {
            for lane in 0..LANES {
                units[lane] = units[lane].clamp(0.0, 1.0);
                let squared = units[lane] * units[lane];
                sums[0][lane] += by_expected[lane] * squared;
                sums[1][lane] += by_draw[lane] * squared;
            }
        }
        let [expected, draw] = sums.map(|sums| sums.iter().sum::<f32>());
        let direct: f32 = input.views[0].iter().map(|&feature| self.direct[usize::from(feature)]).sum();
        let constant = |weights: &[f32]| weights[cut_off.len()];
        (direct + expected + constant(expected_weights), draw + constant(draw_weights))
    }

    /// Spreads a gradient over all parameters, those of the groups included, and divides by the number of
    /// positions.
    pub(super) fn spread(&self, gradient: &Gradient, positions: f32, of_parameters: &mut [f32]) {
        let (hidden, layout) = (self.size.hidden, self.own_layout());
        of_parameters.fill(0.0);
        of_parameters[..layout.group_rows].copy_from_slice(&gradient.rows);
        of_parameters[layout.bias..layout.direct].copy_from_slice(&gradient.bias);
        of_parameters[layout.direct..layout.group_direct].copy_from_slice(&gradient.direct);
        of_parameters[layout.outputs..].copy_from_slice(&gradient.outputs);
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

    /// The effective weights, as a network has them.
    pub(super) fn weights(&self) -> Weights {
        let layout = self.own_layout();
        let output = |weights: &[f32]| {
            let (constant, of_hidden) = weights.split_last().expect("there is a constant");
            (of_hidden.to_vec(), f64::from(*constant))
        };
        let outputs = self.parameters[layout.outputs..].chunks(2 * self.of_output());
        Weights {
            hidden: self.size.hidden,
            rows: self.rows.clone(),
            bias: self.parameters[layout.bias..layout.direct].to_vec(),
            direct: self.direct.iter().copied().map(f64::from).collect(),
            outputs: outputs
                .map(|both| {
                    let (expected, draw) = both.split_at(self.of_output());
                    [output(expected), output(draw)]
                })
                .collect(),
        }
    }
}

impl Gradient {
    /// Sets gradient and loss to 0.
    pub(super) fn clear(&mut self) {
        for numbers in [&mut self.rows, &mut self.direct, &mut self.bias, &mut self.outputs] {
            numbers.fill(0.0);
        }
        self.loss = 0.0;
    }

    /// Adds the gradient and the loss of other positions.
    pub(super) fn add(&mut self, other: &Self) {
        add(&mut self.rows, &other.rows);
        add(&mut self.direct, &other.direct);
        add(&mut self.bias, &other.bias);
        add(&mut self.outputs, &other.outputs);
        self.loss += other.loss;
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a weight need not be exact")]
fn to_f32(weight: f64) -> f32 {
    weight as f32
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
