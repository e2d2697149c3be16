import "server-only";
import { foldJournal, type JournalStep, latestSummary, latestTodos } from "@/lib/agent/journal";
import { estimateTokens, tokensOf } from "@/lib/agent/messages/estimate-tokens";
import { isSummaryMessage } from "@/lib/agent/messages/summary-pair";
import type { ModelRequest } from "@/lib/agent/model";
import type { RunState } from "@/lib/agent/run-context";
import { prepareHistory } from "@/lib/context/history/prepare-history";
import { repairHistory } from "@/lib/context/history/repair";
import { isCompactionDue, isFlushDue } from "@/lib/context/plan-compaction";
import { withEarlierSummary } from "@/lib/hooks/summarization";
import { type AgentConfig, contextWindowOf } from "@/lib/schema/agents/agent-config";
import type { ContextRuleName } from "@/lib/schema/agents/context-rule";
import { contextRules, summarizationOf } from "@/lib/schema/agents/context-rules";
import { AppError } from "@/lib/schema/app-error";
import type { Message } from "@/lib/schema/messages/message";
import type { NextRequestText, ThreadContext, ThreadContextQuery } from "@/lib/schema/threads/thread-context";
import { hasAdminScope, type Viewer } from "@/lib/schema/users/user";
import { type NextRequest, nextRequest } from "@/lib/server/agents/prompt/next-request";
import { draftConfig, type PreviewedConfig } from "@/lib/server/agents/prompt/previewed-config";
import type { DescribeRunParts } from "@/lib/server/agents/prompt/run-parts";
import { type AgentVersion, loadAgentVersion, loadCurrentVersion } from "@/lib/server/engine/agent-version";
import { readAllEvents } from "@/lib/server/engine/log/read-events";
import { loadQueue } from "@/lib/server/engine/queue/queue-order";
import { RunInput } from "@/lib/server/engine/run-input";
import { loadModelHistory } from "@/lib/server/engine/transcript/load-model-history";
import { loadTodos } from "@/lib/server/engine/transcript/load-todos";
import { configInPlace } from "@/lib/server/engine/workspace-scope";
import type { Database } from "@/lib/server/platform/db/database";
import { type AgentAccess, accessOf } from "@/lib/server/platform/db/queries/agent-access";
import { selectSteerable } from "@/lib/server/platform/db/queries/dispatch/queued-runs";
import { countSummarized } from "@/lib/server/platform/db/queries/messages";
import { isOnPath, selectKnownPath, selectThreadEnd, type ThreadPath } from "@/lib/server/platform/db/queries/paths";
import type { Services } from "@/lib/server/platform/services";
import { requireModelAccess } from "@/lib/server/providers/model-access";
import { runWindow } from "@/lib/server/providers/run-window";
import { requireReadableThread } from "@/lib/server/threads/thread-row";
import { largestResults, MOST_RESULTS, stepGrowth } from "./conversation-size";
import { type NewLines, NOTHING_NEW, newLinesOf } from "./new-lines";
import { requestText } from "./request-text";

interface AskedContext {
  readonly threadId: string;
  readonly query: ThreadContextQuery;
}

/**
 * What the model would read next in the viewer's thread, including its current run so far, and which context rules
 * would act on it. Queued messages are not included. A thread the viewer can't read is `not_found`; a model the viewer
 * may not use is refused as when sending a message with it.
 */
