//! The table that people sit at: what is asked, answered and printed, game after game.

use super::save::{SaveFile, game_line};
use super::terminal::{Terminal, Typed};
use super::thinking::{Thinking, are_choices_told};
use super::{error_text, failure, failure_text, players, preparing};
use crate::arena::ArenaError;
use crate::arena::record::{GameLine, Header};
use crate::arena::session::input::{Command, Input, read, words};
use crate::arena::session::{Hint, SeatView, Session, Waiting, screen};
use crate::cli::analyse::few_playouts;
use crate::cli::habits;
use crate::cli::load::Loaded;
use crate::cli::output::{self, Failure, Verdict};
use crate::cli::thought_text::belief_share;
use crate::machine::Payoffs;
use crate::players::{Clock, Patience, PlayerSpec, usual};
use crate::text::wrap::paragraph;
use std::sync::atomic::Ordering;

pub struct GameLoop {
    pub terminal: Terminal,
    pub loaded: Loaded,
    pub session: Session,
    pub clock: Clock,
    pub header: Header,
    pub save: SaveFile,
    /// The games that are over.
    pub earlier: Vec<GameLine>,
    /// The seat of whoever has the keyboard.
    pub looking: Option<usize>,
    /// Whether a person has chosen something in this game.
    pub has_chosen: bool,
    /// Whether the file can be written; otherwise that was told.
    pub is_kept: bool,
    /// Whether the beginning says who plays which seat.
    pub names_players: bool,
    /// Lines at the beginning that the first question leaves on the screen.
    pub above: usize,
    /// Whether a player was told of that cannot try all its options.
    pub has_warned: bool,
}

/// What comes after a line that was typed.
enum Next {
    /// Another line.
    Line,
    /// The game goes on, or is seen anew.
    Look,
    Another,
    Leave(Verdict),
}

impl GameLoop {
    /// Plays until people have enough.
    pub fn play(&mut self) -> Result<Verdict, Failure> {
        self.introduce();
        loop {
            let next = match self.advance()? {
                Waiting::Choice(seat) => self.choice(seat)?,
                Waiting::End(payoffs) => self.end(&payoffs)?,
                Waiting::Stopped => self.stopped(None)?,
            };
            match next {
                Next::Line | Next::Look => {}
                Next::Another => self.another()?,
                Next::Leave(verdict) => return Ok(verdict),
            }
        }
    }

    /// Lets the others play, shows that they do, and keeps every ply.
    fn advance(&mut self) -> Result<Waiting, Failure> {
        let machine = self.session.machine();
        let counted = machine.features().hidden.is_empty() || are_choices_told(machine);
        let (stop, clock) = (self.terminal.stop.clone(), self.clock.clone());
        let thinking = Thinking::new(&stop, &clock, counted);
        loop {
            self.warn_of_few_playouts()?;
            let waiting = self.session.step_on(Patience::new(&|n| thinking.waits(n)));
            let waiting = waiting.map_err(|e| failure(&self.loaded, &e))?;
            self.keep(waiting.as_ref());
            if let Some(waiting) = waiting {
                return Ok(waiting);
            }
        }
    }

    /// Says once of another player that it has fewer playouts than options, where everybody knows those.
    fn warn_of_few_playouts(&mut self) -> Result<(), Failure> {
        let machine = self.session.machine();
        if self.has_warned || !machine.features().hidden.is_empty() {
            return Ok(());
        }
        let asked = self.session.asked();
        for (seat, spec, options) in asked.map_err(|e| failure(&self.loaded, &e))? {
            if let Some(few) = few_playouts(spec.count("playouts"), options) {
                let line = format!("{}: {few}", machine.player_name(seat));
                output::note(&line);
                self.above += paragraph(&line, habits::page().width()).lines().count();
                self.has_warned = true;
                break;
            }
        }
        Ok(())
    }

