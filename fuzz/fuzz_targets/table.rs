#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| kriegspiel_fuzz::table(data));
