//! `sentir`: runs, records, replays and measures scenes without a screen.

mod battery;
mod bench;
mod brain;
mod camera;
mod check;
mod cli;
mod diary;
mod error;
mod file;
mod honesty;
mod interrupt;
mod level;
mod play;
mod pool;
mod progress;
mod replay;
mod run;
mod scenes;
mod stats;
mod studio;
mod vision;

use clap::Parser;
use cli::{Cli, Command};
use error::LabError;
use std::io::{ErrorKind, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    let done = match Cli::parse().command {
        None => scenes::welcome(),
        Some(Command::Scenes(options)) => scenes::list(&options),
        Some(Command::Run(options)) => run::run(&options),
        Some(Command::Replay(options)) => replay::replay(&options),
        Some(Command::Battery(options)) => battery::battery(&options),
        Some(Command::Analyze(options)) => brain::analyze(&options),
        Some(Command::Migrate(options)) => brain::migrate(&options),
        Some(Command::Convert(options)) => brain::convert(&options),
        Some(Command::Check(options)) => check::check(&options),
        Some(Command::Schema(options)) => check::schema(options.kind),
        Some(Command::Honesty(options)) => honesty::honesty(&options),
        Some(Command::Level(options)) => level::level(&options),
        Some(Command::Vision(options)) => vision::vision(&options),
        Some(Command::Bench(options)) => bench::bench(&options),
        Some(Command::Studio(options)) => studio::studio(&options),
    };
    match done {
        Ok(code) => code,
        // Whoever reads the output has seen enough, as `head` does: no reason to complain.
        Err(LabError::Output(error)) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            // Nobody may be listening there either.
            let _ = writeln!(std::io::stderr(), "error: {error}");
            ExitCode::from(error.exit_code())
        }
    }
}

/// What every command gives back.
type Done = Result<ExitCode, LabError>;
