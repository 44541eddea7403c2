//! Plays games with the referee and the oracle. Lists the first difference of
//! every game: `cargo run -p kriegspiel-testkit --example survey -- FROM TO`.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use testkit::{
    coverage::Coverage,
    differential,
    real::Real,
    umpire::{Setting, Umpire},
};

fn main() {
    let mut numbers = std::env::args()
        .skip(1)
        .map(|n| n.parse::<u64>().expect("FROM and TO must be game numbers"));
    let (from, to) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(500));
    let real = |setting: &Setting| -> Result<Box<dyn Umpire>, String> {
        Ok(Box::new(Real::open(setting)?))
    };
    let mut coverage = Coverage::default();
    let mut found = 0;
    for number in from..to {
        let mut rng = ChaCha8Rng::seed_from_u64(number);
        let setting = differential::setting(number, &mut rng);
        if let Err(mismatch) = differential::play(&setting, &mut rng, &real, &mut coverage) {
            found += 1;
            println!("== game {number}: {}", mismatch.setting);
            let tail = mismatch.actions.len().saturating_sub(8);
            for action in &mismatch.actions[tail..] {
                println!("  {action}");
            }
            println!("{}", mismatch.what);
        }
    }
    println!("{coverage}\n{found} games differ");
}
