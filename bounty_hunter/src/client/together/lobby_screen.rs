//! The lobby of a match over a network: who is there, in which colour, how far away, and ready or not.

use macroquad::math::{Rect, Vec2, vec2};
use macroquad::shapes::draw_rectangle;
use macroquad::time::get_frame_time;
use macroquad::window::{clear_background, next_frame, screen_height, screen_width};

use super::{SharedLine, SharedPeer, tr_notice, tr_reason};
use crate::client::devices::Devices;
use crate::client::drawing::gauges::draw_box;
use crate::client::drawing::palette::Palette;
use crate::client::drawing::text::{self, Align, Style};
use crate::client::drawing::theme::{self, faded};
use crate::client::input::hand::Hand;
use crate::client::input::reader::WindowEvent;
use crate::client::screens::replay_screen::Leaving;
use crate::client::settings::Settings;
use crate::client::translation::{tr, tr_level, tr_mode, tr_with};
use crate::client::window::clock::{due_steps, step_clock};
use crate::network::{Address, LineWatch, MemberView, NetInput, Peer};
use bounty_hunter_simulation::keymap::Key;

const BOX_WIDTH: f32 = 560.0;
const BOX_TOP: f32 = 196.0;
const NOTICES_TOP: f32 = 590.0;
const ROW_HEIGHT: f32 = 34.0;
/// Rows of the box, also without members.
const ROWS: usize = 8;

/// What is logged when it changes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Summary {
    members: usize,
    ready: usize,
    /// Those whose way to the host was measured.
    reached: usize,
}

impl Summary {
    fn of(members: &[MemberView]) -> Self {
        let count = |counts: fn(&MemberView) -> bool| members.iter().filter(|member| counts(member)).count();
        Self {
            members: members.len(),
            ready: count(|member| member.is_ready),
            reached: count(|member| member.is_host || member.ping_ms > 0),
        }
    }
}

/// Shows the lobby until the match begins; `Closed` if the person leaves. Why there is nothing to wait for is shown
/// until then. `addresses` are those of the host.
pub(crate) async fn run(peer: &SharedPeer, line: &SharedLine, addresses: &[Address], devices: &mut Devices) -> Leaving {
    tracing::info!(target: "bounty_hunter::client", "lobby");
    let mut clock = step_clock(60);
    let (mut shown, mut has_ended) = (Summary::default(), false);
    // The member that a host has chosen to remove.
    let mut chosen: Option<u8> = None;
    loop {
        for window_event in devices.reader.read() {
            match window_event {
                WindowEvent::CloseRequested | WindowEvent::KeyDown(Key::Escape) => return Leaving::Closed,
                WindowEvent::KeyDown(Key::Enter | Key::Space) => {
                    let is_ready = peer.borrow().is_ready();
                    peer.borrow_mut().set_ready(!is_ready);
                }
                WindowEvent::KeyDown(Key::Down) => chosen = next_guest(&peer.borrow(), chosen, 1),
                WindowEvent::KeyDown(Key::Up) => chosen = next_guest(&peer.borrow(), chosen, -1),
                WindowEvent::KeyDown(Key::R) => {
                    if let Some(id) = chosen.take() {
                        peer.borrow_mut().remove(id);
                    }
                }
                _ => {}
            }
        }
        for _ in 0..due_steps(&mut clock, f64::from(get_frame_time())) {
            peer.borrow_mut().step(NetInput::default());
            line.borrow_mut().follow(&mut peer.borrow_mut());
        }
        if let Some(reason) = peer.borrow().ended().filter(|_| !has_ended) {
            tracing::info!(target: "bounty_hunter::client", reason, "nothing to wait for");
            has_ended = true;
        }
        if has_begun(&peer.borrow()) {
            return Leaving::Back;
        }
        let now = Summary::of(&peer.borrow().members());
        if now != shown {
            let Summary { members, ready, reached } = now;
            tracing::info!(target: "bounty_hunter::client", members, ready, reached, "lobby");
            shown = now;
        }
        clear_background(theme::BACKGROUND);
        let window = vec2(screen_width(), screen_height());
        draw(&peer.borrow(), addresses, chosen, devices.file.settings.palette(), window);
        draw_notices(&line.borrow(), &devices.file.settings, window);
        next_frame().await;
    }
}

fn has_begun(peer: &Peer) -> bool {
    peer.simulation().is_some() && peer.ended().is_none()
}

/// For a host: the guest that is so many rows below the chosen one, or the first.
fn next_guest(peer: &Peer, chosen: Option<u8>, rows: isize) -> Option<u8> {
    let members = peer.members();
    if !members.iter().any(|member| member.is_self && member.is_host) {
        return None;
    }
    let guests: Vec<u8> = members.iter().filter(|member| !member.is_host).map(|member| member.id).collect();
    let row = guests.iter().position(|guest| Some(*guest) == chosen);
    let next = row.map_or(0, |row| (row as isize + rows).clamp(0, guests.len() as isize - 1) as usize);
    guests.get(next).copied()
}

/// Pixels per unit of the lobby.
fn unit(window: Vec2) -> f32 {
    (window.y / 720.0).min(window.x / 600.0).max(0.2)
}

/// Where the host is, for a guest, or what a host tells others.
fn address_line(peer: &Peer, addresses: &[Address]) -> String {
    let text: Vec<String> = addresses.iter().map(Address::to_string).collect();
    match peer.is_host() {
        true => tr_with("Others join with --join {addresses}", &[("addresses", &text.join(" · "))]),
        false => tr_with("The host is at {address}", &[("address", &text.join(" · "))]),
    }
}

