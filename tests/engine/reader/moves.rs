//! One move made of several choices: every way is tried from the beginning, with the state as it was.

use super::statements::Flow;
use super::{Reader, Rest, Stop, Words};
use ruse::internal::machine::Action;
use ruse::internal::model::{Choice, OneMove, Part, PlayerSet, SiteId};

/// A way through a move: for each choice the number of the option, from 1 on, and 0 where there was none and its `else` ran.
pub struct Way {
    numbers: std::vec::IntoIter<u64>,
    /// The choices after which no other can come; none where what follows from them is wanted.
    ends: Vec<SiteId>,
    /// The one of them that was come to.
    end: Option<SiteId>,
}

/// A way that was found.
struct Found {
    numbers: Vec<u64>,
    end: Option<SiteId>,
    /// What is to be greatest.
    value: i64,
}

impl Reader<'_> {
    pub fn one_move(&mut self, one: &OneMove) -> Result<Flow, Stop> {
        let chooser = self.scalar(&one.chooser)? as u64;
        let ways = self.ways(one)?;
        if ways.is_empty() {
            let otherwise = one.otherwise.as_ref().ok_or(Stop::Fault)?;
            return self.block(otherwise);
        }
        let actions = ways.iter().map(|way| self.action(one, way));
        let actions: Vec<Action> = actions.collect::<Option<_>>().ok_or(Stop::Fault)?;
        let chosen = self.ask(Rest::Decision(vec![(chooser, actions.clone())]))?;
        let chosen = chosen.first().ok_or(Stop::Fault)?;
        let at = actions.iter().position(|action| action == chosen);
        let way = ways[at.ok_or(Stop::Fault)?].numbers.clone();
        let everyone = self.d.everyone();
        let words = chosen.0[1..].iter().map(|word| (vec![*word], everyone));
        let parts: Vec<(Words, PlayerSet)> = words.collect();
        let own = PlayerSet::only(chooser as usize);
        self.tell_parts(one.site, Some(chooser as u8), (0, everyone), own, &parts)?;
        self.go(one, way).0
    }

    /// What happens on a way, and the choice that it ends with.
    fn go(&mut self, one: &OneMove, way: Vec<u64>) -> (Result<Flow, Stop>, Option<SiteId>) {
        let ends = match one.greatest {
            None => one.last_choices(),
            Some(_) => Vec::new(),
        };
        self.way = Some(Way {
            numbers: way.into_iter(),
            ends,
            end: None,
        });
        let flow = self.block(&one.body);
        let end = self.way.take().and_then(|way| way.end);
        (flow, end)
    }

    /// All ways, in order. What follows from the last choice does not matter.
    fn ways(&mut self, one: &OneMove) -> Result<Vec<Found>, Stop> {
        let before = (self.vars.clone(), self.locals.clone(), self.events.len());
        let mut found: Vec<Found> = Vec::new();
        let mut waiting = vec![Vec::new()];
        while let Some(way) = waiting.pop() {
            self.vars.clone_from(&before.0);
            self.locals.clone_from(&before.1);
            let (flow, end) = self.go(one, way.clone());
            self.events.truncate(before.2);
            match flow {
                Err(Stop::Open(numbers)) => {
                    let longer = numbers.into_iter().rev();
                    waiting.extend(longer.map(|n| [way.as_slice(), &[n]].concat()));
                }
                Err(stop) if end.is_none() => return Err(stop),
                Ok(_) if way.iter().all(|n| *n == 0) => {}
                _ => {
                    let value = match &one.greatest {
                        Some(e) => self.scalar(e)?,
                        None => 0,
                    };
                    let numbers = way;
                    found.push(Found {
                        numbers,
                        end,
                        value,
                    });
                }
            }
        }
        (self.vars, self.locals) = (before.0, before.1);
        let greatest = found.iter().map(|way| way.value).max();
        found.retain(|way| Some(way.value) == greatest);
        Ok(found)
    }

    /// A choice on a way that is given.
    pub fn choice_on_way(&mut self, choice: &Choice) -> Result<Flow, Stop> {
        let options = self.options(choice)?;
        if let (true, Some(otherwise)) = (options.is_empty(), &choice.otherwise) {
            return match self.way.as_mut().and_then(|way| way.numbers.next()) {
                None => Err(Stop::Open(vec![0])),
                Some(0) => self.block(otherwise),
                Some(_) => Err(Stop::Fault),
            };
        }
        let numbers = options.iter().map(|option| self.number(choice, option));
        let numbers: Vec<u64> = numbers.collect::<Option<_>>().ok_or(Stop::Fault)?;
        let next = self.way.as_mut().and_then(|way| way.numbers.next());
        let Some(next) = next else {
            return Err(Stop::Open(numbers));
        };
        if let Some(way) = &mut self.way
            && way.ends.contains(&choice.site)
        {
            way.end = Some(choice.site);
        }
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

    /// How many values some parts could have.
    fn values(&self, parts: &[Part]) -> Option<u64> {
        let sizes = parts.iter().map(|part| self.d.local(part.local).ty.size());
        sizes.product()
    }

    /// The number of an option of a last choice without the value of its last part, and that value.
    fn apart(&self, choice: &Choice, number: u64) -> Option<(u64, u64)> {
        let (mut left, mut before) = (number - 1, 0);
        for a in &choice.alternatives {
            let earlier = &a.parts[..a.parts.len().saturating_sub(1)];
            let last = self.values(&a.parts[earlier.len()..])?;
            let options = self.values(earlier)? * last;
            if left < options {
                return Some((before + left / last + 1, left % last));
            }
            left -= options;
            before += options / last;
        }
        None
    }

    /// How many numbers the options of a choice need.
    fn numbers_of(&self, choice: &Choice, is_end: bool) -> Option<u64> {
        let each = choice.alternatives.iter().map(|a| {
            let kept = a.parts.len() - usize::from(is_end && !a.parts.is_empty());
            self.values(&a.parts[..kept])
        });
        each.sum()
    }

    /// A way in as few words as it takes, the first choice in the highest bits. Of a last choice the value of the last part is
    /// a word of its own; without it there may be nothing to number.
    fn action(&self, one: &OneMove, way: &Found) -> Option<Action> {
        let ends = match one.greatest {
            None => one.last_choices(),
            Some(_) => Vec::new(),
        };
        let is_end = |choice: &Choice| ends.contains(&choice.site);
        let choices = one.choices();
        let possible = choices.iter().map(|c| self.numbers_of(c, is_end(c)));
        let possible: Option<Vec<u64>> = possible.collect();
        let bits = (possible?.into_iter().max()? + 1)
            .next_power_of_two()
            .ilog2();
        let numbered =
            |c: &Choice| !is_end(c) || c.otherwise.is_some() || self.numbers_of(c, true) != Some(1);
        let most = one.longest_of(&numbered).max(1) as usize;
        let per_word = (62 / bits as usize).min(most);
        let mut words = vec![0u64; 1 + most.div_ceil(per_word)];
        let (mut numbers, mut last) = (way.numbers.clone(), 0);
        if let Some(end) = way.end {
            let choice = choices.into_iter().find(|choice| choice.site == end)?;
            let (number, value) = self.apart(choice, numbers.pop()?)?;
            numbers.extend(numbered(choice).then_some(number));
            last = value;
        }
        for i in 0..words.len() * per_word - per_word {
            let word = &mut words[1 + i / per_word];
            *word = *word << bits | numbers.get(i).copied().unwrap_or(0);
        }
        words.extend((!ends.is_empty()).then_some(last));
        Some(Action(words.into_iter().collect()))
    }
}
