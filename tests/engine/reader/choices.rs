//! Choices and draws: what there is to choose, who is told what, what follows.

use super::statements::Flow;
use super::values::insert;
use super::{Reader, Rest, Stop, Words};
use ruse::internal::machine::{Action, Observation};
use ruse::internal::model::types::{Type, bits};
use ruse::internal::model::{
    Alternative, Arm, Choice, Deal, Draw, Expr, ExprKind, LocalId, Part, PlayerSet, SiteId, StoreOp,
};

/// Sets with more elements are not listed by their subsets.
const MOST: usize = 14;

/// Is called for a tuple of values.
type Found<'a, 'd> = dyn FnMut(&mut Reader<'d>, &[u64]) -> Result<(), Stop> + 'a;

/// One arm of a choice that several make at a time.
struct Place<'d> {
    choice: &'d Choice,
    /// The player that a name stands for.
    each: Option<(LocalId, u64)>,
    chooser: u64,
    options: Vec<Action>,
}

impl<'d> Reader<'d> {
    pub fn choice(&mut self, choice: &Choice) -> Result<Flow, Stop> {
        let chooser = self.scalar(&choice.chooser)? as u64;
        let options = self.options(choice)?;
        if options.is_empty() {
            let otherwise = choice.otherwise.as_ref().ok_or(Stop::Fault)?;
            return self.block(otherwise);
        }
        let actions = self.ask(Rest::Decision(vec![(chooser, options)]))?;
        let action = actions.first().ok_or(Stop::Fault)?;
        self.tell_choice(choice, chooser, action)?;
        self.follow(choice, action)
    }