/// Draws what happens on the line below everything else, each in its own lines.
fn draw_notices(line: &LineWatch, settings: &Settings, window: Vec2) {
    let unit = unit(window);
    let letters = 13.0 * unit.max(settings.layout(window.x, window.y, Hand::default()).scale);
    let mut y = NOTICES_TOP * unit;
    for notice in line.notices() {
        let color = if notice.is_trouble() { theme::ALARM } else { theme::TEXT };
        for words in text::wrapped(&tr_notice(notice), letters, window.x - 40.0 * unit) {
            text::draw(words, window.x / 2.0, y, Style::new(letters, color).align(Align::Center));
            y += 1.8 * letters;
        }
    }
}

fn draw(peer: &Peer, addresses: &[Address], chosen: Option<u8>, palette: Palette, window: Vec2) {
    let unit = unit(window);
    let center = window.x / 2.0;
    let line = |height: f32, color| Style::new(height * unit, color).align(Align::Center);
    text::draw(tr("Playing together"), center, 78.0 * unit, line(36.0, theme::ACCENT));
    let match_line = peer.setup().map_or_else(String::new, |setup| {
        tr_with(
            "{mode} in {level} · {players} players, AIs take the free seats",
            &[("mode", &tr_mode(&setup.mode)), ("level", &tr_level(&setup.level)), ("players", &setup.players)],
        )
    });
    text::draw(&match_line, center, 128.0 * unit, line(11.0, theme::TEXT));
    let address_line = address_line(peer, addresses);
    for (row, words) in (0_u8..2).zip(text::wrapped(&address_line, 12.0 * unit, window.x - 40.0 * unit)) {
        text::draw(words, center, (156.0 + 20.0 * f32::from(row)) * unit, line(12.0, theme::TEXT));
    }
    let width = BOX_WIDTH * unit;
    let area = Rect::new(center - width / 2.0, BOX_TOP * unit, width, (ROWS as f32 * ROW_HEIGHT + 20.0) * unit);
    draw_box(area, theme::OVERLAY, faded(theme::BORDER, 0.8), 2.0);
    if let Some(reason) = peer.ended() {
        for (row, words) in (0_u8..).zip(text::wrapped(&tr_reason(reason), 13.0 * unit, width - 40.0 * unit)) {
            text::draw(words, center, area.center().y + f32::from(row) * 22.0 * unit, line(13.0, theme::ALARM));
        }
        text::draw(tr("Escape closes"), center, area.bottom() + 36.0 * unit, line(10.0, theme::TEXT));
        return;
    }
    let members = peer.members();
    if members.is_empty() {
        text::draw(tr("Looking for the host…"), center, area.center().y, line(13.0, theme::TEXT));
    }
    for (index, member) in members.iter().take(ROWS).enumerate() {
        let y = area.y + (10.0 + (index as f32 + 0.5) * ROW_HEIGHT) * unit;
        let row = Rect::new(area.x + 6.0 * unit, y - ROW_HEIGHT * unit / 2.0, area.w - 12.0 * unit, ROW_HEIGHT * unit);
        if Some(member.id) == chosen {
            draw_box(row, faded(theme::ALARM, 0.15), faded(theme::ALARM, 0.8), 1.0);
        }
        if member.is_self {
            draw_rectangle(row.x, row.y, row.w, row.h, faded(theme::ACCENT, 0.12));
        }
        draw_member(member, palette, area, y, unit);
    }
    let own = if peer.is_ready() { tr("Enter: not ready after all") } else { tr("Enter: ready") };
    let help = tr_with("{own} · Escape leaves · the match begins when all players are ready", &[("own", &own)]);
    text::draw(&help, center, area.bottom() + 36.0 * unit, line(10.0, theme::TEXT));
    if next_guest(peer, chosen, 0).is_some() {
        let removing = if chosen.is_some() {
            tr("R removes the chosen member")
        } else {
            tr("Up and Down choose a member to remove")
        };
        text::draw(removing, center, area.bottom() + 60.0 * unit, line(10.0, theme::FAINT));
    }
}

fn draw_member(member: &MemberView, palette: Palette, area: Rect, y: f32, unit: f32) {
    let color = member.seat.map_or(theme::FAINT, |seat| palette.color(seat));
    let side = 14.0 * unit;
    let left = area.x + 24.0 * unit;
    draw_rectangle(left, y - side / 2.0, side, side, color);
    let name = text::fitting(&member.name, 12.0 * unit, 190.0 * unit);
    text::draw(name, left + 28.0 * unit, y, Style::new(12.0 * unit, theme::TEXT));
    let role = match (member.is_host, member.seat) {
        (true, _) => tr("host").to_owned(),
        (_, Some(seat)) => tr_with("seat {number}", &[("number", &(seat + 1))]),
        (_, None) => tr("watches").to_owned(),
    };
    text::draw(&role, left + 230.0 * unit, y, Style::new(10.0 * unit, theme::FAINT));
    let ping = if member.is_host { String::new() } else { format!("{} ms", member.ping_ms) };
    text::draw(&ping, left + 400.0 * unit, y, Style::new(10.0 * unit, theme::FAINT).align(Align::Right));
    let (word, color) = match (member.is_ready, member.seat) {
        (_, None) => ("", theme::FAINT),
        (true, _) => (tr("ready"), theme::HEALTH),
        (false, _) => (tr("not ready"), theme::FAINT),
    };
    text::draw(word, area.right() - 24.0 * unit, y, Style::new(11.0 * unit, color).align(Align::Right));
}
