//! The texts that tests compare with, in `snapshots/`: a folder for each kind, one text a file.

/// Settings under which `insta` keeps `NAME.snap` in a folder of `snapshots/`.
pub fn snapshots(folder: &str) -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(format!("{}/snapshots/{folder}", env!("CARGO_MANIFEST_DIR")));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings
}
