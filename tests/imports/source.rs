//! What one source file declares, imports and mentions, read token by token.

use std::collections::HashSet;

/// A source file without its comments, literals and tests.
#[derive(Debug, Default)]
pub struct Source {
    /// The modules that it declares.
    pub children: Vec<String>,
    /// What it imports.
    pub imports: Vec<Import>,
    /// The items that it defines itself.
    pub items: HashSet<String>,
    /// The paths in its code, with those of one name.
    pub paths: Vec<Vec<String>>,
}

/// One name that a `use` brings into scope.
#[derive(Debug)]
pub struct Import {
    /// The name; `*` for all there are.
    pub name: String,
    pub path: Vec<String>,
    pub is_public: bool,
}

impl Source {
    pub fn read(text: &str) -> Self {
        let mut reader = Reader { tokens: tokens(text), at: 0, source: Self::default() };
        reader.items();
        reader.source
    }
}

/// The tokens that matter: names, `::` and single signs. Comments, literals and lifetimes are left out.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(char) = rest.chars().next() {
        let length = literal(rest).unwrap_or_else(|| {
            let name = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            let length = if name > 0 {
                name
            } else if rest.starts_with("::") {
                2
            } else {
                char.len_utf8()
            };
            if !char.is_whitespace() && !char.is_ascii_digit() {
                tokens.push(rest[..length].to_owned());
            }
            length
        });
        rest = &rest[length..];
    }
    tokens
}

/// The length of the comment, text, character or lifetime that a text begins with.
fn literal(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    if text.starts_with("/*") {
        return Some(text.find("*/")? + 2);
    }
    let after_prefix = text.trim_start_matches(['b', 'c', 'r']);
    let hashes = after_prefix.len() - after_prefix.trim_start_matches('#').len();
    let prefix = text.len() - after_prefix.len();
    if after_prefix[hashes..].starts_with('"') && (hashes == 0 || text[..prefix].ends_with('r')) {
        let open = prefix + hashes + 1;
        let is_raw = text[..prefix].ends_with('r');
        let close = format!("\"{}", "#".repeat(hashes));
        let inside = &text[open..];
        let end = if is_raw { inside.find(&close) } else { unescaped(inside, '"') };
        return Some(open + end? + close.len());
    }
    let quoted = text.strip_prefix("b'").or_else(|| text.strip_prefix('\''))?;
    let open = text.len() - quoted.len();
    let mut chars = quoted.chars();
    match (chars.next()?, chars.next()) {
        ('\\', Some(escaped)) => {
            Some(open + 1 + escaped.len_utf8() + quoted[1 + escaped.len_utf8()..].find('\'')? + 1)
        }
        (char, Some('\'')) => Some(open + char.len_utf8() + 1),
        _ => Some(open + quoted.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(quoted.len())),
    }
}

fn unescaped(text: &str, wanted: char) -> Option<usize> {
    let mut is_escaped = false;
    text.char_indices()
        .find(|&(_, char)| {
            let found = char == wanted && !is_escaped;
            is_escaped = char == '\\' && !is_escaped;
            found
        })
        .map(|(at, _)| at)
}

struct Reader {
    tokens: Vec<String>,
    at: usize,
    source: Source,
}

impl Reader {
    fn token(&self, at: usize) -> &str {
        self.tokens.get(at).map_or("", String::as_str)
    }

    fn is_next(&self, expected: &[&str]) -> bool {
        expected.iter().enumerate().all(|(i, &token)| self.token(self.at + i) == token)
    }

    fn items(&mut self) {
        let mut depth = 0;
        while self.at < self.tokens.len() {
            if self.is_next(&["#", "[", "cfg", "(", "test", ")", "]"]) {
                self.skip_item();
                continue;
            }
            let (token, next) = (self.token(self.at).to_owned(), self.token(self.at + 1).to_owned());
            let before = self.at.checked_sub(1).map_or("", |before| self.token(before));
            match token.as_str() {
                "{" => depth += 1,
                "}" => depth -= 1,
                "mod" if self.token(self.at + 2) == ";" => {
                    self.source.children.push(next);
                    self.at += 1;
                }
                // Not the `use<'_>` of a type.
                "use" if next != "<" => {
                    let is_public = before == "pub" || before == ")" && self.token(self.at - 4) == "pub";
                    self.at += 1;
                    self.tree(&[], is_public);
                    continue;
                }
                "fn" | "struct" | "enum" | "trait" | "type" | "const" | "static" if is_name(&next) => {
                    if depth == 0 {
                        self.source.items.insert(next);
                    }
                    self.at += 1;
                }
                name if is_name(name) && before != "::" && before != "." => {
                    let path = self.path();
                    self.source.paths.push(path);
                    continue;
                }
                _ => {}
            }
            self.at += 1;
        }
    }

    /// Names with `::` between them.
    fn path(&mut self) -> Vec<String> {
        let mut path = vec![self.token(self.at).to_owned()];
        self.at += 1;
        while self.token(self.at) == "::" && is_name(self.token(self.at + 1)) {
            path.push(self.token(self.at + 1).to_owned());
            self.at += 2;
        }
        path
    }

    /// What a `use` names, from here to what ends it: a comma, a brace or a semicolon.
    fn tree(&mut self, prefix: &[String], is_public: bool) {
        let mut path = prefix.to_vec();
        let mut name = None;
        loop {
            let token = self.token(self.at).to_owned();
            match token.as_str() {
                "," | "}" | ";" | "" => break,
                "{" => {
                    while !matches!(self.token(self.at), "}" | "") {
                        self.at += 1;
                        self.tree(&path, is_public);
                    }
                    self.at += 1;
                    return;
                }
                "as" => {
                    name = Some(self.token(self.at + 1).to_owned());
                    self.at += 1;
                }
                "self" if !path.is_empty() => {}
                "::" => {}
                _ => path.push(token),
            }
            self.at += 1;
        }
        if path.len() > prefix.len() || self.token(self.at - 1) == "self" {
            let name = name.or_else(|| path.last().cloned()).expect("an import has a name");
            self.source.imports.push(Import { name, path, is_public });
        }
    }

    /// Passes over an item, up to its semicolon or closing brace.
    fn skip_item(&mut self) {
        let mut depth = 0;
        let mut ends_with_brace = true;
        while self.at < self.tokens.len() {
            let token = self.token(self.at).to_owned();
            self.at += 1;
            match token.as_str() {
                "use" | "const" | "static" | "type" if depth == 0 => ends_with_brace = false,
                "(" | "[" | "{" => depth += 1,
                ")" | "]" => depth -= 1,
                "}" => {
                    depth -= 1;
                    if depth == 0 && ends_with_brace {
                        return;
                    }
                }
                ";" if depth == 0 => return,
                _ => {}
            }
        }
    }
}

fn is_name(token: &str) -> bool {
    const KEYWORDS: [&str; 24] = [
        "as", "const", "else", "enum", "fn", "for", "if", "impl", "in", "let", "loop", "match", "mod",
        "move", "mut", "pub", "ref", "return", "static", "struct", "trait", "type", "where", "while",
    ];
    token.starts_with(|c: char| c.is_alphabetic() || c == '_') && !KEYWORDS.contains(&token)
}
