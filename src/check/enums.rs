//! Enums of which a game has the first few values: `enum Rank ranks of { ace, two, three }`.

use super::checker::Checker;
use super::codes;
use super::declare::Decl;
use super::params::constant_frame;
use crate::model::types::{EnumType, Type};
use crate::syntax::ast;
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;
use std::sync::Arc;

impl<'a> Checker<'a> {
    pub fn resolve_enums(&mut self) {
        let file: &'a ast::File = self.file;
        for item in &file.items {
            if let ast::Item::Enum(item) = item
                && let Some(Decl::Enum(e)) = self.names.decls.get(item.name.text.as_str()).cloned()
            {
                self.cut(&e);
            }
        }
    }

    /// A declared enum with the values that the params leave it.
    pub fn cut(&mut self, declared: &Arc<EnumType>) -> Option<Arc<EnumType>> {
        let Some(&item) = self.names.cut.get(declared.name.as_str()) else {
            return Some(declared.clone());
        };
        let name = item.name.text.as_str();
        if let Some(done) = self.enums.get(name) {
            return done.clone();
        }
        let made = self.resolving(name, item.name.span, |this| {
            this.first_values(item, declared)
        });
        self.enums.insert(name, made.clone());
        made
    }

    fn first_values(
        &mut self,
        item: &'a ast::EnumItem,
        declared: &Arc<EnumType>,
    ) -> Option<Arc<EnumType>> {
        let written = item.count.as_ref()?;
        let count = self.in_frame(constant_frame("the number of values"), |this| {
            this.constant_int(written)
        })?;
        let all = declared.values.len();
        let name = &declared.name;
        let problem = if count < 1 {
            format!("`{name}` cannot have {count} values; there must be one")
        } else if count > all as i64 {
            format!("{count} values of `{name}` are wanted, and {all} are named")
        } else {
            return Some(Arc::new(EnumType {
                name: name.clone(),
                values: declared.values[..count as usize].to_vec(),
            }));
        };
        self.report(
            Diagnostic::error(codes::ENUM_SIZE, written.span, problem)
                .hint("name as many values as there may be, between the braces"),
        );
        None
    }

    /// Those of the values with one name that are there under the present params; `None` where that cannot be told.
    pub fn present(&mut self, declared: &[(Arc<EnumType>, usize)]) -> Option<Vec<(i64, Type)>> {
        let mut found = Vec::new();
        for (e, i) in declared {
            let e = self.cut(e)?;
            if *i < e.values.len() {
                found.push((*i as i64, Type::Enum(e)));
            }
        }
        Some(found)
    }

    pub fn absent_value(&mut self, name: &str, declared: &EnumType, span: Span) {
        self.report_live(
            Diagnostic::error(
                codes::ABSENT,
                span,
                format!(
                    "`{}` has no value `{name}` under these params",
                    declared.name
                ),
            )
            .hint("put this under `match` on the param that sets the number of values; in a table, let `else: …` stand for the values that may be left out"),
        );
    }
}
