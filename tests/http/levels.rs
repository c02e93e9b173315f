//! The levels for people, as the service describes them.

use std::collections::HashSet;

use cublino::{
    api::suggestion::{Suggestion, SuggestionQuestion},
    engine::StoppedBy,
    games::GameId,
};
use cublino_client::Client;

use crate::service::SHARED;

#[actix_web::test]
async fn every_game_has_eight_levels_and_each_takes_more_than_half_of_the_points_from_the_one_below() {
    for &game in GameId::ALL {
        let levels = SHARED.client().describe_game(game).await.unwrap().levels;
        assert!(levels.iter().map(|level| level.level).eq(1..=8), "{game}");
        let measured: Vec<_> = levels.iter().map(|level| level.measured.unwrap()).collect();
        for level in &measured {
            assert!(level.score_against_below > 0.5 && level.median_ms > 0.0, "{game} {level:?}");
        }
        let names: HashSet<_> = levels.iter().map(|level| &level.name).collect();
        assert_eq!(names.len(), levels.len());
        let mut ratings = levels.iter().map(|level| level.rating.unwrap());
        assert!(ratings.clone().is_sorted_by(|one, other| one < other), "{game}");
        // The lowest has the points of its score against random play.
        let expected = 1.0 / (1.0 + 10_f64.powf(-f64::from(ratings.next().unwrap()) / 400.0));
        assert!((expected - measured[0].score_against_below).abs() < 1e-4, "{game}");
        let loss = |i: usize| measured[i].mean_loss;
        assert!(loss(0) > loss(3) && loss(3) > loss(7), "{game}");
    }
}

#[actix_web::test]
async fn a_level_looks_no_further_than_is_told() {
    // On a busy machine a search may find no thread in time. This client asks again.
    let client = Client::new(&SHARED.base).unwrap();
    for &game in GameId::ALL {
        let about = client.describe_game(game).await.unwrap();
        let state = if about.game.dice { "M63-o22O" } else { &about.game.start };
        for told in about.levels {
            let level = u64::from(told.level).try_into().ok();
            let question = SuggestionQuestion { level, ..SuggestionQuestion::about(state) };
            let search = client.ask::<Suggestion>(game, &question).await.unwrap().search;
            assert!(told.depth.is_none_or(|depth| search.depth <= depth), "{game} {told:?}: {search:?}");
            assert!(search.nodes <= told.nodes, "{game} {told:?}: {search:?}");
            assert!(search.time_ms.is_none() && search.stopped_by != StoppedBy::Time, "{game}: {search:?}");
        }
    }
}
