import "server-only";
import { buildRequest } from "@/lib/agent/build-request";
import type { Hook, RunOutcome } from "@/lib/agent/hooks/hook";
import { callBeforeAgent, foldRequest, messageOf, wrapModel, wrapTools } from "@/lib/agent/hooks/hook-chain";
import { hookPhases } from "@/lib/agent/hooks/hook-phases";
import { foldInterrupts } from "@/lib/agent/interrupts";
import type { ModelPort, ModelRequest } from "@/lib/agent/model";
import { openSession, type RunSession } from "@/lib/agent/run-session";
import type { ToolOutcome } from "@/lib/agent/tools/tool";
import type { Workspace } from "@/lib/agent/workspace/workspace";
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
import type { Viewer } from "@/lib/schema/users/user";
import { assembleAgent, describingContext } from "@/lib/server/agents/assemble-agent";
import { readConfigYaml, requireConfig } from "@/lib/server/agents/config/read-config";
import { draftSource } from "@/lib/server/agents/drafts/agent-draft";
import { previewPromptEnvironment } from "@/lib/server/agents/prompt/prompt-environment";
import { systemPrompt } from "@/lib/server/agents/prompt/system-prompt";
import { viewersWorkspace } from "@/lib/server/agents/viewers-workspace";
import { database } from "@/lib/server/platform/db/database";
import { type HookTrouble, limitedHook } from "./limited-hook";
import { findHookEntry } from "./standard-hooks";

const TIME_LIMIT_MS = 5_000;
/** So long nothing else in this process runs when a hook computes without a pause. */
const COMPUTE_LIMIT_MS = 1_000;

/** One hook over one sample, with what it did there. */
interface Trial {
  readonly hook: Hook;
  readonly body: TryHookBody;
  readonly session: RunSession;
  readonly events: RunEvent[];
  readonly log: string[];
  readonly model: { isAsked: boolean };
  readonly before: TriedRequest | TriedCall;
}

type Finding = Pick<TryHookReply, "after" | "verdict">;

/**
 * Runs one hook of the agent's draft, or of its published version without one, on sample messages or a call. No other
 * hook, no model and no tool runs and nothing is stored; the hook reads the viewer's own files. A hook that throws, asks
 * the model or takes too long is a finding, not an error. Throws `not_found`, and `invalid_input` for a draft that is not
 * a config and for a hook or phase that it does not have.
 */
export async function tryHook(
  agentId: string,
  body: TryHookBody,
  viewer: Viewer,
  limitMs = TIME_LIMIT_MS,
): Promise<TryHookReply> {
  const { yaml, files } = await draftSource(agentId);
  const config = requireConfig(readConfigYaml(yaml));
  const stop = new AbortController();
  const startedAt = performance.now();
  const prompt = previewPromptEnvironment(database(), { agentId, ownerId: viewer.id, threadId: null }, files);
  const workspace = await viewersWorkspace(agentId, config, viewer.id);
  const options = {
    config,
    workspace: workspace && readOnly(workspace),
    fileHistory: null,
    verboseTrace: false,
    prompt,
  };
  const { definition, settings } = findHookEntry(config, body.hook);
  const written = definition.create(options, settings);
  if (!written) throw new AppError("invalid_input", `${body.hook} does nothing with the settings of this draft.`);
  const trouble: HookTrouble = { isStuck: false };
  const hook = limitedHook(written, Math.min(limitMs, COMPUTE_LIMIT_MS), trouble);
  requirePhase(hook, body);
  const trial = await openTrial(hook, body, { config, agentId, viewer, signal: stop.signal });
  const late = timeLimit(limitMs);
  try {
    const finding = await Promise.race([perform(trial), late.expired]);
    if (trial.model.isAsked) return reply(trial, { after: trial.before }, startedAt, needsModel(hook));
    if (finding === null) return reply(trial, { after: trial.before }, startedAt, tookLong(hook, body, limitMs));
    if (trouble.isStuck) return reply(trial, { after: trial.before }, startedAt, stuck(hook, body));
    if (trouble.thrown !== undefined) return reply(trial, finding, startedAt, threw(hook, body, trouble.thrown));
    return reply(trial, finding, startedAt);
  } catch (error) {
    const thrown = trouble.isStuck ? stuck(hook, body) : threw(hook, body, error);
    const problem = trial.model.isAsked ? needsModel(hook) : thrown;
    return reply(trial, { after: trial.before }, startedAt, problem);
  } finally {
    late.clear();
    stop.abort(new AppError("timeout", "The try is over."));
  }
}

