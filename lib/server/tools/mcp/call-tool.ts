import "server-only";
import type { ElicitResult, Progress } from "@modelcontextprotocol/sdk/types.js";
import { approvalExpiry } from "@/lib/agent/interrupts";
import type { RunContext } from "@/lib/agent/run-context";
import type { ToolExecution, ToolOutput, ToolPending, ToolRefusal } from "@/lib/agent/tools/tool";
import { keepImage } from "@/lib/server/files/thread-images";
import type { Database } from "@/lib/server/platform/db/database";
import { redactSecrets } from "@/lib/server/platform/secrets/known-secrets";
import { type Services, serviceState } from "@/lib/server/platform/services";
import { inKnownSession, leaseConnection, McpServerAway, noteAway } from "./ask-server";
import type { CallListener, ElicitationParams } from "./connect";
import { toToolOutput } from "./content";
import { hashDefinition } from "./definitions";
import { type AskedForm, readForm } from "./elicitation";
import { McpNotConnected, SHARED } from "./oauth/connection-row";
import type { KeepPicture } from "./pictures";
import type { McpLease } from "./pool";
import type { JsonObject } from "./reading/read-message";
import { McpSessionLost } from "./reading/session-lost";
import { recordDefinitions } from "./record-definitions";
import { ROUND_MARK } from "./revisions/needed-input";
import { hasNotBeenSent, McpRevisionRefused } from "./revisions/revision-refused";
import type { McpServerRow } from "./server-row";

/** How long a call that waits for a person keeps its connection; after that it starts anew. */
const HELD_MS = 1_800_000;
const PROGRESS_EVERY_MS = 400;

/** A tool as it was accepted, and the server that offers it. */
export interface AcceptedTool {
  readonly server: McpServerRow;
  readonly name: string;
  readonly pinnedHash: string;
  /** Running the tool twice does no harm. */
  readonly isRepeatable: boolean;
}

/** What the server is waiting for in the middle of a call. */
interface OpenQuestion {
  readonly form: AskedForm;
  /** From where another process can continue the call with the reply. */
  readonly continuation: string | undefined;
  readonly reply: (result: ElicitResult) => void;
}

/** A call in progress. It may outlive the segment that started it while a person is asked. */
interface OngoingCall {
  /** Resolves with the result, or as soon as the server asks something. */
  next(): Promise<{ readonly result: JsonObject } | { readonly question: OpenQuestion }>;
  /** The current listener for progress. */
  onProgress: ((progress: Progress) => void) | null;
  canAsk: boolean;
  questionsAsked: number;
  open: OpenQuestion | null;
  abort(reason: unknown): void;
}

/**
 * Calls an accepted tool, with the connection of the run's person if the server requires that. Without one, the person
 * is asked to connect, and the call stays pending until then.
 */
export async function callMcpTool(
  services: Services,
  tool: AcceptedTool,
  args: Record<string, unknown>,
  execution: ToolExecution,
): Promise<ToolOutput | ToolPending | ToolRefusal> {
  const { interrupts } = execution.context;
  const ask = nextConnectAsk(execution);
  if (ask.refused) return ask.refused;
  try {
    return await callConnected(services, tool, args, execution);
  } catch (error) {
    if (!(error instanceof McpNotConnected) || error.holder === SHARED) throw error;
    if (!interrupts.canAsk || wasAsked(execution)) throw error;
    return askToConnect(tool.server, error, ask.id, execution);
  }
}

/** The id of this call's next question to connect, or the outcome of the last one if it was declined. */
function nextConnectAsk({ call, context }: ToolExecution): { id: string; refused?: ToolRefusal } {
  for (let number = 0; ; number += 1) {
    const id = questionId(call.id, number);
    const decided = context.interrupts.decisionOf("connect", id);
    if (decided === undefined) return { id };
    if (decided.decision === "expired") return { id, refused: { refused: "expired", error: NOT_CONNECTED_IN_TIME } };
    if (decided.decision !== "allow") {
      const why = decided.reason?.trim() ? `: ${decided.reason}` : ".";
      const error = `The user does not want to connect to this server${why}\nDo not call its tools again in this turn. Find another way, or tell the user what is in the way.`;
      return { id, refused: { refused: "declined", error } };
    }
  }
}

