//! `sinew completions`.

use crate::args::Cli;
use crate::output::print;
use crate::talk::Talk;
use anyhow::{Context, Result};
use clap::{Args, CommandFactory, ValueEnum};
use clap_complete::Shell;
use std::path::{Path, PathBuf};

/// `sinew completions`.
#[derive(Args, Debug)]
#[command(after_help = "\
Examples:
  sinew completions bash > ~/.local/share/bash-completion/completions/sinew
  sinew completions fish > ~/.config/fish/completions/sinew.fish
  sinew completions man -o ~/.local/share/man/man1     one page a command")]
pub(crate) struct Completions {
    /// The shell, or man for manual pages
    #[arg(value_enum, value_name = "SHELL")]
    pub(crate) kind: Kind,
    /// The folder to write to [default: printed; of manual pages the first]
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
}

/// What can be made of the table of commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    Bash,
    Elvish,
    Fish,
    Man,
    #[value(name = "powershell")]
    PowerShell,
    Zsh,
}

pub(crate) fn run(options: &Completions, talk: &Talk) -> Result<()> {
    let shell = match options.kind {
        Kind::Bash => Shell::Bash,
        Kind::Elvish => Shell::Elvish,
        Kind::Fish => Shell::Fish,
        Kind::PowerShell => Shell::PowerShell,
        Kind::Zsh => Shell::Zsh,
        Kind::Man => return man(options.output.as_deref(), talk),
    };
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "sinew", &mut script);
    match &options.output {
        Some(folder) => {
            let file = folder.join(format!("sinew.{shell}"));
            sinew::model::write_file(&file, &script)?;
            talk.wrote(&file);
        }
        None => print(String::from_utf8_lossy(&script).trim_end()),
    }
    Ok(())
}

/// Writes a page for each command, or prints the first.
fn man(folder: Option<&Path>, talk: &Talk) -> Result<()> {
    let Some(folder) = folder else {
        let mut page = Vec::new();
        clap_mangen::Man::new(Cli::command()).render(&mut page)?;
        print(String::from_utf8_lossy(&page).trim_end());
        return Ok(());
    };
    let place = || folder.display().to_string();
    std::fs::create_dir_all(folder).with_context(place)?;
    clap_mangen::generate_to(Cli::command(), folder).with_context(place)?;
    talk.wrote(folder);
    Ok(())
}
