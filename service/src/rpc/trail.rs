//! Notes of requests and answers in the trail of their caller: the game, the actors and the verdict.

use canasta_engine::action::As;
use canasta_proto::v1::*;
use canasta_serve::telemetry::trail::{CallTrail, Trail};

use crate::seal::game_of;

/// A request or an answer that leaves something in the trail of its caller.
pub trait LeavesTrail {
    /// Notes what the trail tells of this message: nothing of most answers.
    fn leave(&self, _: &CallTrail) {}

    /// Notes the same, if the log has trails.
    fn leave_in(&self, trail: &Trail) {
        if let Some(trail) = trail.get() {
            self.leave(trail);
        }
    }
}

/// The requests with one state and one actor.
macro_rules! asked_for_one {
    ($($request:ty),*) => {
        $(impl LeavesTrail for $request {
            fn leave(&self, trail: &CallTrail) {
                trail.about(game_of(&self.state));
                trail.acts_for_field(self.actor);
            }
        })*
    };
}

asked_for_one!(
    CheckActionRequest,
    GetViewRequest,
    ListLegalActionsRequest,
    OptionsRequest,
    PreviewTakeBackRequest,
    SuggestActionRequest
);

// The answers without a verdict: whoever may ask gets them.
impl LeavesTrail for GetViewResponse {}
impl LeavesTrail for ListLegalActionsResponse {}
impl LeavesTrail for OptionsResponse {}
impl LeavesTrail for PreviewTakeBackResponse {}
impl LeavesTrail for SuggestActionResponse {}

impl LeavesTrail for CreateGameRequest {
    fn leave(&self, trail: &CallTrail) {
        trail.about_id(&self.game_id);
        trail.acts_for(As::Table);
        trail.shows_to(&self.observers);
    }
}

impl LeavesTrail for ApplyActionRequest {
    fn leave(&self, trail: &CallTrail) {
        trail.about(game_of(&self.state));
        trail.acts_for_field(self.actor);
        trail.shows_to(&self.observers);
    }
}

impl LeavesTrail for CreateGameResponse {
    fn leave(&self, trail: &CallTrail) {
        match &self.outcome {
            Some(create_game_response::Outcome::Created(created)) => {
                trail.about_id(&created.game_id);
                trail.ends("created");
            }
            Some(create_game_response::Outcome::Rejected(rejected)) => trail.is_rejected(rejected),
            None => {}
        }
    }
}

impl LeavesTrail for ApplyActionResponse {
    fn leave(&self, trail: &CallTrail) {
        use apply_action_response::Outcome;
        match &self.outcome {
            Some(Outcome::Accepted(_)) => trail.ends("accepted"),
            Some(Outcome::Recorded(_)) => trail.ends("recorded"),
            Some(Outcome::Rejected(rejected)) => trail.is_rejected(rejected),
            None => {}
        }
    }
}

impl LeavesTrail for ApplyActionsRequest {
    fn leave(&self, trail: &CallTrail) {
        trail.about(game_of(&self.state));
        self.actions.iter().for_each(|action| trail.acts_for_field(action.actor));
        trail.shows_to(&self.observers);
    }
}

impl LeavesTrail for ApplyActionsResponse {
    fn leave(&self, trail: &CallTrail) {
        use apply_actions_response::Outcome;
        match &self.outcome {
            Some(Outcome::Accepted(all)) => trail.ends(format!("{} accepted", all.results.len())),
            Some(Outcome::Rejected(rejected)) => trail.is_rejected(rejected),
            None => {}
        }
    }
}

impl LeavesTrail for CheckActionResponse {
    fn leave(&self, trail: &CallTrail) {
        use check_action_response::Outcome;
        match &self.outcome {
            Some(Outcome::Legal(_)) => trail.ends("legal"),
            Some(Outcome::Rejected(rejected)) => trail.is_rejected(rejected),
            None => {}
        }
    }
}

impl LeavesTrail for PlayRequest {
    fn leave(&self, trail: &CallTrail) {
        trail.about(game_of(&self.state));
        self.apply.iter().for_each(|apply| apply.leave(trail));
    }
}

impl LeavesTrail for PlayResponse {
    fn leave(&self, trail: &CallTrail) {
        use play_response::Outcome;
        match &self.outcome {
            Some(Outcome::Accepted(_)) => trail.ends("accepted"),
            Some(Outcome::Recorded(_)) => trail.ends("recorded"),
            Some(Outcome::Rejected(rejected)) => trail.is_rejected(rejected),
            None => {}
        }
    }
}
