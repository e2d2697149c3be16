import type { Header } from "postal-mime";

/** The header fields of a mail, topmost first; keys are lower case. */
export type MailHeaders = readonly Pick<Header, "key" | "value">[];

/** A longer header is cut where it is shown, and nothing it says is believed. */
export const MAX_TRUSTED_CHARACTERS = 8 * 1_024;

const valuesOf = (headers: MailHeaders, name: string) =>
  headers.filter(({ key }) => key === name).map(({ value }) => value.trim().slice(0, MAX_TRUSTED_CHARACTERS + 1));

/** Headers (RFC 2369, RFC 2919) that only programs of mailing lists add. */
const OF_LISTS = [
  ...["list-id", "list-unsubscribe", "list-unsubscribe-post", "list-post", "list-help"],
  ...["list-subscribe", "list-owner", "list-archive"],
];
/** Headers that programs add to answers nobody wrote, from before there was Auto-Submitted. */
const OF_RESPONDERS = [
  ...["x-autoreply", "x-auto-reply", "x-autorespond", "x-auto-respond", "x-autoresponder", "x-autoreply-from"],
  ...["x-mail-autoreply", "x-fc-machinegenerated"],
];
/** What a person's own mail may have there. */
const ORDINARY_PRECEDENCE = new Set(["normal", "first-class", "special-delivery", "urgent"]);
const REPORT = "It is a report about another mail.";

/** Why a mail was not just written by a person; null if it may have been. Answering such mail causes loops. */
export function whyAutomatic(headers: MailHeaders): string | null {
  const values = (name: string) => valuesOf(headers, name).map((value) => value.toLowerCase());
  const present = (names: readonly string[], isMeant = (_value: string) => true) =>
    names.find((name) => values(name).some(isMeant));
  if (values("auto-submitted").some((value) => !/^no(?:\s|;|\(|$)/.test(value))) {
    return "It was sent automatically (Auto-Submitted).";
  }
  const list = present(OF_LISTS);
  if (list) return `It comes from a mailing list (${named(list)}).`;
  if (values("precedence").some((value) => !ORDINARY_PRECEDENCE.has(value))) return "It is bulk mail (Precedence).";
  const responder = present(OF_RESPONDERS, (value) => value !== "no");
  if (responder) return `It was sent automatically (${named(responder)}).`;
  // Exchange writes it into every answer of its own.
  if (values("x-auto-response-suppress").some((value) => /\b(?:all|autoreply)\b/.test(value))) {
    return "It was sent automatically (X-Auto-Response-Suppress).";
  }
  if (values("return-path").some((value) => /^<\s*>/.test(value))) return REPORT;
  if (headers.some(({ key }) => key === "x-failed-recipients")) return REPORT;
  if (values("from").some((value) => /(?:^|[\s<"])mailer-daemon@/.test(value))) return REPORT;
  return values("content-type").some(isReport) ? REPORT : null;
}

function isReport(contentType: string): boolean {
  return /^(?:multipart\/report|message\/(?:delivery-status|disposition-notification|feedback-report))\b/.test(
    contentType,
  );
}

/** A header's name as people know it. */
function named(key: string): string {
  return key.replaceAll(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase());
}

/**
 * Whether the receiving server reports that DMARC passed for the domain of the sender. Only the topmost
 * Authentication-Results of that server counts: the server adds its own above everything that came with the mail, and
 * one further below may have been forged by the sender.
 */
export function hasPassedDmarc(headers: MailHeaders, authservId: string, fromAddress: string): boolean {
  const values = valuesOf(headers, "authentication-results");
  const results = values.map((value) => (value.length > MAX_TRUSTED_CHARACTERS ? null : parseResults(value)));
  // One that is too long or cannot be read may be the server's own: those below it are then not believed.
  const own = results.find((result) => result === null || result.authservId === authservId.toLowerCase());
  const dmarc = own?.methods.filter(({ method }) => method === "dmarc") ?? [];
  const domain = fromAddress.split("@").at(-1)?.toLowerCase() ?? "";
  return dmarc.length > 0 && dmarc.every((result) => result.result === "pass" && isAbout(domain, result.headerFrom));
}

/** DMARC concerns the domain of the sender; if the server reports which domain it checked, it must be this one. */
function isAbout(domain: string, headerFrom: string | null): boolean {
  return headerFrom === null || headerFrom === domain || domain.endsWith(`.${headerFrom}`);
}

interface MethodResult {
  readonly method: string;
  readonly result: string;
  /** The property header.from. */
  readonly headerFrom: string | null;
}

interface AuthenticationResults {
  readonly authservId: string;
  readonly methods: readonly MethodResult[];
}

/** RFC 8601: `authserv-id [version]; method=result (comment) ptype.property=value; …`. Null for anything else. */
function parseResults(value: string): AuthenticationResults | null {
  const plain = withoutComments(value);
  if (plain === null) return null;
  const [head = "", ...rest] = splitOutsideQuotes(plain, ";");
  const authservId = unquote(head.trim().split(/\s+/)[0] ?? "").toLowerCase();
  if (authservId === "") return null;
  return { authservId, methods: rest.flatMap(readMethod) };
}

function readMethod(text: string): MethodResult[] {
  const joined = text
    .split("=")
    .map((part) => part.trim())
    .join("=");
  const [first = "", ...properties] = splitOutsideQuotes(joined, " ").filter(Boolean);
  const [, method, result] = /^([a-z0-9-]+)(?:\/\d+)?=([a-z]+)$/i.exec(first) ?? [];
  if (method === undefined || result === undefined) return [];
  const from = properties.find((property) => property.toLowerCase().startsWith("header.from="));
  const headerFrom = from === undefined ? null : unquote(from.slice("header.from=".length)).toLowerCase();
  return [{ method: method.toLowerCase(), result: result.toLowerCase(), headerFrom }];
}

/** The parts of a header: an escaped character, a quoted text, a parenthesis, or anything else. */
const HEADER_PARTS = /\\.|"(?:[^"\\]|\\.)*"|[()]|[^\\"()]+|./gs;

const DEEPER: Readonly<Record<string, number>> = { "(": 1, ")": -1 };

/**
 * Removes (nested) parentheses outside quotes; null if parentheses or quotes are unbalanced, or if a backslash stands
 * where the RFC has none.
 */
function withoutComments(text: string): string | null {
  const shown: string[] = [];
  let depth = 0;
  for (const [part] of text.matchAll(HEADER_PARTS)) {
    depth += DEEPER[part] ?? 0;
    // A quote inside a comment is ambiguous, and so is an escape outside of both: then nothing is trusted.
    const isDoubtful = part.startsWith('"') && (depth > 0 || part.length === 1);
    if (depth < 0 || isDoubtful || (depth === 0 && part.startsWith("\\"))) return null;
    if (depth === 0 && part !== ")") shown.push(part);
  }
  return depth === 0 ? shown.join("") : null;
}

function splitOutsideQuotes(text: string, separator: ";" | " "): string[] {
  const pattern = separator === ";" ? /(?:[^;"]|"(?:[^"\\]|\\.)*")+/g : /(?:[^\s"]|"(?:[^"\\]|\\.)*")+/g;
  return text.match(pattern) ?? [];
}

function unquote(text: string): string {
  return text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1).replace(/\\(.)/g, "$1") : text;
}
