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
import { asQueries } from "@/lib/server/platform/db/as-queries";
import type { Database } from "@/lib/server/platform/db/database";
import { accessOfOwner } from "@/lib/server/platform/db/queries/agent-access";

/**
 * The run that this call of `parent` has started, created when there is none. It has a thread of its own that no list
 * shows. Throws `conflict` with a text for the model when a limit of the tree is reached.
 */
export async function startChild(
  database: Database,
  parent: ClaimedRun,
  version: AgentVersion,
  request: SubagentRequest,
): Promise<ClaimedRun> {
  const rootRunId = parent.rootRunId ?? parent.id;
  const child = await database.exclusive(`children of ${rootRunId}`, async () => {
    const known = await findChildOfCall(database, parent.id, request.call.id);
    if (known) return known;
    await checkLimits(database, parent, version);
    return store(database, {
      ...{ parent, rootRunId, request, budget: version.config.budget },
      target: await findTarget(database, { version, ownerId: parent.ownerId }, request.agent),
    });
  });
  announceQueued();
  return child;
}

export function findChildOfCall(database: Database, parentRunId: string, parentToolCallId: string) {
  return database.run.findUnique({ where: { parentRunId_parentToolCallId: { parentRunId, parentToolCallId } } });
}

async function checkLimits(database: Database, parent: ClaimedRun, { config }: AgentVersion): Promise<void> {
  const rootRunId = parent.rootRunId ?? parent.id;
  const { max_depth: maxDepth, max_active: maxActive } = await treeLimits(database, rootRunId);
  const { max_children: maxChildren } = config.subagent_settings;
  if (parent.depth >= maxDepth) {
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

/** A subagent can't widen what the agent that people talk to allows. */
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

/** Which agent's version the child runs: an inline definition runs that of the agent that contains it. */
async function findTarget(
  database: Database,
  { version, ownerId }: { readonly version: AgentVersion; readonly ownerId: string },
  name: string,
) {
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
  /** What the parent's agent may spend. */
  readonly budget: BudgetConfig;
  readonly target: Awaited<ReturnType<typeof findTarget>>;
}

async function store(database: Database, child: NewChild): Promise<ClaimedRun> {
  const { parent, request } = child;
  const thread = await database.thread.findUniqueOrThrow({ where: { id: parent.threadId } });
  const [runId, threadId] = [createId("run"), createId("th")];
  const now = new Date();
  await database.$transaction([
    database.thread.create({
      data: {
        id: threadId,
        ownerId: parent.ownerId,
        agentId: child.target.agentId,
        clientId: threadId,
        title: request.description,
        ephemeral: thread.ephemeral,
        isTest: thread.isTest,
        parentThreadId: thread.parentThreadId ?? thread.id,
        projectId: thread.projectId,
        fileScope: thread.fileScope,
      },
    }),
    database.transcriptMessage.create({
      data: {
        id: createId("msg"),
        threadId,
        runId,
        position: 1,
        role: "user",
        parts: JSON.stringify([{ type: "text", text: request.prompt }]),
        text: request.prompt,
        createdAt: now,
      },
    }),
    database.run.create({ data: { ...runColumns(child), id: runId, threadId, createdAt: now } }),
    ...asQueries(database, await dispatchStatements(database, { id: runId, ownerId: parent.ownerId, segment: 0 })),
  ]);
  return database.run.findUniqueOrThrow({ where: { id: runId } });
}

function placeOf({ id: runId, agentId, threadId }: ClaimedRun) {
  return { runId, agentId, threadId };
}

function runColumns({ parent, rootRunId, request, target, budget }: NewChild) {
  const { canAsk, draftRevision, trigger, ancestors = [] } = RunInput.parse(JSON.parse(parent.input));
  // The limits of an inline definition are those of the agent that contains it, which are counted there.
  const isOwn = !parent.isInline && isLimited(budget);
  const input: RunInput = {
    messages: [{ id: createId("msg"), role: "user", content: request.prompt }],
    transcriptPosition: 2,
    ...(canAsk === undefined ? {} : { canAsk }),
    ...(draftRevision === undefined ? {} : { draftRevision }),
    ...(trigger === undefined ? {} : { trigger }),
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
    origin: "subagent",
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
    costUsd: 0,
  };
}
