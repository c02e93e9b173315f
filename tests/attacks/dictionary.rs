//! What is put into the places of a request: JSON as text, since these are many and large.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};

/// A game with a state of it that takes much to answer, and moves from there.
pub struct Scene {
    pub game: &'static str,
    pub state: &'static str,
    pub moves: Vec<&'static str>,
}

/// The worst states that are known, and the longest game.
pub fn scenes() -> Vec<Scene> {
    let long = [&["e1e2", "e7e6"][..], &["e2d2", "e6d6", "d2e2", "d6e6"].repeat(249)].concat();
    [
        // A double with 15 checkers that can move: the most orders of steps.
        ("mahbusa", "M11-1AAAAAAAAAAAAAAA7o", vec![]),
        // The longest jumps, and with them the most paths, that a search for them has found.
        ("cublino-pur", "PXd1Xf1Tc2Xe2Xb3xd3Wf3qc4oe4sb5Ed5lf5lc6je6", vec![]),
        ("cublino-pur", "PWa1Wb1Wc1Wd1We1Wf1Wg1va7vb7vc7vd7ve7vf7vg7", long),
        ("cublino-contra", "cxf2xe3nb4xd4sf4Wa5Wb5Sd5Wf5Dg5Xa6Lg6sc7ae7", vec![]),
        ("cublino-ecke", "Exa1Xc1Xd1xb2Xc2Xe2Xf2Sd3Xe3xg6xd7xe7wf7vg7", vec![]),
        ("wari", "W-4-4-4-4-4-4-4-4-4-4-4-4-0-0", vec!["5"]),
    ]
    .map(|(game, state, moves)| Scene { game, state, moves })
    .into()
}

/// How large the value in a place is.
#[derive(Clone, Copy, Debug)]
pub enum Size {
    Most,
    Least,
}
use Size::{Least, Most};

/// Fills the places that a schema describes.
pub struct Filler<'a> {
    /// The document that the references in the schema are about.
    pub document: &'a Value,
    pub scene: &'a Scene,
    /// Whether this scene stands for all others where they do not differ much.
    pub is_worst: bool,
}

/// The members of an object, with their values as JSON.
pub type Members<'a> = Vec<(&'a str, String)>;

