//! Moves of many choices that change much of the state.

use crate::table::around;

/// A search for the ways through a move keeps for each choice what is to be put back.
#[test]
fn what_a_move_has_to_put_back_is_limited() {
    for (size, code) in [(10, None), (4_500, Some("E0602"))] {
        let choices: String = (0..20)
            .map(|i| format!("Ann chooses n{i} in 1..1 where not 9 in m[n{i}]  each z{i} in 1..9 {{ m[z{i}] += n{i} }}\n"))
            .collect();
        let items = format!("state {{ m : [1..{size}] set of 1..100 }}");
        let text = around(&items, &format!("one move {{\n{choices}}}"));
        let problems = ruse::load(&text, &Default::default()).err();
        let found = problems.unwrap_or_default();
        let found = found.iter().find(|d| d.is_error());
        assert_eq!(found.map(|d| d.code.0), code, "{found:?}");
    }
}
