"""Cards and rule-set knobs (docs/RULEBOOK.md, model sections 1 and 5).

Only knobs are read, never a preset's name. A knob or value outside the
Classic family with fixed sides is refused by its name.
"""

RANKS = "AKQJT987654"
SUITS = "shdc"


class Unsupported(Exception):
    """A knob, or a record of the log, that this referee does not know."""


def rank(card):
    return "X" if card == "X" else card[0]


def is_wild(card):
    return card == "X" or card[0] == "2"


def is_three(card):
    return card[0] == "3"


def is_red_three(card):
    return card in ("3h", "3d")


def is_black_three(card):
    return card in ("3s", "3c")


def is_natural(card):
    return card[0] in RANKS


def card_class(card):
    """The word of the sets start_cover, start_freezes, discard_freezes."""
    if is_wild(card):
        return "wild"
    if is_red_three(card):
        return "red_three"
    if is_black_three(card):
        return "black_three"
    return "natural"


def pack(packs, jokers):
    """All cards of the game, in no order that matters."""
    cards = [r + s for r in RANKS + "32" for s in SUITS] * packs
    return cards + ["X"] * jokers


ANY = object()
CLASSES = ("wild", "red_three", "black_three")

# knob -> (default, accepted values). ANY: every value of the right shape.
# Knobs whose only accepted value is the default are listed so that another
# value is refused by the knob's name.
KNOBS = {
    "seats": (4, ANY), "side_count": (2, ANY),
    "side_formation": ("fixed", ("fixed", "lone_taker")),
    "side_choice": ("given", ANY),
    "first_dealer": ("random", ANY),
    "draw_ranking": ("none", ANY),
    "next_dealer": ("left", ("left",)),
    "packs": (2, ANY), "jokers": (4, ANY), "hand_size": (11, ANY),
    "foot_size": (0, ANY),
    "foot_comes": ("hand_empty", ("hand_empty", "first_canasta")),
    "start_card": ("one", ("one", "none")),
    "start_cover": ([], ANY), "start_freezes": ([], ANY),
    "start_frozen": (False, (False, True)), "discard_freezes": ([], ANY),
    "cut_bonus": (0, ANY), "cut_ways": ([], ANY),
    "foot_cut_bonus": (0, ANY), "talons": ([], ANY),
    "talon_award": ("auto", ("auto",)),
    "talon_with_pile": (False, (False, True)), "talon_expires": (0, (0,)),
    "stock_marker": (0, ANY), "draw_count": (1, ANY),
    "draw_rounds": ([], ANY),
    "meld_check": ("immediate", ("immediate", "at_discard")),
    "undo_meld": (False, (False, True)), "courtesy": ("off", ("off",)),
    "pile_steps": ("one", ("one", "two")),
    "pile_restore": (False, (False, True)),
    "pile_portion": (0, ANY),
    "take_natural_wild": ("allow", ("allow", "never")),
    "take_layoff": ("any", ("any", "incomplete", "never")),
    "take_canasta_rank": ("allow", ("allow", "unless_wilds_full", "never")),
    "take_result_max": (0, ANY), "wild_top": ("blocked", ("blocked", "wild_pair")),
    "pile_unopened": ("frozen", ("frozen", "normal")),
    "frozen_always": (False, (False, True)),
    "frozen_take": ("pair", ("pair",)),
    "one_card_pile": ("allow", ("allow", "forbid", "unless_stock_empty")),
    "pile_look": ("none", ANY), "meld_min": (3, ANY),
    "meld_max": (0, ANY), "canasta_size": (7, ANY),
    "canasta_accepts": ("all", ("all", "naturals")), "min_naturals": (2, ANY),
    "max_wilds": (0, ANY),
    "wild_ratio": ("off", ("off", "not_above_naturals", "below_naturals")),
    "wild_cap_scope": ("always", ("always", "to_canasta")),
    "wild_add_base": (0, (0, 2)), "rank_wilds": ({}, ANY),
    "melds_per_rank": ("one", ("one", "one_open", "many")),
    "merge": ("none", ("none", "sets")), "sequences": (False, (False, True)),
    "sequence_max": (0, ANY), "wild_melds": (False, (False, True)),
    "wild_meld_max": (0, ANY), "wild_lock": (False, (False, True)),
    "opp_canasta_rank": ("allow", ("allow", "no_new_meld")),
    "overfill_out": (False, (False,)),
    "initial_key": ("side_score", ("side_score", "melder_score", "round")),
    "initial_bands": ([], ANY),
    "initial_count": ("with_top", ("with_top", "without_top",
                                   "hand_melds")),
    "initial_bonus": (False, (False, True)),
    "initial_content": ("none", ("none", "triple_or_wild",
                                 "clean_or_wild")),
    "initial_exempt": ([], ANY),
    "laid_threes": ("red", ("red", "both", "none")),
    "threes_dealt": ("auto", ("auto", "choice")),
    "threes_drawn": ("auto", ("auto", "choice")),
    "threes_window": ("any_time", ("any_time", "start_or_fresh")),
    "threes_keep": ("free", ("free",)),
    "late_three_replaced": (False, (False, True)),
    "pile_threes_replaced": (False, (False, True)),
    "foot_threes": ("auto", ("auto", "replaced")),
    "last_three": ("end_round", ("end_round", "go_on")),
    "black_three_meld": ("never", ("never", "going_out",
                                   "going_out_last")),
    "held_three_red": (0, ANY), "held_three_black": (0, ANY),
    "held_threes_as_laid": ("never", ("never", "unopened", "always")),
    "discard_threes": ("black", ("black", "final_only", "any",
                                 "black_later")),
    "discard_wilds": ("any", ("any", "forced_by_draw")),
    "empty_pile_barred": ([], ANY),
    "empty_pile_safe": ("allow", ("allow",)), "reveal": (False, (False, True)),
    "go_out_total": (0, ANY), "go_out_clean": (0, ANY),
    "go_out_wild": (0, ANY), "go_out_sequence": (0, ANY),
    "go_out_mixed": (0, ANY), "go_out_ranks": ([], ANY),
    "go_out_hands_finished": (False, (False, True)),
    "go_out_bars": ([], ([],)),
    "final_discard": ("optional", ("optional", "required")),
    "final_face_down": (False, (False, True)),
    "pass_discard": (False, (False, True)),
    "ask": ("off", ("off", "binding", "advisory")),
    "ask_whom": ("named", ("named", "all", "next", "any")),
    "ask_window": ("before_melds", ("before_melds", "in_play")),
    "ask_limit": ("turn", ("turn", "round_seat")),
    "ask_check": ("strict", ("strict", "none")),
    "stock_out": ("play_on", ("play_on", "finish_turn")),
    "forced_take": ("off", ("off", "own_meld", "any_legal",
                            "own_meld_top_only")),
    "special_hands": ([], ANY), "special_scores": ([], ANY),
    "pairs_wilds": ("none", ("none", "twos")),
    "garbage_shape": ("f4433", ("f4433",)),
    "special_distinct": (False, (False,)), "card_points": ({}, ANY),
    "wild_value": ("own", ("own",)), "bonus_natural": (0, ANY),
    "bonus_mixed": (0, ANY), "bonus_wild": (0, ANY),
    "bonus_wild_twos": (0, ANY), "bonus_wild_jokers": (0, ANY),
    "bonus_rank": ({}, ANY), "bonus_rank_mixed": ({}, ANY),
    "bonus_sequence": (0, ANY),
    "penalty_incomplete": ({}, ANY), "penalty_held_trio": ({}, ANY),
    "bonus_out": (0, ANY), "bonus_concealed": (0, ANY),
    "three_table": ([], ANY), "three_table_unit": ("all", ("all", "colour")),
    "three_unit": ("side", ("side", "seat")),
    "three_sign": ("plus", ("plus", "unmelded_minus", "unmelded_zero",
                            "beaten_minus", "two_canastas", "by_canastas",
                            "one_canasta")),
    "meld_points": ("plus", ("plus", "minus_without_canasta")),
    "no_canasta_score": ("normal", ("normal", "all_negative")),
    "restore_penalty": (0, ANY),
    "score_unit": ("side", ("side", "seat")),
    "target": (0, ANY), "rounds": (0, ANY),
    "tie": ("draw", ("draw", "play_on")),
    "more_feet": ([], ANY), "black_three_table": ([], ANY),
}