    /// Writes what happened so far to the file of `--save` or `--resume`. Trouble with that ends no game, and is told once.
    fn keep(&mut self, waiting: Option<&Waiting>) {
        let payoffs = match waiting {
            Some(Waiting::End(payoffs)) => Some(payoffs),
            _ => None,
        };
        if !self.save.is_named() || !self.is_kept {
            return;
        }
        let kept = self.games(payoffs).and_then(|games| {
            let durable = waiting.is_some();
            self.save.write(None, &self.header, &games, durable)
        });
        if let Err(failure) = kept {
            self.is_kept = false;
            output::problems(&failure.problems);
        }
    }

    /// Says what is played, at the beginning.
    fn introduce(&mut self) {
        let text = self.beginning(self.names_players);
        self.above += text.lines().count();
        output::print(&text);
    }

    /// What is played, perhaps by whom, and under which seed.
    fn beginning(&self, names_players: bool) -> String {
        let params = self.header.params.iter();
        let params: Vec<String> = params.map(|(k, v)| format!("{k} = {v}")).collect();
        let params = match params.join(", ") {
            text if text.is_empty() => text,
            text => format!(" ({text})"),
        };
        let machine = self.session.machine();
        let players = players(machine, self.session.occupants()).replace(',', ", ");
        let players = match names_players {
            true => format!("; {players}"),
            false => String::new(),
        };
        let first = format!("{}{params}{players};", machine.description().name);
        let last = format!("seed {}; `?` helps", self.session.seed());
        let width = habits::page().width();
        let mut text = paragraph(&format!("{first} {last}"), width);
        if !text.trim_end().ends_with(&last) {
            text = paragraph(&first, width) + &paragraph(&last, width);
        }
        text
    }

    /// Whether people must not look at each other's screens.
    fn is_passed(&self) -> bool {
        let features = self.session.machine().features();
        let secret = features.simultaneous || !features.hidden.is_empty();
        secret && self.session.people().count() > 1
    }

    /// Gives the keyboard to somebody, with nobody else's secrets on the screen. `None`: somebody else is there now;
    /// otherwise what was done instead.
    fn pass_to(&mut self, seat: usize) -> Option<Typed> {
        if self.is_passed() && self.looking != Some(seat) {
            let name = self.session.machine().player_name(seat).to_string();
            let is_cleared = self.terminal.clear();
            self.above = 0;
            let is_first = self.looking.is_none();
            if !is_cleared && is_first {
                output::note("what each of you sees stays in this output: it cannot be cleared");
            }
            let prompt = format!("pass the keyboard to {name}, then press Enter ");
            match self.terminal.ask(&prompt) {
                Typed::Line(_) => {}
                instead => return Some(instead),
            }
            self.looking = Some(seat);
            if is_cleared && is_first {
                self.introduce();
            }
        }
        None
    }

    /// Waits until whoever looks has read what is there, which the next one must not see. `None` as in `pass_to`.
    fn has_read(&self) -> Option<Typed> {
        match self.terminal.ask("press Enter when you have read this ") {
            Typed::Line(_) => None,
            instead => Some(instead),
        }
    }

    fn view(&self, seat: usize) -> Result<SeatView, Failure> {
        let view = self.session.view(seat);
        view.map_err(|e| failure(&self.loaded, &e))
    }

    /// Somebody's turn, up to a choice.
    fn choice(&mut self, seat: usize) -> Result<Next, Failure> {
        match self.pass_to(seat) {
            Some(Typed::Stopped) => return self.stopped(None),
            Some(_) => return self.input_ended(),
            None => {}
        }
        let view = self.view(seat)?;
        let above = std::mem::take(&mut self.above);
        let question = screen::question_below(&view, &habits::page(), above);
        output::print(&format!("\n{question}"));
        let prompt = format!("{}> ", view.name);
        loop {
            let line = match self.terminal.ask_for(&prompt, || words(&view.options)) {
                Typed::Line(line) => line,
                Typed::End => return self.input_ended(),
                Typed::Stopped => return self.stopped(None),
            };
            let next = match read(&line, &view.options) {
                Input::Nothing => Next::Line,
                Input::Wrong(why) => {
                    output::print(&paragraph(&why, habits::page().width()));
                    Next::Line
                }
                Input::Move(option) => {
                    let chosen = self.session.choose(seat, option);
                    self.has_chosen |= chosen.map_err(|e| failure(&self.loaded, &e))?;
                    Next::Look
                }
                Input::Command(command) => self.command(seat, &view, command, None)?,
            };
            if !matches!(next, Next::Line) {
                return Ok(next);
            }
        }
    }

