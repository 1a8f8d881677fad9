//! Text in lines of a width, broken between words alone: a longer word stands on a line of its own.

use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

/// The lines of one paragraph, of at most so many characters as far as words allow. There is one at least.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    hanging("", text, width)
}

/// The same as text, with an end of line after each.
pub fn paragraph(text: &str, width: usize) -> String {
    let lines = wrapped(text, width);
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// The same after a beginning, below whose end all further lines begin.
pub fn hanging(start: &str, text: &str, width: usize) -> Vec<String> {
    let indent = " ".repeat(start.chars().count());
    if indent.len() + text.chars().count() <= width && !text.contains('\n') {
        return vec![format!("{start}{text}").trim_end().to_string()];
    }
    let options = Options::new(width.max(indent.len() + 1))
        .initial_indent(start)
        .subsequent_indent(&indent)
        .break_words(false)
        .word_separator(WordSeparator::AsciiSpace)
        .word_splitter(WordSplitter::NoHyphenation)
        .wrap_algorithm(WrapAlgorithm::FirstFit);
    let text = glued(text);
    let lines = textwrap::wrap(&text, options);
    let lines = lines.iter().map(|line| line.trim_end().replace(GLUE, " "));
    match lines.collect::<Vec<_>>() {
        none if none.is_empty() => vec![start.trim_end().to_string()],
        lines => lines,
    }
}

/// What stands for a blank at which no line ends.
const GLUE: char = '\u{a0}';

/// A text in which a number and the `%` after it are one word, and so are an indentation and what stands there.
fn glued(text: &str) -> String {
    let rest = text.trim_start_matches(' ');
    let indent = text.len() - rest.len();
    let glue = GLUE.to_string();
    glue.repeat(indent) + &rest.replace(" %", &format!("{glue}%"))
}

/// The width of the longest word.
pub fn longest_word(text: &str) -> usize {
    let text = glued(text);
    let words = text.split(' ').map(|word| word.chars().count());
    words.max().unwrap_or(0)
}

/// A text whose lines are broken where they are too long; what goes on has the indentation of its line. What is coloured stays
/// as it is.
pub fn fit(text: &str, width: usize) -> String {
    let is_long = |line: &str| line.chars().count() > width;
    if text.contains('\x1b') || !text.lines().any(is_long) {
        return text.to_string();
    }
    let mut all = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let end = if line.ends_with('\n') { "\n" } else { "" };
        let line = line.trim_end_matches('\n');
        if !is_long(line) {
            all.extend([line, end]);
            continue;
        }
        let rest = line.trim_start_matches(' ');
        let (indent, _) = line.split_at(line.len() - rest.len());
        all.push_str(&hanging(indent, rest, width).join("\n"));
        all.push_str(end);
    }
    all
}

/// A text whose paragraphs are set anew where one of their lines is too long; of what is indented, a list or fenced with \`\`\`, each
/// line by itself.
pub fn reflowed(text: &str, width: usize) -> String {
    let mut all = String::with_capacity(text.len());
    let mut paragraph: Vec<&str> = Vec::new();
    let mut fenced = false;
    for line in text.lines() {
        let fence = line.starts_with("```");
        fenced ^= fence;
        if !fenced && !fence && is_prose(line) {
            paragraph.push(line);
            continue;
        }
        flow(&mut all, &mut paragraph, width);
        all.push_str(&item(line, width));
        all.push('\n');
    }
    flow(&mut all, &mut paragraph, width);
    if !text.ends_with('\n') {
        all.pop();
    }
    all
}

/// Whether a line may go on in the next.
fn is_prose(line: &str) -> bool {
    let starts = [" ", "#", "|", ">", "- "];
    !line.is_empty() && !starts.iter().any(|start| line.starts_with(start))
}

/// Puts a paragraph at the end of a text.
fn flow(all: &mut String, paragraph: &mut Vec<&str>, width: usize) {
    let is_long = |line: &&str| line.chars().count() > width;
    let lines = match paragraph.iter().any(is_long) {
        true => wrapped(&paragraph.join(" "), width),
        false => paragraph.iter().map(ToString::to_string).collect(),
    };
    for line in lines {
        all.push_str(&line);
        all.push('\n');
    }
    paragraph.clear();
}

/// A line by itself. In a list of words and what they mean, `  0  fine`, what goes on stands below the meaning.
fn item(line: &str, width: usize) -> String {
    let rest = line.trim_start_matches(' ');
    let indent = line.len() - rest.len();
    let word = rest.find("  ").filter(|_| indent > 0);
    let meaning = word.map(|word| {
        let gap = rest[word..].len() - rest[word..].trim_start_matches(' ').len();
        indent + word + gap
    });
    match meaning.filter(|at| line.chars().count() > width && 2 * at < width) {
        Some(at) => hanging(&line[..at], &line[at..], width).join("\n"),
        None => fit(line, width),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words_alone() {
        let text = "one two-and-a-half extraordinarily, see a/b";
        let lines = wrapped(text, 12);
        assert_eq!(
            lines,
            ["one", "two-and-a-half", "extraordinarily,", "see a/b"]
        );
        assert_eq!(wrapped("", 10), [""]);
        assert_eq!(wrapped("12.5 to 100.0 %", 11), ["12.5 to", "100.0 %"]);
        assert_eq!(longest_word("12.5 to 100.0 %"), 7);
        assert_eq!(hanging("to  ", "2 3 4 5", 9), ["to  2 3 4", "    5"]);
    }

    #[test]
    fn an_indentation_stays_with_its_word() {
        assert_eq!(wrapped("  abcdef gh", 8), ["  abcdef", "gh"]);
        assert_eq!(longest_word("  abcdef gh"), 8);
    }

    #[test]
    fn paragraphs_are_set_anew_and_lists_line_by_line() {
        let text =
            "one two three four\nfive.\n\nCodes:\n  0  fine\n  1  it is not so fine\n- a\n- b\n";
        let narrow = "one two three\nfour five.\n\nCodes:\n  0  fine\n  1  it is not\n     so fine\n- a\n- b\n";
        assert_eq!(reflowed(text, 15), narrow);
        assert_eq!(reflowed(text, 80), text);
        let program = "```\nif a then b else c\n  end\n```";
        assert_eq!(reflowed(program, 20), program);
    }

    #[test]
    fn long_lines_go_on_below_their_beginning() {
        let text = "short\n  one two three\n\nend";
        assert_eq!(fit(text, 10), "short\n  one two\n  three\n\nend");
        assert_eq!(fit(text, 80), text);
        let coloured = "\x1b[1mone two three\x1b[0m";
        assert_eq!(fit(coloured, 5), coloured);
    }
}
