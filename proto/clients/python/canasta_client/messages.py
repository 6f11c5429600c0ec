"""Renders the wordings of GetCatalogue, see docs/play/MESSAGES.md. Messages and wordings are dictionaries:
MessageToDict(message, preserving_proto_field_name=True, always_print_fields_with_no_presence=True)"""
import re

NOUNS = {"FACT_TYPE_SEAT": "seat", "FACT_TYPE_SEATS": "seat", "FACT_TYPE_SIDE": "side", "FACT_TYPE_MELD": "meld"}


def speaker(wordings, own=lambda kind, value: None):
    """Returns the function that says a message, by the kind and the name of its wording: nothing if no wording is known.
    `own` is an application's own way to write a value: its players' names, its pictures of cards. None: as usual."""
    known = {(wording["kind"], wording["name"]): wording for wording in wordings}
    def write(kind, fact, value):
        said = own(fact["type"], value) or kind != "WORDING_KIND_VALUE" and say("WORDING_KIND_VALUE", NOUNS.get(fact["type"]), value)
        return said or (str(value).lower() if isinstance(value, bool) else str(value))
    def say(kind, name, message):
        # Generated code spells `took_pile` as `tookPile`.
        found = known.get((kind, name)) or known.get((kind, re.sub("[A-Z]", lambda big: "_" + big[0].lower(), name or "")))
        wording, facts = found or {}, {}
        for fact in wording.get("facts", []):
            found = [value for value in at(message, fact.get("path")) if value != ""]
            if fact.get("optional") and (not found or "??" in found):
                continue
            is_length = fact["type"] == "FACT_TYPE_NUMBER" and not (found and isinstance(found[0], int))
            joint = ", " if fact["type"] == "FACT_TYPE_SEATS" else " "
            facts[fact["name"]] = str(len(found)) if is_length else joint.join(write(kind, fact, value) for value in found)
        return render(wording.get("template", ""), facts)

    return say


def at(message, path):
    found = [message]
    for step in path.split(".") if path else []:
        found = [value[step] for value in found if isinstance(value, dict) and value.get(step) is not None]
        found = [one for value in found for one in (value if isinstance(value, list) else [value])]
    return found


def render(template, facts):
    """Renders a template. A fact that is absent has the word `none`; of a form that is not known only the fact is said."""
    before, brace, rest = template.partition("{")
    if not brace:
        return before
    inside, after = braced(rest)
    name, choice, arms = re.match(r"\s*(\w*)(?:, (plural|select), (.*))?", inside, re.DOTALL).groups()
    text = facts.get(name, "none")
    said = "" if choice else text
    keys = [text] if choice == "select" else ["=" + text, "one"] if text in ("1", "-1") else ["=" + text]
    while arms:
        key, _, arms = arms.partition("{")
        arm, arms = braced(arms)
        if key.strip() in [*keys, "other"]:
            said, arms = render(arm, facts), ""
    return before + said + render(after, facts)


def braced(text):
    depth = 1
    for place, one in enumerate(text):
        depth += (one == "{") - (one == "}")
        if depth == 0:
            return text[:place], text[place + 1 :]
    return text, ""
