//! The parameters of the methods as options of the command line, made of the table of methods.

use crate::cli::number::{amount, whole};
use crate::solve::METHODS;
use crate::solve::commitment::COMMITMENTS;
use crate::solve::methods::{Kind, Method, Parameter, Value, Values};
use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgMatches, Args, Command};

/// The parameters that were given.
#[derive(Debug, Default)]
pub struct MethodArgs {
    pub values: Values,
}

/// `Options of A, B and C`, of the methods that are meant.
pub fn heading(which: impl Fn(&Method) -> bool) -> &'static str {
    let names = METHODS.iter().filter(|m| which(m)).map(|m| m.name);
    heading_of(names.collect())
}

fn heading_of(names: Vec<&str>) -> &'static str {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let list = match names.as_slice() {
        [most @ .., last] if !most.is_empty() => format!("{} and {last}", most.join(", ")),
        _ => names.concat(),
    };
    // The reader of arguments keeps it for as long as the process lives.
    String::leak(format!("Options of {list}"))
}

/// The methods with their parameters, those for commitments last.
fn methods() -> impl Iterator<Item = (&'static str, &'static [Parameter])> {
    let others = COMMITMENTS.iter().map(|m| (m.name, m.parameters));
    METHODS.iter().map(|m| (m.name, m.parameters)).chain(others)
}

/// Every parameter of every method, each once.
fn parameters() -> Vec<&'static Parameter> {
    let mut all: Vec<&Parameter> = Vec::new();
    for parameter in methods().flat_map(|(_, parameters)| parameters) {
        if all.iter().all(|p| p.name != parameter.name) {
            all.push(parameter);
        }
    }
    all
}

fn argument(parameter: &'static Parameter) -> Arg {
    let of_family = methods().filter(|(_, all)| all.iter().any(|p| p.family == parameter.family));
    let heading = heading_of(of_family.map(|(name, _)| name).collect());
    let help = match parameter.default {
        "" => parameter.doc.to_string(),
        default => format!("{} [default: {default}]", parameter.doc),
    };
    let arg = Arg::new(parameter.name)
        .long(parameter.name)
        .value_name(parameter.placeholder)
        .help(help)
        .help_heading(heading);
    match parameter.kind {
        Kind::Count(least, most) => arg
            .value_parser(whole(least..=most))
            .allow_negative_numbers(true),
        Kind::Amount(least, most) => arg
            .value_parser(amount(least, most))
            .allow_negative_numbers(true),
        Kind::OneOf(words) => arg.value_parser(PossibleValuesParser::new(words)),
    }
}

impl Args for MethodArgs {
    fn augment_args(command: Command) -> Command {
        command.args(parameters().into_iter().map(argument))
    }

    fn augment_args_for_update(command: Command) -> Command {
        MethodArgs::augment_args(command)
    }
}

impl clap::FromArgMatches for MethodArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<MethodArgs, clap::Error> {
        let mut values = Values::default();
        for Parameter { name, kind, .. } in parameters() {
            let value = match kind {
                Kind::Count(..) => matches.get_one(name).copied().map(Value::Count),
                Kind::Amount(..) => matches.get_one(name).copied().map(Value::Amount),
                Kind::OneOf(_) => matches.get_one(name).cloned().map(Value::Word),
            };
            if let Some(value) = value {
                values.set(name, value);
            }
        }
        Ok(MethodArgs { values })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = clap::FromArgMatches::from_arg_matches(matches)?;
        Ok(())
    }
}