    fn command(
        &mut self,
        seat: usize,
        view: &SeatView,
        command: Command,
        payoffs: Option<&Payoffs>,
    ) -> Result<Next, Failure> {
        match command {
            Command::Help => {
                // Who plays which seat may have left the screen by now.
                let help = screen::help(view, &habits::page());
                output::print(&format!("{}\n{help}", self.beginning(true)));
            }
            Command::Board => output::print(&screen::board(view, &habits::page())),
            Command::Options => output::print(&screen::options(view, &habits::page(), usize::MAX)),
            Command::History => output::print(&screen::history(view, &habits::page())),
            Command::Hint(spec) => output::print(&self.hint(seat, view, spec.as_deref())),
            Command::Save(name) => self.save(name.as_deref(), payoffs),
            Command::Reveal => output::print("the game is not over\n"),
            Command::Quit => return self.quit(payoffs),
            Command::Undo => {
                let thinking = Thinking::new(&self.terminal.stop, &self.clock, false);
                let patience = |n| thinking.waits(n);
                let undone = self.session.undo(seat, Patience::new(&patience));
                if undone.map_err(|e| failure(&self.loaded, &e))? {
                    return Ok(Next::Look);
                }
                output::print("there is nothing to take back\n");
            }
        }
        Ok(Next::Line)
    }

    /// What somebody else would do. Ctrl-C ends the search for it, and no more than that.
    fn hint(&self, seat: usize, view: &SeatView, spec: Option<&str>) -> String {
        let advice = self.advice(seat, view, spec);
        match self.terminal.stop.swap(false, Ordering::SeqCst) {
            // What comes of half a search is no advice.
            true => "no hint: it was stopped\n".to_string(),
            false => advice,
        }
    }

    fn advice(&self, seat: usize, view: &SeatView, spec: Option<&str>) -> String {
        if view.options.is_empty() {
            return "there is nothing to choose\n".to_string();
        }
        let mut why = String::new();
        let spec = match spec {
            None => usual(self.session.machine()).map(|usual| {
                if !habits::is_quiet() {
                    why = paragraph(&usual.line(), habits::page().width());
                }
                usual.spec
            }),
            Some(text) => match PlayerSpec::parse(text) {
                Ok(spec) => Some(spec),
                Err(d) => {
                    let hints = d.hint.iter().map(|h| format!("  {h}\n"));
                    return format!("{}\n{}", d.message, hints.collect::<String>());
                }
            },
        };
        let Some(spec) = spec else {
            return "say whom to ask: `hint PLAYER`\n".to_string();
        };
        let spec = match preparing(&self.loaded, &self.terminal).player(&spec) {
            Ok(spec) => spec,
            Err(failure) => return failure_text(&failure),
        };
        let thinking = Thinking::new(&self.terminal.stop, &self.clock, true);
        let patience = |n| thinking.waits(n);
        let hint = self.session.hint(seat, &spec, Patience::new(&patience));
        drop(thinking);
        match hint {
            Ok(Hint {
                option,
                blind: true,
                ..
            }) => format!(
                "{why}{spec} found no way in which all that you saw can have come about, so this is any of the options: `{}`\n",
                view.options[option]
            ),
            Ok(Hint {
                option, thought, ..
            }) => {
                let few = few_playouts(spec.count("playouts"), view.options.len());
                let share = belief_share(&spec, thought.belief);
                let more = few.into_iter().chain(share);
                let more: String = more
                    .map(|line| paragraph(&line, habits::page().width()))
                    .collect();
                format!(
                    "{why}{spec} would choose `{}`\n{more}",
                    view.options[option]
                )
            }
            Err(error) => error_text(&self.loaded, &error),
        }
    }

