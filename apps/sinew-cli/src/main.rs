//! Sinew's command line: arguments in, the library's pipelines, files and words out.
//!
//! Data goes to stdout, talk to stderr. Exit code 0 for a job done, 1 for one that failed, 2 for a command line that makes no
//! sense, 130 for one that was interrupted.
#![expect(clippy::print_stdout, reason = "a command line's data goes to stdout")]

mod args;
mod commands;
mod interrupt;
mod talk;

use args::{Cli, Command};
use clap::Parser;
use std::process::ExitCode;
use talk::Talk;

fn main() -> ExitCode {
    let cli = Cli::parse();
    let talk = Talk { is_quiet: cli.global.is_quiet };
    interrupt::watch();
    if let Some(threads) = cli.global.threads {
        // Fails only if a pool exists already, and nothing has run yet.
        let _ = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global();
    }
    if let Some(backend) = cli.global.backend {
        backend.force();
    }
    let limits = cli.global.limits();
    let command = cli.command.unwrap_or(Command::Demo(args::Demo::default()));
    let done = match command {
        Command::Inspect(inspect) => commands::inspect(&inspect, &limits),
        Command::Convert(convert) => commands::convert(&convert, &limits, &talk),
        Command::Export(export) => commands::export(&export, &limits, &talk),
        Command::Skin(skin) => commands::skin(&skin, &limits, &talk),
        Command::Render(render) => commands::render(&render, &limits, &talk),
        Command::Rig(rig) => commands::rig(&rig, &limits, &talk),
        Command::Check(check) => commands::check(&check, &limits, &talk),
        Command::Compare(compare) => commands::compare(&compare, &limits, &talk),
        Command::Figures(figures) => commands::figures(&figures, &talk),
        Command::Film(film) => commands::film(&film, &limits, &talk),
        Command::Body(body) => commands::body(&body, &limits, &talk),
        Command::Motion(motion) => commands::motion(&motion, &limits, &talk),
        Command::Elastic(elastic) => commands::elastic(&elastic, &limits, &talk),
        Command::Flesh(flesh) => commands::flesh(&flesh, &limits, &talk),
        Command::Fit(fit) => commands::fit(&fit, &limits, &talk),
        Command::Bake(bake) => commands::bake(&bake, &limits, &talk),
        Command::Tet(tet) => commands::tet(&tet, &limits, &talk),
        Command::Bench(bench) => commands::bench(&bench, cli.global.threads, &talk),
        Command::Demo(demo) => commands::demo(&demo, &talk),
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