export async function getThreadContext(
  services: Services,
  { threadId, query }: AskedContext,
  viewer: Viewer,
  describeRunParts: DescribeRunParts,
): Promise<ThreadContext> {
  const thread = await requireReadableThread(services.database, threadId, viewer);
  const run = await currentRun(services.database, threadId);
  const agentId = answeringAgent(thread, run);
  if (query.model) await requireModelAccess(services, { ownerId: viewer.id, agentId, model: query.model });
  const model = run === null ? (query.model ?? null) : run.modelOverride;
  const version = await configOf(services, { ...thread, agentId, access: accessOf(viewer) }, run?.agentVersionId);
  const { config: own, promptFiles } = version;
  const found = await runWindow(services, own, model);
  const fileScope = thread.isTest ? "thread" : thread.fileScope;
  const { projectId, ownerId } = thread;
  const config = { ...configInPlace(own, { projectId, fileScope }), context_window: found.window };
  const { stored, live, state } = await loadConversation(services.database, threadId, config, run);
  const prepared = prepareHistory([...stored.pair, ...stored.messages], config);
  const next = await nextRequest(
    services,
    {
      agentId,
      ownerId: viewer.id,
      threadId,
      boardId: thread.boardId,
      current: run,
      config,
      model,
      promptFiles,
      place: { projectId, ownerId },
      system: stored.system,
      history: repairHistory([...prepared.messages, ...live]).messages,
      state,
    },
    describeRunParts,
  );
  const { request } = next;
  const all = { pair: stored.pair, messages: [...stored.messages, ...live] };
  const sent = sentMessages(request, config, state);
  const sections = sectionsOf({ ...request, messages: sent }, config);
  const results = largestResults(sent, all.messages, config.chars_per_token);
  const showsPrompt = await mayReadPrompt(services.database, agentId, viewer);
  const isDue = isCompactionDue(all, config);
  const last = await lastStep(services.database, threadId, run);
  const { tokensAfter, cleared, tokensBefore } = prepared.report;
  const fires: Record<ContextRuleName, (at: number) => boolean> = {
    pruning_soft: (at) => tokensBefore >= at,
    pruning_hard: (at) => cleared > 0 || tokensAfter >= at,
    summarization: (at) => estimateTokens(request.messages, config.chars_per_token) > at,
    memory_flush: () => isDue && isFlushDue(all, config),
    compaction: () => isDue,
  };
  return {
    agentName: own.name,
    version: "number" in version ? version.number : null,
    ...found,
    used: sections.reduce((sum, { tokens }) => sum + tokens, 0),
    conversation: estimateTokens(sent, config.chars_per_token),
    sections,
    results: results.slice(0, MOST_RESULTS),
    counts: {
      tools: request.tools.length,
      messages: sent.filter((message) => message.role !== "tool" && !isSummaryMessage(message)).length,
      cutResults: results.filter(({ cutFrom }) => cutFrom !== null).length,
      skills: itemsIn(next, ["skills", "skill_search"]),
      documents: itemsIn(next, ["memory"])?.named ?? null,
    },
    savedTokens: prepared.report.trimmed + cleared === 0 ? 0 : Math.max(0, tokensBefore - tokensAfter),
    stepTokens: stepGrowth(sent, config.chars_per_token),
    lastStep: last,
    nextStep: run === null ? null : (last ?? 0) + 1,
    rules: contextRules(config, found.window).map(({ name, at }) => ({ name, at, fires: fires[name](at) })),
    messageLimit: messageLimitOf(config, all.messages.length),
    compactions: stored.compactionCount,
    summary: await summaryOf(services.database, pathOf(threadId, run), stored.summary, config.chars_per_token),
    showsPrompt,
    ...(showsPrompt && query.prompt ? { prompt: request.system.map(({ text }) => text).join("\n\n") } : {}),
    ...(showsPrompt && query.request
      ? {
          request: {
            ...requestText({ ...request, messages: sent }, config, {
              sectionsFrom: next.sectionsFrom,
              newLinesIn: await newLines(services.database, version),
              own: version,
            }),
            cachedTokens: await cachedTokens(services.database, threadId, run),
            queued: await queuedIn(services.database, threadId, config),
          },
        }
      : {}),
    estimated: true,
  };
}

/** What those of the sections that the request has name. */
function itemsIn({ request, itemsOf }: NextRequest, names: readonly string[]) {
  const shown = request.system.find(({ name }) => names.includes(name));
  return (shown && itemsOf.get(shown.name)) ?? null;
}

function messageLimitOf(config: AgentConfig, stored: number): ThreadContext["messageLimit"] {
  const { enabled, max_messages: most, min_ratio: share } = config.compaction;
  return enabled ? { most, from: Math.floor(share * contextWindowOf(config)), stored } : null;
}

const GIST_CHARS = 60;

async function queuedIn(database: Database, threadId: string, config: AgentConfig): Promise<NextRequestText["queued"]> {
  const [queue, target] = await Promise.all([loadQueue(database, threadId), selectSteerable(database, threadId)]);
  return queue.map(({ row, message }) => ({
    gist: message.content.slice(0, GIST_CHARS).replaceAll(/\s+/gu, " "),
    mode: target !== null && row.steersRunId === target.id ? "steer" : "queue",
    tokens: tokensOf(message.content, config.chars_per_token),
    estimated: true,
  }));
}

/** The number of the last model call: in the current run, or in the last ended run on the shown branch. */
async function lastStep(database: Database, threadId: string, run: CurrentRun): Promise<number | null> {
  return (await lastCall(database, threadId, run))?.step ?? null;
}

