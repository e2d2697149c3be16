import { codeTracker } from "./code-tracker";
import type { StreamStep } from "./stream-step";
import { type TagToken, tagScanner } from "./tag-scanner";

const CALL_TAGS = ["tool_call", "minimax:tool_call", "function_call", "function_calls", "tool_use"];
/** Also common words: a tag only with `name=`, and a closing tag only if one is open. */
const NAMED_TAGS = ["parameter", "invoke"];
const THINKING_TAGS = ["think", "thinking", "thought", "antthinking"];
const GARBLED_TAGS = [...CALL_TAGS, ...NAMED_TAGS];
const FINAL_TAGS = ["final"];

/**
 * Removes the tags of tool-call XML written as text (DeepSeek, GLM, Minimax). The content of the tags is held back
 * until there is other text, because a reply with nothing else becomes empty (D-41). Tags in code are text, here and in
 * the other steps: somebody asked for them.
 */
export function garbledToolXmlStep(): StreamStep {
  const scanner = tagScanner(GARBLED_TAGS);
  const code = codeTracker();
  let open: string[] = [];
  let held = "";
  let tagCount = 0;
  let hasOtherText = false;

  function takeText(raw: string): string {
    if (open.length === 0) code.feed(raw);
    if (hasOtherText) return raw;
    held += raw;
    if (open.length > 0 || raw.trim() === "") return "";
    hasOtherText = true;
    return held;
  }
  function take(token: TagToken): string {
    if (token.kind === "text" || code.isInCode || !isGarbled(token, open)) return takeText(token.raw);
    tagCount += 1;
    if (token.kind === "open") open.push(token.name);
    if (token.kind === "close" && open.includes(token.name)) open = open.slice(0, open.lastIndexOf(token.name));
    return "";
  }
  const takeAll = (tokens: readonly TagToken[]) => tokens.map(take).join("");

  return {
    push: (piece) => takeAll(scanner.push(piece)),
    end() {
      const rest = takeAll(scanner.end());
      if (hasOtherText || tagCount === 0) return hasOtherText ? rest : held;
      const isProse = open.length > 0 && tagCount === 1 && !/^\s*(?:[{[<]|$)/.test(held);
      return isProse ? held : "";
    },
  };
}

function isGarbled(token: Exclude<TagToken, { kind: "text" }>, open: readonly string[]): boolean {
  if (!NAMED_TAGS.includes(token.name)) return true;
  return token.kind === "close" ? open.includes(token.name) : /\sname\s*=/i.test(token.raw);
}

/**
 * Removes thinking blocks, in any letter case, each up to its first closing tag. An unclosed block is removed if it
 * begins a line; within a line it is taken for prose about tags and kept.
 */
export function thinkingStep(): StreamStep {
  const scanner = tagScanner(THINKING_TAGS);
  const code = codeTracker();
  let open: string | null = null;
  let held = "";
  let beganLine = false;
  let lineIsBlank = true;

  function takeText(raw: string): string {
    code.feed(raw);
    const lastLine = raw.slice(raw.lastIndexOf("\n") + 1);
    lineIsBlank = (lineIsBlank || lastLine.length < raw.length) && lastLine.trim() === "";
    return raw;
  }
  function take(token: TagToken): string {
    if (open !== null) {
      held += token.raw;
      if (token.kind === "close" && token.name === open) open = null;
      return "";
    }
    if (token.kind === "text" || code.isInCode) return takeText(token.raw);
    if (token.kind === "open") {
      open = token.name;
      held = token.raw;
      beganLine = lineIsBlank;
    }
    return "";
  }
  const takeAll = (tokens: readonly TagToken[]) => tokens.map(take).join("");

  return {
    push: (piece) => takeAll(scanner.push(piece)),
    end: () => takeAll(scanner.end()) + (open === null || beganLine ? "" : held),
  };
}

/** Removes the wrapper tags of a final answer; keeps the wrapped text. */
export function finalTagsStep(): StreamStep {
  const scanner = tagScanner(FINAL_TAGS);
  const code = codeTracker();
  function take({ kind, raw }: TagToken): string {
    if (kind !== "text" && !code.isInCode) return "";
    code.feed(raw);
    return raw;
  }
  const keepText = (tokens: readonly TagToken[]) => tokens.map(take).join("");
  return { push: (piece) => keepText(scanner.push(piece)), end: () => keepText(scanner.end()) };
}
