//! The commit of a build, read without the program git.

use std::{fs, path::Path};

use crate::commit::checked_out;

const COMMIT: &str = "1f10af4d3c2b1a09f8e7d6c5b4a3928170655443";
const OTHER: &str = "0123456789abcdef0123456789abcdef01234567";

fn write(root: &Path, name: &str, text: &str) {
    let path = root.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// The digits of the commit, and whether a build runs again after a change of each of these files.
#[track_caller]
fn expect(package: &Path, files: &[&Path]) {
    let (digits, watched) = checked_out(package).unwrap();
    assert_eq!(digits, "1f10af4");
    let watched: Vec<_> = watched.iter().map(|file| file.canonicalize().unwrap()).collect();
    for file in files {
        assert!(watched.contains(&file.canonicalize().unwrap()), "{}", file.display());
    }
    assert_eq!(watched.len(), files.len(), "{watched:?}");
}

#[test]
fn it_is_that_of_the_branch_or_of_the_head() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path();
    let in_git = |name: &str| root.join(".git").join(name);
    // On a branch whose commit is in a file of its own.
    write(root, ".git/HEAD", "ref: refs/heads/a/b\n");
    write(root, ".git/logs/HEAD", "");
    write(root, ".git/refs/heads/a/b", &format!("{COMMIT}\n"));
    expect(root, &[&in_git("HEAD"), &in_git("logs/HEAD"), &in_git("refs/heads/a/b")]);
    // On one that is packed with others.
    fs::remove_file(in_git("refs/heads/a/b")).unwrap();
    let packed = format!("# pack-refs with: peeled\n{OTHER} refs/heads/x/a/b\n{COMMIT} refs/heads/a/b\n");
    write(root, ".git/packed-refs", &packed);
    write(root, ".git/HEAD", "ref: refs/heads/a/b\n");
    expect(root, &[&in_git("HEAD"), &in_git("logs/HEAD"), &in_git("packed-refs")]);
    // On no branch (detached HEAD).
    fs::remove_file(in_git("packed-refs")).unwrap();
    write(root, ".git/HEAD", &format!("{COMMIT}\n"));
    expect(root, &[&in_git("HEAD"), &in_git("logs/HEAD")]);
}

#[test]
fn it_is_found_in_a_worktree() {
    let directory = tempfile::tempdir().unwrap();
    let (main, root) = (directory.path().join("main"), directory.path().join("tree"));
    let own = main.join(".git/worktrees/tree");
    write(&root, ".git", &format!("gitdir: {}\n", own.display()));
    write(&own, "HEAD", "ref: refs/heads/branch\n");
    write(&own, "commondir", "../..\n");
    write(&main, ".git/HEAD", &format!("{OTHER}\n"));
    write(&main, ".git/refs/heads/branch", COMMIT);
    expect(&root, &[&own.join("HEAD"), &main.join(".git/refs/heads/branch")]);
}

#[test]
fn without_a_clone_there_is_none() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path();
    assert_eq!(checked_out(root), None);
    write(root, ".git/HEAD", "ref: refs/heads/unborn\n");
    assert_eq!(checked_out(root), None);
    write(root, ".git/HEAD", "something else\n");
    assert_eq!(checked_out(root), None);
}
