//! State variables and their elements as scripts name them. As in the language, `hand[Ann, 1]` and `hand[Ann][1]` are one.

use crate::text::nearest::nearest;

/// More elements than this are not listed.
const MOST: usize = 8;

/// The name of a variable, and the texts of its indices.
#[derive(PartialEq, Eq, Debug)]
struct Named<'t> {
    variable: &'t str,
    indices: Vec<&'t str>,
}

impl<'t> Named<'t> {
    fn read(text: &'t str) -> Named<'t> {
        let (variable, mut rest) = text.split_at(text.find('[').unwrap_or(text.len()));
        let mut indices = Vec::new();
        while let Some(inside) = rest.strip_prefix('[') {
            let end = split(inside, &mut indices);
            rest = inside.get(end..).unwrap_or_default().trim_start();
        }
        Named {
            variable: variable.trim(),
            indices,
        }
    }

    /// Whether this is an array that the other one is an element of.
    fn has(&self, element: &Named<'_>) -> bool {
        self.variable == element.variable
            && self.indices.len() < element.indices.len()
            && element.indices.starts_with(&self.indices)
    }
}

/// Reads indices with commas up to the bracket that closes them; returns where that has ended.
fn split<'t>(inside: &'t str, indices: &mut Vec<&'t str>) -> usize {
    let (mut start, mut open) = (0, 0);
    for (at, c) in inside.char_indices() {
        match c {
            '(' | '[' | '{' => open += 1,
            ')' | '}' => open -= 1,
            ']' if open > 0 => open -= 1,
            ']' | ',' if open <= 0 => {
                indices.push(inside[start..at].trim());
                start = at + 1;
                if c == ']' {
                    return start;
                }
            }
            _ => {}
        }
    }
    indices.push(inside[start..].trim());
    inside.len()
}

/// Of the names of all elements the one that a script means.
pub fn meant<'n>(typed: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let wanted = Named::read(typed);
    let mut names = names.into_iter();
    names.find(|name| *name == typed || Named::read(name) == wanted)
}

/// What is wrong with a name that none of the elements has, and what helps.
pub fn unknown(typed: &str, names: &[&str]) -> (String, String) {
    let wanted = Named::read(typed);
    let all: Vec<(Named<'_>, &str)> = names.iter().map(|n| (Named::read(n), *n)).collect();
    let list = |of: Vec<&str>| match of.len() > MOST {
        true => format!("{}, …", of[..MOST].join(", ")),
        false => of.join(", "),
    };
    let elements = |of: &Named<'_>| -> Vec<&str> {
        let within = all.iter().filter(|(element, _)| of.has(element));
        within.map(|(_, name)| *name).collect()
    };
    let inside = elements(&wanted);
    if !inside.is_empty() {
        let message = format!("`{typed}` is an array, and a script names one element of it");
        return (message, format!("its elements are {}", list(inside)));
    }
    let whole = Named {
        variable: wanted.variable,
        indices: Vec::new(),
    };
    let inside = elements(&whole);
    if !inside.is_empty() {
        let message = format!("`{}` has no element `{typed}`", wanted.variable);
        let hint = match nearest(typed, inside.iter().copied()) {
            Some(near) if inside.len() > MOST => format!("did you mean `{near}`?"),
            _ => format!("its elements are {}", list(inside)),
        };
        return (message, hint);
    }
    let message = format!("the game has no variable `{typed}`");
    let mut variables: Vec<&str> = Vec::new();
    for (element, _) in &all {
        if !variables.contains(&element.variable) {
            variables.push(element.variable);
        }
    }
    let near = nearest(wanted.variable, variables.iter().copied());
    let hint = match near.or_else(|| nearest(typed, names.iter().copied())) {
        Some(near) => format!("did you mean `{near}`?"),
        None if variables.contains(&wanted.variable) => {
            format!("`{}` has no indices", wanted.variable)
        }
        None => format!("it has {}", variables.join(", ")),
    };
    (message, hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NAMES: [&str; 6] = [
        "pot",
        "hand[Ann][1]",
        "hand[Ann][2]",
        "hand[Ben][1]",
        "hand[Ben][2]",
        "at[(rank: 1, suit: clubs)]",
    ];

    #[test]
    fn indices_may_stand_in_one_pair_of_brackets() {
        for typed in [
            "hand[Ann][1]",
            "hand[Ann, 1]",
            "hand[Ann,1]",
            "hand [Ann] [ 1 ]",
        ] {
            assert_eq!(meant(typed, NAMES), Some("hand[Ann][1]"), "{typed}");
        }
        assert_eq!(meant("at[(rank: 1, suit: clubs)]", NAMES), Some(NAMES[5]));
        for typed in [
            "hand[Ann]",
            "hand[1, Ann]",
            "hand[Ann, 1",
            "hand]",
            "[",
            "hand[[Ann, 1",
        ] {
            let found = meant(typed, NAMES);
            assert!(
                found.is_none() || typed == "hand[Ann, 1",
                "{typed}: {found:?}"
            );
        }
    }

    #[test]
    fn what_is_named_instead_of_an_element_is_told() {
        let told = |typed| unknown(typed, &NAMES);
        let (message, hint) = told("hand[Ben]");
        assert_eq!(
            message,
            "`hand[Ben]` is an array, and a script names one element of it"
        );
        assert_eq!(hint, "its elements are hand[Ben][1], hand[Ben][2]");
        assert_eq!(
            told("hand").1,
            "its elements are hand[Ann][1], hand[Ann][2], hand[Ben][1], hand[Ben][2]"
        );
        let (message, hint) = told("hand[Ann, 3]");
        assert_eq!(message, "`hand` has no element `hand[Ann, 3]`");
        assert!(hint.starts_with("its elements are hand[Ann][1], "));
        assert_eq!(told("hands[Ann]").1, "did you mean `hand`?");
        assert_eq!(told("pot[Ann]").1, "`pot` has no indices");
        assert_eq!(told("bank").1, "it has pot, hand, at");
    }
}
