//! A setting that may differ from player to player: `0.2 X:0.1` is 0.1 for X and 0.2 for everybody else. Weights of classes
//! are written in the same way.

use super::supported_games::Unsuited;
use crate::machine::Machine;
use crate::model::PlayerSet;
use crate::text::nearest::nearest;
use std::fmt::Display;

/// Values for players and teams, and one for all who are not named.
#[derive(Clone, Debug, PartialEq)]
pub struct Each<T> {
    rest: Option<T>,
    /// By name, in the order of the names.
    named: Vec<(String, T)>,
}

impl<T> Default for Each<T> {
    /// For nobody.
    fn default() -> Each<T> {
        Each {
            rest: None,
            named: Vec::new(),
        }
    }
}

impl<T> Each<T> {
    /// One for everybody.
    pub fn all(value: T) -> Each<T> {
        Each {
            rest: Some(value),
            named: Vec::new(),
        }
    }

    /// Whether everybody has this one.
    pub fn is_all(&self, value: impl PartialEq<T>) -> bool {
        let rest = self.rest.as_ref().is_some_and(|rest| value == *rest);
        rest && self.named.iter().all(|(_, other)| value == *other)
    }

    /// Whether it is for nobody.
    pub fn is_empty(&self) -> bool {
        self.rest.is_none() && self.named.is_empty()
    }
}

impl<T: Clone + Display> Each<T> {
    /// Reads values, which `read` reads one by one, with blanks in between and a name and a colon before those that are not
    /// for everybody else. `None`: that is not what it is, or it has two for the same.
    pub fn read(text: &str, read: impl Fn(&str) -> Option<T>) -> Option<Each<T>> {
        let mut each = Each::default();
        for word in text.split_whitespace() {
            match word.split_once(':') {
                None if each.rest.is_none() => each.rest = Some(read(word)?),
                Some((name, value)) if !name.is_empty() => {
                    each.named.push((name.to_string(), read(value)?));
                }
                _ => return None,
            }
        }
        each.named.sort_by(|(a, _), (b, _)| a.cmp(b));
        let twice = each.named.windows(2).any(|pair| pair[0].0 == pair[1].0);
        (!twice && !each.is_empty()).then_some(each)
    }

    /// That of a player: its own, else that of its team, else that of everybody else.
    pub fn of(&self, machine: &Machine, player: usize) -> Option<&T> {
        let named = |name: &str| {
            let mut named = self.named.iter();
            named.find(|(n, _)| n == name).map(|(_, value)| value)
        };
        let teams = &machine.description().teams;
        let mut teams = teams.iter().filter(|team| team.members.contains(player));
        named(machine.player_name(player))
            .or_else(|| teams.find_map(|team| named(&team.name)))
            .or(self.rest.as_ref())
    }

    /// The names that have a value.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.named.iter().map(|(name, _)| name.as_str())
    }

    /// That of a name, else that of everybody else.
    pub fn named(&self, name: &str) -> Option<&T> {
        let named = self.named.iter().find(|(n, _)| n == name);
        named.map(|(_, value)| value).or(self.rest.as_ref())
    }

    /// The values with the players that they are for, and who that is in words.
    pub fn groups(&self, machine: &Machine) -> impl Iterator<Item = (Option<&str>, PlayerSet, &T)> {
        let rest = self.rest.iter().map(|value| (None, value));
        let named = self
            .named
            .iter()
            .map(|(name, value)| (Some(name.as_str()), value));
        rest.chain(named).map(|(name, value)| {
            let players = (0..machine.player_count()).filter(|p| match name {
                None => true,
                Some(name) => named_so(machine, name).contains(*p),
            });
            (name, players.collect(), value)
        })
    }

    /// Whether all that it names are players or teams of a game. `setting` is the name of the parameter.
    ///
    /// # Errors
    /// Who is not.
    pub fn names_players(&self, machine: &Machine, setting: &str) -> Result<(), Box<Unsuited>> {
        let unknown = self
            .named
            .iter()
            .find(|(name, _)| named_so(machine, name).is_empty());
        let Some((name, value)) = unknown else {
            return Ok(());
        };
        let teams = machine.description().teams.iter().map(|t| t.name.as_str());
        let near = nearest(name, machine.player_names().chain(teams));
        Err(Box::new(Unsuited {
            span: machine.description().payoff.span,
            setting: format!("{setting}={name}:{value}"),
            needs: "a player or a team of that name",
            but: "there is none".to_string(),
            instead: near
                .map(|near| format!("{setting}={near}:{value}"))
                .into_iter()
                .collect(),
        }))
    }
}

/// The player or the members of the team of a name.
fn named_so(machine: &Machine, name: &str) -> PlayerSet {
    let player = (0..machine.player_count()).find(|p| machine.player_name(*p) == name);
    let teams = &machine.description().teams;
    let team = teams.iter().find(|team| team.name == name);
    match (player, team) {
        (Some(player), _) => [player].into_iter().collect(),
        (None, Some(team)) => team.members,
        (None, None) => PlayerSet::default(),
    }
}

impl<T: Display> Display for Each<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut blank = "";
        if let Some(rest) = &self.rest {
            write!(f, "{rest}")?;
            blank = " ";
        }
        for (name, value) in &self.named {
            write!(f, "{blank}{name}:{value}")?;
            blank = " ";
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<Each<u8>> {
        Each::read(text, |word| word.parse().ok())
    }

    #[test]
    fn it_is_read_and_written() {
        for (text, canonical) in [
            ("3", "3"),
            ("3 Ben:1", "3 Ben:1"),
            ("Pack:2  Ben:1 3", "3 Ben:1 Pack:2"),
        ] {
            assert_eq!(read(text).unwrap().to_string(), canonical);
        }
        for text in ["", "x", "3 4", "Ben:", ":3", "Ben:1 Ben:1", "Ben:x"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn a_player_comes_before_its_team() {
        let game = "game Three {
          players { Ann, Ben, Cid }
          team Pack { Ben, Cid }
          play { Ann chooses { a b } }
          payoff zero-sum: { Ann: 0  Pack: 0 }
        }";
        let (machine, _) = crate::load(game, &Default::default()).unwrap();
        let of = |text: &str| -> Vec<Option<u8>> {
            let each = read(text).unwrap();
            (0..3).map(|p| each.of(&machine, p).copied()).collect()
        };
        assert_eq!(of("3"), [Some(3); 3]);
        assert_eq!(of("Pack:2"), [None, Some(2), Some(2)]);
        assert_eq!(of("3 Pack:2 Cid:1"), [Some(3), Some(2), Some(1)]);
        assert_eq!(read("Pack:2").unwrap().names_players(&machine, "n"), Ok(()));
        let unknown = read("Pak:2").unwrap().names_players(&machine, "n");
        assert_eq!(unknown.unwrap_err().instead, ["n=Pack:2"]);
    }
}
