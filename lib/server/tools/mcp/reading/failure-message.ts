import { ErrorCode } from "@modelcontextprotocol/sdk/types.js";
import { SharedError } from "@/lib/schema/shared-error";
import { isObject } from "./read-message";

const MAX_MESSAGE_CHARS = 400;

/** A request to a server failed; the text is meant for people and models. */
export class McpFailure extends SharedError {
  static override readonly kind = "McpFailure";
  constructor(cause: unknown, complaints = "") {
    super(failureMessage(cause, complaints), { cause });
  }
}

/**
 * Why a request to a server failed, as a sentence for people and models: the server's own words where it has some, never
 * the output of a validator or markup. A program's last output (`complaints`) explains more than the fact that it ended.
 */
export function failureMessage(error: unknown, complaints = ""): string {
  if (error instanceof McpFailure) return error.message;
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const last = complaints.split("\n").at(-1) ?? "";
  return [wordsOf(cause), last].filter((text) => text !== "").join(" ");
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return plainMessage(String(error));
  if (error.name === "ZodError" || error.name === "$ZodError") return "It answered with something that is not MCP.";
  if (error instanceof SyntaxError) return "It answered with something that is not JSON.";
  const code = "code" in error ? error.code : undefined;
  if (error.name === "McpError") {
    return withDetails(protocolMessage(Number(code), error.message), "data" in error ? error.data : undefined);
  }
  if (/^(?:Streamable HTTP|SSE) error: /.test(error.message) || /^Error POSTing to endpoint/.test(error.message)) {
    return httpMessage(code, error.message);
  }
  return plainMessage(error.message);
}

function protocolMessage(code: number, message: string): string {
  // The library puts its own prefix before the server's words, and some servers put one there too.
  const words = message.replace(/^(?:MCP error -?\d+: ?)+/, "").trim();
  if (code === ErrorCode.RequestTimeout && words === "Request timed out") return "It did not answer in time.";
  if (code === ErrorCode.ConnectionClosed && words === "Connection closed") return "The connection was closed.";
  return plainMessage(words) || "It answered with an error and no words.";
}

/** What the server says of the cause beside its message, in the words for it alone. */
function withDetails(words: string, data: unknown): string {
  const details = typeof data === "string" ? withoutIssues(data) : messagesIn(data).join("; ");
  const isNews = details !== "" && details.length <= MAX_MESSAGE_CHARS && !words.includes(details);
  return isNews ? `${words.replace(/[.:]$/, "")}: ${cut(details)}` : words;
}

function httpMessage(code: unknown, message: string): string {
  const type = /Unexpected content type: ([^;\s]*)/.exec(message)?.[1];
  if (type !== undefined) {
    return type === "null" || type === "" ? "It answered with nothing." : `It answered with ${type} instead of MCP.`;
  }
  const rest = message.replace(/^(?:Streamable HTTP|SSE) error: /, "");
  const body = rest.replace(
    /^(?:Error POSTing to endpoint(?: \(HTTP \d+\))?|Failed to open SSE stream|Non-200 status code \(\d+\)): ?/,
    "",
  );
  const status = statusOf(code) ?? statusOf(/\b(\d{3})\b/.exec(rest)?.[1]);
  const words = bodyMessage(body);
  if (status === null) return words || "The connection failed.";
  return words === "" ? `It answered with status ${status}.` : `It answered with status ${status}: ${words}`;
}

function statusOf(code: unknown): number | null {
  const status = Number(code);
  return status >= 100 && status <= 599 ? status : null;
}

/** The words in the body of a refusal: of JSON its message, of a page its title or heading. */
function bodyMessage(body: string): string {
  return /^\s*</.test(body) ? cut(textIn(body, "title") || textIn(body, "h1")) : plainMessage(body);
}

function textIn(page: string, tag: "title" | "h1"): string {
  const start = page.toLowerCase().indexOf(`<${tag}>`);
  const end = start < 0 ? -1 : page.indexOf("<", start + 1);
  return end < 0 ? "" : page.slice(start + tag.length + 2, end).replaceAll("&amp;", "&");
}

/** Words without JSON: a validator's output or an error's envelope in them is replaced by its messages. */
export function plainMessage(text: string): string {
  const start = text.search(/[[{]/);
  const messages = start < 0 ? [] : messagesIn(parseJson(text.slice(start)));
  return messages.length === 0 ? text : cut(`${text.slice(0, start)}${messages.join("; ")}`);
}

/** A text in which only a validator's output is replaced, by its messages, and a trace of Python by its last line. */
export function withoutIssues(text: string): string {
  return withoutJsonIssues(withoutTrace(withoutPydantic(text)));
}

const COUNT_OF_ERRORS = /(?:^|(?<=[\s:]))\d{1,4} validation errors? for [^\n]{1,200}\n/;

/** Pydantic writes each field on a line, below it the complaint with details in brackets, and an address. */
function withoutPydantic(text: string): string {
  const found = COUNT_OF_ERRORS.exec(text);
  if (found === null) return text;
  const complaints: string[] = [];
  let field = "";
  for (const line of text.slice(found.index + found[0].length).split("\n")) {
    const details = line.indexOf(" [type=");
    if (/^\S/.test(line)) field = line.trim();
    else if (details >= 0 && field !== "") complaints.push(`${field}: ${line.slice(0, details).trim()}`);
  }
  return complaints.length === 0 ? text : `${text.slice(0, found.index)}${complaints.slice(0, 10).join("; ")}`;
}

const TRACE = "Traceback (most recent call last):";

function withoutTrace(text: string): string {
  const start = text.indexOf(TRACE);
  const last =
    start < 0
      ? ""
      : (text
          .slice(start + TRACE.length)
          .split("\n")
          .findLast((line) => /^\w/.test(line)) ?? "");
  return last === "" ? text : `${text.slice(0, start)}${last.trim()}`;
}

function withoutJsonIssues(text: string): string {
  const start = text.indexOf("[");
  const issues = start < 0 ? undefined : parseJson(text.slice(start));
  const isOutput = Array.isArray(issues) && issues.length > 0 && issues.every(isIssue);
  return isOutput ? `${text.slice(0, start)}${issuesMessage(issues)}` : text;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The messages of a validator's issues, or of an error in one of its usual envelopes. */
function messagesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.length > 0 && value.every(isIssue) ? [issuesMessage(value)] : [];
  if (!isObject(value)) return [];
  const { error, detail, message, error_description: description } = value;
  if (isObject(error) || Array.isArray(detail)) return messagesIn(error ?? detail);
  const words = [description, message, detail, error].find((one) => typeof one === "string" && one !== "");
  return typeof words === "string" ? [plainMessage(words)] : [];
}

interface Issue {
  readonly message?: string;
  readonly msg?: string;
  readonly path?: readonly unknown[];
  readonly loc?: readonly unknown[];
}

function isIssue(value: unknown): value is Issue {
  if (!isObject(value)) return false;
  const { message, msg, path, loc } = value;
  return typeof (message ?? msg) === "string" && Array.isArray(path ?? loc);
}

function issuesMessage(issues: readonly Issue[]): string {
  return issues.slice(0, 10).map(issueMessage).join("; ");
}

function issueMessage({ message, msg, path, loc }: Issue): string {
  const where = (path ?? loc ?? []).join(".");
  return where === "" ? `${message ?? msg}` : `${where}: ${message ?? msg}`;
}

function cut(words: string): string {
  const plain = words.replaceAll(/\s+/g, " ").trim();
  return plain.length <= MAX_MESSAGE_CHARS ? plain : `${plain.slice(0, MAX_MESSAGE_CHARS)}…`;
}
