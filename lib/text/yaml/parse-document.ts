import { Composer, type CST, type Document, LineCounter, type ParseOptions, Parser, YAMLParseError } from "yaml";

type DocumentOptions = NonNullable<ConstructorParameters<typeof Composer>[0]>;

/** The most errors reported for one document: creating one costs about a hundred times as much as parsing its text. */
export const MOST_YAML_ERRORS = 20;

interface YamlDocument {
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
}

/** Like the library's `parseDocument`, but misplaced tokens beyond the limit on errors are skipped. */
export function parseYamlDocument(text: string, options: DocumentOptions & ParseOptions): YamlDocument {
  const lines = new LineCounter();
  const composer = new Composer({ ...options, lineCounter: lines } as DocumentOptions);
  const tokens = withFewErrors(new Parser(lines.addNewLine).parse(text));
  const [document, other] = composer.compose(tokens, true, text.length);
  if (document === undefined) throw new Error("The parser gave no document.");
  if (other) document.errors.push(new YAMLParseError(startOf(other), "MULTIPLE_DOCS", "There are several documents."));
  return { document: document as Document.Parsed, lines };
}

function* withFewErrors(tokens: Iterable<CST.Token>): Generator<CST.Token> {
  let errors = 0;
  for (const token of tokens) {
    if (token.type === "error") errors += 1;
    if (token.type !== "error" || errors <= MOST_YAML_ERRORS) yield token;
  }
}

function startOf(document: Document.Parsed): [number, number] {
  const [from, to] = document.range;
  return [from, to];
}
