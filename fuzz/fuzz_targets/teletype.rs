#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| kriegspiel_fuzz::doors::teletype(data));
