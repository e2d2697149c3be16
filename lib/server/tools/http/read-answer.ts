import { JSONPathEnvironment, type JSONPathQuery } from "json-p3";
import { findMessage } from "@/lib/models/failures/provider-message";
import type { OutgoingAnswer } from "@/lib/server/platform/safe-fetch";
import { whyCostly } from "./path-cost";

const LONGEST_REFUSAL = 1_000;
const LONGEST_EXCERPT = 500;

/** Without the functions that run somebody's regular expression over a service's answer. */
const paths = new JSONPathEnvironment();
for (const name of ["match", "search"]) paths.functionRegister.delete(name);

/** Throws an Error that says what is wrong with the path. */
export function compileResultPath(path: string): JSONPathQuery {
  const query = paths.compile(path);
  const costly = whyCostly(path);
  if (costly !== null) throw new Error(costly);
  return query;
}

/** What the model reads; `display` is the same as a value, for the page. */
export interface ReadAnswer {
  readonly output: string;
  readonly display?: unknown;
}

/**
 * What the model reads of a service's answer: the text, or what `result` names in its JSON. Throws an Error, meant for
 * the model, with the service's own words for a status other than 2xx.
 */
export function readAnswer({ status, text, contentType }: OutgoingAnswer, result: string | null): ReadAnswer {
  if (status < 200 || status > 299) throw new Error(refusalText(status, text));
  if (text.trim() === "") return { output: `Done (HTTP ${status}, without content).` };
  const json = readJson(text);
  if (json === undefined) {
    if (!isTextual(contentType, text)) {
      throw new Error(`The service answered with ${contentType || "bytes"}, which is not text.`);
    }
    if (result !== null) throw new Error(`The service did not answer with JSON: ${excerpt(text)}`);
    return { output: text };
  }
  if (result === null) return { output: text, display: json };
  const query = compileResultPath(result);
  const values = valuesOf(query, json, text.length);
  if (!query.singularQuery()) return asOutput(values);
  if (values.length === 0) throw new Error(`The answer has nothing at ${result}: ${excerpt(text)}`);
  return asOutput(values[0]);
}

/** `$..*` finds what is deep inside once for each level above it. */
function valuesOf(query: JSONPathQuery, json: unknown, mostChars: number): unknown[] {
  const values: unknown[] = [];
  let chars = 0;
  for (const { value } of query.lazyQuery(json as never)) {
    chars += JSON.stringify(value).length;
    if (chars > mostChars)
      throw new Error("The path finds more than the whole answer: it has the same parts repeatedly.");
    values.push(value);
  }
  return values;
}

function refusalText(status: number, text: string): string {
  const words = findMessage(readJson(text) ?? text).slice(0, LONGEST_REFUSAL);
  return `The service answered with HTTP status ${status}${words === "" ? "." : `: ${words}`}`;
}

function asOutput(value: unknown): ReadAnswer {
  return typeof value === "string" ? { output: value } : { output: JSON.stringify(value), display: value };
}

function isTextual(contentType: string, text: string): boolean {
  if (/^(?:image|audio|video|font)\//i.test(contentType) && !/svg/i.test(contentType)) return false;
  return !text.includes("\0");
}

function excerpt(text: string): string {
  return text.length > LONGEST_EXCERPT ? `${text.slice(0, LONGEST_EXCERPT)}…` : text;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
