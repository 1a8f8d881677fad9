//! A report as one page for a browser: the text, and the pictures in it.

use super::report::Document;
use super::report_text;

/// The whole page; it needs no other file.
pub fn page(document: &Document<'_>, pictures: &[(&str, String)]) -> String {
    let name = escaped(&document.report.game);
    let text = escaped(&report_text::text(document));
    let drawn: Vec<String> = pictures
        .iter()
        .map(|(_, svg)| format!("<figure>\n{svg}</figure>\n"))
        .collect();
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{name}</title>\n\
         <style>body {{ max-width: 60em; margin: 2em auto; font-family: sans-serif }} \
         pre {{ overflow-x: auto }} figure {{ margin: 1em 0 }}</style>\n</head>\n<body>\n<pre>\n{text}</pre>\n{}</body>\n</html>\n",
        drawn.concat()
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::escaped;

    #[test]
    fn rules_are_no_markup() {
        assert_eq!(escaped("if a<b & b>c"), "if a&lt;b &amp; b&gt;c");
    }
}
