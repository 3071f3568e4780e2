//! The log of a match, as a subscriber hears it: what a person reads of it, and its details.

use std::io::{self, Write};
use std::sync::{Arc, LazyLock, Mutex};

use bounty_hunter::input::{Cheat, Inputs};
use bounty_hunter::view::GameState;
use tests::scenario;
use tracing::Dispatch;
use tracing::level_filters::LevelFilter;

/// A text to which the log is written.
#[derive(Clone, Default)]
struct Text(Arc<Mutex<Vec<u8>>>);

impl Write for Text {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("nothing panics while it writes").write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Subscribers of no thread that want every line. With fewer than two subscribers in the program, `tracing` asks only
/// that of the thread which first comes to a line, and another test's thread, which has none, would silence it for all.
static OTHERS: LazyLock<[Dispatch; 2]> = LazyLock::new(|| {
    let all = || tracing_subscriber::fmt().with_max_level(LevelFilter::TRACE).with_writer(io::sink).finish();
    [(); 2].map(|()| Dispatch::new(all()))
});

/// The lines of the game that are logged at a level and above while `act` runs.
fn logged(level: LevelFilter, act: impl FnOnce()) -> Vec<String> {
    LazyLock::force(&OTHERS);
    let text = Text::default();
    let writer = text.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(move || writer.clone())
        .with_ansi(false)
        .without_time()
        .finish();
    tracing::subscriber::with_default(subscriber, act);
    let bytes = text.0.lock().expect("nothing panics while it writes");
    let lines = std::str::from_utf8(&bytes).expect("the log is a text").lines();
    lines.filter(|line| line.contains(" bounty_hunter::")).map(|line| line.trim().to_owned()).collect()
}

/// What the lines say, without level, step and target.
fn said(lines: &[String]) -> Vec<&str> {
    lines.iter().filter_map(|line| line.split_once("bounty_hunter::match: ")).map(|(_, said)| said).collect()
}

fn short_match() {
    let mut game = scenario(">..0..........<").lasting(5.0).begin();
    game.carry(0, 60.0).drive(0, 1.0, 0.0).step_until(20, |game| game.stashed(0) > 0.0);
    let collector = game.collector(1);
    game.kill(collector).step(2).pause().step(3).resume();
    game.step_until(400, |game| game.state() == GameState::GameOver);
}

#[test]
fn match_can_be_read_at_the_usual_level() {
    let lines = logged(LevelFilter::INFO, short_match);
    let said = said(&lines);
    let begins =
        ["started players=2", "delivered player=0 stash=", "died player=1 deaths=1", "paused", "resumed ticks="];
    let rest = said.iter().filter(|line| !line.starts_with("leads collector="));
    for (line, begin) in rest.zip(begins) {
        assert!(line.starts_with(begin), "{begin} is expected: {said:#?}");
    }
    assert!(said[1].ends_with("points=60.0 deliveries=1"), "{said:#?}");
    assert_eq!(said.last(), Some(&"over ending=\"time\" winner=0"));
    assert!(lines.iter().all(|line| line.contains("step{tick=")), "each line says in which step: {lines:#?}");
}

#[test]
fn entities_have_one_form_in_all_lines() {
    let lines = logged(LevelFilter::DEBUG, || {
        let mut game = scenario(">..b").begin();
        game.cheat(Cheat::LogPhysics).drive(0, 1.0, 0.0).step(40);
        assert!(game.simulation_mut().step(&Inputs::none()).tick > 40);
    });
    let values = |field: &str| {
        let fields = lines.iter().flat_map(|line| line.split(' ')).filter_map(|word| word.strip_prefix(field));
        fields.map(str::to_owned).collect::<Vec<_>>()
    };
    let ids = ["entity=", "bounty=", "stash=", "collector="].map(values).concat();
    assert!(ids.len() > 5, "{lines:#?}");
    let is_id = |text: &str| {
        let parts = text.split_once('v').map(|(index, generation)| (index.parse::<u32>(), generation.parse::<u32>()));
        matches!(parts, Some((Ok(_), Ok(1..))))
    };
    assert!(ids.iter().all(|id| is_id(id)), "{ids:?}");
    assert!(lines.iter().any(|line| line.contains("cheats: body entity=")), "{lines:#?}");
}
