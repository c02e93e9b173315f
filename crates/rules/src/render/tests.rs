//! What every picture of every game shows.
//!
//! Positions come from random games with fixed seeds; a failure names the position.

use super::*;
use crate::{
    game::{Game, Notation, Player, Stage, playout},
    games::{
        GameId, Mahbusa, Pur, Wari,
        cublino::StepDescription,
        described::{Position, Step},
        mahbusa,
        wari::Cup,
    },
    with_game,
};
use rand::SeedableRng;
use rand_pcg::Pcg64;
use roxmltree::{Document, Node};

/// Random games per game and law.
const GAMES: u64 = 2;
/// Positions of a random game that are drawn, at most.
const MAX_LEN: usize = 120;

fn for_random_positions<G: Game>(mut law: impl FnMut(&G)) {
    for seed in 0..GAMES {
        let rng = &mut Pcg64::seed_from_u64(seed);
        for position in playout::positions(G::default(), MAX_LEN, rng) {
            law(&position);
        }
    }
}

/// The picture with nothing shown on it.
fn seen<G: Notation>(position: &G, seen_by: Player) -> String {
    position.picture(&View { seen_by, ..View::default() })
}

/// The arrows in a picture, from place to place.
fn arrows(picture: &str) -> Vec<Vec<At>> {
    let points_of = |svg: &str, shape: &str| -> Vec<At> {
        let points = svg.split(shape).nth(1).and_then(|rest| rest.split("points=\"").nth(1)).unwrap();
        let points = points.split('"').next().unwrap();
        let number = |text: &str| text.parse::<f32>().unwrap();
        points
            .split(' ')
            .filter_map(|at| at.split_once(','))
            .map(|(x, y)| At::new(number(x), number(y)))
            .collect()
    };
    let arrow = |svg: &str| {
        let mut line = points_of(svg, r#"<polyline class="halo""#);
        // The line ends in the head, which points to the place.
        *line.last_mut().unwrap() = points_of(svg, r#"<polygon class="head""#)[0];
        line
    };
    picture.split(r#"class="arrow""#).skip(1).map(arrow).collect()
}

fn document(picture: &str) -> Document<'_> {
    Document::parse(picture).unwrap_or_else(|fault| panic!("{fault}: {picture}"))
}

fn with_class<'a>(document: &'a Document<'a>, class: &str) -> Vec<Node<'a, 'a>> {
    let has = |node: &Node| {
        node.attribute("class").is_some_and(|classes| classes.split(' ').any(|found| found == class))
    };
    document.descendants().filter(has).collect()
}

fn count(picture: &str, class: &str) -> usize {
    with_class(&document(picture), class).len()
}

fn text_of<'a>(document: &'a Document<'a>, tag: &str) -> &'a str {
    document.descendants().find(|node| node.has_tag_name(tag)).and_then(|node| node.text()).unwrap_or("")
}

#[test]
fn every_picture_is_well_formed_self_contained_and_described() {
    fn law<G: Notation>() {
        for_random_positions(|position: &G| {
            for seen_by in Player::ALL {
                let picture = seen(position, seen_by);
                let document = document(&picture);
                let root = document.root_element();
                assert!(root.has_tag_name(("http://www.w3.org/2000/svg", "svg")));
                assert!(root.attribute("viewBox").is_some() && root.attribute("role") == Some("img"));
                let length = |name| root.attribute(name).unwrap().parse::<f32>().unwrap();
                let view_box = format!("0 0 {} {:.1}", length("width"), length("height"));
                assert_eq!(root.attribute("viewBox"), Some(&*view_box), "{position}");
                assert!(text_of(&document, "title").starts_with(G::ABOUT.name), "{position}");
                assert!(text_of(&document, "desc").len() > 20, "{position}");
                for outside in [" id=", "url(", "href", "@import", "<script", "<image", "@font-face"] {
                    assert!(!picture.contains(outside), "{outside} in {position}");
                }
            }
        });
    }
    for &game in GameId::ALL {
        with_game!(game, G => law::<G>());
    }
}

#[test]
fn every_legal_move_is_drawn_as_arrows_within_the_picture() {
    fn law<G: Notation>() {
        for_random_positions(|position: &G| {
            if position.stage() != Stage::Move {
                return;
            }
            let spellings = position.spellings();
            for spelling in spellings {
                let shown_move = Some(spelling.clone());
                let view = View { shown_move, seen_by: Player::Two, header: false, ..View::default() };
                let picture = position.picture(&view);
                let size = picture.split('"').nth(5).unwrap().split(' ').skip(2);
                let [width, height] = size.map(|side| side.parse::<f32>().unwrap()).collect::<Vec<_>>()[..]
                else {
                    panic!("a picture has a width and a height")
                };
                let arrows = arrows(&picture);
                assert_eq!(arrows.is_empty(), spelling.to_string() == "pass", "{spelling} in {position}");
                for arrow in &arrows {
                    assert!(arrow.len() > 1, "{spelling} in {position}");
                    let inside = |at: &At| (0.0..=width).contains(&at.x) && (0.0..=height).contains(&at.y);
                    assert!(arrow.iter().all(inside), "{spelling} in {position}");
                }
            }
        });
    }
    for &game in GameId::ALL {
        with_game!(game, G => law::<G>());
    }
}

#[test]
fn the_heading_says_whose_turn_it_is_or_who_has_won() {
    fn headings<G: Notation>(state: &str) -> String {
        let picture = seen(&G::read(state).unwrap(), Player::One);
        let document = document(&picture);
        let headings = with_class(&document, "heading");
        headings.iter().filter_map(Node::text).collect::<Vec<_>>().join("; ")
    }
    let start = Pur::default().to_string();
    assert_eq!(headings::<Pur>(&start), "White to move; White 0 : 0 Black pips");
    assert_eq!(headings::<Pur>(&start.replacen('P', "p", 1)), "Black to move; White 0 : 0 Black pips");
    assert_eq!(headings::<Mahbusa>("M-o22O"), "White to roll; White 0 : 0 Black borne off");
    assert_eq!(
        headings::<Pur>("Pga1mb1vc1id1se1cf1og1Aa4Na7Rb7Fc7Ad7Fe7Mg7"),
        "Black wins; all dice home, White 18 : 25 Black pips"
    );
}

#[test]
fn every_die_is_drawn_with_its_top_and_its_four_sides() {
    for_random_positions(|position: &Pur| {
        let picture = seen(position, Player::One);
        let document = document(&picture);
        let drawn = with_class(&document, "die");
        assert_eq!(drawn.len(), 14, "{position}");
        let Position::Cublino(description) = position.describe() else { panic!("a position of Cublino") };
        for (node, die) in drawn.iter().zip(&description.dice) {
            let pips =
                node.children().filter(|node| node.attribute("class").is_some_and(|c| c.starts_with("pip")));
            assert_eq!(pips.count(), usize::from(die.faces.top), "{position}");
            let sides: Vec<_> = node.children().filter_map(|node| node.text()).collect();
            let faces = &die.faces;
            let expected =
                [faces.north, faces.east, faces.south, faces.west].map(|number| number.to_string());
            assert_eq!(sides, expected, "{position}");
        }
    });
}

#[test]
fn every_checker_is_drawn_or_counted() {
    for_random_positions(|position: &Mahbusa| {
        let picture = seen(position, Player::One);
        let stacks: Vec<_> =
            mahbusa::Point::all().filter_map(|point| position.board().stack(point)).collect();
        let drawn: usize =
            stacks.iter().map(|stack| usize::from(stack.count.min(5)) + usize::from(stack.pinned)).sum();
        assert_eq!(count(&picture, "checker"), drawn, "{position}");
        assert_eq!(
            count(&picture, "pinned"),
            stacks.iter().filter(|stack| stack.pinned).count(),
            "{position}"
        );
        let counted: Vec<_> =
            stacks.iter().filter(|stack| stack.count > 5).map(|stack| stack.count.to_string()).collect();
        let document = document(&picture);
        let counts: Vec<_> = with_class(&document, "count").iter().filter_map(Node::text).collect();
        assert_eq!(counts, counted, "{position}");
        let borne_off: u8 = Player::ALL.iter().map(|&player| position.board().side(player).borne_off()).sum();
        assert_eq!(with_class(&document, "off").len(), usize::from(borne_off), "{position}");
        // Before the roll the dice show no number.
        let dice = if position.stage().outcome().is_some() { 0 } else { 2 };
        assert_eq!(with_class(&document, "die").len(), dice, "{position}");
        assert_eq!(count(&picture, "pip") > 0, position.roll().is_some(), "{position}");
    });
}

#[test]
fn every_marble_is_drawn_and_every_cup_counted() {
    for_random_positions(|position: &Wari| {
        let picture = seen(position, Player::One);
        let document = document(&picture);
        assert_eq!(with_class(&document, "marble").len(), 48, "{position}");
        let counts: Vec<_> = with_class(&document, "count").iter().filter_map(Node::text).collect();
        let cups = Cup::all().map(|cup| position.marbles(cup));
        let prisoners = Player::ALL.map(|player| position.row(player).prisoners());
        let expected: Vec<_> = cups.chain(prisoners).map(|count| count.to_string()).collect();
        assert_eq!(counts, expected, "{position}");
    });
}

#[test]
fn from_player_two_the_board_is_turned_round() {
    fn ends(arrows: &[Vec<At>]) -> (At, At) {
        (arrows[0][0], *arrows[0].last().unwrap())
    }
    fn law<G: Notation>(state: &str, m: &str) {
        let (position, shown_move) = (G::read(state).unwrap(), Some(m.parse().unwrap()));
        let seen_by =
            |seen_by| position.picture(&View { shown_move: shown_move.clone(), seen_by, ..View::default() });
        let (from, to) = ends(&arrows(&seen_by(Player::One)));
        let (turned_from, turned_to) = ends(&arrows(&seen_by(Player::Two)));
        let close = |a: f32, b: f32| (a - b).abs() < 0.1;
        assert!(close(to.x - from.x, turned_from.x - turned_to.x), "{m}");
        assert!(close(to.y - from.y, turned_from.y - turned_to.y), "{m}");
        assert_ne!(from, turned_from);
    }
    law::<Pur>(&Pur::default().to_string(), "e1e2");
    law::<crate::games::Contra>(&crate::games::Contra::default().to_string(), "a1a2");
    law::<crate::games::Ecke>(&crate::games::Ecke::default().to_string(), "f1g2");
    law::<Wari>(&Wari::default().to_string(), "5");
    for (state, m) in [("M63-o22O", "XR-XU"), ("m63-o22O", "XR-XU"), ("M21-B22m", "A0-A0")] {
        law::<Mahbusa>(state, m);
    }
}

#[test]
fn the_points_of_mahbusa_run_counter_clockwise_from_the_bottom_left() {
    /// Columns from the left and rows from above, which are those of the players' names in the trays, too.
    const WHITE: [&str; 2] = ["XWVUTSRQPONM", "ABCDEFGHIJKL"];
    const BLACK: [&str; 2] = ["LKJIHGFEDCBA", "MNOPQRSTUVWX"];
    for (seen_by, rows) in [(Player::One, WHITE), (Player::Two, BLACK)] {
        let picture = seen(&Mahbusa::read("M-o22O").unwrap(), seen_by);
        let document = document(&picture);
        let shape = |kind: &str, name: &str, shape: &str, attribute: &str| {
            let group = document.descendants().find(|node| node.attribute(kind) == Some(name)).unwrap();
            let shape = group.children().find(|node| node.has_tag_name(shape)).unwrap();
            shape.attribute(attribute).unwrap().to_owned()
        };
        let base = |point: char| {
            let corners = shape("data-point", &point.to_string(), "polygon", "points");
            let numbers: Vec<f32> = corners.split([' ', ',']).map(|number| number.parse().unwrap()).collect();
            (numbers[0].midpoint(numbers[2]), numbers[1], numbers[5] - numbers[1])
        };
        let middle =
            base(rows[0].chars().next().unwrap()).1.midpoint(base(rows[1].chars().next().unwrap()).1);
        for (row, letters) in rows.into_iter().enumerate() {
            let bases: Vec<_> = letters.chars().map(base).collect();
            assert!(bases.is_sorted_by(|a, b| a.0 < b.0), "{seen_by:?}: {letters} {bases:?}");
            let is_below = row == 1;
            let fits =
                |&(_, y, inwards): &(f32, f32, f32)| (y > middle) == is_below && (inwards < 0.0) == is_below;
            assert!(bases.iter().all(fits), "{seen_by:?}: {letters} {bases:?}");
        }
        // Each tray is beside its player's home board.
        for (player, first, last) in [("one", 'A', 'F'), ("two", 'X', 'S')] {
            let number = |name| shape("data-tray", player, "rect", name).parse::<f32>().unwrap();
            let (first, last) = (base(first), base(last));
            let (x, y) = (number("x") + number("width") / 2.0, number("y") + number("height") / 2.0);
            assert_eq!(y > middle, first.1 > middle, "{seen_by:?}: the tray of {player}");
            assert_eq!(x < first.0, first.0 < last.0, "{seen_by:?}: the tray of {player}");
        }
    }
}

/// The picture of a position with a legal move, or what a move did before it.
fn with_move<G: Notation>(state: &str, m: &str) -> String {
    let shown_move = Some(m.parse().unwrap());
    G::read(state).unwrap().picture(&View { shown_move, ..View::default() })
}

fn attributes(picture: &str, class: &str, name: &str) -> Vec<String> {
    let document = document(picture);
    let nodes = with_class(&document, class);
    nodes.iter().filter_map(|node| node.attribute(name)).map(str::to_owned).collect()
}

#[test]
fn an_arrow_goes_straight_over_the_die_that_is_jumped() {
    for (m, x, y) in [("d4f6", 1.0, -1.0), ("e5e6", 0.0, -1.0)] {
        let arrows = arrows(&with_move::<crate::games::Ecke>("EWa1Wd4We5va7vb7", m));
        let [from, to] = arrows[0][..] else { panic!("{m} has places beside its way: {arrows:?}") };
        let length = (to.x - from.x).abs().max((to.y - from.y).abs());
        let way = ((to.x - from.x) / length, (to.y - from.y) / length);
        assert!((way.0 - x).abs() < 0.01 && (way.1 - y).abs() < 0.01, "{m}: {way:?}");
    }
}

#[test]
fn an_arrow_hides_no_number() {
    /// One in this many positions is drawn, since each has many moves.
    const EVERY: usize = 9;
    let mut index = 0;
    for_random_positions(|position: &Pur| {
        index += 1;
        if position.stage() != Stage::Move || index % EVERY != 0 {
            return;
        }
        let spellings = position.spellings();
        for spelling in spellings {
            let picture = with_move::<Pur>(&position.to_string(), &spelling.to_string());
            let document = document(&picture);
            let arrow = with_class(&document, "arrow")[0].range().end;
            let mut jumped = Vec::new();
            for step in position.steps(&spelling) {
                if let Step::Cublino(StepDescription::Jump { over, .. }) = step
                    && !jumped.contains(&over)
                {
                    jumped.push(over);
                }
            }
            let over = with_class(&document, "over");
            assert_eq!(over.len(), jumped.len(), "{spelling} in {position}");
            for die in over {
                let numbers = die.children().filter(|node| node.has_tag_name("text")).count();
                assert!(die.range().start >= arrow && numbers == 4, "{spelling} in {position}");
            }
        }
    });
}

#[test]
fn squares_points_cups_and_pieces_are_groups_that_name_them() {
    fn names(picture: &str, attribute: &str) -> Vec<String> {
        let document = document(picture);
        let mut names: Vec<_> = document
            .descendants()
            .filter(|node| node.has_tag_name("g"))
            .filter_map(|node| node.attribute(attribute))
            .map(str::to_owned)
            .collect();
        names.sort();
        names.dedup();
        names
    }
    let pur = seen(&Pur::default(), Player::Two);
    assert_eq!(names(&pur, "data-square").len(), 49);
    assert_eq!(attributes(&pur, "die", "data-square")[0], "a1");
    assert_eq!(attributes(&pur, "die", "data-player")[13], "two");
    assert_eq!(names(&pur, "data-orientation"), ["v", "w"]);
    let mahbusa = seen(&Mahbusa::read("M63-o22O").unwrap(), Player::Two);
    assert_eq!(names(&mahbusa, "data-point").len(), 24);
    assert_eq!(names(&mahbusa, "data-tray"), ["one", "two"]);
    let wari = seen(&Wari::default(), Player::Two);
    assert_eq!(names(&wari, "data-cup").len(), 12);
    assert_eq!(names(&wari, "data-store"), ["one", "two"]);
}

#[test]
fn fights_and_what_is_taken_are_marked() {
    // Six against three: d4 beats d6 from d5.
    let contra = with_move::<crate::games::Contra>("CWd4Wa1ad6va7", "d4d5");
    assert_eq!((count(&contra, "fight"), count(&contra, "fight-won"), count(&contra, "taken")), (1, 1, 1));
    assert!(contra.contains("Black loses the die on d6."), "{contra}");
    let wari = with_move::<Wari>("W-5-1-6-6-0-6-1-1-6-5-5-0-3-3", "6");
    assert_eq!(count(&wari, "origin"), 1);
    let pinned = with_move::<Mahbusa>("M63-n16a5O", "XR-XU");
    assert!(pinned.contains("It pins the checker on R.") && count(&pinned, "taken") == 1, "{pinned}");
}

#[test]
fn what_is_asked_for_is_shown() {
    let position = Pur::default();
    let plain = seen(&position, Player::One);
    let view = |view: View<_, _>| position.picture(&view);
    let headless = view(View { header: false, ..View::default() });
    assert!(count(&plain, "heading") > 0 && count(&headless, "heading") == 0);
    let small = view(View { size: Some(300), ..View::default() });
    assert_eq!(document(&small).root_element().attribute("width"), Some("300"));
    for theme in [Theme::Auto, Theme::Light, Theme::Dark] {
        let class = format!("picture {}", <&str>::from(theme));
        let themed = view(View { theme, ..View::default() });
        assert_eq!(document(&themed).root_element().attribute("class"), Some(&*class));
    }
    let highlighted = vec!["e4".parse().unwrap(), "a1".parse().unwrap()];
    assert_eq!(count(&view(View { highlighted, ..View::default() }), "highlight"), 2);
    let last = Some(position.effects(&"e1e2".parse().unwrap()));
    assert_eq!(count(&view(View { last, ..View::default() }), "last"), 2);
}

#[test]
fn a_point_of_mahbusa_has_one_letter_that_of_the_player_below() {
    let position = Mahbusa::read("M-o22O").unwrap();
    for seen_by in Player::ALL {
        let picture = seen(&position, seen_by);
        let document = document(&picture);
        for point in mahbusa::Point::all() {
            let name = point.to_string();
            let group =
                document.descendants().find(|node| node.attribute("data-point") == Some(&name)).unwrap();
            let label = group.children().find(|node| node.attribute("class") == Some("label")).unwrap();
            let paths: Vec<_> = label.children().filter_map(|glyph| glyph.attribute("d")).collect();
            let letter = point.seen_by(seen_by).to_string().chars().next().unwrap();
            assert_eq!(paths, [engraving::glyph(letter).unwrap()], "{point} seen by {seen_by:?}");
        }
    }
}

#[test]
fn text_cannot_be_taken_for_a_tag() {
    let mut canvas = Canvas::default();
    canvas.text("label", At::new(0.0, 0.0), 10.0, "<b> & </b>");
    assert!(canvas.svg.contains(">&lt;b&gt; &amp; &lt;/b&gt;</text>"));
}
