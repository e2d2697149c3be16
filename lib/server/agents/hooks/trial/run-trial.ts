import { buildRequest } from "@/lib/agent/build-request";
import { describingContext } from "@/lib/agent/describing-context";
import { type GuardHook, guardHook } from "@/lib/agent/hooks/guard";
import type { Hook, RunOutcome } from "@/lib/agent/hooks/hook";
import { callBeforeAgent, foldRequest, messageOf, wrapModel, wrapTools } from "@/lib/agent/hooks/hook-chain";
import { foldInterrupts } from "@/lib/agent/interrupts";
import type { ModelPort, ModelRequest, PromptSection } from "@/lib/agent/model";
import { openSession, type RunSession } from "@/lib/agent/run-session";
import type { Tool, ToolOutcome } from "@/lib/agent/tools/tool";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import {
  isCallPhase,
  type TriedCall,
  type TriedRequest,
  type TryHookBody,
  type TryHookReply,
} from "@/lib/schema/agents/try-hook";
import { AppError } from "@/lib/schema/app-error";
import type { Message, ToolCall } from "@/lib/schema/messages/message";
import type { RunEvent } from "@/lib/schema/runs/run-event";
import { NO_USAGE } from "@/lib/schema/runs/usage";

/** What a hook is tried on. Except for the tools, it is plain data, which can be sent to a worker thread. */
export interface TrialContext {
  readonly config: AgentConfig;
  readonly system: readonly PromptSection[];
  readonly agentId: string;
  readonly viewerId: string;
  readonly body: TryHookBody;
  readonly limitMs: number;
}

/** What a hook did; `after` is undefined if the hook changed nothing or did not finish. */
export interface TrialReport extends Pick<TryHookReply, "verdict" | "error" | "log" | "durationMs"> {
  readonly after?: TryHookReply["after"];
}

type Finding = Pick<TrialReport, "after" | "verdict">;

/** One hook applied to one sample. */
interface Trial {
  readonly hook: Hook;
  readonly body: TryHookBody;
  readonly session: RunSession;
  readonly events: RunEvent[];
}

/** What happened during a hook's calls, besides their return values. */
interface Trouble {
  /** What a guard threw: either the call is denied or the error is only logged. */
  thrown?: unknown;
  isModelAsked: boolean;
}

/** What the hook is shown. The tools are not called, only inspected by rules and listed in the request. */
export function sampleOf(facts: TrialContext, tools: readonly Tool[]): TryHookReply["before"] {
  if (isCallPhase(facts.body.phase)) return callOf(facts.body);
  const signal = new AbortController().signal;
  return toRequest(buildRequest(open(facts, { tools, hooks: [], signal, events: [], log: [] })));
}

/**
 * Runs one hook and nothing else. A hook that throws, asks the model or does not finish in time is a finding, not an
 * error. Nothing here stops a hook that never yields to the event loop.
 */
export async function runTrial(hook: Hook, facts: TrialContext, tools: readonly Tool[]): Promise<TrialReport> {
  const { body, limitMs } = facts;
  const stop = new AbortController();
  const trouble: Trouble = { isModelAsked: false };
  const log: string[] = [];
  const events: RunEvent[] = [];
  const watched = watchGuard(hook, trouble);
  const model = refusingModel(facts.config, trouble);
  const session = open(facts, { tools, hooks: [watched], signal: stop.signal, events, log, model });
  const late = timeLimit(limitMs);
  const startedAt = performance.now();
  const report = (found: Omit<TrialReport, "log" | "durationMs">): TrialReport => ({
    ...found,
    log,
    durationMs: performance.now() - startedAt,
  });
  try {
    const finding = await Promise.race([perform({ hook: watched, body, session, events }), late.expired]);
    if (trouble.isModelAsked) return report({ error: needsModel(hook) });
    if (finding === null) return report({ error: tookLong(hook, body, limitMs) });
    if (trouble.thrown !== undefined) return report({ ...finding, error: threw(hook, body, trouble.thrown) });
    return report(finding);
  } catch (error) {
    return report({ error: trouble.isModelAsked ? needsModel(hook) : threw(hook, body, error) });
  } finally {
    late.clear();
    stop.abort(new AppError("timeout", "The try is over."));
  }
}

