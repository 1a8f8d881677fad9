//! `require seats * dealt <= size(Card)`: what the values of the params must fulfil together.

use super::checker::Checker;
use super::codes;
use super::params::constant_frame;
use crate::syntax::ast;
use crate::syntax::names::{NameKind, Names};
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;

impl<'a> Checker<'a> {
    /// Whether the params fulfil what is required of them. Where they do not, nothing else that is wrong is of interest:
    /// most of it would come from there.
    pub fn requirements(&mut self) -> bool {
        let file: &'a ast::File = self.file;
        let mut met = true;
        for item in &file.items {
            if let ast::Item::Require(required) = item {
                let frame = constant_frame("a requirement");
                met &= self.in_frame(frame, |this| this.requirement(required)) != Some(false);
            }
        }
        met
    }

    /// Whether a requirement is met; `None` where it cannot be understood, which has been told.
    fn requirement(&mut self, required: &'a ast::Require) -> Option<bool> {
        let text = match &required.text {
            Some(text) => Some(self.constant_text(text)?),
            None => None,
        };
        let condition = self.condition(&required.condition)?;
        if self.known(&condition, "what is required")? != 0 {
            return Some(true);
        }
        let span = required.condition.span;
        let params = self.params_in(required.span);
        let (label, hint) = match params.is_empty() {
            true => (
                "this does not hold".to_string(),
                "it asks for no param: mend the condition".to_string(),
            ),
            false => {
                let values: Vec<String> = params
                    .iter()
                    .map(|(name, value)| format!("{name} = {value}"))
                    .collect();
                let names: Vec<String> = params.iter().map(|(n, _)| format!("`{n}`")).collect();
                (
                    format!("this does not hold with {}", values.join(", ")),
                    format!("give another value to {}", names.join(" or ")),
                )
            }
        };
        let message = text.unwrap_or_else(|| "the params do not fit together".to_string());
        self.report(
            Diagnostic::error(codes::NOT_MET, span, message)
                .label(label)
                .hint(hint),
        );
        Some(false)
    }

    /// A text whose holes are known before play.
    fn constant_text(&mut self, text: &'a ast::Text) -> Option<String> {
        let mut told = String::new();
        for part in &text.parts {
            match part {
                ast::TextPart::Literal(literal) => told.push_str(literal),
                ast::TextPart::Hole(hole) => {
                    let hole = self.expr(hole, None)?;
                    let words = self.known_words(&hole)?;
                    told.push_str(&hole.ty.show_words(&words));
                }
            }
        }
        Some(told)
    }

    /// The params that a part of the text reads, and those that what it names is made of, with their values.
    fn params_in(&mut self, span: Span) -> Vec<(String, String)> {
        let names = Names::of(self.file);
        let (mut spans, mut at) = (vec![span], 0);
        let mut params: Vec<&str> = Vec::new();
        while let Some(&span) = spans.get(at) {
            at += 1;
            let uses = names.uses().iter().filter(|u| span.contains(u.span));
            for id in uses.flat_map(|u| &u.definitions) {
                let definition = names.definition(*id);
                if definition.kind == NameKind::Param && !params.contains(&&*definition.name) {
                    params.push(&definition.name);
                }
                if !spans.contains(&definition.whole) {
                    spans.push(definition.whole);
                }
            }
        }
        let file: &'a ast::File = self.file;
        let mut found = Vec::new();
        for item in &file.items {
            if let ast::Item::Param(param) = item
                && params.contains(&&*param.name.text)
                && let Some(value) = self.param_text(param)
            {
                found.push((param.name.text.clone(), value));
            }
        }
        found
    }
}
