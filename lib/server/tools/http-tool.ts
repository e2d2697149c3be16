import { createHmac } from "node:crypto";
import type { Tool, ToolOutput } from "@/lib/agent/tools/tool";
import { CallbackAnswer } from "@/lib/schema/tools/http-tool";
import { type OutgoingRules, safeFetch } from "@/lib/server/platform/safe-fetch";
import { readParameters } from "./json-schema-check";

const TIMEOUT_MS = 120_000;
const MAX_ANSWER_BYTES = 1_048_576;

/** A registered callback with its decrypted secret. */
export interface HttpToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly parameters: Record<string, unknown>;
  readonly callbackUrl: string;
  readonly readOnly: boolean;
  readonly secret: string | null;
}

/** The addresses a callback may use, and the id by which its owner knows a thread. */
export interface CallbackEnvironment {
  readonly rules: OutgoingRules;
  clientThreadId(threadId: string): Promise<string>;
}

/**
 * A callback as a tool: arguments are validated against its JSON Schema, the call is one signed POST, and the address
 * is checked again each time. An answer `{error}`, a status other than 2xx and any non-JSON answer fail the call.
 */
export function createHttpTool(definition: HttpToolDefinition, environment: CallbackEnvironment): Tool {
  const { name, description, parameters, readOnly } = definition;
  const input = readParameters(parameters);
  return {
    name,
    description,
    parameters,
    annotations: { readOnly, openWorld: true },
    parse(args) {
      const parsed = input.safeParse(args);
      if (parsed.success) return { ok: true, args: parsed.data };
      const problems = parsed.error.issues.map((issue) => `${issue.path.join(".") || "arguments"}: ${issue.message}`);
      return { ok: false, message: problems.join("; ") };
    },
    async execute(args, { call, context, signal }) {
      const threadId = await environment.clientThreadId(context.threadId);
      const from = { runId: context.runId, threadId, toolCallId: call.id, nowMs: context.now(), signal };
      return callCallback(definition, environment.rules, args, from);
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

/** One signed call. Throws an Error whose text is shown to the model. */
export async function callCallback(
  { name, callbackUrl, secret }: HttpToolDefinition,
  rules: OutgoingRules,
  args: unknown,
  { runId, threadId, toolCallId, nowMs, signal }: CallOrigin,
): Promise<string | ToolOutput> {
  const body = JSON.stringify({ name, args, run_id: runId, thread_id: threadId, tool_call_id: toolCallId });
  const signature: Record<string, string> = secret
    ? { "x-ringmaster-signature": signBody(secret, body, Math.floor(nowMs / 1_000)) }
    : {};
  const { status, text } = await safeFetch(callbackUrl, {
    ...rules,
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json", ...signature },
    body,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_ANSWER_BYTES,
    signal,
  });
  return readAnswer(name, status, text);
}

function readAnswer(name: string, status: number, text: string): string | ToolOutput {
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