const NOT_CONNECTED_IN_TIME =
  "The call expired: the user did not connect to the server in time.\nDo not repeat it in this turn. Find another way, or say what is missing.";

function askToConnect(
  { id: serverId, url }: McpServerRow,
  { lostSince }: McpNotConnected,
  toolCallId: string,
  { call, context }: ToolExecution,
): ToolPending {
  const host = url === null ? null : new URL(url).host;
  const connect = { serverId, host, lostSince: lostSince?.toISOString() ?? null };
  const asked = { step: context.step, toolCallId, tool: call.name, connect };
  context.log.emit({ type: "connect.asked", ...asked, ...approvalExpiry(context) });
  return { pending: "connect" };
}

/**
 * Calls an accepted tool, as long as the server's description of it is unchanged. The server's questions become
 * questions to the run's person: the call stays pending and continues with the answers.
 */
async function callConnected(
  services: Services,
  tool: AcceptedTool,
  args: Record<string, unknown>,
  execution: ToolExecution,
): Promise<ToolOutput | ToolPending> {
  const { call, context, signal } = execution;
  const key = `${context.runId} ${call.id}`;
  const last = lastQuestion(execution);
  const held = takeHeld(services, key, last?.number ?? 0);
  if (!held && last && last.continuation === undefined && !tool.isRepeatable) throw new Error(LOST);
  const ongoing = held ?? (await begin(services, tool, args, execution));
  ongoing.canAsk = context.interrupts.canAsk;
  ongoing.onProgress = progressEvents(execution);
  const { threadId } = context;
  const keep: KeepPicture = (picture) => keepImage(services.database, { threadId, ...picture });
  const abort = () => ongoing.abort(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    for (;;) {
      if (ongoing.open && !answerOpen(ongoing, ongoing.open, execution)) {
        hold(services, key, ongoing);
        return { pending: "question" };
      }
      const next = await ongoing.next();
      if ("result" in next) return await toToolOutput(next.result, keep);
      ongoing.open = next.question;
    }
  } catch (error) {
    ongoing.abort(error);
    throw error;
  } finally {
    signal.removeEventListener("abort", abort);
    ongoing.onProgress = null;
  }
}

const LOST =
  "The call was interrupted while a person was asked, and its outcome is unknown. Check before repeating it.";

/** The first question of a call has the call's id, later ones are numbered. */
function questionId(callId: string, number: number): string {
  return number === 0 ? callId : `${callId}~${number + 1}`;
}

/** The latest question of the call, with its number from 0 on. */
function lastQuestion({ call, context }: ToolExecution) {
  let last: { readonly number: number; readonly continuation: string | undefined } | null = null;
  for (let number = 0; ; number += 1) {
    const asked = context.interrupts.questionOf(questionId(call.id, number));
    if (!asked) return last;
    last = { number, continuation: asked.continuation };
  }
}

function wasAsked({ call, context }: ToolExecution): boolean {
  return context.interrupts.decisionOf("question", questionId(call.id, 0)) !== undefined;
}

/** Replies with a person's decision; returns false if there is none yet, and the question is asked now. */
function answerOpen(
  ongoing: OngoingCall,
  { form, reply, continuation }: OpenQuestion,
  { call, context }: ToolExecution,
): boolean {
  const { interrupts, log, step } = context;
  const toolCallId = questionId(call.id, ongoing.questionsAsked);
  const decision = interrupts.decisionOf("question", toolCallId);
  if (!decision) {
    const asked = { step, toolCallId, tool: call.name, args: call.args, questions: [...form.questions] };
    const more = continuation === undefined ? {} : { continuation };
    log.emit({ type: "question.asked", ...asked, ...approvalExpiry(context), ...more });
    return false;
  }
  reply(form.answer(decision));
  ongoing.questionsAsked += 1;
  ongoing.open = null;
  return true;
}

