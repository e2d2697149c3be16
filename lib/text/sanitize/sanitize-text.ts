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

/** The seven steps of S4 §3, each for a whole text. The first: tool-call XML that was written as text (D-41). */
export const stripGarbledToolXml = (text: string) => applyStep(garbledToolXmlStep(), text);

/** `[Tool Call: …]`, `[Tool Result …]` and `[Historical context: …]` with the JSON or output below them. */
export const stripTextToolCalls = (text: string) => applyStep(lineBlocksStep(TEXT_CALLS), text);

export const stripThinkingTags = (text: string) => applyStep(thinkingStep(), text);

export const stripFinalTags = (text: string) => applyStep(finalTagsStep(), text);

/** `[System Message]` blocks up to the next blank line. */
export const stripEchoedSystemMessages = (text: string) => applyStep(lineBlocksStep(SYSTEM_ECHO), text);

export const collapseRepeatedParagraphs = (text: string) => applyStep(repeatedParagraphsStep(), text);

export const stripLeadingBlankLines = (text: string) => applyStep(leadingBlankLinesStep(), text);

/** The seven steps in order, for text that arrives in pieces. The final trim is `trimStep`, behind them. */
export function sanitizeSteps(): StreamStep[] {
  return [
    garbledToolXmlStep(),
    lineBlocksStep(TEXT_CALLS),
    thinkingStep(),
    finalTagsStep(),
    lineBlocksStep(SYSTEM_ECHO),
    repeatedParagraphsStep(),
    leadingBlankLinesStep(),
  ];
}

/** The seven steps and the final trim (S4 §3). */
export function sanitizeText(text: string): string {
  return applyStep(chainSteps([...sanitizeSteps(), trimStep()]), text);
}
