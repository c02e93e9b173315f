//! What every picture of every game shows.
//!
//! Positions come from random games with fixed seeds; a failure names the position.

use cublino::{
    game::{
        Game, Notation, Player, Stage,
        drawing::{At, Draw},
        playout,
    },
    games::{GameId, Mahbusa, Pur, Wari, mahbusa, wari::Cup},
    render, with_game,
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
    fn law<G: Draw>() {
        for_random_positions(|position: &G| {
            for seen_by in Player::ALL {
                let picture = render::picture(position, None, seen_by);
                let document = document(&picture);
                let root = document.root_element();
                assert!(root.has_tag_name(("http://www.w3.org/2000/svg", "svg")));
                assert!(root.attribute("viewBox").is_some() && root.attribute("role") == Some("img"));
                for id in root.attribute("aria-labelledby").unwrap().split(' ') {
                    let named = document.descendants().find(|node| node.attribute("id") == Some(id));
                    assert!(named.and_then(|node| node.text()).is_some_and(|text| text.len() > 5));
                }
                assert!(text_of(&document, "title").starts_with(G::ABOUT.name), "{position}");
                for outside in ["href", "@import", "<script", "<image", "@font-face"] {
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
    fn law<G: Draw>() {
        for_random_positions(|position: &G| {
            if position.stage() != Stage::Move {
                return;
            }
            let mut spellings = Vec::new();
            position.spellings(&mut spellings);
            let (width, height) = G::SIZE;
            for spelling in spellings {
                let arrows = position.arrows(&spelling, Player::Two);
                assert_eq!(arrows.is_empty(), spelling.to_string() == "pass", "{spelling} in {position}");
                for arrow in &arrows {
                    assert!(arrow.len() > 1, "{spelling} in {position}");
                    let inside = |at: &At| (0.0..=width).contains(&at.x) && (0.0..=height).contains(&at.y);
                    assert!(arrow.iter().all(inside), "{spelling} in {position}");
                }
                let picture = render::picture(position, Some(&spelling), Player::Two);
                assert_eq!(
                    picture.matches("class=\"arrow\"").count(),
                    arrows.len(),
                    "{spelling} in {position}"
                );
            }
        });
    }
    for &game in GameId::ALL {
        with_game!(game, G => law::<G>());
    }
}

#[test]
fn the_heading_says_whose_turn_it_is_or_who_has_won() {
    fn headings<G: Draw>(state: &str) -> String {
        let picture = render::picture(&G::read(state).unwrap(), None, Player::One);
        let document = document(&picture);
        let headings = with_class(&document, "heading");
        headings.iter().filter_map(Node::text).collect::<Vec<_>>().join("; ")
    }
    let start = Pur::default().to_string();
    assert_eq!(headings::<Pur>(&start), "White to move; White 0 : 0 Black");
    assert_eq!(headings::<Pur>(&start.replacen('P', "p", 1)), "Black to move; White 0 : 0 Black");
    assert_eq!(headings::<Mahbusa>("M-o22O"), "White to roll; White 0 : 0 Black");
    assert_eq!(
        headings::<Pur>("Pga1mb1vc1id1se1cf1og1Aa4Na7Rb7Fc7Ad7Fe7Mg7"),
        "Black wins; all dice home, White 18 : 25 Black"
    );
}

#[test]
fn every_die_is_drawn_with_its_top_and_its_four_sides() {
    for_random_positions(|position: &Pur| {
        let picture = render::picture(position, None, Player::One);
        let document = document(&picture);
        let drawn = with_class(&document, "die");
        assert_eq!(drawn.len(), 14, "{position}");
        for (node, die) in drawn.iter().zip(&position.describe().dice) {
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
        let picture = render::picture(position, None, Player::One);
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
        assert_eq!(
            with_class(&document, "die").len(),
            if position.roll().is_some() { 2 } else { 0 },
            "{position}"
        );
    });
}

#[test]
fn every_marble_is_drawn_and_every_cup_counted() {
    for_random_positions(|position: &Wari| {
        let picture = render::picture(position, None, Player::One);
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
    fn law<G: Draw>(m: &str) {
        let (position, m) = (G::default(), m.parse().unwrap());
        let (from, to) = ends(&position.arrows(&m, Player::One));
        let (turned_from, turned_to) = ends(&position.arrows(&m, Player::Two));
        let close = |a: f32, b: f32| (a - b).abs() < 0.1;
        assert!(close(to.x - from.x, turned_from.x - turned_to.x), "{m}");
        assert!(close(to.y - from.y, turned_from.y - turned_to.y), "{m}");
        assert_ne!(from, turned_from);
    }
    law::<Pur>("e1e2");
    law::<cublino::games::Contra>("a1a2");
    law::<cublino::games::Ecke>("f1g2");
    law::<Wari>("5");

    let seen = |seen_by| render::picture(&Mahbusa::read("M-o22O").unwrap(), None, seen_by);
    let first = |picture: &str| {
        let document = document(picture);
        let checker = with_class(&document, "checker")[0];
        (checker.attribute("cx").unwrap().to_owned(), checker.attribute("cy").unwrap().to_owned())
    };
    let (one, two) = (first(&seen(Player::One)), first(&seen(Player::Two)));
    assert!(one.0 == two.0 && one.1 != two.1, "White's A is Black's X, across the board: {one:?} {two:?}");
}
