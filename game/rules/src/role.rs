//! Names and order of the kinds of men.

use shakmaty::Role;

/// The roles from king to pawn, in the order in which people usually list them.
pub const ROLES: [Role; 6] = [
    Role::King,
    Role::Queen,
    Role::Rook,
    Role::Bishop,
    Role::Knight,
    Role::Pawn,
];

/// Returns the English name of a role, in lower case.
///
/// ```
/// assert_eq!(rules::role_name(rules::chess::Role::Knight), "knight");
/// ```
pub const fn role_name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}
