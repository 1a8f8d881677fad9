use std::process::ExitCode;

fn main() -> ExitCode {
    ruse::run()
}
