//! Linear model, fitted by least squares.
//!
//! The normal equations are solved with the decomposition of Cholesky (G. Golub and C. Van Loan,
//! "Matrix computations", 4th edition 2013, sections 4.2 and 5.3). The numbers of a design are 0, 1,
//! -1 and 1/2, so the equations are well conditioned.

/// A pivot below this share of its diagonal element counts as 0.
const MIN_PIVOT: f64 = 1e-9;

/// Sums over the observations of a linear model.
#[derive(Clone, Debug)]
pub(super) struct LeastSquares {
    /// Number of terms.
    terms: usize,
    /// Number of observations.
    count: u64,
    /// Sums of the products of every two terms: a square matrix, row by row.
    products: Vec<f64>,
    /// Sums of the products of each term and the observed value.
    right: Vec<f64>,
    /// Sum of the squares of the observed values.
    squares: f64,
}

/// Error: the model cannot be fitted.
#[derive(Copy, Clone, Eq, PartialEq, Debug, thiserror::Error)]
pub enum FitError {
    /// There are not more observations than terms, or one term is a sum of multiples of other
    /// terms.
    #[error("there are too few games: play more games")]
    TooFew,
    /// The model agrees exactly with every observation, so there are no standard errors.
    #[error(
        "the scores of the games do not vary enough to compute standard errors: play more games \
         (a greater --games), or choose a stronger or weaker opponent"
    )]
    Exact,
}

/// A fitted model.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Fit {
    /// Estimated coefficient of each term, and its standard error.
    pub coefficients: Vec<(f64, f64)>,
    /// Number of observations minus number of terms.
    pub degrees_of_freedom: u64,
}

impl LeastSquares {
    /// Returns the sums of a model without observations.
    pub fn new(terms: usize) -> LeastSquares {
        LeastSquares {
            terms,
            count: 0,
            products: vec![0.0; terms * terms],
            right: vec![0.0; terms],
            squares: 0.0,
        }
    }

    /// Adds an observation: the values of the terms, and the observed value.
    pub fn add(&mut self, row: &[f64], observed: f64) {
        self.count += 1;
        self.squares += observed * observed;
        for (n, value) in row.iter().enumerate() {
            self.right[n] += value * observed;
            for (m, other) in row.iter().enumerate() {
                self.products[n * self.terms + m] += value * other;
            }
        }
    }

    /// Returns whether the coefficients are determined, and the model has degrees of freedom.
    pub fn is_determined(&self) -> bool {
        self.count > self.terms as u64 && self.cholesky().is_some()
    }

    /// Returns the lower triangular matrix whose product with its transpose is the matrix of the
    /// normal equations; `None` if this matrix is singular.
    fn cholesky(&self) -> Option<Vec<f64>> {
        let n = self.terms;
        let mut lower = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..=i {
                let known: f64 = (0..j).map(|k| lower[i * n + k] * lower[j * n + k]).sum();
                let rest = self.products[i * n + j] - known;
                lower[i * n + j] = if i > j {
                    rest / lower[j * n + j]
                } else if rest > MIN_PIVOT * self.products[i * n + i] {
                    rest.sqrt()
                } else {
                    return None;
                };
            }
        }
        Some(lower)
    }

    /// Estimates the coefficients. The standard errors assume that all observations have the same
    /// variance.
    ///
    /// # Errors
    /// See [`FitError`].
    pub fn fit(&self) -> Result<Fit, FitError> {
        let n = self.terms;
        let rest = self.count.checked_sub(n as u64).filter(|rest| *rest > 0);
        let degrees_of_freedom = rest.ok_or(FitError::TooFew)?;
        let lower = self.cholesky().ok_or(FitError::TooFew)?;
        // Returns the solution of the equations with this right side, and the squared length of the
        // solution of the first half of the equations.
        let solve = |right: &[f64]| {
            let mut half = right.to_vec();
            for i in 0..n {
                let known: f64 = (0..i).map(|k| lower[i * n + k] * half[k]).sum();
                half[i] = (half[i] - known) / lower[i * n + i];
            }
            let length: f64 = half.iter().map(|value| value * value).sum();
            for i in (0..n).rev() {
                let known: f64 = (i + 1..n).map(|k| lower[k * n + i] * half[k]).sum();
                half[i] = (half[i] - known) / lower[i * n + i];
            }
            (half, length)
        };
        let (estimates, explained) = solve(&self.right);
        let unexplained = self.squares - explained;
        if unexplained <= MIN_PIVOT * self.squares {
            return Err(FitError::Exact);
        }
        let variance = unexplained / degrees_of_freedom as f64;
        let coefficients = estimates.iter().enumerate().map(|(i, estimate)| {
            let mut unit = vec![0.0; n];
            unit[i] = 1.0;
            let (inverse, _) = solve(&unit);
            (*estimate, (variance * inverse[i]).sqrt())
        });
        Ok(Fit {
            coefficients: coefficients.collect(),
            degrees_of_freedom,
        })
    }
}