    /// The end of a game, which is kept before anybody leaves if there is a file for it.
    fn end(&mut self, payoffs: &Payoffs) -> Result<Next, Failure> {
        let next = self.after_the_end(payoffs)?;
        if matches!(next, Next::Leave(_)) && self.save.is_named() && !self.is_kept {
            self.save_and_tell(Some(payoffs))?;
        }
        Ok(next)
    }

    /// Everybody sees their own, then something else may be done.
    fn after_the_end(&mut self, payoffs: &Payoffs) -> Result<Next, Failure> {
        let people: Vec<usize> = self.session.people().collect();
        let machine = self.session.machine().clone();
        let names: Vec<String> = (0..machine.player_count())
            .map(|p| machine.player_name(p).to_string())
            .collect();
        let open = machine.features().hidden.is_empty();
        for (i, &seat) in if open { &people[..1] } else { &people[..] }
            .iter()
            .enumerate()
        {
            if !open {
                let read = if i > 0 { self.has_read() } else { None };
                match read.or_else(|| self.pass_to(seat)) {
                    Some(Typed::Stopped) => return self.stopped(Some(payoffs)),
                    Some(_) => return Ok(Next::Leave(Verdict::Fine)),
                    None => {}
                }
            }
            let view = self.view(seat)?;
            let own = (!open).then_some(seat);
            let outcome = screen::outcome(&machine, payoffs, own);
            let outcome = outcome.map_or_else(String::new, |words| format!(": {words}"));
            let payoffs = screen::payoffs(&names, payoffs, own);
            let line = format!("the game is over{outcome}; {payoffs}");
            let page = habits::page();
            let line = paragraph(&line, page.width());
            // An empty line, this one, and perhaps where the game is saved.
            let below = 1 + line.lines().count() + usize::from(self.save.is_named());
            let question = screen::question(&view, &page.without(below));
            output::print(&format!("\n{question}\n{line}"));
        }
        if self.save.is_named() && self.is_kept {
            self.save(None, Some(payoffs));
        }
        let seat = self.looking.unwrap_or(people[0]);
        let view = self.view(seat)?;
        loop {
            let line = match self.terminal.ask("another game? (yes, no, or a command) ") {
                Typed::Line(line) => line,
                Typed::End => return Ok(Next::Leave(Verdict::Fine)),
                Typed::Stopped => return self.stopped(Some(payoffs)),
            };
            match line.trim().to_lowercase().as_str() {
                "y" | "yes" => return Ok(Next::Another),
                "n" | "no" => return Ok(Next::Leave(Verdict::Fine)),
                _ => {}
            }
            let next = match read(&line, &[]) {
                Input::Nothing | Input::Move(_) => Next::Line,
                Input::Wrong(why) => {
                    output::print(&paragraph(&why, habits::page().width()));
                    Next::Line
                }
                Input::Command(Command::Reveal) => self.reveal(seat)?,
                Input::Command(command) => self.command(seat, &view, command, Some(payoffs))?,
            };
            if !matches!(next, Next::Line) {
                return Ok(next);
            }
        }
    }

    /// Shows everything once all the other people have agreed.
    fn reveal(&mut self, seat: usize) -> Result<Next, Failure> {
        let others: Vec<usize> = self.session.people().filter(|p| *p != seat).collect();
        for other in others {
            let name = self.session.machine().player_name(other).to_string();
            let prompt = format!("{name}, may everybody see everything? (yes, no) ");
            match self.terminal.ask(&prompt) {
                Typed::Line(line) if line.trim().to_lowercase().starts_with('y') => {}
                Typed::Line(_) => {
                    output::print("then it stays hidden\n");
                    return Ok(Next::Line);
                }
                Typed::End => return Ok(Next::Leave(Verdict::Fine)),
                Typed::Stopped => return Ok(Next::Leave(Verdict::No)),
            }
        }
        let all = self.session.uncovered();
        if let Some(all) = all.map_err(|e| failure(&self.loaded, &e))? {
            output::print(&format!(
                "{}\n{}",
                screen::history(&all, &habits::page()),
                screen::board(&all, &habits::page())
            ));
        }
        Ok(Next::Line)
    }

