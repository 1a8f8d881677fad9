//! What every error code means: one page each, as a person who writes a game would want it explained.
//!
//! The pages are the files in `docs/errors/`; this is only the table of them. The tests run the games of every page.

/// A page of `docs/errors/`.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// `E0101`.
    pub code: &'static str,
    /// Markdown; the first line is `# E0101: ` and the title.
    pub text: &'static str,
}

impl Page {
    /// What the code means, in one line.
    pub fn title(&self) -> &'static str {
        let first = self.text.lines().next().unwrap_or_default();
        first.split_once(": ").map_or("", |(_, title)| title)
    }
}

/// The page of a code, if there is such a code.
pub fn page(code: &str) -> Option<&'static Page> {
    PAGES.iter().find(|p| p.code == code)
}

macro_rules! pages {
    ($($code:literal)*) => {
        &[$(Page {
            code: $code,
            text: include_str!(concat!("../../docs/errors/", $code, ".md")),
        }),*]
    };
}

/// Every page, by code.
pub const PAGES: &[Page] = pages! {
    "E0001" "E0002" "E0003" "E0004" "E0005" "E0006" "E0007" "E0008" "E0009" "E0010"
    "E0011" "E0012" "E0013" "E0014" "E0015" "E0016" "E0017" "E0018" "E0019" "E0020"
    "E0021"
    "E0101" "E0102" "E0103" "E0104" "E0105" "E0106" "E0107" "E0108" "E0109" "E0110"
    "E0111" "E0112" "E0120" "E0121" "E0130" "E0131"
    "E0201" "E0202" "E0203" "E0204" "E0205" "E0206" "E0207" "E0208" "E0209" "E0210"
    "E0211" "E0212" "E0213" "E0215" "E0216" "E0217" "E0220" "E0221" "E0222" "E0223"
    "E0224" "E0225" "E0226" "E0227" "E0228" "E0229" "E0230"
    "E0301" "E0302" "E0303" "E0304" "E0305" "E0306" "E0307" "E0308" "E0309" "E0310"
    "E0311" "E0312" "E0313" "E0314" "E0315" "E0316" "E0320" "E0321" "E0322" "E0399"
    "E0401" "E0402" "E0403" "E0404" "E0405" "E0406" "E0407" "E0408" "E0409" "E0410"
    "E0411" "E0412" "E0413" "E0414" "E0415" "E0416" "E0417" "E0418" "E0419" "E0420"
    "E0501" "E0502" "E0503"
    "E0601" "E0602" "E0603"
    "E0701" "E0702" "E0703" "E0704" "E0705" "E0706" "E0707" "E0708" "E0709" "E0710"
    "E0711" "E0712" "E0740" "E0741" "E0750" "E0751" "E0752" "E0753" "E0754" "E0755" "E0756"
    "E0757" "E0760" "E0761" "E0762" "E0763" "E0770" "E0771" "E0772" "E0775" "E0776"
    "E0780" "E0781" "E0782" "E0783" "E0784" "E0785" "E0786"
    "E0801" "E0802" "E0803" "E0804" "E0805" "E0806" "E0807" "E0808" "E0809" "E0810"
    "E0811" "E0812" "E0813" "E0814"
    "E0901" "E0902" "E0903" "E0904" "E0905" "E0906" "E0907"
    "E1001" "E1002" "E1003" "E1004" "E1005" "E1006" "E1007"
};
