import { countChanges } from "@/lib/client/agents/draft/change-labels";
import { promptRows } from "@/lib/client/agents/draft/prompt-rows";
import { findPassage, pageText } from "@/lib/client/chat/citations/find-passage";
import { mentionIn } from "@/lib/client/chat/composer/mention";
import { findMatches } from "@/lib/client/chat/find/find-matches";
import { documentMarkdown, sheetsOf } from "@/lib/client/files/artifact/document-text";
import { blockedTarget, linkedPath } from "@/lib/client/files/artifact/frame-message";
import { readNotebook } from "@/lib/client/files/artifact/notebook";
import { cellNumber, parseTable } from "@/lib/client/files/artifact/parse-table";
import { diffRows, patchRows } from "@/lib/client/files/diff-rows";
import { anchorOf } from "@/lib/client/guide/guide-links";
import { mergeTexts } from "@/lib/client/memory/merge-texts";
import { fillPrompt, variablesOf } from "@/lib/client/prompts/prompt-variables";
import { readJsonObject } from "@/lib/client/tools/json-object";
import { readableResult } from "@/lib/client/trace/span-summary";
import { problemText } from "@/lib/client/ui/markdown/draw-diagram";
import { closeMarks, decodeReferences, linkTarget, parseBlocks, visibleHtml } from "@/lib/client/ui/markdown/markdown";
import { markdownExtensions } from "@/lib/client/ui/markdown/markdown-extensions";
import { MarkdownReader } from "@/lib/client/ui/markdown/markdown-reader";
import { mayHaveMath, withoutOpenFormula } from "@/lib/client/ui/markdown/open-formula";
import { excerptOf, withoutMarks } from "@/lib/client/ui/markdown/without-marks";
import { appendSpoken } from "@/lib/client/ui/speech/dictation";
import { piecesOf } from "@/lib/client/ui/speech/read-aloud";
import { safeNext } from "@/lib/client/users/account";
import { browserLabel } from "@/lib/client/users/browser-labels";
import { failureText } from "@/lib/schema/runs/failure-text";
import type { Readers } from "./reader";

const message = (text: string) => ({ id: "a", role: "assistant", parts: [{ type: "text", text }] }) as never;

function changedInTheMiddle(text: string): string {
  return `${text.slice(0, text.length / 2)}changed${text.slice(text.length / 2 + 1)}`;
}

/** A reply is drawn a few times a second while it streams. */
function streamed(text: string): void {
  const reader = new MarkdownReader();
  for (let part = 1; part <= 8; part += 1) {
    reader.read(text.slice(0, (text.length * part) / 8), true, markdownExtensions);
  }
  reader.read(text, false, markdownExtensions);
}

/** What a browser reads: answers, files, results; a text that stops the page stops its reader. */
export const PAGE_READERS: Readers = {
  "lib/client/agents/draft/change-labels.ts#countChanges": (text) => countChanges(text, changedInTheMiddle(text)),
  "lib/client/agents/draft/prompt-rows.ts#promptRows": (text) => promptRows(text, changedInTheMiddle(text)),
  "lib/client/chat/citations/find-passage.ts#findPassage": (text) => findPassage(text, "what a page says of it"),
  "lib/client/chat/citations/find-passage.ts#findPassage of a sentence": (text) => findPassage("a b c d e f", text),
  "lib/client/chat/citations/find-passage.ts#pageText": pageText,
  "lib/client/chat/composer/mention.ts#mentionIn": mentionIn,
  "lib/client/chat/find/find-matches.ts#findMatches": (text) => findMatches([message(text)], "a"),
  "lib/client/files/artifact/document-text.ts#documentMarkdown": documentMarkdown,
  "lib/client/files/artifact/document-text.ts#sheetsOf": sheetsOf,
  "lib/client/files/artifact/frame-message.ts#blockedTarget": (text) => blockedTarget(text, "example.org"),
  "lib/client/files/artifact/frame-message.ts#linkedPath": (text) => linkedPath("a/b.md", text),
  "lib/client/files/artifact/notebook.ts#readNotebook": readNotebook,
  "lib/client/files/artifact/parse-table.ts#cellNumber": cellNumber,
  "lib/client/files/artifact/parse-table.ts#parseTable": (text) => parseTable(text),
  "lib/client/files/diff-rows.ts#diffRows": (text) => diffRows(text, changedInTheMiddle(text)),
  "lib/client/files/diff-rows.ts#patchRows": patchRows,
  "lib/client/guide/guide-links.ts#anchorOf": anchorOf,
  "lib/client/memory/merge-texts.ts#mergeTexts": (text) => mergeTexts(text, changedInTheMiddle(text), `${text}\nmore`),
  "lib/client/prompts/prompt-variables.ts#fillPrompt": (text) => fillPrompt(text, { a: "b" }),
  "lib/client/prompts/prompt-variables.ts#variablesOf": variablesOf,
  "lib/client/tools/json-object.ts#readJsonObject": readJsonObject,
  "lib/client/trace/span-summary.ts#readableResult": readableResult,
  "lib/client/ui/markdown/draw-diagram.ts#problemText": problemText,
  "lib/client/ui/markdown/markdown-reader.ts#MarkdownReader": streamed,
  "lib/client/ui/markdown/markdown.ts#closeMarks": closeMarks,
  "lib/client/ui/markdown/markdown.ts#decodeReferences": decodeReferences,
  "lib/client/ui/markdown/markdown.ts#linkTarget": linkTarget,
  "lib/client/ui/markdown/markdown.ts#parseBlocks": (text) =>
    parseBlocks(text, { isStreaming: false, extensions: markdownExtensions }),
  "lib/client/ui/markdown/markdown.ts#visibleHtml": visibleHtml,
  "lib/client/ui/markdown/open-formula.ts#mayHaveMath": mayHaveMath,
  "lib/client/ui/markdown/open-formula.ts#withoutOpenFormula": withoutOpenFormula,
  "lib/client/ui/markdown/without-marks.ts#excerptOf": excerptOf,
  "lib/client/ui/markdown/without-marks.ts#withoutMarks": withoutMarks,
  "lib/client/ui/speech/dictation.ts#appendSpoken": (text) => appendSpoken(text, "a"),
  "lib/client/ui/speech/read-aloud.ts#piecesOf": piecesOf,
  "lib/schema/runs/failure-text.ts#failureText": failureText,
  "lib/client/users/account.ts#safeNext": (text) => safeNext(text),
  "lib/client/users/browser-labels.ts#browserLabel": browserLabel,
};
