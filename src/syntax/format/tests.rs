use super::{format, same};
use crate::syntax::parse;

#[track_caller]
fn formatted(text: &str) -> String {
    let result = match format(text) {
        Ok(result) => result,
        Err(problems) => panic!("{problems:?}\n{text}"),
    };
    assert_eq!(format(&result).as_ref(), Ok(&result), "not stable");
    result
}

/// Prints a game around some text and gives what became of that text.
#[track_caller]
fn inside(text: &str) -> String {
    let whole = formatted(&format!("game G {{\n{text}\n}}\n"));
    let lines: Vec<&str> = whole.lines().collect();
    lines[1..lines.len() - 1].join("\n")
}

#[test]
fn shipped() {
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/games")).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        println!("{}", path.display());
        let out = formatted(&text);
        assert!(same(&parse(&text).0.unwrap(), &parse(&out).0.unwrap()));
        if out != text {
            println!("{out}");
        }
    }
}
#[test]
fn spaces() {
    println!("{}", inside("state{x:0..3}"));
}
