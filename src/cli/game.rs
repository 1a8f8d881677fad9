//! The arguments that say which game: a file and values for its params.

use super::output::Failure;
use crate::check::Settings;
use clap::Args;
use std::path::PathBuf;

/// One game and its params.
#[derive(Args)]
pub struct Game {
    /// The game: a file, the name of a shipped game, or `-` for standard input
    #[arg(value_name = "GAME")]
    pub file: PathBuf,

    #[command(flatten)]
    pub set: Set,
}

#[derive(Args)]
pub struct Set {
    /// Give a param another value than its default; may be repeated
    #[arg(long = "set", value_name = "PARAM=VALUE", value_parser = setting)]
    pub set: Vec<(String, String)>,
}

impl Set {
    pub fn is_empty(&self) -> bool {
        self.set.is_empty()
    }

    /// The params by name.
    ///
    /// # Errors
    /// Where there are two values for one.
    pub fn settings(&self) -> Result<Settings, Failure> {
        let mut settings = Settings::new();
        for (name, value) in &self.set {
            if let Some(other) = settings.insert(name.clone(), value.clone()) {
                let message = format!("--set: `{name}` has two values, {other} and {value}");
                return Err(Failure::usage(message));
            }
        }
        Ok(settings)
    }
}

fn setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text
        .split_once('=')
        .ok_or("write the param and its value as PARAM=VALUE, such as rounds=4")?;
    let (name, value) = (name.trim(), value.trim());
    if name.is_empty() || value.is_empty() {
        return Err("there must be something on both sides of the `=`".to_string());
    }
    Ok((name.to_string(), value.to_string()))
}

#[cfg(test)]
mod tests {
    use super::setting;

    #[test]
    fn a_setting_is_split_at_the_first_equals_sign() {
        assert_eq!(setting("a=b=c"), Ok(("a".to_string(), "b=c".to_string())));
        assert_eq!(setting(" a = 4 "), Ok(("a".to_string(), "4".to_string())));
        assert!(setting("a").is_err());
        assert!(setting("=4").is_err());
        assert!(setting("a=").is_err());
    }
}
