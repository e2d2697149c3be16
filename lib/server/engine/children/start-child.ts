import type { SubagentRequest } from "@/lib/agent/subagents";
import { type BudgetConfig, isLimited } from "@/lib/schema/agents/agent-config-budget";
import type { SubagentSettings } from "@/lib/schema/agents/agent-config-rules";
import { AppError } from "@/lib/schema/app-error";
import { type AgentVersion, loadAgentVersion, loadCurrentVersion } from "@/lib/server/engine/agent-version";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import { dispatchStatements } from "@/lib/server/engine/dispatch/dispatcher-of";
import { announceQueued } from "@/lib/server/engine/log/signals";
import { RunInput } from "@/lib/server/engine/run-input";
import { createId } from "@/lib/server/platform/create-id";
import type { Database } from "@/lib/server/platform/db/database";
import { accessOfOwner } from "@/lib/server/platform/db/queries/agent-access";
import { insertTranscriptMessageStatement } from "@/lib/server/platform/db/queries/messages";
import { insertRunStatement } from "@/lib/server/platform/db/queries/runs";
import { insertThreadStatement } from "@/lib/server/platform/db/queries/threads";

/**
 * The run that this call of `parent` has started, created if there is none. It has its own thread, which no list shows.
 * Throws `conflict` with a text for the model when a limit of the tree is reached.
 */
export async function startChild(
  database: Database,
  parent: ClaimedRun,
  version: AgentVersion,
  request: ChildRequest,
): Promise<ClaimedRun> {
  const rootRunId = parent.rootRunId ?? parent.id;
  const child = await database.exclusive(`children of ${rootRunId}`, async () => {
    const known = await findChildOfCall(database, parent.id, request.call.id);
    if (known) return known;
    const by = { version, ownerId: parent.ownerId };
    const { delegated } = request;
    const replays = await findReplayed(database, parent, request);
    const named = delegated
      ? await findDelegate(database, by, request.agent)
      : await findTarget(database, by, request.agent);
    const target = replays && !named.isInline ? { ...named, versionId: replays.agentVersionId } : named;
    if (delegated) checkChain(parent, target.agentId);
    await checkLimits(database, parent, version, delegated !== undefined);
    const paths = delegated?.files.length ? ((await request.handOver?.(parent, target, delegated.files)) ?? []) : [];
    const prompt = paths.length === 0 ? request.prompt : withPaths(request.prompt, paths);
    return store(database, {
      parent,
      rootRunId,
      request: { ...request, prompt },
      budget: version.config.budget,
      target,
      replays,
    });
  });
  announceQueued();
  return child;
}

export function findChildOfCall(database: Database, parentRunId: string, parentToolCallId: string) {
  return database.run.findUnique({ where: { parentRunId_parentToolCallId: { parentRunId, parentToolCallId } } });
}

/** Of a replay, the recorded subagent's run that the call's run repeats; null if the recording has none. */
async function findReplayed(database: Database, parent: ClaimedRun, { recorded, agent }: ChildRequest) {
  if (parent.replayOf === null || !recorded) return null;
  const found = await findChildOfCall(database, parent.replayOf, recorded);
  return found?.subagentName === agent ? found : null;
}

/** Makes the caller's files available to the agent that it delegates to, and returns their paths there. */
export type HandOver = (
  parent: ClaimedRun,
  target: { readonly agentId: string; readonly versionId: string },
  files: readonly string[],
) => Promise<readonly string[]>;

interface ChildRequest extends SubagentRequest {
  readonly handOver?: HandOver | undefined;
  /** Of a replay: the recorded call that this one is. */
  readonly recorded?: string | null;
}

function withPaths(prompt: string, paths: readonly string[]): string {
  return `${prompt}\n\nFiles that come with this task:\n${paths.map((path) => `- ${path}`).join("\n")}`;
}

async function checkLimits(
  database: Database,
  parent: ClaimedRun,
  { config }: AgentVersion,
  isDelegated: boolean,
): Promise<void> {
  const rootRunId = parent.rootRunId ?? parent.id;
  const { max_depth: maxDepth, max_active: maxActive } = await treeLimits(database, rootRunId);
  const { max_children: maxChildren } = config.subagent_settings;
  if (!isDelegated && parent.depth >= maxDepth) {
    throw refused(`Subagents can be nested ${maxDepth} deep, and this run is at that depth. Do the work yourself.`);
  }
  const [children, active] = await Promise.all([
    database.run.count({ where: { parentRunId: parent.id } }),
    database.run.count({ where: { rootRunId, endedAt: null } }),
  ]);
  if (children >= maxChildren) {
    throw refused(`A run can start ${counted(maxChildren)}, and this one has. Continue with the answers you have.`);
  }
  if (active >= maxActive) {
    throw refused(
      `${counted(maxActive)} ${maxActive === 1 ? "is" : "are"} running, which is the limit. Try again when one has ended.`,
    );
  }
}

/** The root agent's limits: a subagent can't widen what the agent that people talk to allows. */
async function treeLimits(database: Database, rootRunId: string): Promise<SubagentSettings> {
  const { agentVersionId } = await database.run.findUniqueOrThrow({
    where: { id: rootRunId },
    select: { agentVersionId: true },
  });
  return (await loadAgentVersion(database, agentVersionId)).config.subagent_settings;
}

function counted(count: number): string {
  return count === 1 ? "1 subagent" : `${count} subagents`;
}

function refused(message: string): AppError {
  return new AppError("conflict", message);
}

interface Starter {
  readonly version: AgentVersion;
  readonly ownerId: string;
}