interface Surroundings {
  readonly hooks: readonly Hook[];
  readonly tools: readonly Tool[];
  readonly signal: AbortSignal;
  readonly events: RunEvent[];
  readonly log: string[];
  readonly model?: ModelPort;
}

function open({ config, system, agentId, viewerId, body }: TrialContext, around: Surroundings): RunSession {
  const { hooks, tools, signal, events, log } = around;
  const described = describingContext(config, new Map());
  return openSession(
    { config, system, model: around.model ?? described.model, tools, hooks, ...conversation(body), journal: [] },
    {
      ...described,
      agentId,
      userId: viewerId,
      threadId: "try",
      runId: "try",
      signal,
      interrupts: foldInterrupts([], { canAsk: true, grants: [] }),
      // Once-per-run work happens only when `before_agent` is tried.
      segment: body.phase === "before_agent" ? 0 : 1,
      log: { emit: (event) => void events.push(event), store: () => {}, commit: async () => {} },
      logLine: (level, message) => void log.push(`${level}: ${message}`),
    },
  );
}

function refusingModel({ model }: AgentConfig, trouble: Trouble): ModelPort {
  return {
    name: typeof model === "string" ? model : "model",
    call: () => {
      trouble.isModelAsked = true;
      return Promise.reject(new AppError("not_available", "A try calls no model."));
    },
  };
}

/** The last message is the input that the run would begin with. */
function conversation({ messages = [] }: TryHookBody): { history: Message[]; input: Message[] } {
  return { history: messages.slice(0, -1), input: messages.slice(-1) };
}

/** Wraps the hook to record what its guard throws. */
function watchGuard(hook: Hook, trouble: Trouble): Hook {
  if (!isGuard(hook)) return hook;
  const guard = Object.fromEntries(
    Object.entries(hook.guard).map(([name, phase]) => [
      name,
      async (...args: unknown[]) => {
        try {
          return await phase.apply(hook.guard, args);
        } catch (error) {
          trouble.thrown = error;
          throw error;
        }
      },
    ]),
  );
  return { ...hook, ...guardHook(hook.name, guard) };
}

function isGuard(hook: Hook): hook is GuardHook {
  return "guard" in hook && typeof hook.guard === "object" && hook.guard !== null;
}

function perform(trial: Trial): Promise<Finding> {
  const { phase } = trial.body;
  if (phase === "before_agent") return tryBefore(trial);
  if (phase === "modify_request") return tryRequest(trial);
  if (phase === "wrap_model_call") return tryModel(trial);
  return phase === "after_agent" ? tryAfter(trial) : tryCall(trial);
}

async function tryBefore({ hook, session }: Trial): Promise<Finding> {
  await callBeforeAgent([hook], session.context);
  return { after: toRequest(buildRequest(session)) };
}

async function tryRequest({ hook, session }: Trial): Promise<Finding> {
  await callBeforeAgent([hook], session.context);
  return { after: toRequest(await foldRequest([hook], buildRequest(session), session.context)) };
}

/** Stops when the hook passes the request on, because handling a reply requires one. */
async function tryModel({ hook, session }: Trial): Promise<Finding> {
  await callBeforeAgent([hook], session.context);
  const request = buildRequest(session);
  const passed = Promise.withResolvers<ModelRequest>();
  const ring = wrapModel(
    [hook],
    (inner) => {
      passed.resolve(inner);
      return new Promise(() => {});
    },
    session.context,
  );
  const answered = ring(request).then(
    ({ content }): Finding => ({
      after: { ...toRequest(request), reply: content },
      verdict: { verdict: "answer" },
    }),
  );
  const sent = passed.promise.then((inner): Finding => ({ after: toRequest(inner), verdict: { verdict: "continue" } }));
  return Promise.race([answered, sent]);
}

async function tryCall({ hook, body, session, events }: Trial): Promise<Finding> {
  await callBeforeAgent([hook], session.context);
  const { name, args } = callOf(body).call;
  const given = session.toolbox.canonical({ id: "tried", name, args, rawArgs: JSON.stringify(args) });
  const passed: ToolCall[] = [];
  const answer = async (call: ToolCall): Promise<ToolOutcome> => {
    passed.push(call);
    const result = { toolCallId: call.id, name: call.name, output: body.call?.result ?? "" };
    return { kind: "result", result };
  };
  const outcome = await wrapTools([hook], answer, session.context)(given);
  const call = passed.at(-1);
  const result = outcome.kind === "pending" ? null : (outcome.result.error ?? outcome.result.output);
  const after: TriedCall = {
    call: call ? { name: call.name, args: call.args } : null,
    result: call && body.call?.result === undefined && result === "" ? null : result,
  };
  return { after, verdict: verdictOf(outcome, { isPassed: call !== undefined, events, session }) };
}

