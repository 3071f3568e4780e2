//! Errors that print one sentence.

/// Implements `Error`, and `Debug` as `Display`, so that `unwrap` and a `main` that returns the error print the
/// sentence.
macro_rules! impl_error {
    ($error:ty $(, $param:ident: $bound:path)?) => {
        impl$(<$param: $bound>)? std::fmt::Debug for $error {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(self, f)
            }
        }

        impl$(<$param: $bound>)? std::error::Error for $error {}
    };
}

pub(crate) use impl_error;
