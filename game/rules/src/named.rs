//! A macro that declares an enum and the names of its values.

/// Declares an enum and the names of its values, which programs write and read. The enum gets the
/// constant `ALL` and the functions `name` and `from_name`.
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

            /// Returns the name of the value.
            pub const fn name(self) -> &'static str {
                match self {
                    $($Name::$variant => $text,)+
                }
            }

            /// Returns the value with this name.
            pub fn from_name(name: &str) -> Option<$Name> {
                $Name::ALL.into_iter().find(|value| value.name() == name)
            }
        }
    };
}
