import { leadingBlankLinesStep, trimStep } from "./blank-lines";
import { type BlockMarker, lineBlocksStep } from "./line-blocks";
import { repeatedParagraphsStep } from "./repeated-paragraphs";
import { applyStep, chainSteps, type StreamStep } from "./stream-step";
import { finalTagsStep, garbledToolXmlStep, thinkingStep } from "./tag-steps";

const TEXT_CALLS: readonly BlockMarker[] = [
  { start: "[tool call:", body: "json" },
  { start: "[tool result", body: "text" },
  { start: "[historical context:", body: "json" },
];
const SYSTEM_ECHO: readonly BlockMarker[] = [{ start: "[system message]", body: "text" }];

/** `[Tool Call: …]`, `[Tool Result …]` and `[Historical context: …]` with the JSON or output below them. */
export const textToolCallsStep = (): StreamStep => lineBlocksStep(TEXT_CALLS);

/** `[System Message]` blocks up to the next blank line. */
export const echoedSystemMessagesStep = (): StreamStep => lineBlocksStep(SYSTEM_ECHO);

/** The seven steps of S4 §3 in order, for streamed text. The final trim, `trimStep`, follows them. */
export function sanitizeSteps(): StreamStep[] {
  return [
    garbledToolXmlStep(),
    textToolCallsStep(),
    thinkingStep(),
    finalTagsStep(),
    echoedSystemMessagesStep(),
    repeatedParagraphsStep(),
    leadingBlankLinesStep(),
  ];
}

/** Applies the seven steps and the final trim (S4 §3). */
export function sanitizeText(text: string): string {
  return applyStep(chainSteps([...sanitizeSteps(), trimStep()]), text);
}
