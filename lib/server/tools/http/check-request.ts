import type { FieldProblem } from "@/lib/schema/app-error";
import type { RequestHeader, RequestMethod } from "@/lib/schema/tools/request-tool";
import { placeholdersIn, replacePlaceholders } from "./fill-request";
import { compileResultPath } from "./read-answer";

interface CheckedRequest {
  readonly method: RequestMethod;
  readonly url: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: readonly RequestHeader[];
  readonly body: unknown;
  readonly result: string | null;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** The part of an address that no argument may change: whoever calls the tool must not choose where a secret goes. */
const ORIGIN = /^https?:\/\/[^/?#{}\\]+(?:[/?#]|$)/i;

/** What can't work whatever the arguments are, each at its field. */
export function problemsOfRequest(request: CheckedRequest): FieldProblem[] {
  return [
    ...problemsOfAddress(request),
    ...problemsOfHeaders(request),
    ...problemsOfBody(request),
    ...problemsOfResult(request),
  ];
}

/** The address as it is checked when it is saved: every argument is a letter. */
export function exampleAddress(url: string): string {
  return replacePlaceholders(url, "x");
}

function problemsOfAddress({ url, query, arguments: schema }: CheckedRequest): FieldProblem[] {
  const problems = unknownIn("url", url, schema);
  if (!ORIGIN.test(url)) {
    problems.push({ path: "url", message: "must begin with http:// or https:// and a host without arguments" });
  }
  return [...problems, ...Object.entries(query).flatMap(([name, text]) => unknownIn(`query.${name}`, text, schema))];
}

function problemsOfHeaders({ headers, arguments: schema }: CheckedRequest): FieldProblem[] {
  const names = headers.map(({ name }) => name.toLowerCase());
  return headers.flatMap((header, index) => {
    const path = `headers.${index}`;
    const unknown = "value" in header ? unknownIn(`${path}.value`, header.value, schema) : [];
    const isRepeated = names.indexOf(header.name.toLowerCase()) < index;
    return isRepeated ? [...unknown, { path: `${path}.name`, message: "is there twice" }] : unknown;
  });
}

function problemsOfBody({ method, headers, body }: CheckedRequest): FieldProblem[] {
  if (body === null || body === "") return [];
  if (method === "GET") return [{ path: "body", message: "A GET request has none. Use the query, or another method." }];
  const type = headers.find(({ name }) => name.toLowerCase() === "content-type");
  const isJson = type === undefined || ("value" in type && type.value.includes("json"));
  if (typeof body !== "string" || !isJson || !/^[[{]/.test(body) || isOnePlaceholder(body) || isJsonText(body))
    return [];
  const message = 'is not JSON. Write arguments in quotes, as in {"days": "{days}"}: a number stays a number.';
  return [{ path: "body", message }];
}

function problemsOfResult({ result }: CheckedRequest): FieldProblem[] {
  if (result === null) return [];
  try {
    compileResultPath(result);
    return [];
  } catch (error) {
    const reason = error instanceof Error ? error.message : "";
    return [{ path: "result", message: `is not a JSONPath such as $.data.items[0].name: ${reason}` }];
  }
}

function unknownIn(path: string, text: string, schema: Readonly<Record<string, unknown>>): FieldProblem[] {
  const { properties } = schema;
  const known = typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
  const unknown = placeholdersIn(text).filter((name) => !known.includes(name));
  return [...new Set(unknown)].map((name) => ({ path, message: `{${name}} is not one of the arguments` }));
}

function isOnePlaceholder(text: string): boolean {
  const [only] = placeholdersIn(text);
  return only !== undefined && text === `{${only}}`;
}

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
