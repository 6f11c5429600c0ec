// Why what a record holds was allowed or refused, what else was possible, and what would have followed.

import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type Action, type Asker, type ExplainStepResponse, JUDGE, type Onto, seatOf, type SideView, type SuggestActionResponse, Trouble, Unknown, type View, type Violation } from "canasta-client";
import { short } from "../cards";
import { Sentences } from "../sentences";
import { meldName, t, type Word } from "../words";
import { say, type Step } from "./steps";
import { Ask } from "./ask";
import { RuleText } from "./rule_text";
import type { Source } from "./source";

/** Number of other possibilities that are shown at first. */
const FEW = 6;
/** Time that a record must stay before it is asked about, in milliseconds: whoever walks on does not want to know. */
const STAYS = 150;

type PlayOn = ((first?: Action) => void) | undefined;
type ReviewStep = (() => Promise<SuggestActionResponse | undefined>) | undefined;

/** What was asked about a record, through whose eyes, and the answer. */
interface Asked {
  n: number;
  eyes: Asker;
  answer?: ExplainStepResponse;
  failure?: string;
}

export function Why({ source, step, eyes, isOpen, playOn, review }: { source: Source; step: Step; eyes: Asker; isOpen: boolean; playOn: PlayOn; review: ReviewStep }): JSX.Element {
  const [asked, note] = useState<Asked | undefined>();
  const { n } = step;
  const isKnown = asked?.n === n && asked.eyes === eyes;
  useEffect(() => {
    if (!isOpen || isKnown) return;
    let isLate = false;
    const timer = setTimeout(() => source.explain?.(BigInt(n), eyes).then(
      (answer) => isLate || note({ n, eyes, answer }),
      (error: unknown) => isLate || note({ n, eyes, failure: Trouble.of(error).message }),
    ), STAYS);
    return () => {
      isLate = true;
      clearTimeout(timer);
    };
  }, [n, eyes, isOpen, isKnown]);
  const view = step.named;
  const { answer, failure } = isKnown ? asked : { answer: undefined, failure: undefined };
  return (
    <>
      <h2>{t("pane.why")}</h2>
      <p class="summary">{say(step)}</p>
      {failure !== undefined && <p role="alert">{t("trouble.other", { message: failure })}</p>}
      {!answer && failure === undefined && <p role="status">{t("loading")}</p>}
      {answer && <Judgement answer={answer} view={view} source={source} key={`${n}`} />}
      {answer?.judgement.case === "legal" && seatOf(answer.record?.actor) === view.toAct && sees(eyes, answer) && review && <Reviewed words={wordsOf(answer, view)} review={review} key={`${n}?`} />}
      {answer && <Others answer={answer} view={view} eyes={eyes} playOn={playOn} key={`${n}.`} />}
      {playOn && <p><button type="button" id="play-on" onClick={() => playOn()}>{t("branch.here")}</button></p>}
      {source.find && <Ask source={source} />}
    </>
  );
}

/** The sentences of the seat that acts. */
const wordsOf = ({ record }: ExplainStepResponse, view: View): Sentences => new Sentences(view, view.seats[seatOf(record?.actor) ?? -1]?.side);

function Judgement({ answer, view, source }: { answer: ExplainStepResponse; view: View; source: Source }): JSX.Element {
  const { judgement, record, unknown } = answer;
  const words = wordsOf(answer, view);
  const ruling = record?.action?.kind.case === "ruling" ? record.action.kind.value.rule : undefined;
  if (ruling) return <p>{t("why.ruling")} <RuleText id={ruling} source={source} /></p>;
  if (judgement.case === undefined) return <p>{t(`unknown.${Unknown[unknown]}` as Word)}</p>;
  if (judgement.case === "legal") return <p class="legal">{t("why.legal")}</p>;
  return (
    <ol class="violations">
      {judgement.value.violations.map((each, at) => (
        <li key={each.code}>
          <p><strong>{t(at === 0 ? "refused" : "also")}</strong> {violated(words, each)}</p>
          {each.repair && <p>{t("instead")} {words.repair(each.repair)}.</p>}
          {each.ruleIds.map((id) => <RuleText id={id} source={source} key={id} />)}
          <p class="note"><code>{each.code}</code></p>
        </li>
      ))}
    </ol>
  );
}

/** Whether these eyes see the hand of who acts: nobody else is told what it could have done. */
const sees = (eyes: Asker, { record }: ExplainStepResponse): boolean => eyes === JUDGE || seatOf(eyes) === seatOf(record?.actor);

/** Says on request what a bot would have played in the place of the seat, and what the difference is worth. */
function Reviewed({ words, review }: { words: Sentences; review: NonNullable<ReviewStep> }): JSX.Element {
  const [said, tell] = useState("");
  const ask = () => {
    tell(t("loading"));
    review().then((answer) => {
      const { lost = 0, error = 0, slip = "" } = answer?.review ?? {};
      tell(slip && answer?.action ? t("review.lost", { action: words.action(answer.action), points: lost, error }) : t("review.fine"));
    }, (error: unknown) => tell(t("trouble.other", { message: Trouble.of(error).message })));
  };
  return <p id="reviewed" role="status">{said || <button type="button" id="review" onClick={ask}>{t("review")}</button>}</p>;
}

/** Returns which rule is broken; whoever may not see the cards is not told which ones they were. */
const violated = (words: Sentences, violation: Violation): string => (violation.message === "" ? t("why.hidden") : `${words.violation(violation)}.`);

function Others({ answer, view, eyes, playOn }: { answer: ExplainStepResponse; view: View; eyes: Asker; playOn: PlayOn }): JSX.Element | null {
  const [isLong, lengthen] = useState(false);
  const { legalActions, complete } = answer;
  const words = wordsOf(answer, view);
  const seat = seatOf(answer.record?.actor);
  const side = view.sides.find((each) => each.side === view.seats[seat ?? -1]?.side);
  const text = (action: Action) => sentence(words, action, side);
  const done = answer.record?.action && answer.judgement.case === "legal" ? text(answer.record.action) : "";
  const others = legalActions.filter((each) => text(each) !== done);
  if (others.length === 0) return sees(eyes, answer) && seat !== undefined && complete ? <p>{t("why.nothing")}</p> : null;
  const shown = isLong ? others : others.slice(0, FEW);
  const more = others.length - shown.length;
  return (
    <>
      <h3>{t("why.possible")}</h3>
      <ul class="possible">
        {shown.map((action, at) => (
          <li key={at}><span>{text(action)}</span>{playOn && <button type="button" class="link" aria-label={`${t("branch.then")} ${text(action)}`} onClick={() => playOn(action)}>{t("branch.then")}</button>}</li>
        ))}
      </ul>
      {more > 0 && <p><button type="button" id="more-possible" onClick={() => lengthen(true)}>{t("why.more", { count: more })}</button></p>}
      {!complete && more === 0 && <p class="note">{t("why.incomplete")}</p>}
    </>
  );
}

/** Returns what an action does, with the melds that its cards go to: there may be several places for one card. */
function sentence(words: Sentences, action: Action, side: SideView | undefined): string {
  const { kind } = action;
  const place = (onto: Onto | undefined) => side?.melds.find(({ id }) => onto?.where.case === "meld" && onto.where.value.id === id);
  if (kind.case === "meld" && kind.value.groups.some(({ onto }) => place(onto))) {
    return kind.value.groups.map(({ cards, onto }) => {
      const [named, meld] = [cards.map(short).join(" "), place(onto)];
      return meld ? t("onto", { cards: named, meld: meldName(meld) }) : named;
    }).join(" · ");
  }
  return words.action(action);
}