function verdictOf(
  outcome: ToolOutcome,
  { isPassed, events, session }: { isPassed: boolean; events: readonly RunEvent[]; session: RunSession },
): TryHookReply["verdict"] {
  if (outcome.kind === "pending") {
    const asked = events.find((event) => event.type === "approval.requested");
    return { verdict: "ask", ...(asked?.reason === undefined ? {} : { message: asked.reason }) };
  }
  if (isPassed) return { verdict: session.context.values.has("guard.allowed:tried") ? "allow" : "continue" };
  const { error } = outcome.result;
  return error === undefined ? { verdict: "answer" } : { verdict: "deny", message: error };
}

async function tryAfter({ hook, session }: Trial): Promise<Finding> {
  await callBeforeAgent([hook], session.context);
  const { messages } = session.context;
  const outcome: RunOutcome = {
    status: "completed",
    added: messages,
    response: messages.findLast(({ role }) => role === "assistant")?.content ?? "",
    usage: NO_USAGE,
    costUsd: null,
    steps: messages.filter(({ role }) => role === "assistant").length,
  };
  try {
    await hook.afterAgent?.(outcome, session.context);
  } catch (error) {
    throw new AppError("hook_failed", `hook ${hook.name} after_agent: ${messageOf(error)}`, { cause: error });
  }
  return {};
}

function toRequest({ system, messages, tools }: ModelRequest): TriedRequest {
  return {
    system: system.map(({ name, text }) => ({ name, text })),
    messages: [...messages],
    tools: tools.map(({ name }) => name),
  };
}

function callOf({ call }: TryHookBody): TriedCall & { call: NonNullable<TriedCall["call"]> } {
  const { name = "", args = {}, result = null } = call ?? {};
  return { call: { name, args }, result };
}

function timeLimit(limitMs: number) {
  const { promise: expired, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(() => resolve(null), limitMs);
  return { expired, clear: () => clearTimeout(timer) };
}

function needsModel({ name }: Hook): TryHookReply["error"] {
  const message = `${name} asks the model here, for instance for a summary. A try calls no model: run the draft in the test chat to see what it does.`;
  return { kind: "needs_model", message, file: null, line: null };
}

function tookLong({ name, extension }: Hook, { phase }: TryHookBody, limitMs: number): TryHookReply["error"] {
  const message = `hook ${name} ${phase} did not finish within ${limitMs / 1_000} s and was cut off. A run would wait for it: give its slow work a time limit.`;
  return { kind: "timeout", message, file: extension?.file ?? null, line: null };
}

function threw({ extension }: Hook, { phase }: TryHookBody, error: unknown): TryHookReply["error"] {
  const what = EFFECTS[phase] ?? "this run would fail";
  const file = extension?.file ?? null;
  const line = file === null ? null : lineOf(error, file);
  return { kind: "threw", message: `${what}: ${messageOf(error)}`, file, line };
}

/** The effect of a throw in each phase (D-18). */
const EFFECTS: Readonly<Partial<Record<TryHookBody["phase"], string>>> = {
  wrap_tool_call: "this call would fail",
  pre_tool_use: "this call would be denied",
  post_tool_use: "the result would stand",
  after_agent: "the answer would stand",
};

/** The first line of the extension's file in the stack, innermost cause first. */
function lineOf(error: unknown, file: string): number | null {
  if (!(error instanceof Error)) return null;
  const inner = lineOf(error.cause, file);
  if (inner !== null) return inner;
  const frames = (error.stack ?? "").split("\n").flatMap((frame) => {
    const place = frame.slice(Math.max(frame.lastIndexOf(" "), frame.lastIndexOf("(")) + 1);
    const found = /^([^?]+?)(?:\?[^:]*)?:(\d+):\d+\)?$/.exec(place);
    return found?.[1]?.endsWith(`/${file}`) ? [Number(found[2])] : [];
  });
  return frames[0] ?? null;
}