#[cfg(test)]
mod tests {
    use bots::{Dice, Seed};

    use super::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    #[test]
    fn a_line_has_its_known_coefficients_and_errors() {
        // The regression of 2, 3, 5, 6 on 1, 2, 3, 4 has the line 0.5 + 1.4 x. The squares of the
        // residuals add up to 0.2.
        let mut sums = LeastSquares::new(2);
        for (x, y) in [(1.0, 2.0), (2.0, 3.0), (3.0, 5.0), (4.0, 6.0)] {
            sums.add(&[1.0, x], y);
        }
        let fit = sums.fit().unwrap();
        let [(start, start_error), (slope, slope_error)] = fit.coefficients[..] else {
            panic!("the model has two terms");
        };
        assert!(close(start, 0.5) && close(slope, 1.4), "{fit:?}");
        assert!(close(slope_error, (0.1_f64 / 5.0).sqrt()), "{fit:?}");
        assert!(close(start_error, (0.1_f64 * 1.5).sqrt()), "{fit:?}");
        assert_eq!(fit.degrees_of_freedom, 2);
    }

    #[test]
    fn orthogonal_factors_have_the_differences_of_means() {
        // Two repetitions of all combinations of three factors, with arbitrary values.
        let mut dice = Dice::new(Seed { seed: 1, stream: 0 });
        let mut sums = LeastSquares::new(4);
        let mut with = [(0.0, 0.0); 3];
        for run in 0..16_u32 {
            let signs = [0, 1, 2].map(|n| if run >> n & 1 == 1 { 1.0 } else { -1.0 });
            let value = f64::from(dice.below(100));
            sums.add(&[1.0, signs[0], signs[1], signs[2]], value);
            for ((on, off), sign) in with.iter_mut().zip(signs) {
                *(if sign > 0.0 { on } else { off }) += value / 8.0;
            }
        }
        let fit = sums.fit().unwrap();
        for ((estimate, _), (on, off)) in fit.coefficients[1..].iter().zip(with) {
            assert!(close(2.0 * estimate, on - off), "{fit:?}");
        }
    }

    #[test]
    fn undetermined_and_exact_models_are_errors() {
        let mut sums = LeastSquares::new(2);
        assert_eq!(sums.fit(), Err(FitError::TooFew));
        sums.add(&[1.0, 1.0], 0.5);
        sums.add(&[1.0, 0.0], 0.0);
        assert!(!sums.is_determined());
        assert_eq!(sums.fit(), Err(FitError::TooFew));
        sums.add(&[1.0, 0.0], 0.0);
        assert!(sums.is_determined());
        assert_eq!(sums.fit(), Err(FitError::Exact));

        // The second term is twice the first term.
        let mut sums = LeastSquares::new(2);
        for value in [1.0, 3.0, 2.0, 7.0] {
            sums.add(&[1.0, 2.0], value);
        }
        assert!(!sums.is_determined());
        assert_eq!(sums.fit(), Err(FitError::TooFew));
    }
}
