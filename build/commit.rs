//! The commit of a clone, read without the program git: machines that build need not have it.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// How many digits of the commit are shown, as in git.
const DIGITS: usize = 7;

/// The commit that is checked out, and the files that change with it. Nothing if the package is not a clone.
pub fn checked_out(package: &Path) -> Option<(String, Vec<PathBuf>)> {
    let mut folder = package.join(".git");
    // In a worktree, it is a file that names the folder.
    if let Some(link) = text(&folder) {
        folder = package.join(link.strip_prefix("gitdir: ")?);
    }
    // Worktrees share their branches.
    let shared = text(&folder.join("commondir")).map_or_else(|| folder.clone(), |path| folder.join(path));
    let packed = shared.join("packed-refs");
    let head = text(&folder.join("HEAD"))?;
    // A branch that is packed gets a file of its own by the next commit, which also writes to the log.
    let mut files = vec![folder.join("HEAD"), folder.join("logs/HEAD"), packed.clone()];
    let commit = match head.strip_prefix("ref: ") {
        None => head,
        Some(branch) => {
            files.push(shared.join(branch));
            text(&shared.join(branch)).or_else(|| {
                text(&packed)?.lines().find_map(|line| Some(line.strip_suffix(branch)?.trim_end().to_owned()))
            })?
        }
    };
    // Cargo treats a missing file as changed.
    files.retain(|file| file.exists());
    let digits = commit.get(..DIGITS).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    Some((digits.to_owned(), files))
}

/// The text of a file, if there is one.
fn text(path: &Path) -> Option<String> {
    Some(fs::read_to_string(path).ok()?.trim().to_owned())
}