    pub fn together(&mut self, arms: &[Arm]) -> Result<Flow, Stop> {
        let mut places: Vec<Place<'_>> = Vec::new();
        for arm in arms {
            let choice = &arm.choice;
            let Some(each) = &arm.each else {
                let chooser = self.scalar(&choice.chooser)? as u64;
                let options = self.options(choice)?;
                places.push(Place {
                    choice,
                    each: None,
                    chooser,
                    options,
                });
                continue;
            };
            for player in self.elements(&each.domain)? {
                let player = player as u64;
                self.locals.insert(each.local, vec![player]);
                if let Some(cond) = &each.cond
                    && !self.holds(cond)?
                {
                    continue;
                }
                let chooser = self.scalar(&choice.chooser)? as u64;
                let options = self.options(choice)?;
                places.push(Place {
                    choice,
                    each: Some((each.local, player)),
                    chooser,
                    options,
                });
            }
        }
        if places
            .iter()
            .any(|p| p.options.is_empty() && p.choice.otherwise.is_none())
        {
            return Err(Stop::Fault);
        }
        let asked = places.iter().filter(|p| !p.options.is_empty());
        let mut asked: Vec<(u64, Vec<Action>)> =
            asked.map(|p| (p.chooser, p.options.clone())).collect();
        asked.sort();
        let seats: Vec<u64> = asked.iter().map(|(p, _)| *p).collect();
        let actions = match asked.is_empty() {
            true => Vec::new(),
            false => self.ask(Rest::Decision(asked))?,
        };
        let taken = |place: &Place<'_>| {
            let seat = seats.iter().position(|p| *p == place.chooser);
            let action = seat.and_then(|i| actions.get(i));
            action.filter(|_| !place.options.is_empty()).cloned()
        };
        for place in &places {
            if let Some(action) = taken(place) {
                self.enter(place);
                self.tell_choice(place.choice, place.chooser, &action)?;
            }
        }
        for place in &places {
            self.enter(place);
            let flow = match (taken(place), &place.choice.otherwise) {
                (Some(action), _) => self.follow(place.choice, &action)?,
                (None, Some(otherwise)) => self.block(otherwise)?,
                (None, None) => Flow::Next,
            };
            if flow != Flow::Next {
                return Ok(flow);
            }
        }
        Ok(Flow::Next)
    }

    fn enter(&mut self, place: &Place<'_>) {
        if let Some((local, player)) = place.each {
            self.locals.insert(local, vec![player]);
        }
    }

    /// Stores and statements of the alternative that was taken.
    pub fn follow(&mut self, choice: &Choice, action: &Action) -> Result<Flow, Stop> {
        let alternative = self.bind(choice, action)?;
        self.stores(&alternative.parts)?;
        self.block(&alternative.body)
    }

    fn stores(&mut self, parts: &[Part]) -> Result<(), Stop> {
        for part in parts {
            let Some(place) = &part.into else { continue };
            let from = &self.d.local(part.local).ty;
            let to = &self.d.var(place.var).ty;
            let local = Expr::local(part.local, from.clone(), part.span);
            let same = from == to || matches!((from, to), (Type::Int { .. }, Type::Int { .. }));
            let value = match same {
                true => self.value(&local)?,
                false => self.value(&Expr {
                    kind: ExprKind::Cast(Box::new(local)),
                    ty: to.clone(),
                    span: part.span,
                })?,
            };
            self.store(place, StoreOp::Set, &value)?;
        }
        Ok(())
    }

    /// Gives the names of the alternative that was taken their values.
    fn bind<'c>(&mut self, choice: &'c Choice, action: &Action) -> Result<&'c Alternative, Stop> {
        let (number, words) = action.0.split_first().ok_or(Stop::Fault)?;
        let alternative = choice.alternatives.get(*number as usize);
        let alternative = alternative.ok_or(Stop::Fault)?;
        self.bind_parts(&alternative.parts, words)?;
        Ok(alternative)
    }

    fn bind_parts(&mut self, parts: &[Part], mut words: &[u64]) -> Result<(), Stop> {
        for part in parts {
            let width = self.d.local(part.local).ty.words();
            let (value, rest) = words.split_at_checked(width).ok_or(Stop::Fault)?;
            self.locals.insert(part.local, value.to_vec());
            words = rest;
        }
        Ok(())
    }

    /// The chooser sees all; others the label, if it is for them, and the values that are.
    fn tell_choice(&mut self, choice: &Choice, chooser: u64, action: &Action) -> Result<(), Stop> {
        let alternative = self.bind(choice, action)?;
        let own = PlayerSet::only(chooser as usize);
        let label = match &alternative.label {
            Some(_) => self.players(&choice.viewers)? | own,
            None => PlayerSet::EMPTY,
        };
        let number = match &alternative.label {
            Some(_) => (action.0[0], label),
            None => (0, self.d.everyone()),
        };
        let parts = self.parts(&alternative.parts, own)?;
        self.tell_parts(
            choice.site,
            Some(chooser as u8),
            number,
            label | own,
            &parts,
        )
    }

    /// The values that are bound, with those who see them.
    fn parts(&mut self, parts: &[Part], own: PlayerSet) -> Result<Vec<(Words, PlayerSet)>, Stop> {
        let mut list = Vec::new();
        for part in parts {
            let viewers = self.players(&part.viewers)? | own;
            let value = self.locals.get(&part.local).cloned().ok_or(Stop::Fault)?;
            list.push((value, viewers));
        }
        Ok(list)
    }

    /// Tells each player of an event what is for that player; `number` and `notice`: who sees the alternative, and who
    /// sees the event without seeing a part.
    pub fn tell_parts(
        &mut self,
        site: SiteId,
        chooser: Option<u8>,
        number: (u64, PlayerSet),
        notice: PlayerSet,
        parts: &[(Words, PlayerSet)],
    ) -> Result<(), Stop> {
        for player in self.d.everyone() {
            let mut pattern = 0;
            let known = number.1.contains(player);
            // Nothing that is told has this number.
            let mut values = vec![if known { number.0 } else { u64::MAX }];
            for (i, (value, viewers)) in parts.iter().enumerate() {
                if viewers.contains(player) {
                    pattern |= 1 << (i % 64);
                    values.extend(value);
                }
            }
            if pattern != 0 || notice.contains(player) {
                let observation = Observation {
                    site,
                    chooser,
                    pattern,
                    values: values.into_iter().collect(),
                };
                self.tell(PlayerSet::only(player), observation)?;
            }
        }
        Ok(())
    }

    pub fn options(&mut self, choice: &Choice) -> Result<Vec<Action>, Stop> {
        let mut list = Vec::new();
        for (i, alternative) in choice.alternatives.iter().enumerate() {
            let cond = alternative.cond.as_ref();
            let (parts, mut words) = (alternative.parts.as_slice(), vec![i as u64]);
            self.tuples(parts, &mut words, &mut |reader, words| {
                if cond.is_none_or_holds(reader)? {
                    list.push(Action(words.iter().copied().collect()));
                }
                Ok(())
            })?;
        }
        Ok(list)
    }

    /// Calls `found` for every tuple of values, with the names bound.
    fn tuples(
        &mut self,
        parts: &[Part],
        words: &mut Words,
        found: &mut Found<'_, 'd>,
    ) -> Result<(), Stop> {
        let Some((part, rest)) = parts.split_first() else {
            return found(self, words);
        };
        let domain = self.value(&part.domain)?;
        let mut values: Vec<Words> = Vec::new();
        match &part.sizes {
            None => {
                let element = part.domain.ty.element().ok_or(Stop::Fault)?;
                values.extend(bits(&domain).map(|i| vec![element.value_at(i) as u64]));
            }
            Some(sizes) => {
                let least = self.scalar(&sizes.least)?;
                let most = match &sizes.most {
                    Some(most) => self.scalar(most)?,
                    None => least,
                };
                values.extend(subsets(&domain, least, most)?);
            }
        }
        for value in values {
            let length = words.len();
            words.extend(&value);
            self.locals.insert(part.local, value);
            self.tuples(rest, words, found)?;
            words.truncate(length);
        }
        Ok(())
    }

    pub fn draw(&mut self, draw: &Draw) -> Result<(), Stop> {
        let mut list = Vec::new();
        let mut words = vec![0];
        self.tuples(&draw.parts, &mut words, &mut |reader, words| {
            if !draw.cond.as_ref().is_none_or_holds(reader)? {
                return Ok(());
            }
            let weight = match &draw.weight {
                Some(weight) => reader.scalar(weight)?,
                None => 1,
            };
            let weight = u64::try_from(weight).map_err(|_| Stop::Fault)?;
            if weight > 0 {
                list.push((Action(words.iter().copied().collect()), weight));
            }
            Ok(())
        })?;
        let outcome = self.outcome(list)?;
        self.bind_parts(&draw.parts, &outcome.0[1..])?;
        let parts = self.parts(&draw.parts, PlayerSet::EMPTY)?;
        let known = (0, self.d.everyone());
        self.tell_parts(draw.site, None, known, PlayerSet::EMPTY, &parts)?;
        self.stores(&draw.parts)
    }

    fn outcome(&mut self, mut list: Vec<(Action, u64)>) -> Result<Action, Stop> {
        if list.is_empty() {
            return Err(Stop::Fault);
        }
        list.sort();
        let outcome = self.ask(Rest::Chance(list))?;
        outcome.into_iter().next().ok_or(Stop::Fault)
    }

    pub fn deal(&mut self, deal: &Deal) -> Result<(), Stop> {
        let ty = self.d.var(deal.from.var).ty.clone();
        let count = self.scalar(&deal.count)?;
        let indices = deal.from.indices.iter().map(|index| match index {
            ruse::internal::model::PlaceIndex::One(e) => Ok(e.clone()),
            ruse::internal::model::PlaceIndex::Each(_) => Err(Stop::Fault),
        });
        let from = Expr {
            kind: ExprKind::Var {
                var: deal.from.var,
                indices: indices.collect::<Result<_, _>>()?,
            },
            ty,
            span: deal.span,
        };
        let from = self.value(&from)?;
        let hands = subsets(&from, count, count)?;
        let hand = |words: Words| {
            let words = std::iter::once(0).chain(words);
            (Action(words.collect()), 1)
        };
        let outcome = self.outcome(hands.into_iter().map(hand).collect())?;
        let dealt = outcome.0[1..].to_vec();
        let viewers = self.players(&deal.viewers)?;
        let known = (0, self.d.everyone());
        let parts = [(dealt.clone(), viewers)];
        self.tell_parts(deal.site, None, known, PlayerSet::EMPTY, &parts)?;
        self.store(&deal.from, StoreOp::Sub, &dealt)?;
        self.store(&deal.to, StoreOp::Add, &dealt)
    }
}

trait Condition {
    fn is_none_or_holds(&self, reader: &mut Reader<'_>) -> Result<bool, Stop>;
}

impl Condition for Option<&Expr> {
    fn is_none_or_holds(&self, reader: &mut Reader<'_>) -> Result<bool, Stop> {
        self.map_or(Ok(true), |e| reader.holds(e))
    }
}

/// The subsets of some sizes.
fn subsets(domain: &[u64], least: i64, most: i64) -> Result<Vec<Words>, Stop> {
    let members: Vec<u64> = bits(domain).collect();
    if members.len() > MOST {
        return Err(Stop::Large);
    }
    let masks = 0..1u64 << members.len();
    let mut chosen: Vec<u64> = masks
        .filter(|mask| (least..=most).contains(&i64::from(mask.count_ones())))
        .collect();
    // Size by size, and the greater the greatest elements are the later.
    chosen.sort_by_key(|mask| (mask.count_ones(), *mask));
    let words = chosen.into_iter().map(|mask| {
        let mut set = vec![0; domain.len()];
        bits(&[mask]).for_each(|i| insert(&mut set, members[i as usize]));
        set
    });
    Ok(words.collect())
}
