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
    "side_formation": ("fixed", ("fixed",)),
    "side_choice": ("given", ("given",)),
    "first_dealer": ("random", ("random", "given")),
    "draw_ranking": ("none", ("none",)),
    "next_dealer": ("left", ("left",)),
    "packs": (2, ANY), "jokers": (4, ANY), "hand_size": (11, ANY),
    "foot_size": (0, (0,)), "start_card": ("one", ("one",)),
    "start_cover": ([], ANY), "start_freezes": ([], ANY),
    "discard_freezes": ([], ([], ["wild"])),
    "cut_bonus": (0, (0,)), "cut_ways": ([], ([],)),
    "foot_cut_bonus": (0, (0,)), "talons": ([], ([],)),
    "talon_award": ("auto", ("auto",)),
    "talon_with_pile": (False, (False,)), "talon_expires": (0, (0,)),
    "stock_marker": (0, ANY), "draw_count": (1, ANY),
    "meld_check": ("immediate", ("immediate",)),
    "undo_meld": (False, (False,)), "courtesy": ("off", ("off",)),
    "pile_steps": ("one", ("one",)), "pile_restore": (False, (False,)),
    "pile_portion": (0, (0,)),
    "take_natural_wild": ("allow", ("allow", "never")),
    "take_layoff": ("any", ("any", "incomplete")),
    "take_canasta_rank": ("allow", ("allow", "unless_wilds_full", "never")),
    "take_result_max": (0, (0,)), "wild_top": ("blocked", ("blocked",)),
    "pile_unopened": ("frozen", ("frozen",)),
    "frozen_always": (False, (False, True)),
    "frozen_take": ("pair", ("pair",)),
    "one_card_pile": ("allow", ("allow", "forbid", "unless_stock_empty")),
    "pile_look": ("none", ANY), "meld_min": (3, ANY),
    "meld_max": (0, (0,)), "canasta_size": (7, ANY),
    "canasta_accepts": ("all", ("all",)), "min_naturals": (2, ANY),
    "max_wilds": (0, ANY), "wild_ratio": ("off", ("off",)),
    "wild_cap_scope": ("always", ("always", "to_canasta")),
    "wild_add_base": (0, (0, 2)), "rank_wilds": ({}, ({},)),
    "melds_per_rank": ("one", ("one", "one_open")),
    "merge": ("none", ("none",)), "sequences": (False, (False,)),
    "sequence_max": (0, (0,)), "wild_melds": (False, (False, True)),
    "wild_meld_max": (0, (0,)), "wild_lock": (False, (False, True)),
    "opp_canasta_rank": ("allow", ("allow",)),
    "overfill_out": (False, (False,)),
    "initial_key": ("side_score", ("side_score",)),
    "initial_bands": ([], ANY),
    "initial_count": ("with_top", ("with_top",)),
    "initial_bonus": (False, (False,)),
    "initial_content": ("none", ("none",)),
    "initial_exempt": ([], (["concealed_stock"],)),
    "laid_threes": ("red", ("red",)), "threes_dealt": ("auto", ("auto",)),
    "threes_drawn": ("auto", ("auto",)),
    "threes_window": ("any_time", ("any_time",)),
    "threes_keep": ("free", ("free",)),
    "late_three_replaced": (False, (False,)),
    "pile_threes_replaced": (False, (False,)),
    "foot_threes": ("auto", ("auto",)),
    "last_three": ("end_round", ("end_round",)),
    "black_three_meld": ("never", ("never", "going_out")),
    "held_three_red": (0, ANY), "held_three_black": (0, ANY),
    "held_threes_as_laid": ("never", ("never",)),
    "discard_threes": ("black", ("black",)),
    "discard_wilds": ("any", ("any",)),
    "empty_pile_barred": ([], ([],)),
    "empty_pile_safe": ("allow", ("allow",)), "reveal": (False, (False,)),
    "go_out_total": (0, ANY), "go_out_clean": (0, ANY),
    "go_out_wild": (0, (0,)), "go_out_sequence": (0, (0,)),
    "go_out_hands_finished": (False, (False,)),
    "go_out_bars": ([], ([],)),
    "final_discard": ("optional", ("optional",)),
    "final_face_down": (False, (False,)),
    "pass_discard": (False, (False,)),
    "ask": ("off", ("off", "binding")),
    "ask_whom": ("named", ("named",)),
    "ask_window": ("before_melds", ("before_melds",)),
    "ask_limit": ("turn", ("turn",)), "ask_check": ("strict", ("strict",)),
    "stock_out": ("play_on", ("play_on",)),
    "forced_take": ("off", ("off", "own_meld")),
    "special_hands": ([], ([],)), "special_scores": ([], ([],)),
    "pairs_wilds": ("none", ("none",)),
    "garbage_shape": ("f4433", ("f4433",)),
    "special_distinct": (False, (False,)), "card_points": ({}, ANY),
    "wild_value": ("own", ("own",)), "bonus_natural": (0, ANY),
    "bonus_mixed": (0, ANY), "bonus_wild": (0, ANY),
    "bonus_wild_twos": (0, ANY), "bonus_wild_jokers": (0, ANY),
    "bonus_rank": ({}, ({},)), "bonus_sequence": (0, (0,)),
    "penalty_incomplete": ({}, ANY), "penalty_held_trio": ({}, ({},)),
    "bonus_out": (0, ANY), "bonus_concealed": (0, ANY),
    "three_table": ([], ANY), "three_table_unit": ("all", ("all",)),
    "three_unit": ("side", ("side",)),
    "three_sign": ("plus", ("plus", "unmelded_minus", "unmelded_zero")),
    "meld_points": ("plus", ("plus",)),
    "no_canasta_score": ("normal", ("normal",)),
    "restore_penalty": (0, (0,)), "score_unit": ("side", ("side",)),
    "target": (0, ANY), "rounds": (0, (0,)),
    "tie": ("draw", ("draw", "play_on")),
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
        if set(self.penalty_incomplete) - {"W"}:
            raise Unsupported("knob penalty_incomplete (only W)")
        if not self.initial_bands or not isinstance(
                self.initial_bands[0], dict):
            raise Unsupported("knob initial_bands (by score only)")
        if self.wild_add_base > self.min_naturals:
            raise Unsupported("knob wild_add_base above min_naturals")
        self.side_size = self.seats // self.side_count
        self.black_three_max = 2 * self.packs

    def side(self, seat):
        return seat % self.side_count

    def mates(self, seat):
        return [s for s in range(self.seats)
                if s != seat and self.side(s) == self.side(seat)]

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