async function lastCall(database: Database, threadId: string, run: CurrentRun): Promise<LastCall | null> {
  if (run !== null) return callOf(run, (await journalOf(database, run.id)).length);
  const { leafRunId } = await selectThreadEnd(database, threadId);
  const last = await database.run.findUnique({ where: { id: leafRunId ?? "" } });
  return last && callOf(last, last.steps);
}

function callOf({ id, agentVersionId }: LastCall["run"], step: number): LastCall | null {
  return step === 0 ? null : { run: { id, agentVersionId }, step };
}

/** A model call of a run's own loop. */
export interface LastCall {
  readonly run: { readonly id: string; readonly agentVersionId: string };
  readonly step: number;
}

/**
 * The last model call on the shown branch of the viewer's thread, null before the first one. Throws `not_found` for a
 * thread that the viewer can't read, and `forbidden` if the viewer may not read its agent's prompt.
 */
export async function requireLastCall(database: Database, threadId: string, viewer: Viewer): Promise<LastCall | null> {
  const thread = await requireReadableThread(database, threadId, viewer);
  const run = await currentRun(database, threadId);
  if (!(await mayReadPrompt(database, answeringAgent(thread, run), viewer))) {
    throw new AppError("forbidden", "The prompt of this agent is for administrators");
  }
  return lastCall(database, threadId, run);
}

/** The agent of the current run, or else the one that answers the next message. */
function answeringAgent(
  { agentId, activeAgentId }: { readonly agentId: string; readonly activeAgentId: string | null },
  run: CurrentRun,
): string {
  return run?.agentId ?? activeAgentId ?? agentId;
}

async function journalOf(database: Database, runId: string): Promise<JournalStep[]> {
  return foldJournal((await readAllEvents(database, runId)).map(({ event }) => event));
}

/** What of the same call came from the provider's cache; null once the events of its run are gone. */
async function cachedTokens(database: Database, threadId: string, run: CurrentRun): Promise<number | null> {
  const runId = run?.id ?? (await selectThreadEnd(database, threadId)).leafRunId;
  const usage = runId === null ? undefined : (await journalOf(database, runId)).at(-1)?.reply.usage;
  return usage === undefined || usage.isUsagePartial ? null : usage.cachedReadTokens;
}

/** A draft has no version, so nothing of it is new in one. */
async function newLines(database: Database, version: PreviewedConfig | AgentVersion): Promise<NewLines> {
  return "number" in version ? newLinesOf(database, version) : NOTHING_NEW;
}

/** The running or waiting run on the shown branch of the thread. */
async function currentRun(database: Database, threadId: string) {
  const run = await database.run.findFirst({
    where: { threadId, parentRunId: null, status: { in: ["running", "waiting"] } },
    orderBy: [{ position: "desc" }, { id: "desc" }],
  });
  if (run === null) return null;
  const { leafRunId, isBranched } = await selectThreadEnd(database, threadId);
  return !isBranched || (await isOnPath(database, run.id, leafRunId)) ? run : null;
}

interface ContextThread {
  readonly id: string;
  readonly agentId: string;
  readonly isTest: boolean;
  readonly access: AgentAccess;
}

/**
 * The version of the current run; without one, the version the next run would use, which in a test thread is the draft.
 */
async function configOf(
  services: Services,
  { id, agentId, isTest, access }: ContextThread,
  versionId?: string,
): Promise<PreviewedConfig | AgentVersion> {
  const { database } = services;
  if (versionId !== undefined) return loadAgentVersion(database, versionId);
  if (isTest) return draftConfig(services, agentId);
  return loadCurrentVersion(database, agentId, access).catch(async (error: unknown) => {
    const last = await database.run.findFirst({
      where: { threadId: id, parentRunId: null },
      orderBy: [{ position: "desc" }, { id: "desc" }],
      select: { agentVersionId: true },
    });
    if (!last) throw error;
    return loadAgentVersion(database, last.agentVersionId);
  });
}

type CurrentRun = Awaited<ReturnType<typeof currentRun>>;

/** The path before the run, or the thread's shown branch. */
function pathOf(threadId: string, run: CurrentRun): ThreadPath {
  return run === null ? { threadId } : { threadId, leaf: run.afterRunId };
}

