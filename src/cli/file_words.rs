//! Why a file cannot be read or written, in words.

use std::io::{Error, ErrorKind};

/// As it is read after `cannot be read:`.
pub fn unread(e: &Error) -> String {
    match e.kind() {
        ErrorKind::NotFound => "there is no such file".to_string(),
        _ => of_both(e),
    }
}

/// As it is read after `cannot be written:`. A file that is not there is made: what is missing is where it should be.
pub fn unwritten(e: &Error) -> String {
    match e.kind() {
        ErrorKind::NotFound => "there is no such folder".to_string(),
        // Folders are made where there are none.
        ErrorKind::AlreadyExists => "something on its path is no folder".to_string(),
        _ => of_both(e),
    }
}

fn of_both(e: &Error) -> String {
    let known = match e.kind() {
        ErrorKind::IsADirectory => "it is a folder",
        ErrorKind::NotADirectory => "something on its path is no folder",
        ErrorKind::PermissionDenied => "permission denied",
        ErrorKind::StorageFull => "the disk is full",
        ErrorKind::QuotaExceeded => "there is no more room for this user",
        ErrorKind::ReadOnlyFilesystem => "nothing can be written to where it is",
        ErrorKind::InvalidFilename => "no file can have that name",
        ErrorKind::WriteZero | ErrorKind::FileTooLarge => "the file is too large there",
        _ => {
            // What the system says, without its number.
            let text = e.to_string();
            let words = text.split(" (os error").next().unwrap_or(&text);
            let mut letters = words.chars();
            let first = letters.next().map(|c| c.to_lowercase().to_string());
            return first.unwrap_or_default() + letters.as_str();
        }
    };
    known.to_string()
}

#[cfg(test)]
mod tests {
    use super::{unread, unwritten};
    use std::io::Error;

    #[test]
    fn no_message_ends_in_the_number_of_an_error() {
        for number in 1..=40 {
            let e = Error::from_raw_os_error(number);
            for words in [unread(&e), unwritten(&e)] {
                assert!(!words.contains("os error") && !words.is_empty(), "{words}");
            }
        }
        let missing = Error::from_raw_os_error(2);
        assert_eq!(unread(&missing), "there is no such file");
        assert_eq!(unwritten(&missing), "there is no such folder");
    }
}