impl<'a> Filler<'a> {
    /// The schema that is meant: the target of a reference, and the first of some variants.
    fn resolved(&self, schema: &'a Value) -> &'a Value {
        if let Some(place) = schema["$ref"].as_str() {
            return self.resolved(self.document.pointer(&place[1..]).expect("references lead somewhere"));
        }
        schema.get("oneOf").map_or(schema, |variants| self.resolved(&variants[0]))
    }

    /// An object with large values in its places, and with small ones beside them in the worst scene. It
    /// has at most `room` bytes.
    pub fn sizes(&self, schema: &'a Value, room: usize) -> Vec<(String, Members<'a>)> {
        let required = |name: &str| is_required(self.resolved(schema), name);
        let optional: Vec<_> = names(self.resolved(schema)).filter(|name| !required(name)).collect();
        let filled = |size: &dyn Fn(&str) -> Option<Size>| self.members(schema, room, size);
        let mut list = vec![
            ("what is required".into(), filled(&|name| required(name).then_some(Most))),
            ("everything".into(), filled(&|_| Some(Most))),
        ];
        for &large in &optional {
            let alone = |name: &str| (name == large || required(name)).then_some(Most);
            list.push((format!("large {large}"), filled(&alone)));
            for &small in optional.iter().filter(|&&small| self.is_worst && small != large) {
                let both = |name: &str| if name == small { Some(Least) } else { alone(name) };
                list.push((format!("large {large}, small {small}"), filled(&both)));
            }
        }
        list
    }

    /// An object with small values in those places alone that it needs.
    pub fn least(&self, schema: &'a Value) -> Members<'a> {
        self.members(schema, 0, &|name| is_required(schema, name).then_some(Least))
    }

    /// Each JSON type, as large as it can be and smaller, in each place within an object: the name of the
    /// place, and the object.
    pub fn types(&self, schema: &'a Value, room: usize) -> Vec<(String, Members<'a>)> {
        let mut list = Vec::new();
        if !self.is_worst {
            return list;
        }
        for name in names(self.resolved(schema)) {
            let is_other = |other: &str| other != name && is_required(self.resolved(schema), other);
            let others = self.members(schema, room, &|other| is_other(other).then_some(Least));
            let room = room.saturating_sub(object(&others).len());
            for (place, value) in self.values(&self.resolved(schema)["properties"][name], room) {
                let filled = others.iter().cloned().chain([(name, value)]).collect();
                list.push((format!("{name}{place}"), filled));
            }
        }
        list
    }

    /// Each JSON type in a place, and in the places within it.
    fn values(&self, schema: &'a Value, room: usize) -> Vec<(String, String)> {
        let schema = self.resolved(schema);
        // What is too large is refused at once.
        let whole = [room, room / 8].into_iter().flat_map(types).map(|value| (String::new(), value));
        let inner = self.types(schema, room).into_iter();
        let inner = inner.map(|(place, members)| (format!(".{place}"), object(&members)));
        let items = count(schema).map(|count| {
            let items = self.values(&schema["items"], room / count).into_iter();
            items.map(move |(place, item)| (format!("[]{place}"), list_of(&item, count)))
        });
        whole.chain(inner).chain(items.into_iter().flatten()).collect()
    }

    fn members(&self, schema: &'a Value, room: usize, size: &dyn Fn(&str) -> Option<Size>) -> Members<'a> {
        let schema = self.resolved(schema);
        let siblings: Vec<_> = names(schema).collect();
        let filled = siblings.iter().filter_map(|&name| {
            Some((name, self.value(name, &schema["properties"][name], size(name)?, room, &siblings)))
        });
        filled.collect()
    }

    fn value(&self, name: &str, schema: &'a Value, size: Size, room: usize, siblings: &[&str]) -> String {
        let schema = self.resolved(schema);
        let kind = schema["type"].as_str().or_else(|| schema["type"][0].as_str());
        let number = |bound, default: u64| schema.get(bound).map_or(default.to_string(), Value::to_string);
        match (name, kind, size) {
            ("state" | "previous", Some("string"), _) => text(self.scene.state),
            ("game", Some("string"), _) => text(self.scene.game),
            ("moves", Some("array"), Most) => {
                let mut left = room / siblings.len();
                let fits = |text: &&&str| {
                    left = left.saturating_sub(text.len() + 3);
                    left > 0
                };
                json!(self.scene.moves.iter().take_while(fits).collect::<Vec<_>>()).to_string()
            }
            _ if schema["enum"].is_array() => {
                let mut values = schema["enum"].as_array().into_iter().flatten().filter(|it| !it.is_null());
                let value = if let Most = size { values.next_back() } else { values.next() };
                value.expect("an enum has values").to_string()
            }
            (_, Some("boolean"), _) => matches!(size, Most).to_string(),
            (_, Some("integer"), Most) => number("maximum", 9_007_199_254_740_991),
            (_, Some("integer"), Least) => number("minimum", 0),
            _ if schema["properties"].is_object() => {
                let inner = |name: &str| (matches!(size, Most) || is_required(schema, name)).then_some(size);
                object(&self.members(schema, room, &inner))
            }
            (_, Some("array"), Least) => "[]".into(),
            (_, Some("array"), Most) => {
                let count = count(schema).unwrap_or(1);
                list_of(&self.value("", &schema["items"], Most, room / count, &[""]), count)
            }
            (_, _, Least) => text(""),
            // It is long, and names the members beside it, in case that it is a template.
            (_, _, Most) => {
                let template = siblings.iter().flat_map(|name| ["{", name, "}"]).collect::<String>();
                text(&template.repeat(room / siblings.len() / template.len()))
            }
        }
    }
}

/// The names of the members of an object.
fn names(schema: &Value) -> impl Iterator<Item = &str> {
    schema["properties"].as_object().into_iter().flat_map(Map::keys).map(String::as_str)
}

fn is_required(schema: &Value, name: &str) -> bool {
    schema["required"].as_array().is_some_and(|required| required.iter().any(|one| one == name))
}

/// The longest list that a schema allows.
fn count(schema: &Value) -> Option<usize> {
    schema["maxItems"].as_u64().and_then(|count| count.try_into().ok())
}

/// JSON of a text that needs no escapes.
fn text(text: &str) -> String {
    format!("\"{text}\"")
}

/// JSON of a list of equal items. Lists are long, and many: this touches no more memory than they take.
fn list_of(item: &str, count: usize) -> String {
    let items = format!("{item},").repeat(count);
    format!("[{}]", items.strip_suffix(',').unwrap_or_default())
}

/// JSON of an object.
pub fn object(members: &Members<'_>) -> String {
    let members: Vec<_> = members.iter().map(|(name, value)| format!("{}:{value}", text(name))).collect();
    format!("{{{}}}", members.join(","))
}

/// A value of each JSON type, of at most `room` bytes.
fn types(room: usize) -> [String; 9] {
    let member = |mut members: String, i| {
        let comma = if i == 0 { "" } else { "," };
        write!(members, "{comma}\"{i:07}\":0").expect("a string takes everything");
        members
    };
    let members = (0..room / 12).fold(String::with_capacity(room), member);
    [
        "null".into(),
        "true".into(),
        "-1e300".into(),
        text(&"a".repeat(room.saturating_sub(2))),
        list_of("0", room / 2),
        list_of("\"x\"", room / 4),
        list_of("{}", room / 3),
        "[".repeat(100) + &"]".repeat(100),
        format!("{{{members}}}"),
    ]
}
