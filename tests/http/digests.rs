//! The digest of the sources, which names what the service answers.

use std::{
    fs,
    path::{Path, PathBuf},
};

use tempfile::TempDir;

use crate::digest::{COVERED, digest};

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
            ("src/main.rs", "fn main() {}"),
            ("src/cli/serve.rs", "// what is printed"),
            ("crates/client/src/lib.rs", "// what is asked"),
            ("crates/engine/src/mod.rs", "mod eval;"),
            ("crates/engine/src/eval.rs", "const PIP: i32 = 1;"),
            ("crates/rules/src/games/rules.md", "# Rules"),
            ("openapi/openapi.json", "{}"),
            ("tests/laws.rs", "// laws"),
        ] {
            package.write(name, text);
        }
        package
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.root.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
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
    let (again, own) = (one.digest(), digest(Path::new(env!("CARGO_MANIFEST_DIR")), &COVERED).unwrap());
    assert_eq!(one.digest(), again);
    assert_ne!(one.digest(), own);
}

#[test]
fn any_change_of_a_source_changes_the_digest() {
    let package = Package::new("changed");
    let mut known = vec![package.digest()];
    let mut has_changed = |what: &str| {
        let now = package.digest();
        assert!(!known.contains(&now), "{what}");
        known.push(now);
    };
    for name in [
        "Cargo.toml",
        "Cargo.lock",
        "crates/engine/src/mod.rs",
        "crates/engine/src/eval.rs",
        "crates/rules/src/games/rules.md",
    ] {
        package.write(name, "something else");
        has_changed(name);
    }
    package.write("crates/engine/src/new.rs", "");
    has_changed("a new file, though it is empty");
    fs::rename(
        package.root.join("crates/engine/src/new.rs"),
        package.root.join("crates/engine/src/newer.rs"),
    )
    .unwrap();
    has_changed("another name");
    fs::rename(
        package.root.join("crates/engine/src/newer.rs"),
        package.root.join("crates/rules/src/games/newer.rs"),
    )
    .unwrap();
    has_changed("another folder");
    package.write("crates/engine/src/mod.rs", "something elses");
    package.write("crates/engine/src/eval.rs", "omething else");
    has_changed("the same bytes in other files");
}

#[test]
fn what_decides_no_answer_does_not_change_the_digest() {
    let package = Package::new("unchanged");
    let before = package.digest();
    for name in [
        "src/cli/serve.rs",
        "crates/client/src/lib.rs",
        "src/main.rs",
        "tests/laws.rs",
        "crates/engine/src/.eval.rs.swp",
        "README.md",
    ] {
        package.write(name, "something else");
        assert_eq!(package.digest(), before, "{name}");
    }
}

#[test]
fn a_package_that_is_not_whole_is_an_error_that_names_the_file() {
    let package = Package::new("not-whole");
    fs::remove_file(package.root.join("Cargo.lock")).unwrap();
    let error = digest(&package.root, &COVERED).unwrap_err();
    assert!(error.to_string().contains("Cargo.lock"), "{error}");
}
