import type { Parser, Tree } from "@lezer/common";
import { highlightCode, type Tag, tagHighlighter, tags } from "@lezer/highlight";
import { BATCH_LINES, type CodeToken, type HighlightedLine, type Highlighter, LineBuilder } from "./code-token";

type TreeLook = CodeToken["look"] | "scalar";

const LOOKS: Readonly<Record<Exclude<TreeLook, "plain" | "scalar">, readonly Tag[]>> = {
  key: [
    ...[tags.keyword, tags.modifier, tags.self, tags.null, tags.bool, tags.atom, tags.standard(tags.typeName)],
    ...[tags.tagName, tags.angleBracket, tags.heading, tags.processingInstruction],
  ],
  string: [tags.string, tags.regexp, tags.escape, tags.attributeValue, tags.monospace, tags.url, tags.color],
  number: [tags.number, tags.unit],
  comment: [tags.comment, tags.meta, tags.contentSeparator],
  fn: [
    ...[tags.function(tags.variableName), tags.function(tags.propertyName), tags.macroName],
    ...[tags.attributeName, tags.labelName],
  ],
  added: [tags.inserted],
  removed: [tags.deleted],
};

const RULES = Object.entries(LOOKS).flatMap(([look, found]) => found.map((tag) => ({ tag, class: look })));
/** In code a property name is a word like others; in data it is what readers look for. */
const DATA_RULES = [...RULES, { tag: tags.propertyName, class: "key" }, { tag: tags.content, class: "scalar" }];

const CODE = tagHighlighter(RULES);
const DATA = tagHighlighter(DATA_RULES);

/** Parser steps between two chances to yield: a step reads a token or less. */
const STEPS = 50;

/** Colours by a Lezer grammar. The whole code is parsed before its first line is coloured. */
export function highlightTree(parser: Parser, kind: "code" | "data"): Highlighter {
  return function* highlight(code) {
    const parse = parser.startParse(code);
    let tree: Tree | null = null;
    for (let step = 1; tree === null; step += 1) {
      tree = parse.advance();
      if (step % STEPS === 0) yield [];
    }
    for (let from = 0; from <= code.length; ) {
      const to = endOfBatch(code, from);
      yield readLines(code, tree, { from, to, kind });
      from = to + 1;
    }
  };
}

function endOfBatch(code: string, from: number): number {
  let end = from - 1;
  for (let line = 0; line < BATCH_LINES; line += 1) {
    end = code.indexOf("\n", end + 1);
    if (end < 0) return code.length;
  }
  return end;
}

function readLines(code: string, tree: Tree, range: { from: number; to: number; kind: "code" | "data" }) {
  const lines: HighlightedLine[] = [];
  const line = new LineBuilder();
  const highlighter = range.kind === "data" ? DATA : CODE;
  const put = (text: string, classes: string) => line.add(text, lookOf(text, classes));
  highlightCode(code, tree, highlighter, put, () => lines.push(line.end()), range.from, range.to);
  return [...lines, line.end()];
}

/** Of several classes the last is the inner node's. */
function lookOf(text: string, classes: string): CodeToken["look"] {
  const look = (classes.slice(classes.lastIndexOf(" ") + 1) || "plain") as TreeLook;
  return look === "scalar" ? scalarLook(text) : look;
}

/** YAML's grammar does not classify unquoted values. */
function scalarLook(text: string): CodeToken["look"] {
  if (/^[-+]?(?:\d[\d_]*(?:\.\d*)?(?:e[-+]?\d+)?|0[xo][\da-f]+)$/iu.test(text)) return "number";
  return /^(?:true|false|null|~)$/iu.test(text) ? "key" : "plain";
}
