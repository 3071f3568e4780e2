//! The lobby of a match over a network: the people, their colours, delays and whether they are ready; and the address
//! of the host, to be passed on to friends.

use macroquad::input::mouse_position;
use macroquad::math::{Rect, Vec2, vec2};
use macroquad::miniquad;
use macroquad::shapes::draw_rectangle;
use macroquad::time::get_frame_time;
use macroquad::window::{clear_background, next_frame, screen_height, screen_width};

use super::Lobby;
use super::sentences::{tr_notice, tr_reason};
use crate::client::devices::Devices;
use crate::client::drawing::gauges::draw_box;
use crate::client::drawing::palette::Palette;
use crate::client::drawing::text::{self, Align, Style};
use crate::client::drawing::theme::{self, faded};
use crate::client::input::hand::Hand;
use crate::client::input::keys::MouseButton;
use crate::client::input::pad_button::PadButton;
use crate::client::input::reader::WindowEvent;
use crate::client::screens::replay_screen::Leaving;
use crate::client::settings::Settings;
use crate::client::translation::{tr, tr_level, tr_mode, tr_with};
use crate::client::window::clock::{due_steps, step_clock};
use crate::network::{Address, LineWatch, MemberView, NetInput, Peer};
use bounty_hunter_simulation::keymap::Key;

const BOX_WIDTH: f32 = 560.0;
const BOX_TOP: f32 = 226.0;
const BUTTONS_TOP: f32 = 514.0;
const BUTTON_HEIGHT: f32 = 32.0;
const NOTICES_TOP: f32 = 612.0;
const ROW_HEIGHT: f32 = 32.0;
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

/// What the person at the window can do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Button {
    /// Is ready, or not after all.
    Ready,
    /// Copies the address of the host.
    Copy,
    Leave,
}

const BUTTONS: [Button; 3] = [Button::Ready, Button::Copy, Button::Leave];

/// What the person has chosen so far.
#[derive(Default)]
struct Choice {
    /// The member that a host has chosen to remove.
    member: Option<u8>,
    has_copied: bool,
}

/// Shows the lobby until the match begins, which is `None`, or the person leaves it. Why there is nothing to wait for
/// is shown until then.
pub(crate) async fn run(lobby: &mut Lobby, devices: &mut Devices) -> Option<Leaving> {
    let Lobby { peer, line, addresses, beacon, .. } = lobby;
    let (address, is_host) = (addresses.first().map_or_else(String::new, Address::to_string), peer.borrow().is_host());
    tracing::info!(target: "bounty_hunter::client", address, is_host, "lobby");
    let mut clock = step_clock(60);
    let (mut shown, mut has_ended) = (Summary::default(), false);
    let mut choice = Choice::default();
    loop {
        let window = vec2(screen_width(), screen_height());
        for window_event in devices.reader.read() {
            if *window_event == WindowEvent::CloseRequested {
                return Some(Leaving::Closed);
            }
            match take(*window_event, &mut peer.borrow_mut(), &mut choice, window) {
                Some(Button::Leave) => return Some(Leaving::Back),
                Some(Button::Copy) if !address.is_empty() => {
                    miniquad::window::clipboard_set(&address);
                    tracing::info!(target: "bounty_hunter::client", address, "copied");
                    choice.has_copied = true;
                }
                _ => {}
            }
        }
        for _ in 0..due_steps(&mut clock, f64::from(get_frame_time())) {
            peer.borrow_mut().step(NetInput::default());
            line.borrow_mut().follow(&mut peer.borrow_mut());
            if let Some(beacon) = beacon {
                beacon.follow(&peer.borrow());
            }
        }
        if let Some(reason) = peer.borrow().ended().filter(|_| !has_ended) {
            tracing::info!(target: "bounty_hunter::client", reason, "nothing to wait for");
            has_ended = true;
        }
        if has_begun(&peer.borrow()) {
            return None;
        }
        let now = Summary::of(&peer.borrow().members());
        if now != shown {
            let Summary { members, ready, reached } = now;
            tracing::info!(target: "bounty_hunter::client", members, ready, reached, "lobby");
            shown = now;
        }
        clear_background(theme::BACKGROUND);
        draw(&peer.borrow(), addresses, &choice, devices.file.settings.palette(), window);
        draw_notices(&line.borrow(), &devices.file.settings, window);
        next_frame().await;
    }
}

