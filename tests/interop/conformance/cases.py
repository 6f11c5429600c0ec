"""The rows of rules/*.toml: what is asked of an engine, and what its answer
is compared with."""

# A row with one of these is about something that no question asks: a rule set
# as such, creating a game, registers, who sees what.
NOT_ASKED = ("status", "fault", "create", "register", "twin")
SUITS, RANKS = "cdhs", "A23456789TJQK"


def preset(case):
    return case.get("position", "").split(";")[0].split(" ")[0]


def is_asked(case):
    if any(field in case for field in NOT_ASKED):
        return False
    asked = ("do", "no_state", "hand", "melds", "laid", "pile", "stock",
             "stock_top", "frozen", "to_act", "phase", "over", "sides",
             "seating", "cut", "lines", "totals", "cumulative", "next_dealer")
    return any(field in case for field in asked)


def cards(text):
    found, text = [], text.replace(" ", "").replace("-", "")
    while text:
        size = 1 if text[0] == "X" else 2
        found.append(text[:size])
        text = text[size:]
    return found


def pack(knobs):
    """All cards in ascending order of kind, red threes last."""
    once = [rank + suit for suit in SUITS for rank in RANKS]
    deck = [card for card in once for _ in range(knobs["packs"])]
    deck += ["X"] * knobs["jokers"]
    return sorted(deck, key=lambda card: card in ("3d", "3h"))


def wall(case, presets):
    """The named cards at place `skip`, the rest of the pack around them, the
    last `drop` cards left out."""
    knobs = dict(presets[preset(case)]["knobs"])
    for word in case["position"].split(";")[0].split()[1:]:
        name, value = word.split("=", 1)
        if name in ("packs", "jokers"):
            knobs[name] = int(value)
    spec = case["wall"]
    named, rest = cards(spec["cards"]), pack(knobs)
    for card in named:
        rest.remove(card)
    whole = rest[:spec["skip"]] + named + rest[spec["skip"]:]
    return whole[:len(whole) - spec.get("drop", 0)]


def seat(name):
    return "NESW".index(name) if name in "NESW" else int(name)


def side(name):
    return {"NS": 0, "EW": 1}.get(name) if name in ("NS", "EW") else int(name)


def bag(text):
    return sorted(cards(text))


def over(text):
    words = text.split()
    end = {"reason": words[0], "concealed": "concealed" in words}
    for word in words[1:]:
        if word != "concealed":
            end["seat"] = seat(word)
    return end


def event_name(event):
    name = event["type"]
    if name == "canasta":
        return f"canasta:{event['grade']}"
    if name == "melded" and event["kind"] in ("wild", "sequence"):
        return f"melded:{event['kind']}"
    if name == "upcard" and event["covered"]:
        return "upcard:covered"
    if name == "took_pile" and event["cards"]:
        return "took_pile:" + ",".join(event["cards"])
    return name


def words(text):
    return [word for word in text.split() if word != "-"]


def compared(case, answer):
    """(what, expected, found) for every field of the row."""
    after = answer["after"]
    for name, text in case.get("hand", {}).items():
        yield f"hand {name}", bag(text), sorted(after["hands"][seat(name)])
    for name, text in case.get("laid", {}).items():
        yield f"laid {name}", bag(text), sorted(after["laid"][seat(name)])
    for name, text in case.get("melds", {}).items():
        found = [sorted(meld["cards"]) for meld in after["melds"][side(name)]]
        expected = [bag(meld) for meld in text.split("/") if bag(meld)]
        yield f"melds {name}", expected, found
    for name, text in case.get("frozen", {}).items():
        found = after["frozen"][side(name)]
        yield f"frozen {name}", sorted(words(text)), sorted(found)
    if "pile" in case:
        yield "pile", cards(case["pile"]), after["pile"]
    if "stock" in case:
        text, found = case["stock"], after["stock"]
        counted = text.isdigit()
        yield ("stock", int(text) if counted else cards(text),
               len(found) if counted else found)
    if "stock_top" in case:
        yield "stock_top", cards(case["stock_top"]), after["stock"][:1]
    if "to_act" in case:
        yield "to_act", seat(case["to_act"]), after.get("to_act")
    if "phase" in case:
        yield "phase", case["phase"], after["phase"]
    if "over" in case:
        yield "over", over(case["over"]), after.get("over")
    if "events" in case:
        names = [event_name(event) for event in answer["events"]]
        yield "events", case["events"].split(), names
    for field in ("sides", "seating"):
        if field in case:
            yield field, [int(n) for n in case[field].split()], after[field]
    if "cut" in case:
        yield "cut", words(case["cut"]), after["cut"]
    yield from scores(case, after)


def scores(case, after):
    sheets = after.get("score", [])
    for name, text in case.get("lines", {}).items():
        found = sorted(f"{line['item']} {line['points']}"
                       for line in sheets[side(name)]["lines"])
        yield f"lines {name}", sorted(text.split(", ")), found
    for field in ("totals", "cumulative"):
        for name, points in case.get(field, {}).items():
            key = "total" if field == "totals" else field
            yield f"{field} {name}", points, sheets[side(name)][key]
    if "next_dealer" in case:
        yield "next_dealer", seat(case["next_dealer"]), after["next_dealer"]
