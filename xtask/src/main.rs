//! The checks of the project: one program, the same at home and in CI.
//! Exit code 0: all well; 1: a check failed, with a sentence that says which; 2: a wrong call.

mod attack;
mod bans;
mod brains;
mod callgrind;
mod cpu;
mod date;
mod debug;
mod dice;
mod features;
mod figure;
mod firefight;
mod firefight_levels;
mod fuzz;
mod horde;
mod horde_picture;
mod levels;
mod license;
mod limits;
mod navigation;
mod npm;
mod package;
mod process;
mod prove;
mod readme;
mod recording;
mod same_bits;
mod soak;
mod studio;
mod suite;
mod supply;
mod tidy;
mod war;
mod workspace;

use std::process::ExitCode;

const USAGE: &str = "\
The checks of the project.

Usage: cargo xtask COMMAND

Commands:
  test [--only STEP,STEP] [--keep-going] [--list]   every check that CI runs
  prove [WHAT...] [--seconds N] [--target A,B] [--data PATH] [--list]   the long checks; writes figures/WHAT.md
  prove limits [--all] [--only NAME,NAME] [--list] [--write] [--data PATH]   every promise with a number, held
  tidy                                              crate edges, sizes, names, spelling
  levels                                            fetches real levels from Debian's packages and checks six of them
  licenses                                          licenses, sources and bans of all dependencies
  supply [--offline] [--advisories FOLDER]          checksums, yanked versions and advisories of all dependencies
  bill [FILE]                                       a software bill of materials (CycloneDX 1.5, JSON)
  studio [--port N]                                 builds the page and serves it on loopback
  studio-package                                    the studio's modules alone, one a family, into web/pkg
  npm-package                                       the engine for web games, packed, into web/npm

Examples:
  cargo xtask test
  cargo xtask test --only format,lints
  cargo xtask prove loop memory
  cargo xtask prove limits --only orca,flock
  cargo xtask prove fuzz --seconds 60
";

/// Why a command ended without success.
#[derive(Debug, PartialEq, Eq)]
enum Failure {
    /// The call was wrong: exit code 2, with the usage.
    Usage(String),
    /// A check failed: exit code 1.
    Check(String),
}

impl From<String> for Failure {
    fn from(sentence: String) -> Self {
        Self::Check(sentence)
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Failure::Check(sentence)) => {
            eprintln!("error: {sentence}");
            ExitCode::from(1)
        }
        Err(Failure::Usage(sentence)) => {
            eprintln!("error: {sentence}\n\n{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn dispatch(arguments: &[String]) -> Result<(), Failure> {
    let asks_help = |text: &String| matches!(text.as_str(), "--help" | "-h" | "help");
    let Some((command, rest)) = arguments.split_first() else {
        print!("{USAGE}");
        return Ok(());
    };
    if arguments.iter().any(asks_help) {
        print!("{USAGE}");
        return Ok(());
    }
    let root = workspace::root()?;
    match command.as_str() {
        "test" => suite::test(&root, rest),
        "prove" => prove::prove(&root, rest),
        "tidy" => alone(command, rest).and_then(|()| Ok(tidy::check(&root)?)),
        "levels" => alone(command, rest).and_then(|()| Ok(levels::check_some(&root)?)),
        "supply" => supply::supply(&root, rest),
        "bill" => supply::bill(&root, rest),
        "licenses" => alone(command, rest).and_then(|()| Ok(license::check(&root)?)),
        "studio" => studio::studio(&root, rest),
        "studio-package" => alone(command, rest).and_then(|()| Ok(package::build(&root).map(|_| ())?)),
        "npm-package" => alone(command, rest).and_then(|()| Ok(npm::build(&root).map(|_| ())?)),
        other => Err(Failure::Usage(format!(
            "there is no command '{other}'; expected test, prove, tidy, levels, licenses, supply, bill, studio, studio-package or npm-package"
        ))),
    }
}

/// Refuses arguments after a command that takes none.
fn alone(command: &str, rest: &[String]) -> Result<(), Failure> {
    match rest.first() {
        None => Ok(()),
        Some(extra) => Err(Failure::Usage(format!("'{command}' takes no arguments, but got '{extra}'"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn no_command_and_help_are_no_errors() {
        assert_eq!(dispatch(&[]), Ok(()));
        assert_eq!(dispatch(&words("--help")), Ok(()));
        assert_eq!(dispatch(&words("test --help")), Ok(()));
    }

    #[test]
    fn wrong_calls_say_what_was_expected() {
        for (line, expected) in [
            ("tset", "there is no command 'tset'"),
            ("tidy all", "'tidy' takes no arguments, but got 'all'"),
            ("test --only nothing", "there is no step 'nothing'"),
            ("test --only", "--only needs the names of steps"),
            ("test everything", "there is no option 'everything'"),
            ("prove nothing", "there is nothing called 'nothing' to prove"),
            ("prove loop limits", "'limits' is proven alone"),
            ("prove limits --only nothing-like-that", "there is no limit called 'nothing-like-that'"),
            ("prove fuzz --seconds soon", "--seconds needs a whole number"),
        ] {
            let Err(Failure::Usage(sentence)) = dispatch(&words(line)) else {
                panic!("'{line}' was taken for a right call");
            };
            assert!(sentence.starts_with(expected), "{line}: {sentence}");
        }
    }
}
