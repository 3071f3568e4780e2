//! The sound card by ALSA, whose library is loaded at run time.
//!
//! Invariants: `pcm` is open from [`Card::open`] to its drop; the functions have the types that `alsa/pcm.h` gives
//! them, and stay loaded as long as `_library`, which is dropped after the last call.
#![allow(unsafe_code)]

use std::ffi::{c_char, c_int, c_long, c_uint, c_ulong, c_void};
use std::path::Path;
use std::ptr;

use libloading::Library;

use crate::client::sound::RATE;

/// The time between mixing and hearing.
const LATENCY_MICROSECONDS: c_uint = 50_000;
/// `SND_PCM_STREAM_PLAYBACK`, `SND_PCM_FORMAT_S16_LE` and `SND_PCM_ACCESS_RW_INTERLEAVED`.
const PLAYBACK: c_int = 0;
const SIGNED_16_BITS: c_int = 2;
const INTERLEAVED: c_int = 3;

type Pcm = *mut c_void;
type Open = unsafe extern "C" fn(*mut Pcm, *const c_char, c_int, c_int) -> c_int;
type SetParams = unsafe extern "C" fn(Pcm, c_int, c_int, c_uint, c_uint, c_int, c_uint) -> c_int;
type Write = unsafe extern "C" fn(Pcm, *const c_void, c_ulong) -> c_long;
type Recover = unsafe extern "C" fn(Pcm, c_int, c_int) -> c_int;
type Close = unsafe extern "C" fn(Pcm) -> c_int;

/// An open sound card.
pub(super) struct Card {
    pcm: Pcm,
    write: Write,
    recover: Recover,
    close: Close,
    _library: Library,
}

// SAFETY: ALSA allows calls from any thread, one at a time; `Card` is not `Sync`.
unsafe impl Send for Card {}

impl Card {
    /// Opens the default sound card.
    pub(super) fn open() -> Result<Self, String> {
        if !may_have_a_card() {
            return Err("there is no sound card".into());
        }
        // SAFETY: loading libasound runs only its own initialization, which has no preconditions.
        let library = unsafe { Library::new("libasound.so.2") }.map_err(|error| error.to_string())?;
        let missing = |error: libloading::Error| error.to_string();
        // SAFETY: the functions of libasound 2 have these types.
        let (open, set_params, write, recover, close) = unsafe {
            (
                *library.get::<Open>(b"snd_pcm_open\0").map_err(missing)?,
                *library.get::<SetParams>(b"snd_pcm_set_params\0").map_err(missing)?,
                *library.get::<Write>(b"snd_pcm_writei\0").map_err(missing)?,
                *library.get::<Recover>(b"snd_pcm_recover\0").map_err(missing)?,
                *library.get::<Close>(b"snd_pcm_close\0").map_err(missing)?,
            )
        };
        let mut pcm = ptr::null_mut();
        // SAFETY: `pcm` can be written, and the name ends with a zero.
        let opened = unsafe { open(&raw mut pcm, c"default".as_ptr(), PLAYBACK, 0) };
        if opened < 0 {
            return Err(format!("the sound card cannot be opened: error {opened} of ALSA"));
        }
        // From here on, dropping the card closes it.
        let card = Self { pcm, write, recover, close, _library: library };
        // SAFETY: the card is open.
        let set = unsafe { set_params(pcm, SIGNED_16_BITS, INTERLEAVED, 2, RATE, 1, LATENCY_MICROSECONDS) };
        if set < 0 {
            Err(format!("the sound card refuses 16 bits at {RATE} Hz: error {set} of ALSA"))
        } else {
            Ok(card)
        }
    }

    /// Plays samples; waits until there is room for them.
    pub(super) fn write(&self, samples: &[[i16; 2]]) -> Result<(), String> {
        let mut rest = samples;
        while !rest.is_empty() {
            // SAFETY: the card is open, and a frame of two channels of 16 bits is one element of `rest`.
            let written = unsafe { (self.write)(self.pcm, rest.as_ptr().cast(), rest.len() as c_ulong) };
            match usize::try_from(written) {
                Ok(written) => rest = rest.get(written..).unwrap_or(&[]),
                Err(_) => {
                    // SAFETY: the card is open. This repairs what a pause of the machine or of the game causes.
                    let recovered = unsafe { (self.recover)(self.pcm, written as c_int, 1) };
                    if recovered < 0 {
                        return Err(format!("error {recovered} of ALSA"));
                    }
                }
            }
        }
        Ok(())
    }
}

impl Drop for Card {
    fn drop(&mut self) {
        // SAFETY: the card is open, and this is the last call.
        unsafe { (self.close)(self.pcm) };
    }
}

/// Whether to try at all: without a card, ALSA prints lines that the player cannot use.
fn may_have_a_card() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let server = std::env::var_os("XDG_RUNTIME_DIR").map(std::path::PathBuf::from);
    let has_server = server.is_some_and(|path| path.join("pulse").exists() || path.join("pipewire-0").exists());
    Path::new("/dev/snd").exists() || has_server || is_set("PULSE_SERVER") || is_set("ALSA_CONFIG_PATH")
}
