//! Conversion of times to text.

use crate::row::Millis;

/// Formats a time as `2026-11-23 08:00:00`, in UTC.
pub fn utc(at: Millis) -> String {
    let (days, rest) = (at.div_euclid(86_400_000), at.rem_euclid(86_400_000) / 1000);
    // Days since 1 March of the year 0. They are divided into eras of 400 years.
    let shifted = days + 719_468;
    let (era, day) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let shifted_month = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 {
        shifted_month + 3
    } else {
        shifted_month - 9
    };
    let year = year + 400 * era + i64::from(month <= 2);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{of_month:02} {hour:02}:{minute:02}:{second:02}")
}

/// Formats the UTC day of a time as PGN does: `2026.11.23`.
pub fn pgn_date(at: Millis) -> String {
    let text = utc(at);
    let day = text.split(' ').next().unwrap_or_default();
    day.replace('-', ".")
}
