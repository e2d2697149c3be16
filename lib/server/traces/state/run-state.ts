import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/schema/app-error";
import { RunSummary } from "@/lib/schema/runs/run-event";
import { Todo } from "@/lib/schema/runs/todo";
import type { MissingPart, RunState } from "@/lib/schema/traces/run-state";
import type { Viewer } from "@/lib/schema/users/user";
import { loadAgentVersion } from "@/lib/server/engine/agent-version";
import { loadModelHistory } from "@/lib/server/engine/transcript/load-model-history";
import type { Database } from "@/lib/server/platform/db/database";
import { maskText, maskValue } from "@/lib/server/platform/masking";
import type { Services } from "@/lib/server/platform/services";
import { requireProjectRole } from "@/lib/server/threads/projects/project-access";
import { readKeptTexts } from "@/lib/server/traces/kept-texts";
import { findShownPrompts } from "@/lib/server/traces/prompt-access";
import { todosBeforeUndo } from "@/lib/server/traces/undo/undo-targets";
import { type FoundStep, findStep } from "./find-step";
import { filesThen, type StoredStateFile } from "./state-files";

const NOT_RECORDED = "not recorded then";
const CLEANED_UP = "its text was cleaned up";

/** What is found of a part, or why it is not. */
type Part<Value> = { readonly value: Value } | { readonly why: string };

/**
 * The state in which a step of a run began, from rows that outlive the run's events; masked like a trace. Throws
 * `not_found` and `invalid_input` like `findStep`.
 */
export async function getRunState(services: Services, viewer: Viewer, runId: string, step: number): Promise<RunState> {
  const { database } = services;
  const found = await findStep(services, viewer, { runId, step });
  const { row, rows, run, isEnd } = found;
  // The end of a run repeats nothing of its last step.
  const described = isEnd ? (rows.findLast(({ promptHash }) => promptHash !== null) ?? null) : row;
  const texts = await readKeptTexts(
    database,
    [described?.toolsHash, described?.rulesHash, described?.todosHash, described?.summaryHash].flatMap(
      (it) => it ?? [],
    ),
  );
  const isShown = (await findShownPrompts(database, viewer, run.traceId))(runId);
  const files = await filesOf(database, viewer, found);
  const left = (await todosBeforeUndo(database, run.id)) ?? run.todos;
  const named = <Value>(hash: string | null | undefined, schema: z.ZodType<Value>) => read(texts, hash, schema);
  const parts = {
    todos: isEnd && left !== null ? parsed(left, z.array(Todo)) : todosOf(described, named),
    files,
    memory: await memoryOf(database, found, files),
    summary: await summaryOf(database, found, named(described?.summaryHash, RunSummary)),
    prompt: hashOf(described?.promptHash),
    tools: named(described?.toolsHash, z.array(z.looseObject({ name: z.string() }))),
    rules: isShown ? named(described?.rulesHash, z.record(z.string(), z.unknown())) : { why: HIDDEN },
  };
  const listed = knownOf(parts.files);
  return {
    runId,
    step,
    steps: found.steps,
    todos: maskValue(knownOf(parts.todos), new Set(["id", "status"])) as RunState["todos"],
    files: listed?.files.map(({ version: _, ...file }) => ({ ...file, path: maskText(file.path) })) ?? null,
    hasMoreFiles: listed?.hasMore ?? false,
    memory: knownOf(parts.memory)?.map((document) => ({ ...document, path: maskText(document.path) })) ?? null,
    summary: maskNullable(knownOf(parts.summary)),
    promptHash: knownOf(parts.prompt),
    toolNames: knownOf(parts.tools)?.map(({ name }) => name) ?? null,
    rules: maskValue(knownOf(parts.rules)) as RunState["rules"],
    grants: described?.grants == null ? null : z.array(z.string()).parse(JSON.parse(described.grants)),
    missing: [...missingOf(parts), ...(await unknownFiles(database, found))],
  };
}

/** The bytes of a file as of a step; text is masked. Throws `not_found` also for what was cleaned up, which it says. */
export async function getStateFile(
  services: Services,
  viewer: Viewer,
  { runId, step, path }: { readonly runId: string; readonly step: number; readonly path: string },
): Promise<Uint8Array<ArrayBuffer>> {
  const { database } = services;
  const files = await filesOf(database, viewer, await findStep(services, viewer, { runId, step }));
  if ("why" in files) throw new AppError("not_found", `The files of this step: ${files.why}.`);
  const file = files.value.files.find((one) => one.path === path) ?? files.value.files.find(isMasked(path));
  if (!file) throw new AppError("not_found", `There was no ${path} at step ${step}.`);
  const blob =
    file.sha256 && (await database.blob.findUnique({ where: { hash: file.sha256 }, select: { content: true } }));
  if (!blob) throw new AppError("not_found", `What ${path} was at step ${step} has been cleaned up.`);
  return maskBytes(new Uint8Array(blob.content));
}

