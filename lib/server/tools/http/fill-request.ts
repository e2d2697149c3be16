import type { RequestMethod } from "@/lib/schema/tools/request-tool";

/** A request whose texts name arguments as `{argument}`; a header that is secret has its plain value. */
export interface RequestTemplate {
  readonly method: RequestMethod;
  readonly url: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: readonly { readonly name: string; readonly value: string; readonly isSecret: boolean }[];
  readonly body: unknown;
}

export interface FilledRequest {
  readonly method: RequestMethod;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

type Args = Readonly<Record<string, unknown>>;

const PLACEHOLDER = /\{([A-Za-z_][A-Za-z0-9_]{0,99})\}/g;
const FORM = "application/x-www-form-urlencoded";

/** The arguments that a text names, in order. */
export function placeholdersIn(text: string): string[] {
  return Array.from(text.matchAll(PLACEHOLDER), ([, name = ""]) => name);
}

export function replacePlaceholders(text: string, replacement: string): string {
  return text.replace(PLACEHOLDER, () => replacement);
}

/**
 * The request of one call. Each argument is encoded for its place. What consists of an argument that the call leaves out
 * (a query parameter, a header, a field of the body) is left out, too. Throws an Error, meant for the model, for an
 * argument that has no place in an address or a header.
 */
export function fillRequest(template: RequestTemplate, args: Args): FilledRequest {
  const url = new URL(fillAddress(template.url, args));
  for (const [name, text] of Object.entries(template.query)) addParameter(url.searchParams, name, text, args);
  const headers = fillHeaders(template, args);
  if (template.body === null || template.body === undefined) return { method: template.method, url: url.href, headers };
  const type = Object.keys(headers).find((name) => name.toLowerCase() === "content-type");
  const { text, contentType } = fillBody(template.body, args, type === undefined ? "" : (headers[type] ?? ""));
  return {
    method: template.method,
    url: url.href,
    headers: type === undefined ? { ...headers, "content-type": contentType } : headers,
    body: text,
  };
}

function fillAddress(address: string, args: Args): string {
  const [beforeQuery = "", ...query] = address.split("?");
  const path = beforeQuery.replace(PLACEHOLDER, (_, name: string) => pathText(name, args[name]));
  if (path.split(/[/\\]/).some((step) => step === "." || step === "..")) {
    throw new Error("An argument of the path must not be . or .., which would name another address.");
  }
  const filled = query.map((part) =>
    part.replace(PLACEHOLDER, (_, name: string) => encodeURIComponent(textOf(args[name]))),
  );
  return [path, ...filled].join("?");
}

/** Without it the path would name something else, perhaps all of its kind. */
function pathText(name: string, value: unknown): string {
  const text = textOf(value);
  if (text === "") throw new Error(`The argument ${name} is part of the address and must not be empty.`);
  return encodeURIComponent(text);
}

function addParameter(parameters: URLSearchParams, name: string, text: string, args: Args): void {
  const named = placeholdersIn(text);
  if (named.some((argument) => isLeftOut(args[argument]))) return;
  const [only = ""] = named;
  const value = args[only];
  if (text === `{${only}}` && Array.isArray(value)) {
    for (const entry of value) parameters.append(name, textOf(entry));
  } else parameters.append(name, fillText(text, args));
}

function fillHeaders({ headers }: RequestTemplate, args: Args): Record<string, string> {
  const filled: Record<string, string> = {};
  for (const { name, value, isSecret } of headers) {
    if (isSecret) {
      filled[name] = value;
      continue;
    }
    if (placeholdersIn(value).some((argument) => isLeftOut(args[argument]))) continue;
    const text = fillText(value, args);
    if (!/^[\t\x20-\x7e]*$/.test(text)) {
      throw new Error(`The header ${name} can carry only printable ASCII in one line; change the argument.`);
    }
    filled[name] = text;
  }
  return filled;
}

function fillBody(body: unknown, args: Args, type: string): { text: string; contentType: string } {
  const template = typeof body === "string" ? (readJson(body) ?? body) : body;
  if (typeof template === "string" && isOnePlaceholder(template) === null) {
    const encode = type.startsWith(FORM) ? encodeURIComponent : (text: string) => text;
    return { text: fillText(template, args, encode), contentType: "text/plain; charset=utf-8" };
  }
  const value = fillJson(template, args);
  if (type.startsWith(FORM)) return { text: formOf(value), contentType: FORM };
  if (typeof value === "string" && typeof body === "string" && !type.includes("json")) {
    return { text: value, contentType: "text/plain; charset=utf-8" };
  }
  return { text: JSON.stringify(value ?? null), contentType: "application/json" };
}

/** Only objects and lists: a text such as `7` or `true` is a text. */
function readJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}

function fillJson(template: unknown, args: Args): unknown {
  if (typeof template === "string") {
    const only = isOnePlaceholder(template);
    return only === null ? fillText(template, args) : (args[only] ?? undefined);
  }
  if (Array.isArray(template)) {
    return template.map((entry) => fillJson(entry, args)).filter((entry) => entry !== undefined);
  }
  if (typeof template !== "object" || template === null) return template;
  const fields = Object.entries(template).map(([name, value]) => [name, fillJson(value, args)] as const);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

function formOf(value: unknown): string {
  const form = new URLSearchParams();
  for (const [name, field] of Object.entries(value ?? {})) {
    for (const entry of Array.isArray(field) ? field : [field]) form.append(name, textOf(entry));
  }
  return form.toString();
}

function isOnePlaceholder(text: string): string | null {
  const [only] = placeholdersIn(text);
  return only !== undefined && text === `{${only}}` ? only : null;
}

function fillText(text: string, args: Args, encode: (text: string) => string = (part) => part): string {
  return text.replace(PLACEHOLDER, (whole, name: string) => (name in args ? encode(textOf(args[name])) : whole));
}

function isLeftOut(value: unknown): boolean {
  return value === undefined || value === null;
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map(textOf).join(",");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