/// Applies an event; returns what is left to do.
fn take(event: WindowEvent, peer: &mut Peer, choice: &mut Choice, window: Vec2) -> Option<Button> {
    let key = match event {
        WindowEvent::KeyDown(key) => Some(key),
        WindowEvent::PadDown(_, PadButton::West) => Some(Key::C),
        WindowEvent::PadDown(_, PadButton::North) => Some(Key::R),
        WindowEvent::PadDown(_, button) => button.menu_key(),
        _ => None,
    };
    let button = match (event, key) {
        (WindowEvent::ButtonDown(MouseButton::Left), _) => button_at(window, mouse_position().into()),
        (_, Some(Key::Enter | Key::Space)) => Some(Button::Ready),
        (_, Some(Key::C)) => Some(Button::Copy),
        (_, Some(Key::Escape)) => Some(Button::Leave),
        _ => None,
    };
    match key {
        Some(Key::Down) => choice.member = next_guest(peer, choice.member, 1),
        Some(Key::Up) => choice.member = next_guest(peer, choice.member, -1),
        Some(Key::R) => choice.member.take().into_iter().for_each(|id| peer.remove(id)),
        _ => {}
    }
    if button == Some(Button::Ready) {
        let is_ready = peer.is_ready();
        peer.set_ready(!is_ready);
    }
    button
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

/// The area of a button.
fn button_area(window: Vec2, button: Button) -> Rect {
    const GAP: f32 = 10.0;
    let unit = unit(window);
    let width = (BOX_WIDTH - 2.0 * GAP) / 3.0;
    let left = (button as u8 as f32) * (width + GAP) - BOX_WIDTH / 2.0;
    Rect::new(window.x / 2.0 + left * unit, BUTTONS_TOP * unit, width * unit, BUTTON_HEIGHT * unit)
}

/// The button at a point in pixels.
fn button_at(window: Vec2, point: Vec2) -> Option<Button> {
    BUTTONS.into_iter().find(|button| button_area(window, *button).contains(point))
}

/// Draws the address of the host, large for the person who hosts and passes it on.
fn draw_addresses(peer: &Peer, addresses: &[Address], window: Vec2) {
    let (unit, center) = (unit(window), window.x / 2.0);
    let Some((first, others)) = addresses.split_first() else { return };
    let first = first.to_string();
    let style = |height: f32, color| Style::new(height * unit, color).align(Align::Center);
    if !peer.is_host() {
        let sentence = tr_with("The host is at {address}", &[("address", &first)]);
        return text::draw(&sentence, center, 160.0 * unit, style(12.0, theme::TEXT));
    }
    let height = text::shrunk(&first, 28.0 * unit, window.x * 0.94);
    text::draw(&first, center, 134.0 * unit, Style { height, ..style(28.0, theme::ACCENT) }.weight(1.1));
    if !others.is_empty() {
        let others: Vec<String> = others.iter().map(Address::to_string).collect();
        let also = tr_with("or {addresses}", &[("addresses", &others.join(" · "))]);
        let also = text::fitting(&also, 9.0 * unit, window.x * 0.94);
        text::draw(also, center, 164.0 * unit, style(9.0, theme::FAINT));
    }
    let is_alone = addresses.iter().all(|address| address.ip().is_loopback());
    let told = match is_alone {
        true => tr("Without a network, only windows on this machine find this match"),
        false => tr("Friends choose Play together on their title: they find this match there, or type this address"),
    };
    for (row, words) in (0_u8..2).zip(text::wrapped(told, 11.0 * unit, window.x - 40.0 * unit)) {
        text::draw(words, center, (188.0 + 19.0 * f32::from(row)) * unit, style(11.0, theme::TEXT));
    }
}

fn draw_buttons(peer: &Peer, buttons: &[Button], choice: &Choice, window: Vec2) {
    for button in buttons.iter().copied() {
        let label = match button {
            Button::Ready if peer.is_ready() => tr("Enter: not ready after all"),
            Button::Ready => tr("Enter: ready"),
            Button::Copy if choice.has_copied => tr("The address is copied"),
            Button::Copy => tr("C: copy the address"),
            Button::Leave => tr("Esc: leave"),
        };
        let (area, unit) = (button_area(window, button), unit(window));
        let is_likely = button == Button::Ready && !peer.is_ready();
        let color = if is_likely { theme::ACCENT } else { theme::TEXT };
        draw_box(area, theme::OVERLAY, faded(if is_likely { theme::ACCENT } else { theme::BORDER }, 0.8), 1.0);
        let height = text::shrunk(label, 10.5 * unit, area.w - 12.0 * unit);
        text::draw(label, area.center().x, area.center().y, Style::new(height, color).align(Align::Center));
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

fn draw(peer: &Peer, addresses: &[Address], choice: &Choice, palette: Palette, window: Vec2) {
    let unit = unit(window);
    let center = window.x / 2.0;
    let line = |height: f32, color| Style::new(height * unit, color).align(Align::Center);
    text::draw(tr("Playing together"), center, 50.0 * unit, line(30.0, theme::ACCENT));
    let match_line = peer.setup().map_or_else(String::new, |setup| {
        tr_with(
            "{mode} in {level} · {players} players, AIs take the free seats",
            &[("mode", &tr_mode(&setup.mode)), ("level", &tr_level(&setup.level)), ("players", &setup.players)],
        )
    });
    text::draw(&match_line, center, 90.0 * unit, line(11.0, theme::TEXT));
    draw_addresses(peer, addresses, window);
    let width = BOX_WIDTH * unit;
    let area = Rect::new(center - width / 2.0, BOX_TOP * unit, width, (ROWS as f32 * ROW_HEIGHT + 20.0) * unit);
    draw_box(area, theme::OVERLAY, faded(theme::BORDER, 0.8), 2.0);
    if let Some(reason) = peer.ended() {
        for (row, words) in (0_u8..).zip(text::wrapped(&tr_reason(reason), 13.0 * unit, width - 40.0 * unit)) {
            text::draw(words, center, area.center().y + f32::from(row) * 22.0 * unit, line(13.0, theme::ALARM));
        }
        return draw_buttons(peer, &[Button::Leave], choice, window);
    }
    let members = peer.members();
    if members.is_empty() {
        text::draw(tr("Looking for the host…"), center, area.center().y, line(13.0, theme::TEXT));
    }
    for (index, member) in members.iter().take(ROWS).enumerate() {
        let y = area.y + (10.0 + (index as f32 + 0.5) * ROW_HEIGHT) * unit;
        let row = Rect::new(area.x + 6.0 * unit, y - ROW_HEIGHT * unit / 2.0, area.w - 12.0 * unit, ROW_HEIGHT * unit);
        if Some(member.id) == choice.member {
            draw_box(row, faded(theme::ALARM, 0.15), faded(theme::ALARM, 0.8), 1.0);
        }
        if member.is_self {
            draw_rectangle(row.x, row.y, row.w, row.h, faded(theme::ACCENT, 0.12));
        }
        draw_member(member, palette, area, y, unit);
    }
    draw_buttons(peer, &BUTTONS, choice, window);
    let help = tr("The match begins when all players are ready");
    text::draw(help, center, 564.0 * unit, line(10.0, theme::TEXT));
    if next_guest(peer, choice.member, 0).is_some() {
        let removing = if choice.member.is_some() {
            tr("R removes the chosen member")
        } else {
            tr("Up and Down choose a member to remove")
        };
        text::draw(removing, center, 584.0 * unit, line(10.0, theme::FAINT));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_button_is_found_at_its_place_above_the_notices() {
        for (x, y) in [(1280.0, 720.0), (800.0, 600.0), (720.0, 1280.0), (400.0, 900.0), (1920.0, 500.0)] {
            let window = vec2(x, y);
            for button in BUTTONS {
                let area = button_area(window, button);
                assert_eq!(button_at(window, area.center()), Some(button));
                assert!(area.x >= 0.0 && area.right() <= x && area.bottom() < NOTICES_TOP * unit(window), "{area:?}");
            }
            assert_eq!(button_at(window, vec2(1.0, 1.0)), None);
        }
    }
}
