//! The log in a file (`--log-file`): a thread writes it, so that no frame waits for a disk.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TryRecvError, sync_channel};
use std::thread::{self, JoinHandle};

use tracing_subscriber::fmt::MakeWriter;

/// A file that would become longer is renamed to `FILE.1`, and a new one begun.
const MOST_BYTES: u64 = 16 << 20;
/// The number of renamed files that are kept.
const OLDER_FILES: u32 = 3;
/// Lines that wait for the thread; more are dropped and counted.
const MOST_WAITING: usize = 8_192;

/// The thread that writes the file. Dropping it waits until all lines are written.
pub(crate) struct LogFile {
    lines: Lines,
    writer: Option<JoinHandle<()>>,
}

impl LogFile {
    /// Opens a file, to which lines are appended, and starts the thread.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let mut file = RotatedFile::open(path, MOST_BYTES)?;
        let (lines, waiting) = queue(MOST_WAITING);
        let dropped = lines.dropped.clone();
        let write = move || {
            if let Err(error) = write_all(&waiting, &dropped, &mut file) {
                // Without the receiver, further lines go nowhere.
                let _ = writeln!(io::stderr(), "the log file ends here: {error}");
            }
        };
        let writer = thread::Builder::new().name("log file".to_owned()).spawn(write)?;
        Ok(Self { lines, writer: Some(writer) })
    }

    /// Where a layer writes its lines.
    pub(crate) fn lines(&self) -> Lines {
        self.lines.clone()
    }
}

impl Drop for LogFile {
    fn drop(&mut self) {
        // It fails if the thread has met an error and ended.
        let _ = self.lines.queue.send(Message::End);
        let _ = self.writer.take().map(JoinHandle::join);
    }
}

enum Message {
    Line(Vec<u8>),
    End,
}

/// The queue of lines. A line for which it has no room is dropped and counted.
#[derive(Clone)]
pub(crate) struct Lines {
    queue: SyncSender<Message>,
    dropped: Arc<AtomicU64>,
}

impl Write for Lines {
    /// Takes one whole line, as the layer writes them.
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        if self.queue.try_send(Message::Line(line.to_vec())).is_err() {
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> MakeWriter<'a> for Lines {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

fn queue(most_waiting: usize) -> (Lines, Receiver<Message>) {
    let (queue, waiting) = sync_channel(most_waiting);
    (Lines { queue, dropped: Arc::new(AtomicU64::new(0)) }, waiting)
}

/// Writes lines until the end, and flushes whenever none waits.
fn write_all(waiting: &Receiver<Message>, dropped: &AtomicU64, file: &mut RotatedFile) -> io::Result<()> {
    loop {
        let message = match waiting.try_recv() {
            Err(TryRecvError::Empty) => {
                file.flush()?;
                waiting.recv().unwrap_or(Message::End)
            }
            Err(TryRecvError::Disconnected) => Message::End,
            Ok(message) => message,
        };
        if let Message::Line(line) = &message {
            file.write_line(line)?;
        }
        let missing = dropped.swap(0, Ordering::Relaxed);
        if missing > 0 {
            let problem = format!("{missing} lines were dropped: they came faster than they could be written\n");
            file.write_line(problem.as_bytes())?;
        }
        if matches!(message, Message::End) {
            return file.flush();
        }
    }
}

/// A file that gives way to a new one before it grows too long.
struct RotatedFile {
    path: PathBuf,
    file: BufWriter<File>,
    bytes: u64,
    most_bytes: u64,
}

impl RotatedFile {
    fn open(path: &Path, most_bytes: u64) -> io::Result<Self> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        let bytes = file.metadata()?.len();
        Ok(Self { path: path.to_owned(), file: BufWriter::new(file), bytes, most_bytes })
    }

    fn write_line(&mut self, line: &[u8]) -> io::Result<()> {
        if self.bytes > 0 && self.bytes + line.len() as u64 > self.most_bytes {
            self.rotate()?;
        }
        self.bytes += line.len() as u64;
        self.file.write_all(line)
    }

    fn rotate(&mut self) -> io::Result<()> {
        self.file.flush()?;
        for number in (1..OLDER_FILES).rev() {
            match fs::rename(self.older(number), self.older(number + 1)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        fs::rename(&self.path, self.older(1))?;
        *self = Self::open(&self.path, self.most_bytes)?;
        Ok(())
    }

    /// The name of an older file, of which number 1 is the latest.
    fn older(&self, number: u32) -> PathBuf {
        let mut name = self.path.clone().into_os_string();
        name.push(format!(".{number}"));
        name.into()
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder that is removed with its files.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let folder = std::env::temp_dir().join(format!("bounty_hunter_log_{name}_{}", std::process::id()));
            fs::create_dir_all(&folder).unwrap();
            Self(folder)
        }

        fn text(&self, name: &str) -> Option<String> {
            fs::read_to_string(self.0.join(name)).ok()
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn file_is_rotated_by_size_and_the_oldest_is_forgotten() {
        let folder = Folder::new("rotated");
        let mut file = RotatedFile::open(&folder.0.join("log"), 10).unwrap();
        for line in
            ["one\n", "two\n", "three\n", "a line that is longer than a file\n", "4\n", "five five\n", "six six\n"]
        {
            file.write_line(line.as_bytes()).unwrap();
        }
        file.flush().unwrap();
        let texts = ["log", "log.1", "log.2", "log.3", "log.4"].map(|name| folder.text(name));
        let expected = ["six six\n", "five five\n", "4\n", "a line that is longer than a file\n"];
        assert_eq!(texts[..4], expected.map(|text| Some(text.to_owned())));
        assert_eq!(texts[4], None);
    }

    #[test]
    fn another_run_of_the_program_appends() {
        let folder = Folder::new("appended");
        for line in ["first\n", "second\n"] {
            let file = LogFile::open(&folder.0.join("log")).unwrap();
            file.lines().write_all(line.as_bytes()).unwrap();
        }
        assert_eq!(folder.text("log").as_deref(), Some("first\nsecond\n"));
    }

    #[test]
    fn lines_for_which_there_is_no_room_are_counted_and_hold_nobody_up() {
        let folder = Folder::new("dropped");
        let (mut lines, waiting) = queue(2);
        // Nothing takes lines out of the queue yet.
        for number in 0..5 {
            lines.write_all(format!("line {number}\n").as_bytes()).unwrap();
        }
        let mut file = RotatedFile::open(&folder.0.join("log"), MOST_BYTES).unwrap();
        let dropped = lines.dropped.clone();
        drop(lines);
        write_all(&waiting, &dropped, &mut file).unwrap();
        let expected = "line 0\n3 lines were dropped: they came faster than they could be written\nline 1\n";
        assert_eq!(folder.text("log").as_deref(), Some(expected));
    }

    #[test]
    fn folder_is_no_log_file() {
        assert!(LogFile::open(&std::env::temp_dir()).is_err());
    }
}
