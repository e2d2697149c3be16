import { type StreamParser, StringStream } from "@codemirror/streamparser";
import { BATCH_LINES, type HighlightedLine, type Highlighter, LineBuilder, type TokenLook } from "./code-token";

/** By the first word of a token's style; those of CodeMirror 5's modes. */
const LOOKS: Readonly<Record<string, TokenLook>> = {
  keyword: "key",
  atom: "key",
  builtin: "key",
  tag: "key",
  type: "key",
  header: "key",
  bool: "key",
  string: "string",
  quote: "string",
  number: "number",
  comment: "comment",
  meta: "comment",
  def: "fn",
  attribute: "fn",
  macroName: "fn",
  inserted: "added",
  deleted: "removed",
};
const DATA_LOOKS: typeof LOOKS = { ...LOOKS, property: "key", def: "key" };

const TAB_SIZE = 4;

/** Colours by a grammar that reads line by line and knows at the end of each how the next begins. */
export function highlightStream<State>(parser: StreamParser<State>, kind: "code" | "data"): Highlighter {
  const looks = kind === "data" ? DATA_LOOKS : LOOKS;
  return function* highlight(code) {
    // A mode without a state accepts anything.
    const state = parser.startState?.(TAB_SIZE) ?? ({} as State);
    let batch: HighlightedLine[] = [];
    for (const text of code.split("\n")) {
      if (batch.push(readLine(parser, state, { text, looks })) < BATCH_LINES) continue;
      yield batch;
      batch = [];
    }
    yield batch;
  };
}

function readLine<State>(parser: StreamParser<State>, state: State, line: { text: string; looks: typeof LOOKS }) {
  const builder = new LineBuilder();
  const stream = new StringStream(line.text, TAB_SIZE, TAB_SIZE);
  if (line.text === "") parser.blankLine?.(state, TAB_SIZE);
  while (!stream.eol()) {
    const style = readToken(parser, stream, state);
    builder.add(stream.current(), line.looks[/^[\w-]+/u.exec(style)?.[0] ?? ""] ?? "plain");
  }
  return builder.end();
}

/** A mode may first only change its state; one that never advances is forced to. */
const MOST_ATTEMPTS = 10;

function readToken<State>(parser: StreamParser<State>, stream: StringStream, state: State): string {
  stream.start = stream.pos;
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const style = parser.token(stream, state);
    if (stream.pos > stream.start) return style ?? "";
  }
  stream.next();
  return "";
}
