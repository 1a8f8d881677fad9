//! Rust files as far as the rules of the house read them: without comments and the contents of literals, and, where only
//! the program counts, without what is compiled for tests alone.

use std::path::{Path, PathBuf};

pub struct Source {
    /// From the folder of the project.
    pub path: PathBuf,
    /// Without comments and literals; line breaks are kept.
    pub code: String,
    /// `code` without items under `#[cfg(test)]`; empty for a file that only tests have.
    pub shipped: String,
}

/// The folder of the project.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The files under a folder whose names end so, in order.
pub fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display())) {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, extension));
        } else if path.extension().is_some_and(|e| e == extension) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The Rust files under a folder of the project.
pub fn sources(folder: &str) -> Vec<Source> {
    let mut only_tests = Vec::new();
    let mut sources = Vec::new();
    for file in files(&root().join(folder), "rs") {
        let text = std::fs::read_to_string(&file).unwrap();
        let path = file.strip_prefix(root()).unwrap().to_path_buf();
        let code = without_literals(&text);
        let (shipped, modules) = without_tests(&code);
        for module in modules {
            let at = children(&path).join(module);
            only_tests.push(at.with_extension("rs"));
            only_tests.push(at);
        }
        sources.push(Source {
            path,
            code,
            shipped,
        });
    }
    for source in &mut sources {
        if only_tests.iter().any(|t| source.path.starts_with(t)) {
            source.shipped.clear();
        }
    }
    sources
}

/// The folder in which the modules of a file have their files.
fn children(path: &Path) -> PathBuf {
    match path.file_stem().unwrap().to_str().unwrap() {
        "mod" | "lib" | "main" => path.parent().unwrap().to_path_buf(),
        _ => path.with_extension(""),
    }
}

pub fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The text without comments, and with nothing in its string and character literals.
pub fn without_literals(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let literal = literal(rest, out.chars().next_back());
        if rest.starts_with("//") {
            rest = &rest[rest.find('\n').unwrap_or(rest.len())..];
        } else if rest.starts_with("/*") {
            rest = past(rest, comment(rest), &mut out);
        } else if let Some(length) = literal {
            out.push_str("\"\"");
            rest = past(rest, length, &mut out);
        } else {
            out.push(c);
            rest = &rest[c.len_utf8()..];
        }
    }
    out
}

/// What follows after some bytes, whose line breaks are kept.
fn past<'t>(text: &'t str, length: usize, out: &mut String) -> &'t str {
    let (gone, rest) = text.split_at(length);
    out.extend(gone.matches('\n'));
    rest
}

/// How long the block comment is that the text begins with.
fn comment(text: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < text.len() {
        let rest = &text.as_bytes()[at..];
        let step = match rest {
            [b'/', b'*', ..] => {
                depth += 1;
                2
            }
            [b'*', b'/', ..] => {
                depth -= 1;
                2
            }
            _ => 1,
        };
        at += step;
        if depth == 0 {
            break;
        }
    }
    at
}

/// How long the string or character literal is that the text begins with, if it does. `before` tells a prefix from the
/// end of a word.
fn literal(text: &str, before: Option<char>) -> Option<usize> {
    let prefix = text.len() - text.trim_start_matches(['b', 'c', 'r']).len();
    if prefix > 0 && (prefix > 2 || before.is_some_and(is_word)) {
        return None;
    }
    let (prefix, rest) = text.split_at(prefix);
    if prefix.ends_with('r') {
        let hashes = rest.len() - rest.trim_start_matches('#').len();
        let inside = rest[hashes..].strip_prefix('"')?;
        let end = format!("\"{}", "#".repeat(hashes));
        let length = inside.find(&end)? + end.len();
        return Some(prefix.len() + hashes + 1 + length);
    }
    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let inside = &rest[1..];
    if quote == '\'' && !inside.starts_with('\\') {
        // A lifetime has no second quote.
        let c = inside.chars().next()?;
        let closed = inside[c.len_utf8()..].starts_with('\'');
        return closed.then(|| prefix.len() + 2 + c.len_utf8());
    }
    let mut escaped = false;
    for (i, c) in inside.char_indices() {
        if c == quote && !escaped {
            return Some(prefix.len() + i + 2);
        }
        escaped = c == '\\' && !escaped;
    }
    None
}

/// Code without the items under `#[cfg(test)]`, and the modules among them that have files of their own.
pub fn without_tests(code: &str) -> (String, Vec<String>) {
    const MARKS: [&str; 2] = ["#[cfg(test)]", "#[cfg(all(test,"];
    let mut out = String::new();
    let mut modules = Vec::new();
    let mut rest = code;
    while let Some(at) = MARKS.iter().filter_map(|m| rest.find(m)).min() {
        out.push_str(&rest[..at]);
        let end = at + item(&rest[at..]);
        let text = rest[at..end].trim_end_matches(';');
        let words: Vec<&str> = text.split_whitespace().collect();
        if let [.., "mod", name] = words[..] {
            modules.push(name.to_string());
        }
        rest = past(&rest[at..], end - at, &mut out);
    }
    out.push_str(rest);
    (out, modules)
}

/// How long the item is that the text begins with, attributes included.
fn item(text: &str) -> usize {
    let mut depth = 0;
    for (i, c) in text.char_indices() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            _ => (),
        }
        if depth == 0 && matches!(c, '}' | ';') {
            return i + 1;
        }
    }
    text.len()
}

#[test]
fn comments_literals_and_tests_are_left_out() {
    let text = "a(\"crate::x\", 'b', '\\'', b\"\\\"\", r#\"\"c\"#, c\"\"); // crate::y\n/* /* z */ */ fn f<'a>(x: &'a T) {}\n";
    let code = "a(\"\", \"\", \"\", \"\", \"\", \"\"); \n fn f<'a>(x: &'a T) {}\n";
    assert_eq!(without_literals(text), code);

    let code = "use a;\n#[cfg(test)]\nmod tests;\n#[cfg(test)]\n#[allow(x)]\nfn f(a: [T; 2]) { g(); }\nuse b;";
    let (shipped, modules) = without_tests(code);
    assert_eq!(shipped, "use a;\n\n\n\n\n\nuse b;");
    assert_eq!(modules, ["tests"]);
}
