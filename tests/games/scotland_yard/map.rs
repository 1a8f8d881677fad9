//! Facts about the map, asked in the language itself: a variant whose only change is an evaluation that gives the number.

use crate::support::variant_of;

/// The value of an expression that reads only the map.
fn fact(expression: &str) -> f64 {
    let items = format!("  knowledge X {{ evaluate = {expression} }}");
    let machine = variant_of("scotland-yard", &items);
    let state = machine.initial().unwrap();
    let entry = machine.find_knowledge(0, "evaluate").expect("X's");
    let value = machine.evaluate(&state, entry, 0).unwrap();
    value.expect("a value of the map alone")
}

fn holds(condition: &str) {
    assert_eq!(
        fact(&format!("if {condition} then 1 else 0")),
        1.0,
        "{condition}"
    );
}

#[test]
fn edges_by_transport() {
    for (transport, edges) in [
        ("taxi", 346.0),
        ("bus", 99.0),
        ("underground", 20.0),
        ("ferry", 3.0),
    ] {
        // Each is seen from both ends.
        let ends = fact(&format!("sum(s in Station) size(via(s, {transport}))"));
        assert_eq!(ends, 2.0 * edges, "{transport}");
    }
    assert_eq!(fact("sum(s in Station) size(via(s, black))"), 0.0);
}

#[test]
fn stations_by_the_transports_that_stop_there() {
    let stops = |s: &str, list: &[&str]| {
        let all = ["taxi", "bus", "underground", "ferry"];
        let each: Vec<String> = all
            .iter()
            .map(|t| {
                let sign = if list.contains(t) { "!=" } else { "==" };
                format!("via({s}, {t}) {sign} {{}}")
            })
            .collect();
        each.join(" and ")
    };
    for (list, count) in [
        (&["taxi"][..], 135.0),
        (&["taxi", "bus"], 46.0),
        (&["taxi", "bus", "underground"], 14.0),
        (&["taxi", "bus", "ferry"], 2.0),
        (&["taxi", "ferry"], 2.0),
    ] {
        let found = fact(&format!("count s in Station: {}", stops("s", list)));
        assert_eq!(found, count, "{list:?}");
    }
    holds(&stops("108", &["taxi", "bus", "ferry"]));
    holds(&stops("157", &["taxi", "bus", "ferry"]));
    holds(&stops("115", &["taxi", "ferry"]));
    holds(&stops("194", &["taxi", "ferry"]));
    // The four kinds that players tell apart.
    for (kind, count) in [
        ("taxi_only", 135.0),
        ("with_bus", 46.0),
        ("with_underground", 14.0),
        ("with_ferry", 4.0),
    ] {
        assert_eq!(
            fact(&format!("count s in Station: kind(s) == {kind}")),
            count
        );
    }
}

#[test]
fn degrees() {
    assert_eq!(fact("min(s in Station) size(via(s, taxi))"), 2.0);
    assert_eq!(fact("max(s in Station) size(via(s, taxi))"), 7.0);
    holds("{ s for s in Station where size(via(s, taxi)) == 7 } == { 142 }");
    // The mean number of tickets that take somebody on, to two places.
    let tickets = fact("sum(s in Station) sum(f in Fare) size(via(s, f))") / 199.0;
    assert_eq!((tickets * 100.0).round(), 470.0);
}

#[test]
fn distances() {
    // Taxis alone lead everywhere: nothing is as far as there are stations.
    assert_eq!(
        fact("max(a in Station) max(b in Station) hops(a, b, taxi)"),
        20.0
    );
    assert_eq!(fact("max(a in Station) max(b in Station) hops(a, b)"), 10.0);
    // The farthest pairs: 7 or 30, and 121 or 164.
    let ends = "{ a for a in Station where (max(b in Station) hops(a, b)) == 10 }";
    holds(&format!("{ends} == {{ 7, 30, 121, 164 }}"));
    holds("every a in { 7, 30 }: every b in { 121, 164 }: hops(a, b) == 10");
    let total = fact("sum(a in Station) sum(b in Station) hops(a, b, { taxi, bus, underground })");
    assert_eq!((total / (199.0 * 198.0) * 1000.0).round(), 4743.0);
}

#[test]
fn starts_and_surfacing() {
    holds("surfacing == { 3, 8, 13, 18, 24 } and rounds == 24");
    assert_eq!(fact("size(starts)"), 18.0);
    holds("every s in starts: London.next(s) & starts == {}");
    // Two pairs share a neighbour.
    assert_eq!(
        fact("sum(s in starts) (count t in starts: hops(s, t) == 2)"),
        4.0
    );
    holds("hops(13, 34) == 2 and hops(26, 29) == 2");
}
