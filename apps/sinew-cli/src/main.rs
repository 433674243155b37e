//! Sinew's command line: arguments in, the library's pipelines, files and words out.
//!
//! Data goes to stdout, talk to stderr. Exit code 0 for a job done, 1 for one that failed, 2 for a command line that makes no
//! sense, 130 for one that was interrupted.

mod args;
mod commands;
mod interrupt;
mod output;
mod talk;

use args::{Cli, Command, Global};
use clap::Parser;
use std::process::ExitCode;
use talk::Talk;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let Global { is_quiet, is_verbose, is_forced, .. } = cli.global;
    let talk = Talk { is_quiet, is_verbose, is_forced };
    interrupt::watch();
    if let Some(threads) = cli.global.threads {
        // Fails only if a pool exists already, and nothing has run yet.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
    }
    if let Some(backend) = cli.global.backend {
        backend.force();
    }
    let limits = cli.global.limits();
    let command = cli.command.unwrap_or(Command::Demo(commands::demo::Demo::default()));
    let done = match command {
        Command::Inspect(options) => commands::inspect::run(&options, &limits, &talk),
        Command::Convert(options) => commands::convert::run(&options, &limits, &talk),
        Command::Skin(options) => commands::skin::run(&options, &limits, &talk),
        Command::Export(options) => commands::export::run(&options, &limits, &talk),
        Command::Render(options) => commands::render::run(&options, &limits, &talk),
        Command::Rig(options) => commands::rig::run(&options, &limits, &talk),
        Command::Check(options) => commands::check::run(&options, &limits, &talk),
        Command::Compare(options) => commands::compare::run(&options, &limits, &talk),
        Command::Body(options) => commands::body::run(&options, &limits, &talk),
        Command::Film(options) => commands::film::run(&options, &limits, &talk),
        Command::Motion(options) => commands::motion::run(&options, &limits, &talk),
        Command::Elastic(options) => commands::elastic::run(&options, &limits, &talk),
        Command::Bake(options) => commands::fit::bake(&options, &limits, &talk),
        Command::Tet(options) => commands::tet::run(&options, &limits, &talk),
        Command::Figures(options) => commands::figures::run(&options, &talk),
        Command::Bench(options) => commands::bench::run(&options, cli.global.threads, &talk),
        Command::Demo(options) => commands::demo::run(&options, &talk),
        Command::Flesh(options) => commands::flesh::flesh(&options, &limits, &talk),
        Command::Fit(options) => commands::fit::fit(&options, &limits, &talk),
        Command::Completions(options) => commands::completions::run(&options, &talk),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if interrupt::is_interrupted() => {
            talk.error(&error.context("stopped; nothing was left half-written"));
            ExitCode::from(130)
        }
        Err(error) => {
            talk.error(&error);
            ExitCode::FAILURE
        }
    }
}
