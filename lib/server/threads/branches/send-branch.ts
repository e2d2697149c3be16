import "server-only";
import { Effort } from "@/lib/schema/agents/choices";
import { AppError } from "@/lib/schema/app-error";
import type { EditMessageBody, RegenerateBody } from "@/lib/schema/threads/thread-requests";
import { startRun } from "@/lib/server/engine/accept";
import { RunInput, type SentInput } from "@/lib/server/engine/run-input";
import type { Database } from "@/lib/server/platform/db/database";
import { accessOf } from "@/lib/server/platform/db/queries/agent-access";
import type { TreeRun } from "@/lib/server/platform/db/queries/paths";
import type { Services } from "@/lib/server/platform/services";
import { requireChoice } from "@/lib/server/providers/check-choice";
import { requireModelAccess } from "@/lib/server/providers/model-access";
import type { Sender, Sending } from "@/lib/server/threads/send-message";
import { testOptions } from "@/lib/server/threads/test-thread";
import { requireWritableThread } from "@/lib/server/threads/thread-row";
import { findRun } from "./find-run";

interface Target {
  readonly threadId: string;
  readonly messageId: string;
}

/**
 * Sends an edited version of a message in the person's thread, as a sibling of the branch that the original began; the
 * new branch is then shown. Throws `conflict` for a message that began no turn or is still queued.
 */
export async function editMessage(
  services: Services,
  { threadId, messageId }: Target,
  { sender, idempotencyKey }: Sending,
  body: EditMessageBody,
) {
  const thread = await requireWritableThread(services.database, threadId, sender);
  const { run } = await findRun(services.database, threadId, messageId);
  const sent = await inputOf(services.database, run);
  const at = sent.findIndex(({ id }) => id === messageId);
  if (at === -1) throw conflict("This message began no reply, so it has no other version. Fork from it instead.");
  const messages = sent.map((message, index) => (index === at ? { ...message, content: body.content } : message));
  return start(services, {
    thread,
    sender,
    idempotencyKey,
    messages,
    agentId: thread.activeAgentId ?? thread.agentId,
    model: body.model,
    effort: body.effort,
    branch: { afterRunId: run.afterRunId },
  });
}

/**
 * Answers the message behind a reply again, with another model, agent or version if one is named (D-85), otherwise with
 * the same ones.
 */
export async function regenerate(
  services: Services,
  { threadId, messageId }: Target,
  { sender, idempotencyKey }: Sending,
  body: RegenerateBody,
) {
  const thread = await requireWritableThread(services.database, threadId, sender);
  const { tree, run } = await findRun(services.database, threadId, messageId);
  const turn = tree.turnOf(run);
  const messages = await inputOf(services.database, turn);
  if (messages.length === 0) throw conflict("What this reply answers is no longer recorded. Send a message instead.");
  const { agentId: answered, ...same } = await answeredBy(services.database, run);
  const isSame = Object.values(body).every((value) => value === undefined);
  const { model, effort, agentId = answered, version, draft = false } = body;
  return start(services, {
    thread,
    sender,
    idempotencyKey,
    messages,
    agentId,
    ...(isSame ? { same } : { model, effort, version, isDraft: draft }),
    isAgain: true,
    branch: { afterRunId: turn.afterRunId, regeneratesRunId: turn.regeneratesRunId ?? turn.id },
  });
}

interface Same {
  readonly modelOverride?: string;
  readonly effort?: Effort;
}

/** The agent of a run, with the model and effort picked for it. */
async function answeredBy(database: Database, { id }: TreeRun): Promise<Same & { readonly agentId: string }> {
  const { agentId, modelOverride, effort } = await database.run.findUniqueOrThrow({
    where: { id },
    select: { agentId: true, modelOverride: true, effort: true },
  });
  return {
    agentId,
    ...(modelOverride === null ? {} : { modelOverride }),
    ...(effort === null ? {} : { effort: Effort.parse(effort) }),
  };
}

type StoredInput = SentInput & { readonly id?: string };

/** The messages a run was started with. Throws `conflict` while the run is queued. */
async function inputOf(database: Database, { id }: TreeRun): Promise<StoredInput[]> {
  const { input, status } = await database.run.findUniqueOrThrow({
    where: { id },
    select: { input: true, status: true },
  });
  if (status === "queued") throw conflict("This message still waits in the queue. Change it there.");
  return RunInput.parse(JSON.parse(input)).messages.flatMap((message): StoredInput[] =>
    message.role === "user" || message.role === "system" ? [message] : [],
  );
}

interface NewBranch {
  readonly thread: Awaited<ReturnType<typeof requireWritableThread>>;
  readonly sender: Sender;
  readonly idempotencyKey: string | undefined;
  readonly messages: readonly StoredInput[];
  readonly agentId: string;
  readonly model?: string;
  readonly effort?: Effort;
  readonly version?: number;
  readonly isDraft?: boolean;
  readonly isAgain?: boolean;
  /** The choices made for the repeated reply, which are not checked against the agent's choices again. */
  readonly same?: Same;
  readonly branch: { readonly afterRunId: string | null; readonly regeneratesRunId?: string };
}

async function start(
  services: Services,
  { sender, agentId, model, effort, messages, branch, idempotencyKey, ...others }: NewBranch,
) {
  const { id: ownerId, keyId: apiKeyId } = sender;
  const access = accessOf(sender);
  const { thread, isAgain = false, same = {} } = others;
  const version = await versionOf(services, { sender, agentId, ...others });
  await requireChoice(services, {
    ownerId,
    agentId,
    access,
    versionId: version.versionId,
    model,
    effort,
    isAgain,
  });
  if (same.modelOverride !== undefined) {
    await requireModelAccess(services, {
      ownerId,
      agentId,
      model: same.modelOverride,
      versionId: version.versionId,
    });
  }
  const { runId, messageId, status } = await startRun(services.database, {
    ownerId,
    threadId: thread.id,
    agentId,
    apiKeyId,
    idempotencyKey,
    branch,
    canHandOff: true,
    fromPerson: true,
    messages: messages.map(({ id: _, ...message }) => message),
    modelOverride: model,
    effort,
    ...same,
    access,
    ...version,
  });
  return { runId, messageId, status };
}

/** The named version or the draft; empty for the current version. */
async function versionOf(
  services: Services,
  wanted: Pick<NewBranch, "thread" | "sender" | "agentId" | "version" | "isDraft">,
): Promise<{ readonly versionId?: string; readonly draftRevision?: number }> {
  const { thread, sender, agentId, version, isDraft = false } = wanted;
  const { id, agentId: usual, isTest } = thread;
  const tested = await testOptions(services, { id, agentId, isTest: isDraft || (isTest && agentId === usual) }, sender);
  if (tested.versionId !== undefined || version === undefined) return tested;
  return { versionId: await findVersion(services.database, agentId, version) };
}

async function findVersion(database: Database, agentId: string, number: number): Promise<string> {
  const found = await database.agentVersion.findFirst({ where: { agentId, number }, select: { id: true } });
  if (!found) throw new AppError("not_found", `The agent has no version ${number}.`);
  return found.id;
}

function conflict(message: string): AppError {
  return new AppError("conflict", message);
}
