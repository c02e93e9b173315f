//! Linear equations, as fits by least squares lead to.

/// Solves linear equations with a positive definite matrix, whose rows have the right side at their end.
pub fn solve(mut rows: Vec<Vec<f64>>) -> Vec<f64> {
    let count = rows.len();
    for i in 0..count {
        let (above, below) = rows.split_at_mut(i + 1);
        let pivot = &above[i];
        for row in below {
            let factor = row[i] / pivot[i];
            for (value, of_pivot) in row.iter_mut().zip(pivot).skip(i) {
                *value -= factor * of_pivot;
            }
        }
    }
    let mut solution = vec![0.0; count];
    for i in (0..count).rev() {
        let known: f64 = (i + 1..count).map(|j| rows[i][j] * solution[j]).sum();
        solution[i] = (rows[i][count] - known) / rows[i][i];
    }
    solution
}
