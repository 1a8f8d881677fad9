//! The command line as people meet it: transcripts in `tests/cli/`, in the README and in `docs/solving.md`, run against the real program.
//!
//! After a wanted change, `TRYCMD=overwrite cargo test --test cli transcripts` writes them anew; read the difference.

#[test]
fn transcripts() {
    trycmd::TestCases::new()
        .case("tests/cli/*.trycmd")
        .case("README.md")
        .case("docs/solving.md");
}
