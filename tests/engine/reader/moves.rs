//! One move made of several choices: every way is tried from the beginning, with the state as it was.

use super::statements::Flow;
use super::{Reader, Rest, Stop, Words};
use ruse::internal::machine::Action;
use ruse::internal::model::{Choice, OneMove, PlayerSet};

/// A way through a move: for each choice the number of the option, from 1 on.
pub struct Way {
    numbers: std::vec::IntoIter<u64>,
}

impl Reader<'_> {
    pub fn one_move(&mut self, one: &OneMove) -> Result<Flow, Stop> {
        let chooser = self.scalar(&one.chooser)? as u64;
        let ways = self.ways(one)?;
        if ways.is_empty() {
            let otherwise = one.otherwise.as_ref().ok_or(Stop::Fault)?;
            return self.block(otherwise);
        }
        let actions: Vec<Action> = ways.iter().map(|way| self.action(one, way)).collect();
        let chosen = self.ask(Rest::Decision(vec![(chooser, actions.clone())]))?;
        let chosen = chosen.first().ok_or(Stop::Fault)?;
        let at = actions.iter().position(|action| action == chosen);
        let way = ways[at.ok_or(Stop::Fault)?].clone();
        let everyone = self.d.everyone();
        let words = chosen.0[1..].iter().map(|word| (vec![*word], everyone));
        let parts: Vec<(Words, PlayerSet)> = words.collect();
        let own = PlayerSet::only(chooser as usize);
        self.tell_parts(one.site, Some(chooser as u8), (0, everyone), own, &parts)?;
        self.go(one, way)
    }

    /// What happens on a way.
    fn go(&mut self, one: &OneMove, way: Vec<u64>) -> Result<Flow, Stop> {
        let numbers = way.into_iter();
        self.way = Some(Way { numbers });
        let flow = self.block(&one.body);
        self.way = None;
        flow
    }

    /// All ways, in order.
    fn ways(&mut self, one: &OneMove) -> Result<Vec<Vec<u64>>, Stop> {
        let before = (self.vars.clone(), self.locals.clone(), self.events.len());
        let mut found: Vec<(Vec<u64>, i64)> = Vec::new();
        let mut waiting = vec![Vec::new()];
        while let Some(way) = waiting.pop() {
            self.vars.clone_from(&before.0);
            self.locals.clone_from(&before.1);
            let flow = self.go(one, way.clone());
            self.events.truncate(before.2);
            match flow {
                Err(Stop::Open(numbers)) => {
                    let longer = numbers.into_iter().rev();
                    waiting.extend(longer.map(|n| [way.as_slice(), &[n]].concat()));
                }
                Err(stop) => return Err(stop),
                Ok(_) if way.is_empty() => {}
                Ok(_) => {
                    let value = match &one.greatest {
                        Some(e) => self.scalar(e)?,
                        None => 0,
                    };
                    found.push((way, value));
                }
            }
        }
        (self.vars, self.locals) = (before.0, before.1);
        let greatest = found.iter().map(|(_, value)| *value).max();
        found.retain(|(_, value)| Some(*value) == greatest);
        Ok(found.into_iter().map(|(way, _)| way).collect())
    }

    /// A choice on a way that is given.
    pub fn choice_on_way(&mut self, choice: &Choice) -> Result<Flow, Stop> {
        let options = self.options(choice)?;
        if let (true, Some(otherwise)) = (options.is_empty(), &choice.otherwise) {
            return self.block(otherwise);
        }
        let numbers = options.iter().map(|option| self.number(choice, option));
        let numbers: Vec<u64> = numbers.collect::<Option<_>>().ok_or(Stop::Fault)?;
        let next = self.way.as_mut().and_then(|way| way.numbers.next());
        let Some(next) = next else {
            return Err(Stop::Open(numbers));
        };
        let at = numbers.iter().position(|n| *n == next);
        self.follow(choice, &options[at.ok_or(Stop::Fault)?])
    }

    /// The number of an option among all that there could be by the types of the values.
    fn number(&self, choice: &Choice, option: &Action) -> Option<u64> {
        let (alternative, values) = option.0.split_first()?;
        let alternative = *alternative as usize;
        let before = choice.alternatives[..alternative].iter();
        let before: u64 = before
            .map(|a| a.possible(&self.d.locals))
            .sum::<Option<u64>>()?;
        let mut number = 0;
        for (part, value) in choice.alternatives[alternative].parts.iter().zip(values) {
            let ty = &self.d.local(part.local).ty;
            let place = (*value as i64).checked_sub(ty.value_at(0))?;
            number = number * ty.size()? + place as u64;
        }
        Some(before + number + 1)
    }

    /// A way in as few words as it takes, the first choice in the highest bits.
    fn action(&self, one: &OneMove, way: &[u64]) -> Action {
        let choices = one.choices();
        let possible = choices.iter().filter_map(|c| c.possible(&self.d.locals));
        let bits = (possible.max().unwrap_or(1) + 1)
            .next_power_of_two()
            .ilog2();
        let most = one.longest() as usize;
        let per_word = (62 / bits as usize).min(most);
        let mut words = vec![0u64; 1 + most.div_ceil(per_word)];
        for i in 0..words.len() * per_word - per_word {
            let word = &mut words[1 + i / per_word];
            *word = *word << bits | way.get(i).copied().unwrap_or(0);
        }
        Action(words.into_iter().collect())
    }
}
