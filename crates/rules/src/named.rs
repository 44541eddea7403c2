//! Enums whose values have names.

/// Declares an enum whose values have names, in text that is read and written:
/// with `ALL`, `name` and `from_name`.
#[macro_export]
macro_rules! named {
    (
        $(#[$outer:meta])*
        $Name:ident { $( $(#[$inner:meta])* $variant:ident = $text:literal; )+ }
    ) => {
        $(#[$outer])*
        #[derive(Copy, Clone, Eq, PartialEq, Ord, PartialOrd, Hash, Debug)]
        pub enum $Name {
            $( $(#[$inner])* $variant, )+
        }

        impl $Name {
            /// Every value, in the order of declaration.
            pub const ALL: [$Name; [$($text),+].len()] = [$($Name::$variant),+];

            /// The value's name.
            pub const fn name(self) -> &'static str {
                match self {
                    $($Name::$variant => $text,)+
                }
            }

            /// The value of that name.
            pub fn from_name(name: &str) -> Option<$Name> {
                $Name::ALL.into_iter().find(|value| value.name() == name)
            }
        }
    };
}