function progressEvents({ call, context }: ToolExecution): (progress: Progress) => void {
  let lastAt = Number.NEGATIVE_INFINITY;
  return ({ progress, total, message }) => {
    const now = context.now();
    const isLast = total !== undefined && progress >= total;
    if (now - lastAt < PROGRESS_EVERY_MS && !isLast) return;
    lastAt = now;
    const details = {
      ...(total === undefined ? {} : { total }),
      ...(message === undefined ? {} : { message: redactSecrets(message).slice(0, 500) }),
    };
    context.log.emit({ type: "tool.progress", step: context.step, toolCallId: call.id, progress, ...details });
  };
}

async function begin(
  services: Services,
  tool: AcceptedTool,
  args: Record<string, unknown>,
  execution: ToolExecution,
): Promise<OngoingCall> {
  const { context, signal } = execution;
  const last = lastQuestion(execution);
  const continued = last?.continuation === undefined ? null : last;
  const lease = () => leaseAccepted(services, tool, context, signal);
  let first: McpLease | null = await inKnownSession(services, tool.server, lease);
  const questions: OpenQuestion[] = [];
  let notify = () => {};
  const controller = new AbortController();
  const listener: CallListener = {
    onProgress: (progress) => ongoing.onProgress?.(progress),
    onElicitation: (params) =>
      ask(ongoing, params, (question) => {
        questions.push(question);
        notify();
      }),
    continuation: continued?.continuation,
  };
  const result = inKnownSession(services, tool.server, async () => {
    const { connection, release } = first ?? (await lease());
    first = null;
    try {
      if (continued && !connection.canContinue) throw new Error(LOST);
      return await connection.callTool(tool.name, args, listener, controller.signal);
    } catch (error) {
      const isAway = connection.isClosed() && !controller.signal.aborted;
      throw await explainCallFailure(services.database, tool, error, isAway);
    } finally {
      release();
    }
  });
  result.catch(() => undefined);
  const ongoing: OngoingCall = {
    async next() {
      const arrived = new Promise<void>((resolve) => {
        notify = resolve;
      });
      if (questions.length === 0) await Promise.race([result, arrived]);
      const question = questions.shift();
      return question ? { question } : { result: await result };
    },
    onProgress: null,
    canAsk: context.interrupts.canAsk,
    questionsAsked: continued?.number ?? 0,
    open: null,
    abort: (reason) => controller.abort(reason),
  };
  return ongoing;
}

async function explainCallFailure(
  database: Database,
  { server, isRepeatable }: AcceptedTool,
  error: unknown,
  isAway: boolean,
): Promise<unknown> {
  if (isAskedAgain(error)) return error;
  // It is unknown what has reached the server by then, so only a repeatable call waits for a connection.
  if (error instanceof McpNotConnected) return isRepeatable ? error : new Error(error.message);
  if (!isAway) return error;
  const away = await noteAway(database, server, error);
  const unknown = isRepeatable || hasNotBeenSent(error) ? "" : MAY_HAVE_RUN;
  return new Error(`${awayText(server.id, away.message)}${unknown}`, { cause: error });
}

/** The request was not taken, and goes out once more on another connection. */
function isAskedAgain(error: unknown): boolean {
  return error instanceof McpSessionLost || error instanceof McpRevisionRefused;
}

const MAY_HAVE_RUN = "\nThe call may have run: check before repeating it.";
/** A connection whose server still describes the tool as it was accepted. */
async function leaseAccepted(
  services: Services,
  tool: AcceptedTool,
  { runId, segment, userId }: Pick<RunContext, "runId" | "segment" | "userId">,
  signal: AbortSignal,
): Promise<McpLease> {
  const { server } = tool;
  const lease = await leaseConnection(services, server, userId).catch((error: unknown) => {
    if (error instanceof McpServerAway) throw new Error(awayText(server.id, error.message), { cause: error });
    throw error;
  });
  try {
    await checkStillAccepted(
      services.database,
      tool,
      { connection: lease.connection, segment: `${runId} ${segment}` },
      signal,
    );
    return lease;
  } catch (error) {
    lease.release();
    throw error;
  }
}

