//! Pieces of SVG that the pictures of experiments share.

use super::numbers::unsigned_zero;

pub const WIDTH: f64 = 760.0;
pub const MARGIN: f64 = 16.0;

/// The whole picture, of what was drawn down to `bottom`.
pub fn picture(title: Option<&str>, bottom: f64, body: &str) -> String {
    let height = bottom + MARGIN;
    let name = escaped(title.unwrap_or("Results"));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
         viewBox=\"0 0 {WIDTH} {height}\" role=\"img\">\n\
         <title>{name}</title>\n\
         <style>\n\
         text {{ font: 13px sans-serif; fill: #222 }}\n\
         .title {{ font-size: 16px; font-weight: bold }}\n\
         .heading {{ font-weight: bold }}\n\
         .note, .tick {{ font-size: 11px; fill: #666 }}\n\
         .grid {{ stroke: #ddd }}\n\
         .even {{ stroke: #888; stroke-dasharray: 4 3 }}\n\
         .interval {{ stroke: #1f6fb2; stroke-width: 2 }}\n\
         .mean {{ fill: #1f6fb2 }}\n\
         </style>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         {body}</svg>\n"
    )
}

/// Writes the title, if there is one; where the next thing begins.
pub fn title(body: &mut String, title: Option<&str>) -> f64 {
    let Some(title) = title else {
        return MARGIN;
    };
    body.push_str(&text(MARGIN, MARGIN + 14.0, "title", title));
    MARGIN + 24.0
}

pub fn line(x1: f64, y1: f64, x2: f64, y2: f64, class: &str) -> String {
    let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(number);
    format!("<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" class=\"{class}\"/>\n")
}

pub fn text(x: f64, y: f64, class: &str, words: &str) -> String {
    let (x, y, words) = (number(x), number(y), escaped(words));
    format!("<text x=\"{x}\" y=\"{y}\" class=\"{class}\">{words}</text>\n")
}

pub fn centred(x: f64, y: f64, class: &str, words: &str) -> String {
    let (x, y, words) = (number(x), number(y), escaped(words));
    format!("<text x=\"{x}\" y=\"{y}\" class=\"{class}\" text-anchor=\"middle\">{words}</text>\n")
}

/// A tenth of a pixel is as fine as anybody sees.
pub fn number(x: f64) -> String {
    unsigned_zero(format!("{x:.1}"))
}

pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_no_markup() {
        assert_eq!(escaped("a<b & \"c\""), "a&lt;b &amp; &quot;c&quot;");
    }
}
