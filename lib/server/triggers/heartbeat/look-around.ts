import { createHash } from "node:crypto";
import type { Workspace } from "@/lib/agent/workspace/workspace";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { HeartbeatCheck } from "@/lib/schema/triggers/heartbeat-config";
import type { Database } from "@/lib/server/platform/db/database";
import type { TriggerRow } from "@/lib/server/platform/db/queries/dispatch/triggers";
import type { Services } from "@/lib/server/platform/services";
import type { HeartbeatState } from "./heartbeat-state";

interface Looking {
  readonly trigger: TriggerRow;
  readonly firingId: string;
  /** The agent's. */
  readonly config: AgentConfig;
  /** What the agent may read. */
  readonly workspace: Workspace | null;
  readonly state: HeartbeatState;
  readonly now: Date;
}

/** The results of the `when` checks: which say yes, in words, and what to remember until the next look. */
export interface Seen {
  readonly yes: readonly string[];
  readonly no: readonly string[];
  readonly files: HeartbeatState["files"];
  readonly answers: HeartbeatState["answers"];
}

/** Runs the checks one after the other, without a model. */
export async function lookAround(
  services: Services,
  checks: readonly HeartbeatCheck[],
  looking: Looking,
): Promise<Seen> {
  const found: Answer[] = [];
  for (const check of checks) found.push(await answerTo(services, check, looking));
  const wordsOf = (isYes: boolean) => found.filter((answer) => answer.isYes === isYes).map(({ words }) => words);
  const files = Object.fromEntries(found.flatMap(({ file }) => (file === undefined ? [] : [file])));
  const answers = found.map(({ isYes, words }) => ({ isYes, words }));
  return { yes: wordsOf(true), no: wordsOf(false), files, answers };
}

interface Answer {
  readonly isYes: boolean;
  readonly words: string;
  /** A glob with the current mark of its files. */
  readonly file?: readonly [string, string];
}

async function answerTo(services: Services, check: HeartbeatCheck, looking: Looking): Promise<Answer> {
  if ("file" in check) {
    const mark = await markOf(looking.workspace, check.file);
    const isYes = mark !== (looking.state.files[check.file] ?? NOTHING);
    return { isYes, words: `${check.file} ${isYes ? "changed" : "did not change"}`, file: [check.file, mark] };
  }
  if ("http" in check) return ask(services, check, looking);
  const isYes = await hasWritten(services.database, looking);
  return { isYes, words: `its person has ${isYes ? "" : "not "}written` };
}

const MAX_FILES = 200;
const MAX_BYTES = 262_144;
/** The mark of a glob that matches no file. */
const NOTHING = "";

/** A mark for the files of a glob, which changes when one of them is changed, added or removed. */
export async function markOf(workspace: Workspace | null, glob: string): Promise<string> {
  if (workspace === null) return NOTHING;
  const { files } = await workspace.glob(glob, "", MAX_FILES);
  if (files.length === 0) return NOTHING;
  const hash = createHash("sha256");
  for (const file of files) {
    const read = await workspace.read(file, MAX_BYTES).catch(() => null);
    hash.update(`${file}\n${read?.sizeBytes ?? -1}\n`);
    if (read) hash.update(read.bytes);
  }
  return hash.digest("hex").slice(0, 32);
}

async function hasWritten(database: Database, { trigger, state, now }: Looking): Promise<boolean> {
  const { ownerId, agentId, createdAt } = trigger;
  if (ownerId === null) return false;
  const after = state.lookedAt === null ? createdAt : new Date(state.lookedAt);
  const written = await database.run.findFirst({
    where: { ownerId, agentId, attended: true, parentRunId: null, createdAt: { gt: after, lte: now } },
    select: { id: true },
  });
  return written !== null;
}

type HttpCheck = Extract<HeartbeatCheck, { http: string }>;

const ASK_TIMEOUT_MS = 30_000;

/** A tool that can't be called counts as no, with the reason. */
async function ask(services: Services, { http, args }: HttpCheck, { trigger, firingId, config, now }: Looking) {
  try {
    const { askHttpTool } = await import("@/lib/server/tools/http/ask-http-tool");
    const origin = { runId: firingId, threadId: trigger.id, toolCallId: firingId, nowMs: now.getTime() };
    const from = { ...origin, agentId: trigger.agentId, userId: trigger.ownerId ?? "" };
    const signal = AbortSignal.timeout(ASK_TIMEOUT_MS);
    const text = await askHttpTool(services, { name: http, args, config }, { ...from, signal });
    return isYes(text) ? { isYes: true, words: `${http} says yes` } : { isYes: false, words: `${http} says no` };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { isYes: false, words: `${http} could not be asked: ${why}` };
  }
}

function isYes(text: string): boolean {
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === "object" && answer !== null && "yes" in answer && answer.yes === true;
  } catch {
    return false;
  }
}
