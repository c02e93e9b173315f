//! Fits the weights of a network: gradient descent in batches, by Adam.

use std::{num::NonZeroUsize, thread};

use rand::{SeedableRng, seq::SliceRandom};
use rand_pcg::Pcg64Mcg;

use super::{
    model::{Gradient, Model, Size},
    samples::Samples,
    training::Training,
    weights::Weights,
};

/// Settings of a fit.
#[derive(Clone, Copy, Debug)]
pub struct Fit {
    /// Hidden units of a view, a multiple of `Network::FEWEST_HIDDEN` up to `Network::MOST_HIDDEN`.
    pub hidden: usize,
    /// Views of a position: 1 for that of the side to move, 2 for both players.
    pub views: usize,
    /// Passes (epochs) over the positions.
    pub passes: u32,
    /// Learning rate at the start; it falls to a hundredth.
    pub rate: f32,
    /// Random seed of the initial weights and of the order of positions.
    pub seed: u64,
    /// Number of threads, which does not change the network.
    pub threads: NonZeroUsize,
}

/// Batch size, in positions.
const BATCH: usize = 4_096;
/// Parts of a batch. Their gradients are added in a fixed order, so the number of threads changes nothing.
const PARTS: usize = 4;
/// One position in this many is kept back for the validation loss: the last ones, not random ones, since the
/// positions of a game share its result.
const KEPT_BACK: u32 = 50;

/// The losses of a pass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pass {
    /// The number of the pass, from 1.
    pub number: u32,
    /// How many passes there will be.
    pub of: u32,
    /// Training loss: the mean over the pass, each batch measured before its step.
    pub loss: f64,
    /// Validation loss after the pass: the mean over the positions that were kept back.
    pub loss_of_unseen: f64,
}

impl Fit {
    /// Fits a network to positions, starting from another one, perhaps of another size, or from random
    /// weights. `start` and the result are the bytes of network files. `on_pass` gets the losses of each
    /// pass.
    pub fn fit<G: Training>(
        &self,
        start: Option<&[u8]>,
        samples: &Samples,
        on_pass: &mut dyn FnMut(Pass),
    ) -> Vec<u8> {
        let mut rng = Pcg64Mcg::seed_from_u64(self.seed);
        let size = Size { hidden: self.hidden, views: self.views, phases: G::FEATURES.phases };
        let mut model = Model::new::<G>(size, &mut rng);
        if let Some(network) = start {
            model.know(&Weights::of_file(network));
        }
        let mut adam = Adam::new(model.parameters.len());
        let mut of_parameters = vec![0.0; model.parameters.len()];
        let mut gradients = vec![model.gradient(); PARTS];

        let count = u32::try_from(samples.len()).expect("positions fit into memory");
        let unseen = count - count.div_ceil(KEPT_BACK)..count;
        let mut order: Vec<u32> = (0..unseen.start).collect();
        let steps = order.len().div_ceil(BATCH) * self.passes as usize;
        let mut step = 0;
        for number in 1..=self.passes {
            order.shuffle(&mut rng);
            let mut loss = 0.0;
            for batch in order.chunks(BATCH) {
                self.learn(&model, samples, batch, &mut gradients);
                let (sum, others) = gradients.split_first_mut().expect("there are parts");
                for other in others.iter() {
                    sum.add(other);
                }
                loss += sum.loss;
                model.spread(sum, to_f32(batch.len()), &mut of_parameters);
                adam.step(&mut model.parameters, &of_parameters, self.rate * decay(step, steps));
                model.limit();
                model.combine();
                step += 1;
            }
            let loss_of_unseen = mean(model.loss(samples, unseen.clone()), unseen.len());
            on_pass(Pass { number, of: self.passes, loss: mean(loss, order.len()), loss_of_unseen });
        }
        model.weights().to_file()
    }

    /// Computes the gradients of the parts of a batch.
    fn learn(&self, model: &Model, samples: &Samples, batch: &[u32], gradients: &mut [Gradient]) {
        let parts: Vec<_> = batch.chunks(batch.len().div_ceil(PARTS)).collect();
        gradients.iter_mut().for_each(Gradient::clear);
        let mut work: Vec<_> = parts.into_iter().zip(gradients).collect();
        let share = work.len().div_ceil(self.threads.get());
        thread::scope(|scope| {
            for work in work.chunks_mut(share) {
                scope.spawn(move || {
                    for (part, gradient) in work {
                        model.learn(samples, part, gradient);
                    }
                });
            }
        });
    }
}

/// The learning rate of a step, from 1 to a hundredth: close to cosine decay, made of two parabolas.
fn decay(step: usize, steps: usize) -> f32 {
    let part = to_f32(step) / to_f32(steps);
    let fallen = if part < 0.5 { 2.0 * part * part } else { 1.0 - 2.0 * (1.0 - part) * (1.0 - part) };
    1.0 - 0.99 * fallen
}

/// The optimiser Adam: Kingma and Ba, 2015.
struct Adam {
    mean: Vec<f32>,
    mean_of_squares: Vec<f32>,
    /// Bias correction: both decay rates to the power of the number of steps.
    missing: [f32; 2],
}

impl Adam {
    const DECAY: f32 = 0.9;
    const DECAY_OF_SQUARES: f32 = 0.999;
    const EPSILON: f32 = 1e-8;

    fn new(weights: usize) -> Self {
        Self { mean: vec![0.0; weights], mean_of_squares: vec![0.0; weights], missing: [1.0; 2] }
    }

    fn step(&mut self, weights: &mut [f32], gradient: &[f32], rate: f32) {
        self.missing[0] *= Self::DECAY;
        self.missing[1] *= Self::DECAY_OF_SQUARES;
        let rate = rate * (1.0 - self.missing[1]).sqrt() / (1.0 - self.missing[0]);
        let means = self.mean.iter_mut().zip(&mut self.mean_of_squares);
        for ((weight, &gradient), (mean, squares)) in weights.iter_mut().zip(gradient).zip(means) {
            *mean = Self::DECAY * *mean + (1.0 - Self::DECAY) * gradient;
            *squares =
                Self::DECAY_OF_SQUARES * *squares + (1.0 - Self::DECAY_OF_SQUARES) * gradient * gradient;
            *weight -= rate * *mean / (squares.sqrt() + Self::EPSILON);
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "there are fewer positions than a float counts well enough")]
fn to_f32(count: usize) -> f32 {
    count as f32
}

#[expect(clippy::cast_precision_loss, reason = "there are fewer positions than a float counts exactly")]
fn mean(sum: f64, count: usize) -> f64 {
    sum / count as f64
}