const isMasked = (path: string) => (file: StoredStateFile) => maskText(file.path) === path;

function maskBytes(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    const masked = maskText(text);
    return masked === text ? bytes : new TextEncoder().encode(masked);
  } catch {
    return bytes;
  }
}

function maskNullable(text: string | null): string | null {
  return text === null ? null : maskText(text);
}

const HIDDEN = "only for those who may read the agent's prompt";

function hashOf(hash: string | null | undefined): Part<string> {
  return hash == null ? { why: NOT_RECORDED } : { value: hash };
}

function missingOf(parts: Readonly<Record<MissingPart["part"], Part<unknown>>>): MissingPart[] {
  const names = Object.keys(parts) as MissingPart["part"][];
  return names.flatMap((part) => {
    const found = parts[part];
    return "why" in found ? [{ part, reason: found.why }] : [];
  });
}

function knownOf<Value>(part: Part<Value>): Value | null {
  return "value" in part ? part.value : null;
}

/** The kept text with this hash as its schema. */
function read<Value>(
  texts: ReadonlyMap<string, string>,
  hash: string | null | undefined,
  schema: z.ZodType<Value>,
): Part<Value> {
  if (hash == null) return { why: NOT_RECORDED };
  const text = texts.get(hash);
  return text === undefined ? { why: CLEANED_UP } : parsed(text, schema);
}

function parsed<Value>(text: string, schema: z.ZodType<Value>): Part<Value> {
  return { value: schema.parse(JSON.parse(text)) };
}

function todosOf(
  row: FoundStep["row"],
  named: (hash: string | null, schema: z.ZodType<Todo[]>) => Part<Todo[]>,
): Part<Todo[]> {
  if (row === null) return { why: NOT_RECORDED };
  return row.todosHash === null ? { value: [] } : named(row.todosHash, z.array(Todo));
}

/** What replaced the older part of the run's own conversation, or else of its thread's. */
async function summaryOf(
  db: Database,
  { run }: FoundStep,
  own: Part<z.infer<typeof RunSummary>>,
): Promise<Part<string | null>> {
  if ("value" in own) return { value: own.value.text };
  if (own.why === CLEANED_UP) return own;
  const path = { threadId: run.threadId, leaf: run.afterRunId, isThen: true as const };
  const history = await loadModelHistory(db, path, "pair");
  return { value: history.summary };
}

type Files = Awaited<ReturnType<typeof filesThen>>;

async function filesOf(db: Database, viewer: Viewer, { run, row, moment }: FoundStep): Promise<Part<Files>> {
  if (moment === null) {
    return row !== null && row.workspaceId === null ? { value: { files: [], hasMore: false } } : { why: NOT_RECORDED };
  }
  const workspace = await db.workspace.findUnique({ where: { id: moment.workspaceId }, select: { projectId: true } });
  if (!workspace) return { why: "they have been deleted" };
  if (workspace.projectId !== null && run.ownerId === viewer.id) {
    const isMember = await requireProjectRole(db, workspace.projectId, viewer, "read").then(() => true, unlessGone);
    if (!isMember) return { why: "you are no longer a member of their project" };
  }
  return { value: await filesThen(db, run, moment) };
}

/** A folder of the machine also has files that nobody changed here. */
async function unknownFiles(db: Database, { run, moment }: FoundStep): Promise<MissingPart[]> {
  if (moment === null) return [];
  const { config } = await loadAgentVersion(db, run.agentVersionId);
  return config.backend?.type === "local" ? [{ part: "files", reason: ONLY_VERSIONS }] : [];
}

const ONLY_VERSIONS = "files of the folder that were never changed through Ringmaster are not known";

function unlessGone(error: unknown): false {
  if (error instanceof AppError) return false;
  throw error;
}

/** The memory documents among the files. */
async function memoryOf(
  db: Database,
  { moment }: FoundStep,
  files: Part<Files>,
): Promise<Part<{ path: string; version: number }[]>> {
  if ("why" in files) return files;
  if (moment === null) return { value: [] };
  const documents = await db.memoryVersion.findMany({
    where: { workspaceId: moment.workspaceId },
    distinct: ["path"],
    select: { path: true },
  });
  const paths = new Set(documents.map(({ path }) => path));
  return {
    value: files.value.files.filter(({ path }) => paths.has(path)).map(({ path, version }) => ({ path, version })),
  };
}
