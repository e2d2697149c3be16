import "server-only";
import { z } from "zod";
import { readTraceparent } from "@/lib/schema/apis/traceparent";
import { AppError, invalidField } from "@/lib/schema/app-error";
import type { Scope, Viewer } from "@/lib/schema/users/user";
import { type RequestContext, withRequestContext } from "@/lib/server/platform/request-context";
import type { Services } from "@/lib/server/platform/services";
import { admitWhile } from "./event-stream";
import { answerOnce, runKeyOf } from "./idempotency";
import { ANONYMOUS_PROBLEMS, checkRate, clientKey, countRate } from "./rate-limit";
import { MAX_ANONYMOUS_BODY_BYTES, MAX_BODY_BYTES, readJson } from "./read-body";
import { createRequestId, type ErrorShape, errorReply, parseInput } from "./reply";
import { checkHost, checkSameOrigin, isSafeMethod } from "./request-origin";

/** Who may call: anybody, or callers with the scope. */
export type RouteAccess = "public" | Scope;

interface RouteOptions<Access extends RouteAccess, Params, Query, Body> {
  readonly access: Access;
  /** Schema of the path's segments, e.g. `z.object({threadId: z.string()})`. Without it, `params` are plain strings. */
  readonly params?: Params;
  /** Schema of the query string; each name once. Use `z.strictObject` to refuse unknown names. */
  readonly query?: Query;
  /**
   * Schema of the JSON body. Without it, and without `bodyDocument`, a request that changes something must have no
   * body.
   */
  readonly body?: Body;
  /** Replaces `body` in the OpenAPI document, if `body` is looser or the handler reads the body itself. */
  readonly bodyDocument?: z.ZodType;
  /** A key with the scope `read` may also POST here; the handler checks the rights of whatever changes something. */
  readonly readByPost?: true;
  /** The limit of a JSON body, in bytes; default 1 MB, and 16 KB if anybody may call. */
  readonly maxBodyBytes?: number;
  /** One line for the OpenAPI document. */
  readonly summary?: string;
  /** Schema of a successful JSON reply, for the OpenAPI document. */
  readonly reply?: z.ZodType;
  /** The status of a successful reply; default 200. 204 has no body. */
  readonly status?: number;
  /** Replies with another status, except errors, for the OpenAPI document. */
  readonly otherReplies?: Readonly<Record<number, z.ZodType>>;
  /** The content type of a successful reply that is not JSON, or not always. */
  readonly produces?: string;
  /** The route gives the same `Idempotency-Key` the same run itself, in the transaction that makes the run. */
  readonly idempotency?: "own";
  /** The shape of errors; default `{error: {code, message, details?}}`. */
  readonly errors?: ErrorShape;
}

type Parsed<Schema, Otherwise> = Schema extends z.ZodType ? z.output<Schema> : Otherwise;

/** What a handler receives. `viewer` is null only on public routes; `signal` aborts when the client disconnects. */
export interface RouteContext<Access extends RouteAccess, Params, Query, Body> {
  readonly services: Services;
  readonly viewer: Access extends "public" ? Viewer | null : Viewer;
  readonly params: Parsed<Params, Record<string, string>>;
  readonly query: Parsed<Query, Record<string, string>>;
  readonly body: Parsed<Body, undefined>;
  readonly request: Request;
  readonly signal: AbortSignal;
  readonly requestId: string;
  /** With `idempotency: "own"`, the key of the run that the request starts, if it has an `Idempotency-Key`. */
  readonly idempotencyKey: string | undefined;
}

/** What the OpenAPI document and the access test know about a route. */
export type RouteDefinition = RouteOptions<
  RouteAccess,
  z.ZodType | undefined,
  z.ZodType | undefined,
  z.ZodType | undefined
>;

/** A Next route handler that carries its definition. */
export interface Route {
  (request: Request, context?: { params: Promise<Record<string, string | string[]>> }): Promise<Response>;
  readonly definition: RouteDefinition;
}

/**
 * The user behind these headers; null for nobody. Throws `unauthorized` for a wrong key, `rate_limited` after too many.
 */
export type FindViewer = (services: Services, headers: Headers) => Promise<Viewer | null>;

/**
 * `defineRoute` for the services of this process, looked up at each request, because routes are defined before they
 * exist, and for the users that `findViewer` finds. `findAgain` does the same for the requests of open streams, which are
 * all checked at once.
 */
export function routeDefiner(findServices: () => Services, findViewer: FindViewer, findAgain = findViewer) {
  /**
   * Wraps a route handler: checks Host, same origin, the caller and their rights, then the parsed params, query and
   * body. Anything thrown becomes `{error: {code, message, details?}}`; every reply gets `x-request-id`.
   */
  function defineRoute<
    Access extends RouteAccess,
    Params extends z.ZodType | undefined = undefined,
    Query extends z.ZodType | undefined = undefined,
    Body extends z.ZodType | undefined = undefined,
  >(
    options: RouteOptions<Access, Params, Query, Body>,
    handle: (context: RouteContext<Access, Params, Query, Body>) => Promise<Response> | Response,
  ): Route {
    const route = async (request: Request, place?: { params: Promise<Record<string, string | string[]>> }) => {
      const requestId = createRequestId();
      try {
        checkHost(request);
        const services = findServices();
        const viewer = await admit(services, findViewer, { request, options });
        const parsed = await parseRequest(services, request, options, await place?.params);
        const { signal } = request;
        admitWhile(services, signal, () => isStillAdmitted(services, findAgain, { request, options }));
        const keyed = { viewer, request, body: parsed.body, reply: options.reply };
        const isOwn = options.idempotency === "own";
        const idempotencyKey = isOwn ? await runKeyOf(keyed) : undefined;
        const facts = factsOf(request, viewer);
        const input = { ...parsed, services, viewer, request, signal, requestId, idempotencyKey };
        const context = input as RouteContext<Access, Params, Query, Body>;
        const answer = () => withRequestContext(facts, async () => handle(context), endOf(request, options));
        const reply = await (isOwn ? answer() : answerOnce(services.database, keyed, answer));
        return withRequestId(reply, requestId);
      } catch (error) {
        return withRequestId(errorReply(error, requestId, options.errors), requestId);
      }
    };
    return Object.assign(route, { definition: options });
  }
  return defineRoute;
}

