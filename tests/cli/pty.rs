//! Pseudo-terminals, whose other end the test holds.

use crate::support::command::ruse;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How long anything may take.
const DEADLINE: Duration = Duration::from_secs(120);

/// What was written to a terminal so far.
pub struct Screen(Arc<Mutex<Vec<u8>>>, File);

impl Screen {
    /// A terminal, as what it shows and as the end that a program has.
    pub fn new() -> (Screen, File) {
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap();
        let mut slave = OpenOptions::new();
        let slave = slave.read(true).write(true).open(name.to_str().unwrap());
        let slave = slave.unwrap();
        let shown = Arc::new(Mutex::new(Vec::new()));
        let (all, master) = (Arc::clone(&shown), File::from(master));
        let mut reader = master.try_clone().unwrap();
        // It ends with an error when nobody has the other end any more.
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(n @ 1..) = reader.read(&mut bytes) {
                all.lock().unwrap().extend_from_slice(&bytes[..n]);
            }
        });
        (Screen(shown, master), slave)
    }

    /// All that was written so far. A sign that has not come in full yet is a `\u{fffd}` at the end.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap()).into_owned()
    }

    pub fn type_keys(&self, keys: &str) {
        (&self.1).write_all(keys.as_bytes()).unwrap();
    }

    /// Waits until a text is shown.
    pub fn wait_for(&self, text: &str) {
        self.wait_for_times(text, 1);
    }

    /// Waits until a text was shown so often.
    pub fn wait_for_times(&self, text: &str, times: usize) {
        self.wait_until(&format!("`{text}`"), |shown| {
            shown.matches(text).count() >= times
        });
    }

    /// Waits until something holds of what is shown.
    pub fn wait_until(&self, what: &str, holds: impl Fn(&str) -> bool) {
        let start = Instant::now();
        while !holds(&self.text()) {
            let shown = self.text();
            assert!(start.elapsed() < DEADLINE, "no {what} in: {shown}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits for a number other than 0 before some words, as in `12 of 30 games`.
    pub fn wait_for_some(&self, words: &str) {
        self.wait_until(&format!("number before `{words}`"), |shown| {
            let before = shown.match_indices(words).map(|(at, _)| &shown[..at]);
            let mut numbers = before.filter_map(|text| text.split_whitespace().next_back());
            numbers.any(|n| n.parse().is_ok_and(|n: u64| n > 0))
        });
    }

    /// Waits until nobody can write any more.
    pub fn wait_for_end(&self) {
        let start = Instant::now();
        while Arc::strong_count(&self.0) > 1 {
            assert!(start.elapsed() < DEADLINE, "still shown: {}", self.text());
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

/// Sets the size of a terminal.
pub fn resize(terminal: &File, columns: u16, rows: u16) {
    let size = Winsize {
        ws_row: rows,
        ws_col: columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(terminal, size).unwrap();
}

/// The program with its standard error on a terminal.
pub fn watched(arguments: &[&str]) -> (Child, Screen) {
    watched_in(&mut ruse(arguments), 80)
}

/// A command with its standard error on a terminal of so many columns.
pub fn watched_in(command: &mut Command, columns: u16) -> (Child, Screen) {
    let (screen, slave) = Screen::new();
    resize(&slave, columns, 24);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(slave);
    let child = command.spawn().unwrap();
    // Else this process would have the other end too.
    command.stderr(Stdio::null());
    (child, screen)
}

/// Ctrl-C, as if it were pressed.
pub fn interrupt(child: &Child) {
    let id = child.id().to_string();
    let status = Command::new("kill").args(["-INT", &id]).status();
    assert!(status.unwrap().success());
}

/// Presses Ctrl-C and waits for the end, which comes soon.
pub fn interrupted(mut child: Child) -> Output {
    interrupt(&child);
    // A full pipe would keep it from ending.
    let mut out = child.stdout.take().unwrap();
    let reader = std::thread::spawn(move || {
        let mut bytes = Vec::new();
        out.read_to_end(&mut bytes).map(|_| bytes)
    });
    let start = Instant::now();
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        if start.elapsed() > DEADLINE {
            child.kill().unwrap();
            panic!("it goes on");
        }
        std::thread::sleep(Duration::from_millis(20));
    };
    Output {
        status,
        stdout: reader.join().unwrap().unwrap(),
        stderr: Vec::new(),
    }
}
