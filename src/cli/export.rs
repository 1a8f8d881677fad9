//! `ruse export`: the tree of a game for other tools.

use super::game::Game;
use super::number::whole;
use super::output::{self, Failure, Verdict};
use super::solve::failure;
use super::solve::trees::{self, TreeArgs};
use super::{interrupt, load};
use crate::solve::TreeError;
use crate::solve::extensive_form::{FORMATS, Format, extensive_form};
use crate::solve::summary::TreeSize;
use clap::Args;
use serde::Serialize;

/// Write the tree of a game for other tools
#[derive(Args)]
#[command(after_help = "\
Examples:
  ruse export bluff.game --efg > bluff.efg
  ruse export bluff.game --svg > bluff.svg
  ruse export bluff.game --dot --depth 3 | dot -Tpdf > bluff.pdf
  ruse export duel.game --efg --set rounds=2 --skip-forced

--efg is the format of extensive games that Gambit reads: information sets are named after what their player saw, payoffs \
and chances are exact fractions; `ruse import` reads it. --svg is a picture, and --dot is one for Graphviz: players by colour, \
and a dashed line between the nodes of an information set. Players who choose at the same time stand one below the other, and none sees what the ones above chose.

With --depth the tree goes no further than so many draws and choices. What the game pays beyond is unknown: in --efg such a \
node is an end with the outcome `cut off`, which pays 0 to everybody, so that the file is to be looked at and not to be solved; in \
pictures it is `…`.

Exit codes:
  0  written
  1  the game has errors or too large a tree; or it was stopped
  2  wrong use, or a file that cannot be read")]
pub struct Export {
    #[command(flatten)]
    game: Game,

    #[command(flatten)]
    format: Chosen,

    /// Cut the tree off after this many draws and choices [default: it is whole]
    #[arg(long, value_name = "N", value_parser = whole(0..=1_000_000), allow_negative_numbers = true)]
    depth: Option<u64>,

    #[command(flatten)]
    tree: TreeArgs,

    /// Print one JSON document instead
    #[arg(long)]
    json: bool,
}

/// Exactly one of them.
#[derive(Args)]
#[group(required = true, multiple = false)]
struct Chosen {
    /// For Gambit: its format of extensive games
    #[arg(long)]
    efg: bool,

    /// For Graphviz: a picture of the tree
    #[arg(long)]
    dot: bool,

    /// A picture of the tree, for papers and pages; needs no other tool
    #[arg(long)]
    svg: bool,
}

impl Chosen {
    fn format(&self) -> &'static Format {
        let chosen = [self.efg, self.dot, self.svg];
        &FORMATS[chosen.iter().position(|chosen| *chosen).unwrap_or(0)]
    }
}

#[derive(Serialize)]
struct Document<'a> {
    file: &'a str,
    game: &'a str,
    format: &'a str,
    tree: TreeSize,
    /// The number of ends that are none: the tree was cut off there.
    cut: usize,
    text: String,
}

impl Export {
    pub fn run(&self) -> Result<Verdict, Failure> {
        let loaded = load::game(&self.game)?;
        let machine = &loaded.machine;
        let depth = self.depth.and_then(|n| u32::try_from(n).ok());
        let stop = interrupt::flag();
        let Some(tree) = trees::grown(depth, &self.tree.options(), &loaded, &stop)? else {
            return Ok(output::stopped("the tree was not built", self.json));
        };
        let form = match extensive_form(machine, &tree, depth, &stop) {
            Err(TreeError::Stopped) => {
                return Ok(output::stopped("nothing was written", self.json));
            }
            form => form.map_err(|error| failure::tree(&loaded, &error))?,
        };
        let format = self.format.format();
        let text = (format.write)(&form);
        if self.json {
            output::json(&Document {
                file: &loaded.source.path,
                game: &form.title,
                format: format.name,
                tree: TreeSize::of(machine, &tree),
                cut: form.cut(),
                text,
            });
        } else {
            output::print(&text);
        }
        Ok(Verdict::Fine)
    }
}