class Rules:
    """A rule set: one attribute a knob."""

    def __init__(self, knobs):
        for name in knobs:
            if name not in KNOBS:
                raise Unsupported(f"knob {name}")
        for name, (default, accepted) in KNOBS.items():
            value = knobs.get(name, default)
            if accepted is not ANY and value not in accepted:
                raise Unsupported(f"knob {name} = {value!r}")
            setattr(self, name, value)
        for name in ("start_cover", "start_freezes"):
            for word in getattr(self, name):
                if word not in CLASSES:
                    raise Unsupported(f"knob {name} = {word!r}")
        if self.wild_add_base > self.min_naturals:
            raise Unsupported("knob wild_add_base above min_naturals")
        self.choice = "choice" in (self.threes_dealt, self.threes_drawn)
        self.side_size = self.seats // self.side_count
        self.black_three_max = 2 * self.packs
        # A seat's feet in the order in which they come (HF-001, HF-115).
        self.foot_sizes = [self.foot_size, *self.more_feet]
        if not self.foot_size:
            self.foot_sizes = []

    def ratio_kept(self, naturals, wilds):
        """HN-027, WH-042, HF-112."""
        return (self.wild_ratio == "off" or wilds < naturals
                or (wilds == naturals
                    and self.wild_ratio == "not_above_naturals"))

    def is_laid_three(self, card):
        """Is it a three that is laid as a bonus card?"""
        return self.is_red_bonus(card) or (
            self.laid_threes == "both" and is_black_three(card))

    def is_red_bonus(self, card):
        """Is it a red three that is no card of the hand? (HF-113)"""
        return is_red_three(card) and self.laid_threes != "none"

    def is_laid_from_pile(self, card):
        """Is it laid when a taken pile brings it? (CL-072, CL-117)"""
        return self.is_red_bonus(card) or (
            bool(self.black_three_table) and is_black_three(card))

    def points(self, card):
        """Value of a card in a meld or in the initial count."""
        if is_black_three(card):
            return self.card_points["3b"]
        if is_red_three(card):
            return 0
        return self.card_points[rank(card)]

    def held_points(self, card):
        """Value of a card left in a hand."""
        if is_black_three(card):
            return self.held_three_black
        if is_red_three(card):
            return self.held_three_red
        return self.card_points[rank(card)]

    def cards_drawn(self, number):
        """The cards of a draw in a round, from 1 (HF-109)."""
        numbers = self.draw_rounds[:number]
        return numbers[-1] if numbers else self.draw_count

    def minimum(self, score):
        """The initial minimum for a score (CL-058, AMB-03)."""
        for band in self.initial_bands:
            if "below" not in band or score < band["below"]:
                return band["minimum"]
        raise Unsupported("knob initial_bands without a last band")

    def contradictions(self):
        """Details of SETUP_KNOBS that can arise in the Classic family."""
        found = []
        free = (self.melds_per_rank == "one"
                and self.wild_cap_scope == "always"
                and self.take_canasta_rank == "allow")
        open_question = (self.take_layoff == "incomplete"
                         and self.take_natural_wild == "allow"
                         and self.max_wilds > 0)
        if open_question and free:
            found.append("COLLISION_UNSET")
        if not open_question and not free:
            found.append("COLLISION_UNUSED")
        if self.seats % self.side_count:
            found.append("SIDES")
        if self.ask != "off" and self.side_size == 1:
            found.append("ASK_WITHOUT_MATE")
        wild_knobs = (self.wild_lock, self.bonus_wild, self.bonus_wild_twos,
                      self.bonus_wild_jokers, self.penalty_incomplete)
        if not self.wild_melds and any(wild_knobs):
            found.append("WILD_MELDS_OFF")
        return found