    fn another(&mut self) -> Result<(), Failure> {
        if let Waiting::End(payoffs) = self.advance()?
            && let Ok(line) = game_line(&self.session, Some(&payoffs))
        {
            self.earlier.push(line);
        }
        let old = &self.session;
        let seats = old.occupants().to_vec();
        let next = Session::new(
            old.machine(),
            seats,
            old.seed(),
            old.game() + 1,
            &self.clock,
        );
        self.session = next.map_err(|e| failure(&self.loaded, &e))?;
        self.session.quote(&self.loaded.source.sources);
        self.has_chosen = false;
        Ok(())
    }

    /// Saves and says where, or why not. From then on every ply is kept there.
    fn save(&mut self, name: Option<&str>, payoffs: Option<&Payoffs>) {
        let saved = self
            .games(payoffs)
            .and_then(|games| self.save.write(name, &self.header, &games, true));
        match saved {
            Ok(path) => {
                self.is_kept = true;
                output::print(&format!("saved in {}\n", path.display()));
            }
            Err(failure) => output::problems(&failure.problems),
        }
    }

    /// What a file is to hold: the games that are over and the one on the table.
    fn games(&self, payoffs: Option<&Payoffs>) -> Result<Vec<GameLine>, Failure> {
        let line = game_line(&self.session, payoffs.map(smallvec::SmallVec::as_slice));
        let line = line.map_err(|error| {
            let game = self.session.game();
            failure(&self.loaded, &ArenaError::Rules { game, error })
        })?;
        let mut games = self.earlier.clone();
        games.push(line);
        Ok(games)
    }

    fn quit(&mut self, payoffs: Option<&Payoffs>) -> Result<Next, Failure> {
        if payoffs.is_some() {
            return Ok(Next::Leave(Verdict::Fine));
        }
        if self.save.is_named() {
            let path = self.kept(None)?;
            output::print(&format!("saved in {path}\n"));
        } else if self.has_chosen && self.terminal.has_keyboard() {
            // Whoever says nothing may come back.
            match self.terminal.ask("keep the game? (yes, no) ") {
                Typed::Line(line) if line.trim().to_lowercase().starts_with('n') => {}
                Typed::Line(_) | Typed::End => self.save_and_tell(None)?,
                Typed::Stopped => return self.stopped(None),
            }
        } else if self.has_chosen {
            // Nobody is there who could be asked.
            self.save_and_tell(None)?;
        }
        Ok(Next::Leave(Verdict::Fine))
    }

    /// Saves a game that is left, and gives the name of the file, which is another one where the first cannot be written.
    fn kept(&mut self, payoffs: Option<&Payoffs>) -> Result<String, Failure> {
        let games = self.games(payoffs)?;
        let is_known = !self.is_kept;
        let path = self.save.write_anyhow(&self.header, &games, is_known)?;
        self.is_kept = true;
        Ok(path.display().to_string())
    }

    /// The input ended in the middle of a game: what people have done in it is kept.
    fn input_ended(&mut self) -> Result<Next, Failure> {
        output::say("the input ended before the game");
        if self.save.is_named() || self.has_chosen {
            self.save_and_tell(None)?;
        }
        Ok(Next::Leave(Verdict::Fine))
    }

    /// Ctrl-C: the game is saved in any case.
    fn stopped(&mut self, payoffs: Option<&Payoffs>) -> Result<Next, Failure> {
        self.save_and_tell(payoffs)?;
        Ok(Next::Leave(Verdict::No))
    }

    fn save_and_tell(&mut self, payoffs: Option<&Payoffs>) -> Result<(), Failure> {
        let path = self.kept(payoffs)?;
        let next = match payoffs {
            Some(_) => format!(
                "`ruse replay {path} --game {}` prints it",
                self.session.game() + 1
            ),
            None => format!("`ruse play --resume {path}` goes on"),
        };
        output::say(&format!("saved in {path}; {next}"));
        Ok(())
    }
}
