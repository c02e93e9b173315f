//! What names a build: the digest of the sources, and the commit, read without the program git.

use std::{
    fs,
    path::{Path, PathBuf},
};

use tempfile::TempDir;

use crate::{
    commit::checked_out,
    digest::{COVERED, digest},
};

fn write(root: &Path, name: &str, text: &str) {
    let path = root.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// A package of its own, removed in the end.
struct Package {
    _directory: TempDir,
    root: PathBuf,
}

impl Package {
    fn new(name: &str) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let package = Self { root: directory.path().join(name), _directory: directory };
        for (name, text) in [
            ("Cargo.toml", "[package]"),
            ("Cargo.lock", "version = 4"),
            ("crates/engine/src/mod.rs", "mod eval;"),
            ("crates/engine/src/eval.rs", "const PIP: i32 = 1;"),
            ("crates/rules/src/games/rules.md", "# Rules"),
            ("openapi/openapi.json", "{}"),
            ("src/lib.rs", "mod http;"),
        ] {
            write(&package.root, name, text);
        }
        package
    }

    fn digest(&self) -> String {
        digest(&self.root, &COVERED).unwrap()
    }
}

#[test]
fn the_same_sources_have_the_same_digest_wherever_they_are() {
    let (one, other) = (Package::new("here"), Package::new("elsewhere/and deeper"));
    assert_eq!(one.digest(), other.digest());
    assert_eq!(one.digest().len(), 32);
}

#[test]
fn a_change_changes_the_digest_if_answers_may_depend_on_it() {
    let package = Package::new("changed");
    let mut known = vec![package.digest()];
    for (name, text, decides) in [
        ("Cargo.toml", "something else", true),
        ("Cargo.lock", "something else", true),
        ("crates/engine/src/eval.rs", "something else", true),
        ("crates/rules/src/games/rules.md", "something else", true),
        ("crates/engine/src/new.rs", "", true),
        ("src/cli/serve.rs", "what is printed", false),
        ("src/main.rs", "fn main() {}", false),
        ("crates/client/src/lib.rs", "what is asked", false),
        ("crates/engine/src/.eval.rs.swp", "something else", false),
        ("tests/laws.rs", "laws", false),
        ("README.md", "something else", false),
    ] {
        write(&package.root, name, text);
        let now = package.digest();
        assert_eq!(!known.contains(&now), decides, "{name}");
        known.push(now);
    }
    for (from, to) in
        [("engine/src/new.rs", "engine/src/newer.rs"), ("engine/src/newer.rs", "rules/src/newer.rs")]
    {
        let path = |name| package.root.join("crates").join(name);
        fs::rename(path(from), path(to)).unwrap();
        assert!(!known.contains(&package.digest()), "another name or folder: {to}");
        known.push(package.digest());
    }
    // The same bytes in other files.
    write(&package.root, "crates/engine/src/mod.rs", "mod eval;s");
    write(&package.root, "crates/engine/src/eval.rs", "omething else");
    assert!(!known.contains(&package.digest()));

    fs::remove_file(package.root.join("Cargo.lock")).unwrap();
    let error = digest(&package.root, &COVERED).unwrap_err();
    assert!(error.to_string().contains("Cargo.lock"), "{error}");
}

const COMMIT: &str = "1f10af4d3c2b1a09f8e7d6c5b4a3928170655443";
const OTHER: &str = "0123456789abcdef0123456789abcdef01234567";

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
fn the_commit_is_that_of_the_branch_or_of_the_head() {
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
fn the_commit_of_a_worktree_is_found() {
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
fn without_a_clone_there_is_no_commit() {
    let directory = tempfile::tempdir().unwrap();
    let root = directory.path();
    assert_eq!(checked_out(root), None);
    write(root, ".git/HEAD", "ref: refs/heads/unborn\n");
    assert_eq!(checked_out(root), None);
    write(root, ".git/HEAD", "something else\n");
    assert_eq!(checked_out(root), None);
}
