import "server-only";
import { AppError } from "@/lib/schema/app-error";
import type { EditMessageBody, RegenerateBody } from "@/lib/schema/threads/thread";
import type { Viewer } from "@/lib/schema/users/user";
import { startRun } from "@/lib/server/engine/accept";
import { RunInput, type SentInput } from "@/lib/server/engine/run-input";
import { database } from "@/lib/server/platform/db/database";
import { type AgentViewer, accessOf } from "@/lib/server/platform/db/queries/agent-access";
import type { TreeRun } from "@/lib/server/platform/db/queries/paths";
import { requireModelAccess } from "@/lib/server/providers/model-access";
import { testOptions } from "@/lib/server/threads/test-thread";
import { requireWritableThread } from "@/lib/server/threads/thread-row";
import { loadBranchTree } from "./branch-facts";
import type { BranchTree } from "./branch-tree";

type Sender = AgentViewer & Pick<Viewer, "keyId">;

interface Target {
  readonly threadId: string;
  readonly messageId: string;
}

/**
 * Sends a message of the person's thread again in other words: a branch beside the one it began, which is then shown.
 * Throws `conflict` for a message that began no turn or waits in the queue.
 */
export async function editMessage(
  { threadId, messageId }: Target,
  sender: Sender,
  body: EditMessageBody,
  idempotencyKey: string | undefined,
) {
  const thread = await requireWritableThread(threadId, sender.id);
  const { run } = await findRun(threadId, messageId);
  const sent = await inputOf(run);
  const at = sent.findIndex(({ id }) => id === messageId);
  if (at === -1) throw conflict("This message began no reply, so it has no other version. Fork from it instead.");
  const messages = sent.map((message, index) => (index === at ? { ...message, content: body.content } : message));
  return start({
    ...{ thread, sender, idempotencyKey, messages, model: body.model, agentId: thread.agentId },
    branch: { afterRunId: run.afterRunId },
  });
}

/** Answers the message of a reply again, with another model, agent or version where one is named (D-85). */
export async function regenerate(
  { threadId, messageId }: Target,
  sender: Sender,
  { model, agentId, version }: RegenerateBody,
  idempotencyKey: string | undefined,
) {
  const thread = await requireWritableThread(threadId, sender.id);
  const { tree, run } = await findRun(threadId, messageId);
  const turn = tree.turnOf(run);
  const messages = await inputOf(turn);
  if (messages.length === 0) throw conflict("What this reply answers is no longer recorded. Send a message instead.");
  return start({
    ...{ thread, sender, idempotencyKey, messages, model, version, agentId: agentId ?? thread.agentId },
    branch: { afterRunId: turn.afterRunId, regeneratesRunId: turn.regeneratesRunId ?? turn.id },
  });
}

async function findRun(threadId: string, messageId: string): Promise<{ tree: BranchTree; run: TreeRun }> {
  const tree = await loadBranchTree(threadId);
  const run = tree.runOf(messageId);
  if (run) return { tree, run };
  const copied = await database().transcriptMessage.count({ where: { id: messageId, threadId } });
  if (copied > 0) throw conflict("This message was copied from another thread. Fork from it, or send a new one.");
  throw new AppError("not_found", "Message not found.");
}

type StoredInput = SentInput & { readonly id?: string };

/** What a run was started with. Throws `conflict` while it waits in the queue. */
async function inputOf({ id }: TreeRun): Promise<StoredInput[]> {
  const { input, status } = await database().run.findUniqueOrThrow({
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
  readonly version?: number;
  readonly branch: { readonly afterRunId: string | null; readonly regeneratesRunId?: string };
}

async function start({ thread, sender, agentId, model, version, messages, branch, idempotencyKey }: NewBranch) {
  const { id: ownerId, keyId: apiKeyId } = sender;
  await requireModelAccess({ ownerId, agentId, model });
  const versionId = version === undefined ? {} : { versionId: await findVersion(agentId, version) };
  const { runId, messageId, status } = await startRun(database(), {
    ...{ ownerId, threadId: thread.id, agentId, apiKeyId, idempotencyKey, branch },
    messages: messages.map(({ id: _, ...message }) => message),
    modelOverride: model,
    access: accessOf(sender),
    ...versionId,
    ...(agentId === thread.agentId ? await testOptions(thread, sender) : {}),
  });
  return { runId, messageId, status };
}

async function findVersion(agentId: string, number: number): Promise<string> {
  const found = await database().agentVersion.findFirst({ where: { agentId, number }, select: { id: true } });
  if (!found) throw new AppError("not_found", `The agent has no version ${number}.`);
  return found.id;
}

function conflict(message: string): AppError {
  return new AppError("conflict", message);
}