/** If nobody can be asked, or the question can't be shown here, the server is told that it was declined. */
function ask(
  ongoing: OngoingCall,
  params: ElicitationParams,
  add: (question: OpenQuestion) => void,
): Promise<ElicitResult> {
  const form = ongoing.canAsk ? readForm(params) : null;
  if (form === null) return Promise.resolve({ action: "decline" });
  const kept = params._meta?.[ROUND_MARK];
  const continuation = typeof kept === "string" ? kept : undefined;
  return new Promise((reply) => add({ form, reply, continuation }));
}

/** Per connection, the segment of a run for which its tools were last checked. */
const checkedFor = new WeakMap<object, string>();

/** Compares the server's tools with what was accepted, once per segment and whenever the server reports a change. */
async function checkStillAccepted(
  database: Database,
  { server, name, pinnedHash }: AcceptedTool,
  { connection, segment }: Pick<McpLease, "connection"> & { readonly segment: string },
  signal: AbortSignal,
): Promise<void> {
  const mark = `${segment} ${name}`;
  if (!connection.takeToolsChanged() && checkedFor.get(connection) === mark) return;
  const tools = await connection.listTools(signal).catch(async (error: unknown) => {
    signal.throwIfAborted();
    await connection.close();
    if (error instanceof McpNotConnected || isAskedAgain(error)) throw error;
    const away = await noteAway(database, server, error);
    throw new Error(awayText(server.id, away.message), { cause: error });
  });
  // What one person's account sees must not determine what others are told about the server.
  if (server.scope !== "per_user") await recordDefinitions(database, server, { tools });
  const definition = tools.get(name);
  if (definition === undefined && connection.canFallBack)
    throw connection.fallBack(new Error(goneText(server.id, name)));
  if (definition === undefined) throw new Error(goneText(server.id, name));
  if (hashDefinition(definition) !== pinnedHash) throw new Error(withdrawnText(name));
  checkedFor.set(connection, mark);
}

/** What a model reads about a tool that its server no longer has. */
export function goneText(serverId: string, name: string): string {
  return `The MCP server ${serverId} no longer has the tool ${name}. Find another way, or tell the user.`;
}

/** What a model reads about a tool whose current version nobody has accepted. */
export function withdrawnText(name: string): string {
  return `The server changed the tool ${name}: it is withdrawn until an administrator has looked. Find another way, or tell the user.`;
}

function awayText(serverId: string, reason: string): string {
  return `The MCP server ${serverId} does not answer (${reason.replace(/\.$/, "")}). Continue without it, or tell the user.`;
}

interface HeldCall {
  readonly ongoing: OngoingCall;
  readonly timer: NodeJS.Timeout;
}

const heldCalls = serviceState("mcp-held-calls", () => new Map<string, HeldCall>());

function hold(services: Services, key: string, ongoing: OngoingCall): void {
  const calls = heldCalls(services);
  const timer = setTimeout(() => {
    calls.delete(key);
    ongoing.abort(new Error("Nobody answered in time."));
  }, HELD_MS);
  timer.unref();
  calls.set(key, { ongoing, timer });
}

/** The call, if it still waits for the reply to that question: meanwhile another process may have continued it. */
function takeHeld(services: Services, key: string, question: number): OngoingCall | undefined {
  const calls = heldCalls(services);
  const held = calls.get(key);
  if (!held) return undefined;
  clearTimeout(held.timer);
  calls.delete(key);
  if (held.ongoing.questionsAsked === question) return held.ongoing;
  held.ongoing.abort(new Error("The call was continued elsewhere."));
  return undefined;
}