function requirePhase(hook: Hook, { phase }: TryHookBody): void {
  const phases = hookPhases(hook);
  if (phases.includes(phase)) return;
  throw new AppError("invalid_input", `${hook.name} has no ${phase}; it has ${phases.join(", ") || "no phase"}.`);
}

function reply(
  { before, log }: Trial,
  finding: Finding,
  startedAt: number,
  error?: TryHookReply["error"],
): TryHookReply {
  const durationMs = performance.now() - startedAt;
  return { before, ...finding, ...(error ? { error } : {}), log, durationMs };
}

interface TrialFacts {
  readonly config: AgentConfig;
  readonly agentId: string;
  readonly viewer: Viewer;
  readonly signal: AbortSignal;
}

async function openTrial(hook: Hook, body: TryHookBody, facts: TrialFacts): Promise<Trial> {
  const { config, agentId, viewer, signal } = facts;
  const events: RunEvent[] = [];
  const log: string[] = [];
  const model = { isAsked: false };
  const port: ModelPort = {
    name: typeof config.model === "string" ? config.model : "model",
    call: () => {
      model.isAsked = true;
      return Promise.reject(new AppError("not_available", "A try calls no model."));
    },
  };
  const open = (hooks: readonly Hook[], tools: RunSession["run"]["tools"]) =>
    openSession(
      { config, system: systemPrompt(config), model: port, tools, hooks, ...conversation(body), journal: [] },
      {
        ...describingContext(config, new Map()),
        ...{ agentId, userId: viewer.id, threadId: "try", runId: "try", signal },
        interrupts: foldInterrupts([], { canAsk: true, grants: [] }),
        // What may happen once in a run happens when that phase is tried, and then only.
        segment: body.phase === "before_agent" ? 0 : 1,
        log: { emit: (event) => void events.push(event), store: () => {}, commit: async () => {} },
        logLine: (level, message) => void log.push(`${level}: ${message}`),
      },
    );
  // The tools are only looked at: by rules, and in the request.
  const { tools } = await assembleAgent(config);
  const session = open([hook], tools);
  const before = isCallPhase(body.phase) ? callOf(body) : toRequest(buildRequest(open([], tools)));
  return { hook, body, session, events, log, model, before };
}

/** The last message is what the run would begin with. */
function conversation({ messages = [] }: TryHookBody): { history: Message[]; input: Message[] } {
  return { history: messages.slice(0, -1), input: messages.slice(-1) };
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

/** Until the hook passes the request on: what it does with a reply needs one. */
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

async function tryAfter({ hook, session, before }: Trial): Promise<Finding> {
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
  return { after: before };
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

/** The hook reads what a run would read; what it would write is refused. */
function readOnly({ makeFolder: _, execute: __, ...workspace }: Workspace): Workspace {
  const refuse = () => Promise.reject(new AppError("not_available", "A try stores nothing: no file is written."));
  return { ...workspace, write: refuse, remove: refuse };
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

function stuck({ name, extension }: Hook, { phase }: TryHookBody): TryHookReply["error"] {
  const message = `hook ${name} ${phase} computed for ${COMPUTE_LIMIT_MS / 1_000} s without a pause and was ended. In a run it would stop the whole server: end its loop, or give it pauses.`;
  return { kind: "timeout", message, file: extension?.file ?? null, line: null };
}

function threw({ extension }: Hook, { phase }: TryHookBody, error: unknown): TryHookReply["error"] {
  const what = EFFECTS[phase] ?? "this run would fail";
  const file = extension?.file ?? null;
  const line = file === null ? null : lineOf(error, file);
  return { kind: "threw", message: `${what}: ${messageOf(error)}`, file, line };
}

/** What a throw does in each phase (D-18). */
const EFFECTS: Readonly<Partial<Record<TryHookBody["phase"], string>>> = {
  wrap_tool_call: "this call would fail",
  pre_tool_use: "this call would be denied",
  post_tool_use: "the result would stand",
  after_agent: "the answer would stand",
};

/** The first line of the extension's file that the stack names, the innermost cause first. */
function lineOf(error: unknown, file: string): number | null {
  if (!(error instanceof Error)) return null;
  const inner = lineOf(error.cause, file);
  if (inner !== null) return inner;
  const frames = (error.stack ?? "").split("\n").flatMap((frame) => {
    const found = /([^\s(?]+)(?:\?[^\s:]*)?:(\d+):\d+\)?$/.exec(frame);
    return found?.[1]?.endsWith(`/${file}`) ? [Number(found[2])] : [];
  });
  return frames[0] ?? null;
}