/** Aborts once nobody waits for what the request reads, for a reason that is no fault; null if it changes something. */
function endOf({ method, signal }: Request, { access, readByPost }: Admission): AbortSignal | null {
  if (!isSafeMethod(method) && (access !== "read" || readByPost)) return null;
  const end = new AbortController();
  const abort = () => end.abort(new AppError("unavailable", "The request ended before it was answered."));
  if (signal.aborted) abort();
  else signal.addEventListener("abort", abort, { once: true });
  return end.signal;
}

type Admission = Pick<AnyOptions, "access" | "readByPost">;

interface Asked {
  readonly request: Request;
  readonly options: Admission;
}

async function admit(services: Services, findViewer: FindViewer, { request, options }: Asked): Promise<Viewer | null> {
  const { access, readByPost } = options;
  const hasBearer = request.headers.has("authorization");
  if (!hasBearer && !isSafeMethod(request.method)) checkSameOrigin(request);
  if (access === "public") return null;
  const viewer = await findViewer(services, request.headers);
  if (!viewer) throw new AppError("unauthorized", "Sign in, or send an API key as Authorization: Bearer.");
  const isChange = !isSafeMethod(request.method) && !readByPost;
  const needed = hasBearer && access === "read" && isChange ? "chat" : access;
  if (!viewer.scopes.includes(needed)) {
    throw new AppError("forbidden", `This needs the scope "${needed}", which your role or key does not have.`);
  }
  return viewer;
}

/** The APIs for programs, whose callers may have a trace of their own. */
const OF_PROGRAMS = /^\/(?:agents\/|v1\/|mcp$)/;

function factsOf({ headers, url }: Request, viewer: Viewer | null): RequestContext {
  const isOfProgram = OF_PROGRAMS.test(new URL(url).pathname);
  return {
    ip: headers.get("x-forwarded-for"),
    apiKeyId: viewer?.keyId ?? null,
    traceparent: isOfProgram ? readTraceparent(headers.get("traceparent")) : null,
  };
}

/** A briefly unavailable database must not cause anybody to be refused. */
async function isStillAdmitted(services: Services, findViewer: FindViewer, asked: Asked): Promise<boolean> {
  try {
    await admit(services, findViewer, asked);
    return true;
  } catch (error) {
    return !(error instanceof AppError && (error.code === "unauthorized" || error.code === "forbidden"));
  }
}

type AnyOptions = RouteOptions<RouteAccess, z.ZodType | undefined, z.ZodType | undefined, z.ZodType | undefined>;

async function parseRequest(
  services: Services,
  request: Request,
  options: AnyOptions,
  segments: Record<string, string | string[]> = {},
) {
  const search = new URL(request.url).searchParams;
  const query = Object.fromEntries(search);
  refuseControlCharacters({ ...segments, ...query });
  return {
    params: options.params ? parseInput(options.params, segments, "params") : segments,
    query: options.query ? parseInput(options.query, query, "query") : query,
    body: await readDeclaredBody(services, request, options),
  };
}

async function readDeclaredBody(services: Services, request: Request, options: AnyOptions): Promise<unknown> {
  const { access, body, bodyDocument } = options;
  if (!body && (bodyDocument || isSafeMethod(request.method))) return undefined;
  const schema = body ?? NO_BODY;
  const { maxBodyBytes } = options;
  return access === "public"
    ? parseAnonymousBody(services, request, schema, maxBodyBytes ?? MAX_ANONYMOUS_BODY_BYTES)
    : parseBody(request, schema, maxBodyBytes ?? MAX_BODY_BYTES);
}

/** Invalid bodies are counted: a client that is not signed in must not keep the server busy with them. */
async function parseAnonymousBody(
  services: Services,
  request: Request,
  schema: z.ZodType,
  maxBytes: number,
): Promise<unknown> {
  const client = clientKey(request.headers);
  await checkRate(services, ANONYMOUS_PROBLEMS, client);
  try {
    return await parseBody(request, schema, maxBytes);
  } catch (error) {
    await countRate(services, ANONYMOUS_PROBLEMS, client);
    throw error;
  }
}

/** A field sent to a route without a body is a mistake that the caller should learn about. */
const NO_BODY = z.strictObject({}).optional();

async function parseBody(request: Request, schema: z.ZodType, maxBytes: number): Promise<unknown> {
  const value = await readJson(request, maxBytes);
  try {
    return parseInput(schema, value, "body");
  } catch (error) {
    if (error instanceof RangeError) throw new AppError("invalid_input", "The body is nested too deeply.");
    throw error;
  }
}

/** These are ids, names and paths, which never contain NUL or half a character. */
function refuseControlCharacters(values: Record<string, string | string[]>): void {
  for (const [name, value] of Object.entries(values)) {
    const text = String(value);
    if (text.includes("\0") || !text.isWellFormed()) {
      throw invalidField(name, "Has a NUL character or half of a surrogate pair.");
    }
  }
}

function withRequestId(reply: Response, requestId: string): Response {
  try {
    reply.headers.set("x-request-id", requestId);
    return reply;
  } catch {
    const copy = new Response(reply.body, reply);
    copy.headers.set("x-request-id", requestId);
    return copy;
  }
}
