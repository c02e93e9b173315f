//! Imports run one way: between the folders of `src` in a fixed direction, and between files without cycles.
//!
//! A file imports another if it brings into scope, or names by a path, something that the other defines.
//! Re-exports count for nothing: a name leads to the file that defines it, whichever way it goes. So a
//! `mod.rs` that declares and re-exports its children may stand between them; one that defines what its
//! children use must not use the children itself. Left out are modules and items for tests, and macros, which
//! are reached from everywhere.

mod graph;
mod source;

use std::{collections::HashMap, fs, path::Path};

use self::graph::{Crate, Imports, cycles};

/// What each folder may import besides itself. Files beside the folders are not bound.
const MAY_IMPORT: [(&str, &[&str]); 9] = [
    ("game", &[]),
    ("games", &["game"]),
    ("search", &["games", "game"]),
    ("training", &["search", "games", "game"]),
    ("render", &["games", "game"]),
    ("service", &["render", "search", "games", "game"]),
    ("http", &["service", "render", "search", "games", "game"]),
    ("client", &["service", "render", "search", "games", "game"]),
    ("cli", &["http", "client", "training", "service", "render", "search", "games", "game"]),
];

#[test]
fn no_file_imports_itself_through_others() {
    let found = cycles(&imports_of_src());
    assert!(found.is_empty(), "files import each other in cycles:\n\n{}\n", found.join("\n\n"));
}

#[test]
fn folders_import_in_one_direction() {
    let found = against_the_direction(&imports_of_src());
    assert!(found.is_empty(), "imports against the direction:\n{}\n", found.join("\n"));
}

fn imports_of_src() -> Imports {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    Crate::read(&|file| fs::read_to_string(src.join(file)).ok()).imports()
}

fn against_the_direction(imports: &Imports) -> Vec<String> {
    let may_import: HashMap<_, _> = MAY_IMPORT.into_iter().collect();
    let mut found = Vec::new();
    for (file, of_file) in imports {
        let Some((folder, _)) = file.split_once('/') else { continue };
        let allowed =
            may_import.get(folder).unwrap_or_else(|| panic!("nobody says what {folder} may import"));
        for (from, names) in of_file {
            if let Some((other, _)) = from.split_once('/')
                && other != folder
                && !allowed.contains(&other)
            {
                found.push(format!("{file} imports {names:?} from {from}"));
            }
        }
    }
    found
}

/// What is imported in a crate of these files.
fn imports_of(files: &[(&str, &str)]) -> Imports {
    let text =
        |wanted: &str| files.iter().find(|(file, _)| *file == wanted).map(|(_, text)| (*text).to_owned());
    Crate::read(&text).imports()
}

#[test]
fn a_cycle_is_found_through_braces_and_renamings() {
    let imports = imports_of(&[
        ("lib.rs", "pub mod a; mod b;"),
        ("a/mod.rs", "mod deep; pub use self::deep::{Deep as Renamed, other};"),
        ("a/deep.rs", "use crate::{b::{self, One}, std::fmt}; pub struct Deep(One); pub fn other() {}"),
        ("b.rs", "use super::a; pub struct One; fn f(renamed: &a::Renamed) {}"),
    ]);
    assert_eq!(cycles(&imports), ["a/deep.rs\n  -> b.rs (One)\n  -> a/deep.rs (Deep)"]);
}

#[test]
fn a_module_that_uses_its_children_and_is_used_by_them_is_a_cycle() {
    let child = ("a/child.rs", "use super::Parent; pub fn make() -> Parent { Parent }");
    let root = ("lib.rs", "mod a;");
    let uses =
        imports_of(&[root, child, ("a/mod.rs", "mod child; pub struct Parent; fn f() { child::make(); }")]);
    assert_eq!(cycles(&uses).len(), 1);
    let reexports =
        imports_of(&[root, child, ("a/mod.rs", "mod child; pub use child::make; pub struct Parent;")]);
    assert_eq!(cycles(&reexports), [""; 0]);
    let reexports_and_uses = imports_of(&[
        root,
        child,
        ("a/mod.rs", "mod child; pub use child::make; pub struct Parent; fn f() { make(); }"),
    ]);
    assert_eq!(cycles(&reexports_and_uses).len(), 1);
}

#[test]
fn neither_tests_nor_comments_nor_texts_import() {
    let imports = imports_of(&[
        ("lib.rs", "mod a; mod b;"),
        (
            "a.rs",
            r##"
            //! See [`crate::b::B`].
            /* use crate::b::B; */
            pub const TEXT: (&str, &str, char, u8) = ("crate::b::B", r#"" crate::b::B"#, '"', b'\'');
            pub fn lifetime<'a>(text: &'a str) -> impl Iterator<Item = char> + use<'a> { text.chars() }
            #[cfg(test)]
            use crate::b::B;
            #[cfg(test)]
            mod tests { use super::super::b::B; }
            "##,
        ),
        ("b.rs", "use crate::a::lifetime; pub struct B;"),
    ]);
    assert_eq!(cycles(&imports), [""; 0]);
    assert!(imports["b.rs"]["a.rs"].contains("lifetime"));
}

#[test]
fn an_import_against_the_direction_is_found() {
    let imports = imports_of(&[
        ("lib.rs", "mod game; mod search;"),
        ("game/mod.rs", "use crate::search::Search; pub struct Game;"),
        ("search/mod.rs", "use crate::game::Game; pub struct Search;"),
    ]);
    assert_eq!(against_the_direction(&imports), [r#"game/mod.rs imports {"Search"} from search/mod.rs"#]);
}