/** An agent that is not among the delegates, or that the owner can't use, is refused like one that does not exist. */
async function findDelegate(database: Database, { version, ownerId }: Starter, agentId: string) {
  if (!version.config.delegates.includes(agentId)) throw new AppError("not_found", `There is no agent "${agentId}".`);
  const { id: versionId } = await loadCurrentVersion(database, agentId, accessOfOwner(ownerId));
  return { agentId, versionId, isInline: false, inheritsModel: false };
}

/** The maximum depth of a delegated run. */
const MAX_DELEGATED_DEPTH = 3;

/** Throws if the agent already works above this run, or if the new run would be nested too deep. */
function checkChain(parent: ClaimedRun, agentId: string): void {
  const { ancestors = [] } = RunInput.parse(JSON.parse(parent.input));
  const above = [...ancestors.map((run) => run.agentId), parent.agentId];
  const chain = [...above, agentId].join(" → ");
  if (above.includes(agentId)) {
    throw refused(`Not delegated: ${chain} would go in a circle. Do the work yourself, or ask another agent.`);
  }
  if (parent.depth >= MAX_DELEGATED_DEPTH) {
    throw refused(`Not delegated: ${chain} is more than ${MAX_DELEGATED_DEPTH} deep. Do the work yourself.`);
  }
}

/** The agent version that the child runs: an inline definition runs that of the agent that contains it. */
async function findTarget(database: Database, { version, ownerId }: Starter, name: string) {
  const entry = version.config.subagents.find((known) => (typeof known === "string" ? known : known.name) === name);
  if (entry === undefined) throw refused(`There is no subagent "${name}".`);
  if (typeof entry === "string") {
    const { agentId, id } = await loadCurrentVersion(database, entry, accessOfOwner(ownerId));
    return { agentId, versionId: id, isInline: false, inheritsModel: false };
  }
  const inheritsModel = entry.model === undefined;
  return { agentId: version.agentId, versionId: version.id, isInline: true, inheritsModel };
}

interface NewChild {
  readonly parent: ClaimedRun;
  readonly rootRunId: string;
  readonly request: SubagentRequest;
  /** The budget of the parent's agent. */
  readonly budget: BudgetConfig;
  readonly target: Awaited<ReturnType<typeof findTarget>>;
  readonly replays: ClaimedRun | null;
}

async function store(database: Database, child: NewChild): Promise<ClaimedRun> {
  const { parent, request } = child;
  const thread = await database.thread.findUniqueOrThrow({ where: { id: parent.threadId } });
  const [runId, threadId] = [createId("run"), createId("th")];
  const now = new Date();
  await database.runAll([
    insertThreadStatement({
      id: threadId,
      ownerId: parent.ownerId,
      agentId: child.target.agentId,
      clientId: threadId,
      title: request.description,
      ephemeral: thread.ephemeral,
      isTest: thread.isTest,
      parentThreadId: thread.parentThreadId ?? thread.id,
      homeAgentId: thread.homeAgentId ?? thread.agentId,
      projectId: thread.projectId,
      fileScope: thread.fileScope,
      createdAt: now,
      updatedAt: now,
    }),
    insertTranscriptMessageStatement({
      id: createId("msg"),
      threadId,
      runId,
      position: 1,
      role: "user",
      parts: JSON.stringify([{ type: "text", text: request.prompt }]),
      text: request.prompt,
      createdAt: now,
    }),
    insertRunStatement({ ...runColumns(child), id: runId, threadId, createdAt: now }),
    ...(await dispatchStatements(database, { id: runId, ownerId: parent.ownerId, segment: 0 })),
  ]);
  return database.run.findUniqueOrThrow({ where: { id: runId } });
}

function placeOf({ id: runId, agentId, threadId, origin }: ClaimedRun) {
  return { runId, agentId, threadId, ...(origin === "delegation" ? { isDelegated: true } : {}) };
}

function runColumns({ parent, rootRunId, request, target, budget, replays }: NewChild) {
  const { canAsk, draftRevision, trigger, board, ancestors = [] } = RunInput.parse(JSON.parse(parent.input));
  // An inline definition's limits are those of the agent that contains it, and are counted there.
  const isOwn = !parent.isInline && isLimited(budget);
  const input: RunInput = {
    messages: [{ id: createId("msg"), role: "user", content: request.prompt }],
    transcriptPosition: 2,
    ...(canAsk === undefined ? {} : { canAsk }),
    ...(draftRevision === undefined ? {} : { draftRevision }),
    // Calls allowed in advance were allowed to the agent that the trigger starts.
    ...(trigger === undefined ? {} : { trigger: request.delegated ? { ...trigger, allow: [] } : trigger }),
    // The child draws on the board's budget; the team's tools stay with the card's own run.
    ...(board === undefined ? {} : { board: { id: board.id } }),
    ancestors: [...ancestors, { ...placeOf(parent), ...(isOwn ? { own: budget } : {}) }],
  };
  return {
    ownerId: parent.ownerId,
    agentId: target.agentId,
    agentVersionId: target.versionId,
    traceId: parent.traceId,
    assistantMessageId: createId("msg"),
    input: JSON.stringify(input),
    apiKeyId: parent.apiKeyId,
    projectId: parent.projectId,
    fileScope: parent.fileScope,
    modelOverride: target.inheritsModel ? parent.modelOverride : null,
    effort: target.inheritsModel ? parent.effort : null,
    origin: request.delegated ? "delegation" : "subagent",
    attended: parent.attended,
    parentRunId: parent.id,
    rootRunId,
    depth: parent.depth + 1,
    position: 1,
    parentToolCallId: request.call.id,
    parentSpanId: request.parentSpanId,
    subagentName: request.agent,
    isInline: target.isInline,
    isBackground: request.isBackground,
    replayId: parent.replayId,
    ...(replays ? { replayOf: replays.id, fromStep: 1 } : {}),
    costUsd: 0,
  };
}
