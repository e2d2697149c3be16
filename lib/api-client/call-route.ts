import { refusalOf, unreachable } from "./ringmaster-error";
import type { Routes } from "./routes";

export interface ClientOptions {
  /** Where the installation answers, such as `https://agents.example.com`; by default where the page comes from. */
  readonly url?: string;
  /** An API key (`rm_…`); without one, the session of the browser. */
  readonly apiKey?: string;
  readonly fetch?: typeof globalThis.fetch;
}

/** A route by its method and path, such as `POST /api/threads/{threadId}/messages`. */
export type RouteName = keyof Routes;

type Part<Name extends RouteName, Key extends string> = Key extends keyof Routes[Name]
  ? Pick<Routes[Name], Key>
  : unknown;

interface CallOptions {
  readonly signal?: AbortSignal;
  readonly headers?: Readonly<Record<string, string>>;
  /** A form or a file, in place of a JSON body. */
  readonly upload?: FormData | Blob;
}

/** What a route takes: the values in its path, its query and its body. */
type RouteInput<Name extends RouteName> = Part<Name, "path"> & Part<Name, "query"> & Part<Name, "body">;

/** The input may be missing where a route needs none. */
export type RouteArguments<Name extends RouteName, More = CallOptions> =
  Record<never, never> extends RouteInput<Name> ? [input?: RouteInput<Name> & More] : [input: RouteInput<Name> & More];

/** What a route answers: parsed JSON, a Response for anything else, and undefined for nothing. */
export type RouteReply<Name extends RouteName> = Routes[Name]["reply"];

/** `RouteInput` of any route. */
export interface SentInput extends CallOptions {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** Sends a request of a route. Throws RingmasterError if the server refuses or does not answer. */
export async function sendTo(client: ClientOptions, name: RouteName, input: SentInput): Promise<Response> {
  const [method = "GET", template = ""] = name.split(" ");
  const { url = "", apiKey, fetch = globalThis.fetch } = client;
  const { upload, headers, signal } = input;
  const isJson = upload === undefined && input.body !== undefined;
  const address = `${url.replace(/\/$/, "")}${fillPath(template, input.path)}${queryOf(input.query)}`;
  const reply = await fetch(address, {
    method,
    headers: {
      accept: "application/json",
      ...(isJson ? { "content-type": "application/json" } : {}),
      ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      ...headers,
    },
    body: isJson ? JSON.stringify(input.body) : (upload ?? null),
    signal: signal ?? null,
  }).catch((error: unknown) => {
    throw signal?.aborted ? error : unreachable(error);
  });
  if (!reply.ok) throw await refusalOf(reply);
  return reply;
}

/** The reply in the form of `RouteReply`. */
export async function readReply(reply: Response): Promise<unknown> {
  if (reply.status === 204) return undefined;
  return reply.headers.get("content-type")?.startsWith("application/json") ? reply.json() : reply;
}

function fillPath(template: string, values: Readonly<Record<string, string>> = {}): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
}

/** Null and undefined are left out; a list is its entries with commas. */
function queryOf(values: Readonly<Record<string, unknown>> = {}): string {
  const set = Object.entries(values).filter(([, value]) => value !== undefined && value !== null);
  const search = new URLSearchParams(set.map(([name, value]) => [name, String(value)]));
  return search.size === 0 ? "" : `?${search}`;
}
