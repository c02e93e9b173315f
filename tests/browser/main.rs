//! The page to play and to analyse on, in a real browser.
//!
//! The tests need Chromium and its driver, and for accessibility axe-core, which `.ci/run tests` installs. On
//! a machine without them they are skipped, which the list of tests shows as `ignored`; in CI they must run.
//! Pictures of what they see are kept in `target/screenshots`.

mod accessibility;
mod conversation;
mod driver;
mod games;
mod page;
mod puzzles;
mod ways;

use std::{env, process::ExitCode};

use cublino::games::GameId;
use libtest_mimic::{Arguments, Trial};

/// The tests of some modules. The harness of the compiler cannot skip a test that has been compiled.
macro_rules! tests {
    ($($module:ident: $($test:ident),+;)+) => {
        [$($((stringify!($module), stringify!($test), $module::$test as fn())),+),+]
    };
}

const TESTS: [(&str, &str, fn()); 56] = tests! {
    accessibility:
        axe_finds_no_violation_in_a_hundred_states,
        axe_finds_no_violation_on_the_start_page_and_in_the_documentation;
    conversation:
        moves_are_clicked_and_handed_to_the_model;
    games:
        two_levels_play_each_other_and_can_be_stopped,
        pictures_of_the_page_are_made_for_the_documents;
    puzzles:
        a_puzzle_of_each_game_is_failed_and_then_solved,
        a_play_of_mahbusa_is_found_by_clicks,
        a_puzzle_of_the_day_goes_on_with_the_streak,
        a_streak_is_kept_by_whoever_flies_west,
        a_move_that_wins_as_well_later_on_is_right,
        puzzles_are_drawn_by_theme,
        a_puzzle_that_ends_with_a_reply_is_solved,
        a_solution_is_shown_and_stepped_through,
        a_puzzle_goes_on_when_the_service_is_back;
    ways:
        a_turn_is_one_request_and_its_answer_another,
        what_a_move_does_is_shown_before_it_is_made,
        a_piece_is_dragged_and_what_is_not_legal_cannot_be_picked,
        a_chain_is_built_step_by_step,
        a_game_is_played_with_the_keyboard_alone,
        a_whole_game_is_played_with_the_keyboard_alone,
        at_the_first_visit_a_game_is_chosen,
        what_counts_and_is_still_possible_stands_beside_the_moves,
        a_phone_shows_the_page_without_scrolling_sideways_and_is_tapped,
        the_board_fills_the_screen_and_nothing_shifts,
        dice_tip_and_marbles_are_sown_where_motion_is_wanted,
        a_finished_game_is_analysed,
        mistakes_are_stepped_through_and_done_better,
        the_page_says_so_when_the_service_is_away_and_opens_without_it,
        a_list_of_moves_is_loaded_or_refused_with_its_reason,
        a_game_can_be_taken_away,
        advice_is_given_on_request_and_hint_and_evaluation_bar_say_the_same,
        a_coach_says_what_is_wrong_with_a_move,
        a_position_is_set_up_with_the_reasons_of_the_rules,
        every_destructive_action_is_undone,
        a_game_is_lost_and_rematched,
        who_plays_black_sees_the_board_from_that_side,
        a_round_of_mahbusa_is_four_requests,
        a_lesson_of_each_game_is_done_by_clicks,
        a_lesson_of_each_game_is_done_with_the_keyboard,
        where_keys_are_needed_the_page_asks_for_one,
        the_key_is_sent_to_the_api_alone_whatever_the_address_says,
        the_points_of_mahbusa_are_clicked_where_they_are_drawn,
        the_last_marbles_of_wari_are_swept_into_the_stores,
        a_pass_is_told,
        after_an_analysis_the_game_goes_on,
        a_link_is_kept_until_the_service_is_back,
        a_level_is_asked_again_when_the_service_is_back,
        a_picture_is_saved_while_levels_roll,
        nothing_ever_lies_on_a_square,
        another_line_is_kept_beside_the_first,
        a_friend_is_played_by_links,
        a_bad_address_is_named,
        keys_press_buttons_and_are_listed,
        the_dice_of_mahbusa_are_rolled_on_the_board_and_a_checker_goes_on,
        a_long_game_goes_on_from_a_later_state,
        the_start_page_shows_the_games_and_asks;
};

/// The sources of the tests: a test that is not in the list would never run.
const SOURCES: [&str; 5] = [
    include_str!("accessibility.rs"),
    include_str!("conversation.rs"),
    include_str!("games.rs"),
    include_str!("puzzles.rs"),
    include_str!("ways.rs"),
];

/// A test, which is skipped where something that it needs is missing.
fn trial(module: &str, name: &str, test: impl FnOnce() + Send + 'static) -> Trial {
    let missing =
        driver::missing().or_else(|| accessibility::missing().filter(|_| module == "accessibility"));
    if let Some(missing) = missing {
        assert!(env::var("CI").as_deref() != Ok("true"), "no {missing} here, and in CI nothing is skipped");
        eprintln!("skipped, because there is no {missing} here: {module}::{name}");
    }
    let test = move || {
        test();
        Ok(())
    };
    Trial::test(format!("{module}::{name}"), test).with_ignored_flag(missing.is_some())
}

fn main() -> ExitCode {
    assert!(!SOURCES.iter().any(|source| source.contains("#[test]")), "tests are listed in main.rs");
    let games = (1..).zip(GameId::ALL).map(|(seed, &game)| {
        let name = format!("a_game_of_{game}_is_played_by_clicks");
        trial("games", &name, move || games::a_whole_game(game, seed))
    });
    let others = TESTS.into_iter().map(|(module, name, test)| trial(module, name, test));
    libtest_mimic::run(&Arguments::from_args(), games.chain(others).collect()).exit_code()
}
