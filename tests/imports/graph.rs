//! Which file imports which: modules, what their paths lead to, and cycles.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap, VecDeque},
    slice,
};

use super::source::Source;

/// The modules of a crate, one a file, and what they import from one another.
#[derive(Debug)]
pub struct Crate {
    modules: Vec<Module>,
}

#[derive(Debug)]
struct Module {
    /// The file, below `src`.
    file: String,
    parent: usize,
    children: HashMap<String, usize>,
    source: Source,
}

/// Where a path leads.
enum Target {
    Module(usize),
    /// Something with this name that is defined in a module.
    Item(usize, String),
}

/// What each file imports, by the file from which it comes: the names.
pub type Imports = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

/// Renamings that are followed one after another before a path is taken to lead out of the crate.
const MOST_RENAMINGS: u32 = 16;

impl Crate {
    /// Reads the modules that are reached from `lib.rs`; the function knows the text of each file there is.
    pub fn read(text: &impl Fn(&str) -> Option<String>) -> Self {
        let mut read = Self { modules: Vec::new() };
        let root = text("lib.rs").expect("a library has a root");
        read.add("lib.rs".to_owned(), "", 0, &root, text);
        read
    }

    fn add(
        &mut self,
        file: String,
        folder: &str,
        parent: usize,
        own: &str,
        text: &impl Fn(&str) -> Option<String>,
    ) -> usize {
        let (index, source) = (self.modules.len(), Source::read(own));
        let names = source.children.clone();
        self.modules.push(Module { file, parent, children: HashMap::new(), source });
        for name in names {
            let places = [format!("{folder}{name}.rs"), format!("{folder}{name}/mod.rs")];
            let (place, own) = places
                .into_iter()
                .find_map(|place| text(&place).map(|own| (place, own)))
                .unwrap_or_else(|| panic!("module {name} in src/{folder} has no file"));
            let child = self.add(place, &format!("{folder}{name}/"), index, &own, text);
            self.modules[index].children.insert(name, child);
        }
        index
    }

    /// What each file imports from others.
    pub fn imports(&self) -> Imports {
        let mut imports = Imports::new();
        for (index, Module { file, source, .. }) in self.modules.iter().enumerate() {
            let own = source.imports.iter().filter(|import| !import.is_public).map(|import| &import.path);
            for path in own.chain(&source.paths) {
                if let Some(Target::Item(from, name)) = self.resolve(index, path, MOST_RENAMINGS)
                    && from != index
                {
                    let of_file = imports.entry(file.clone()).or_default();
                    of_file.entry(self.modules[from].file.clone()).or_default().insert(name);
                }
            }
        }
        imports
    }

    fn resolve(&self, module: usize, path: &[String], renamings: u32) -> Option<Target> {
        let (first, rest) = path.split_first()?;
        let start = match first.as_str() {
            "crate" => 0,
            "self" => module,
            "super" => self.modules[module].parent,
            _ => return self.resolve_in_scope(module, path, renamings),
        };
        self.below(start, rest, renamings)
    }

    /// Where a path leads that goes on below a module.
    fn below(&self, module: usize, path: &[String], renamings: u32) -> Option<Target> {
        match path.first() {
            None => Some(Target::Module(module)),
            Some(first) if first == "super" => self.below(self.modules[module].parent, &path[1..], renamings),
            // What is not found has been made by a macro; in the root these are the macros themselves.
            Some(name) => self
                .resolve_in_scope(module, path, renamings)
                .or_else(|| (module != 0).then(|| Target::Item(module, name.clone()))),
        }
    }

    /// Where a path leads that begins with a name in the scope of a module.
    fn resolve_in_scope(&self, module: usize, path: &[String], renamings: u32) -> Option<Target> {
        let (name, rest) = path.split_first()?;
        let Module { children, source, .. } = &self.modules[module];
        if let Some(&child) = children.get(name) {
            return self.below(child, rest, renamings);
        }
        if source.items.contains(name) {
            return Some(Target::Item(module, name.clone()));
        }
        let renamings = renamings.checked_sub(1)?;
        if let Some(import) = source.imports.iter().find(|import| import.name == *name) {
            return self.resolve(module, &[&import.path, rest].concat(), renamings);
        }
        let mut globs = source.imports.iter().filter(|import| import.name == "*");
        globs.find_map(|glob| {
            let whole = &glob.path[..glob.path.len() - 1];
            match self.resolve(module, whole, renamings)? {
                Target::Module(of) => self.resolve_in_scope(of, path, renamings),
                Target::Item(..) => None,
            }
        })
    }
}

/// A shortest cycle in each group of files that import each other, with the names that are imported.
pub fn cycles(imports: &Imports) -> Vec<String> {
    let reached: HashMap<_, _> = imports.keys().map(|file| (file, paths_from(imports, file))).collect();
    let mut reported = BTreeSet::new();
    let mut cycles = Vec::new();
    for file in imports.keys() {
        let group: Vec<_> = imports
            .keys()
            .filter(|&other| reached[file].contains_key(other) && reached[other].contains_key(file))
            .collect();
        if group.is_empty() || !reported.insert(group.clone()) {
            continue;
        }
        let shortest = group.iter().map(|&member| &reached[member][member]).min_by_key(|path| path.len());
        let path = shortest.expect("the group has a member");
        let mut lines = vec![path[0].clone()];
        for pair in path.windows(2) {
            let names: Vec<_> = imports[&pair[0]][&pair[1]].iter().map(String::as_str).collect();
            lines.push(format!("  -> {} ({})", pair[1], names.join(", ")));
        }
        if group.len() > path.len() - 1 {
            lines.push(format!("  in a group of {}: {group:?}", group.len()));
        }
        cycles.push(lines.join("\n"));
    }
    cycles
}

/// A shortest path from a file to each that it reaches, perhaps itself, both ends included.
fn paths_from(imports: &Imports, start: &str) -> HashMap<String, Vec<String>> {
    let mut paths: HashMap<String, Vec<String>> = HashMap::new();
    let mut queue = VecDeque::from([vec![start.to_owned()]]);
    while let Some(path) = queue.pop_front() {
        let last = path.last().expect("a path begins somewhere");
        for next in imports.get(last).into_iter().flat_map(BTreeMap::keys) {
            if !paths.contains_key(next) {
                let longer = [path.as_slice(), slice::from_ref(next)].concat();
                paths.insert(next.clone(), longer.clone());
                queue.push_back(longer);
            }
        }
    }
    paths
}
