import { createHmac } from "node:crypto";
import type { Tool, ToolOutput } from "@/lib/agent/tools/tool";
import { CallbackAnswer } from "@/lib/schema/tools/http-tool";
import { type OutgoingAnswer, type OutgoingRules, safeFetch } from "@/lib/server/platform/safe-fetch";
import { readParameters } from "@/lib/server/tools/json-schema-check";
import { fillRequest, type RequestTemplate } from "./fill-request";
import { readAnswer } from "./read-answer";

const CALLBACK_TIMEOUT_MS = 120_000;
const MAX_ANSWER_BYTES = 1_048_576;

/** What a model is told of a tool. */
export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  readonly parameters: Record<string, unknown>;
  readonly readOnly: boolean;
  /** The host that its calls reach. */
  readonly host: string | undefined;
}

/** A registered callback with its decrypted secret. */
interface CallbackDefinition extends ToolDescription {
  readonly kind: "callback";
  readonly callbackUrl: string;
  readonly secret: string | null;
}

/** A request to any service, with the decrypted secrets in its headers. */
interface RequestDefinition extends ToolDescription {
  readonly kind: "request";
  readonly request: RequestTemplate;
  /** JSONPath of what the model reads; null: the whole answer. */
  readonly result: string | null;
  readonly timeoutMs: number;
}

export type HttpToolDefinition = CallbackDefinition | RequestDefinition;

/** The addresses a callback may use, and the id by which its owner knows a thread. */
export interface CallbackEnvironment {
  readonly rules: OutgoingRules;
  clientThreadId(threadId: string): Promise<string>;
}

/**
 * An HTTP tool as agents have it: arguments are validated against its JSON Schema, a call is one request, and the address
 * is checked again each time. `define` decrypts its secrets, for each call.
 */
export function createHttpTool(
  { name, description, parameters, readOnly, host }: ToolDescription,
  define: () => HttpToolDefinition,
  environment: CallbackEnvironment,
): Tool {
  const input = readParameters(parameters);
  return {
    name,
    description,
    parameters,
    annotations: { readOnly, openWorld: true },
    ...(host === undefined ? {} : { place: host }),
    parse(args) {
      const parsed = input.safeParse(args);
      if (parsed.success) return { ok: true, args: parsed.data };
      const problems = parsed.error.issues.map((issue) => `${issue.path.join(".") || "arguments"}: ${issue.message}`);
      return { ok: false, message: problems.join("; ") };
    },
    async execute(args, { call, context, signal }) {
      const threadId = await environment.clientThreadId(context.threadId);
      const origin = { runId: context.runId, threadId, toolCallId: call.id, nowMs: context.now(), signal };
      return callHttpTool(define(), { args, rules: environment.rules, origin });
    },
  };
}

/** What a callback is told about the origin of its call. */
export interface CallOrigin {
  readonly runId: string;
  readonly threadId: string;
  readonly toolCallId: string;
  readonly nowMs: number;
  readonly signal: AbortSignal;
}

/** `t=<unix>,v1=<hex HMAC-SHA256 of "t.body">`. */
export function signBody(secret: string, body: string, unixSeconds: number): string {
  const signature = createHmac("sha256", secret).update(`${unixSeconds}.${body}`).digest("hex");
  return `t=${unixSeconds},v1=${signature}`;
}

/** One call of a tool. `onAnswer` gets what the service answered before it is read. */
interface Calling {
  readonly args: unknown;
  readonly rules: OutgoingRules;
  readonly origin: CallOrigin;
  readonly onAnswer?: (answer: OutgoingAnswer) => void;
}

/** What the model reads of one call. Throws an Error whose text is shown to it instead. */
export async function callHttpTool(definition: HttpToolDefinition, calling: Calling): Promise<string | ToolOutput> {
  const isCallback = definition.kind === "callback";
  const answer = await (isCallback ? postCallback(definition, calling) : sendRequest(definition, calling));
  calling.onAnswer?.(answer);
  if (isCallback) return readCallbackAnswer(definition.name, answer.status, answer.text);
  return readAnswer(answer, definition.result);
}

function sendRequest(
  { request, timeoutMs }: RequestDefinition,
  { args, rules, origin }: Calling,
): Promise<OutgoingAnswer> {
  const filled = fillRequest(request, Object(args) as Readonly<Record<string, unknown>>);
  const { url, method, body, headers } = filled;
  const isAccepting = Object.keys(headers).some((name) => name.toLowerCase() === "accept");
  return safeFetch(url, {
    ...rules,
    method,
    headers: isAccepting ? headers : { ...headers, accept: "application/json, text/*;q=0.9, */*;q=0.1" },
    ...(body === undefined ? {} : { body }),
    timeoutMs,
    maxBytes: MAX_ANSWER_BYTES,
    signal: origin.signal,
  });
}

/** One signed POST of `{name, args}` with the ids of the call. */
function postCallback(
  { name, callbackUrl, secret }: CallbackDefinition,
  { args, rules, origin }: Calling,
): Promise<OutgoingAnswer> {
  const { runId, threadId, toolCallId, nowMs, signal } = origin;
  const body = JSON.stringify({ name, args, run_id: runId, thread_id: threadId, tool_call_id: toolCallId });
  const signature: Record<string, string> = secret
    ? { "x-ringmaster-signature": signBody(secret, body, Math.floor(nowMs / 1_000)) }
    : {};
  return safeFetch(callbackUrl, {
    ...rules,
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json", ...signature },
    body,
    timeoutMs: CALLBACK_TIMEOUT_MS,
    maxBytes: MAX_ANSWER_BYTES,
    signal,
  });
}

/** An answer `{error}`, a status other than 2xx and any other answer than `{result}` fail the call. */
function readCallbackAnswer(name: string, status: number, text: string): string | ToolOutput {
  const answer = CallbackAnswer.safeParse(parseJson(text));
  if (answer.success && "error" in answer.data) throw new Error(answer.data.error);
  if (status < 200 || status > 299) throw new Error(`The tool ${name} answered with HTTP status ${status}.`);
  if (!answer.success || !("result" in answer.data)) {
    throw new Error(`The tool ${name} answered with neither {"result"} nor {"error"}.`);
  }
  const { result, for_user: forUser } = answer.data;
  const output = typeof result === "string" ? result : JSON.stringify(result ?? null);
  return { output, ...(typeof result === "string" ? {} : { display: result }), ...(forUser ? { forUser } : {}) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