async function loadConversation(database: Database, threadId: string, config: AgentConfig, run: CurrentRun) {
  const path = pathOf(threadId, run);
  const [stored, todos, events] = await Promise.all([
    loadModelHistory(database, path, config.compaction.placement),
    loadTodos(database, path),
    run === null ? [] : readAllEvents(database, run.id),
  ]);
  const known = events.map(({ event }) => event);
  const live = run === null ? [] : [...RunInput.parse(JSON.parse(run.input)).messages, ...repliesOf(run.id, known)];
  const state: RunState = { todos: latestTodos(known) ?? todos, summary: latestSummary(known) };
  return { stored, live, state };
}

function repliesOf(runId: string, events: Parameters<typeof foldJournal>[0]): Message[] {
  return foldJournal(events).flatMap((step) => messagesOf(runId, step));
}

/** The messages as the loop keeps them (`keepReply`, `keepToolMessages`), without unfinished calls. */
function messagesOf(runId: string, { step, reply, results }: JournalStep): Message[] {
  const { content, toolCalls } = reply;
  if (content === "" && toolCalls.length === 0) return [];
  const id = `${runId}:${step}`;
  const answers = toolCalls.flatMap((call, index): Message[] => {
    const result = results.get(call.id);
    if (!result) return [];
    const { error, output } = result;
    const answer = { role: "tool" as const, content: error ?? output, toolCallId: call.id, name: call.name };
    return [{ ...answer, id: `${id}.${index + 1}`, ...(error === undefined ? {} : { isError: true }) }];
  });
  return [{ id, role: "assistant", content, toolCalls }, ...answers];
}

/** A run that has already summarised sends its summary again instead of requesting another. */
function sentMessages({ messages }: ModelRequest, config: AgentConfig, { summary }: RunState): readonly Message[] {
  const { enabled, ratio } = summarizationOf(config);
  const threshold = Math.floor(ratio * (config.context_window ?? 0));
  if (!enabled || estimateTokens(messages, config.chars_per_token) <= threshold) return messages;
  return withEarlierSummary(messages, summary);
}

async function summaryOf(
  database: Database,
  path: ThreadPath,
  text: string | null,
  charsPerToken: number,
): Promise<ThreadContext["summary"]> {
  if (text === null) return null;
  const known = await selectKnownPath(database, path);
  const cutMessageId = known.cutMessageId ?? "";
  const [replaced, made, cut] = await Promise.all([
    countSummarized(database, known),
    database.compaction.findFirst({
      where: { threadId: path.threadId, cutMessageId },
      orderBy: { count: "desc" },
      select: { createdAt: true },
    }),
    database.message.findUnique({ where: { id: cutMessageId }, select: { runId: true, role: true } }),
  ]);
  const last = await database.transcriptMessage.findFirst({
    where: { threadId: path.threadId, runId: cut?.runId ?? "", role: cut?.role === "user" ? "user" : "assistant" },
    orderBy: { position: "desc" },
    select: { id: true },
  });
  return {
    text,
    replaced,
    tokens: tokensOf(text, charsPerToken),
    at: (made?.createdAt ?? new Date()).toISOString(),
    lastMessageId: last?.id ?? null,
  };
}

function sectionsOf({ system, messages, tools }: ModelRequest, { chars_per_token: charsPerToken }: AgentConfig) {
  const section = (name: string, tokens: number) => ({ name, tokens, estimated: true as const });
  const part = (message: Message) => {
    if (isSummaryMessage(message)) return "summary";
    return message.role === "tool" ? "tool_results" : "messages";
  };
  const messageTokens = (name: string) =>
    estimateTokens(
      messages.filter((message) => part(message) === name),
      charsPerToken,
    );
  const toolTokens = tools.reduce((sum, tool) => sum + tokensOf(JSON.stringify(tool), charsPerToken), 0);
  const rest = [
    section("tools", toolTokens),
    ...["summary", "messages", "tool_results"].map((name) => section(name, messageTokens(name))),
  ];
  return [
    ...system.map(({ name, text }) => section(name, tokensOf(text, charsPerToken))),
    ...rest.filter(({ tokens }) => tokens > 0),
  ];
}

/** The same rule as for traces: admins, and everyone if the published version allows it. */
async function mayReadPrompt(database: Database, agentId: string, viewer: Viewer): Promise<boolean> {
  if (hasAdminScope(viewer)) return true;
  const version = await loadCurrentVersion(database, agentId, accessOf(viewer)).catch(() => null);
  return version?.config.trace.show_prompt === "everyone";
}
