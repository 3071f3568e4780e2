//! Screenshots: PNG files of the window.

use std::fs::OpenOptions;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use macroquad::texture::get_screen_data;

use crate::client::ClientError;

/// Refuses a path that cannot be written, before the window opens.
///
/// # Errors
/// - [`ClientError::Screenshot`] if it is not a name that ends in `.png`, or the file cannot be written.
pub(crate) fn check_path(path: &Path) -> Result<(), ClientError> {
    let fail = |reason: String| Err(ClientError::Screenshot { path: path.to_owned(), reason });
    if path.extension().is_none_or(|extension| !extension.eq_ignore_ascii_case("png")) {
        return fail("its name does not end in .png".into());
    }
    if path.to_str().is_none() {
        return fail("its name is not valid Unicode".into());
    }
    if path.parent().is_some_and(|parent| !parent.as_os_str().is_empty() && !parent.is_dir()) {
        return fail("its directory does not exist".into());
    }
    if path.is_dir() {
        return fail("it is a directory".into());
    }
    Ok(())
}

/// Writes the contents of the window to a PNG file.
///
/// # Errors
/// - [`ClientError::Screenshot`] if the file cannot be written.
pub(crate) fn write(path: &Path) -> Result<(), ClientError> {
    check_path(path)?;
    let fail = |reason: String| ClientError::Screenshot { path: path.to_owned(), reason };
    // The export of macroquad panics if it cannot write, so opening the file comes first.
    OpenOptions::new().write(true).create(true).truncate(true).open(path).map_err(|error| fail(error.to_string()))?;
    let name = path.to_string_lossy();
    let written = catch_unwind(AssertUnwindSafe(|| {
        let mut picture = get_screen_data();
        make_opaque(&mut picture.bytes);
        picture.export_png(&name);
    }));
    written.map_err(|_| fail("the picture cannot be stored".into()))
}

/// Sets the last byte of each pixel. The window ignores it, and where translucent shapes were drawn it is below 255,
/// so that other programs would show what is behind the picture.
fn make_opaque(rgba: &mut [u8]) {
    rgba.iter_mut().skip(3).step_by(4).for_each(|alpha| *alpha = u8::MAX);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(path: &str) -> String {
        check_path(Path::new(path)).expect_err("this path must be refused").to_string()
    }

    #[test]
    fn bad_path_is_refused_with_its_name_and_the_reason() {
        assert_eq!(refusal("x.jpg"), "the screenshot x.jpg cannot be written: its name does not end in .png");
        let missing = "no/such/place/x.png";
        assert_eq!(
            refusal(missing),
            format!("the screenshot {missing} cannot be written: its directory does not exist")
        );
    }

    #[test]
    fn picture_of_translucent_pixels_becomes_opaque_and_keeps_its_colours() {
        let mut pixels = [1, 2, 3, 0, 4, 5, 6, 128, 7, 8, 9, 255];
        make_opaque(&mut pixels);
        assert_eq!(pixels, [1, 2, 3, 255, 4, 5, 6, 255, 7, 8, 9, 255]);
    }

    #[test]
    fn plain_name_in_the_current_directory_is_fine() {
        assert!(check_path(Path::new("shot.PNG")).is_ok());
    }
}
