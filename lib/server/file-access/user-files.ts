import "server-only";
import { memoryKind } from "@/lib/agent/workspace/memory-kind";
import { type FileHistory, normalizePath, type Workspace } from "@/lib/agent/workspace/workspace";
import { fileRules } from "@/lib/hooks/readable-workspace";
import type { ReadingRules } from "@/lib/permissions/reading-rules";
import { AgentConfig } from "@/lib/schema/agents/agent-config";
import { BackendConfig } from "@/lib/schema/agents/agent-config-backend";
import { AppError } from "@/lib/schema/app-error";
import type { AgentFileQuery, FileList, UploadedFile } from "@/lib/schema/files/workspace-file";
import type { Reader } from "@/lib/schema/users/user";
import { requireTestVersion } from "@/lib/server/agents/drafts/test-version";
import { namedVersion } from "@/lib/server/agents/versions/named-version";
import { loadAgentVersion, loadCurrentVersion } from "@/lib/server/engine/agent-version";
import { announceMemoryChange } from "@/lib/server/engine/log/signals";
import { configInPlace, sharedBoardOf } from "@/lib/server/engine/workspace-scope";
import { createFileHistory } from "@/lib/server/files/file-history";
import { openWorkspace } from "@/lib/server/files/open-workspace";
import type { WorkspaceOwner } from "@/lib/server/files/workspace-row";
import { workspaceShares } from "@/lib/server/files/workspace-shares";
import { MAX_UPLOAD_BYTES } from "@/lib/server/http/read-body";
import type { Database } from "@/lib/server/platform/db/database";
import { type AgentViewer, EVERY_AGENT } from "@/lib/server/platform/db/queries/agent-access";
import type { Services } from "@/lib/server/platform/services";
import { homeInReach } from "@/lib/server/platform/within-reach";
import { findClientThread } from "@/lib/server/threads/open-thread";
import { requireProjectRole } from "@/lib/server/threads/projects/project-access";
import { requireReadableThread, requireWritableThread } from "@/lib/server/threads/thread-row";

/** A person's own workspace, with what is needed to change it the way the agent's tools do. */
export interface UserFiles {
  readonly workspaceId: string;
  readonly workspace: Workspace;
  readonly history: FileHistory;
  /** `memory.paths`, normalised. */
  readonly memoryPaths: readonly string[];
  /** The agent's own rules about single files, which do not bind people; null if it has none. */
  readonly agentRules: ReadingRules | null;
  /** The path relative to the root, however it was spelled. */
  normalize(path: string): string;
}

/** The caller's files with an agent; `thread_id` is required if each thread has its own. Throws `not_found`. */
export async function openAgentFiles(
  services: Services,
  agentId: string,
  viewer: AgentViewer,
  { thread_id: clientThreadId, version }: Pick<AgentFileQuery, "thread_id" | "version">,
): Promise<UserFiles> {
  const ownerId = viewer.id;
  const thread =
    clientThreadId === undefined
      ? null
      : await findClientThread(services.database, { viewer, agentId }, clientThreadId);
  const { config } = await namedVersion(services, agentId, version, viewer);
  const place = { projectId: thread?.projectId ?? null, fileScope: thread?.fileScope ?? null };
  if (place.projectId !== null) await requireReadableThread(services.database, thread?.id ?? "", viewer);
  return open(
    services.database,
    configInPlace(config, place),
    { agentId, ownerId, threadId: thread?.id ?? null, projectId: place.projectId },
    viewer,
  );
}

/**
 * The files of a thread that the viewer can read, even if its agent has been deleted. Throws `not_found`, and
 * `forbidden` for writing by readers of its project.
 */
export async function openThreadFiles(
  services: Services,
  threadId: string,
  viewer: Reader,
  need: "read" | "write" = "read",
): Promise<UserFiles> {
  if (need === "write") await requireWritableThread(services.database, threadId, viewer);
  const { config, ...owner } = await threadConfig(services, threadId, viewer);
  return open(services.database, config, owner, viewer);
}

/**
 * A folder of the files of a thread that the viewer can read; an empty folder that says so if the agent has no
 * workspace.
 */
export async function listThreadFolder(
  services: Services,
  threadId: string,
  viewer: Reader,
  path: string,
): Promise<FileList> {
  const { config, ...owner } = await threadConfig(services, threadId, viewer);
  if (!config.backend) return { path: "", entries: [], hasWorkspace: false };
  const [list, sharedThreads] = await Promise.all([
    listFolder(await open(services.database, config, owner, viewer), path),
    countSharing(services.database, config.backend.scope, owner),
  ]);
  return sharedThreads === 0 ? list : { ...list, sharedThreads };
}

/** How many other threads work on the same files, not counting those of subagents and deleted ones. */
async function countSharing(database: Database, scope: BackendConfig["scope"], owner: Required<WorkspaceOwner>) {
  if (scope === "thread") return 0;
  const { agentId, ownerId, threadId, projectId } = owner;
  const whose =
    scope === "project" ? { projectId } : { agentId, projectId: null, ...(scope === "agent" ? {} : { ownerId }) };
  const others = { deletedAt: null, parentThreadId: null, ephemeral: false, NOT: { id: threadId ?? "" } };
  const same = { OR: [{ fileScope: null }, { fileScope: "project" }] };
  return database.thread.count({ where: { ...others, ...whose, ...same } });
}

async function threadConfig(services: Services, threadId: string, viewer: Reader) {
  const { database } = services;
  const row = await requireReadableThread(database, threadId, viewer);
  const { ownerId, projectId, fileScope } = row;
  const agentId = row.activeAgentId ?? row.agentId;
  // A subagent's thread works on its parent thread's files.
  const thread = await database.thread.findUnique({
    where: { id: threadId },
    select: { parentThreadId: true, isTest: true },
  });
  const agent = await database.agent.findUnique({
    where: { id: agentId },
    select: { currentVersionId: true },
  });
  const root = thread?.parentThreadId ?? threadId;
  const owner = { agentId, ownerId, threadId: root, projectId, boardId: sharedBoardOf({ fileScope }) };
  if (thread?.isTest) return { ...owner, config: await testConfig(services, threadId, agentId) };
  const { config } = await loadAgentVersion(database, agent?.currentVersionId ?? "");
  return { ...owner, config: configInPlace(config, { projectId, fileScope }) };
}

/**
 * A test thread has its own files, in the backend used by its last run or, before the first run, named in the draft.
 */
async function testConfig(services: Services, threadId: string, agentId: string): Promise<AgentConfig> {
  const run = await services.database.run.findFirst({
    where: { threadId },
    orderBy: { position: "desc" },
    select: { agentVersionId: true },
  });
  const versionId = run?.agentVersionId ?? (await requireTestVersion(services, agentId)).versionId;
  const { config } = await loadAgentVersion(services.database, versionId);
  return { ...config, backend: config.backend && { ...config.backend, scope: "thread" } };
}

async function open(
  database: Database,
  config: AgentConfig,
  owner: WorkspaceOwner,
  viewer: Reader,
): Promise<UserFiles> {
  const { backend, memory } = config;
  if (!backend) throw new AppError("not_found", "This agent has no workspace.");
  if (backend.scope === "thread" && owner.threadId === null) {
    throw new AppError("not_found", "Each thread of this agent has its own files: name one with thread_id.");
  }
  const { id: workspaceId, workspace } = await openWorkspace(database, backend, owner);
  const normalize = (path: string) => normalizePath(path, backend.workdir);
  const memoryPaths = memory.paths.map(normalize);
  const history = createFileHistory(database, {
    ...owner,
    ownerId: viewer.id,
    workspaceId,
    runId: null,
    memoryPaths,
  });
  return { workspaceId, workspace, history, memoryPaths, agentRules: fileRules(config), normalize };
}

/** The files shared by a project's threads, with the backend of its default agent. Throws the project's errors. */
export async function openProjectFiles(
  database: Database,
  projectId: string,
  viewer: Reader,
  need: "read" | "write" = "read",
): Promise<UserFiles> {
  await requireProjectRole(database, projectId, viewer, need);
  await requireFilesInReach(database, projectId, viewer);
  const { agentId } = await database.project.findUniqueOrThrow({
    where: { id: projectId },
    select: { agentId: true },
  });
  const version = agentId === null ? null : await loadCurrentVersion(database, agentId, EVERY_AGENT).catch(() => null);
  const config = version?.config ?? AgentConfig.parse({ name: "Project" });
  const backend = config.backend ?? BackendConfig.parse({ type: "local" });
  const owner = { agentId: "", ownerId: viewer.id, threadId: null, projectId };
  return open(database, { ...config, backend: { ...backend, scope: "project" } }, owner, viewer);
}

/** A limited key gets a project's files once one of its agents works on them there, and can read them all. */
async function requireFilesInReach(database: Database, projectId: string, viewer: Reader): Promise<void> {
  if (!viewer.reach) return;
  const works = { projectId, deletedAt: null, NOT: { fileScope: "thread" }, ...homeInReach(viewer) };
  if (await database.thread.findFirst({ where: works, select: { id: true } })) return;
  throw new AppError("not_found", "No agent that this key reaches works on the project's files.");
}

/** Lists a folder; `invalid_input` for a file. */
export async function listFolder({ workspace, normalize }: UserFiles, given: string): Promise<FileList> {
  const path = normalize(given);
  const entries = await workspace.list(path);
  return { path, entries: [...entries], ...(entries.omitted ? { omitted: entries.omitted } : {}) };
}

/** The whole file, up to the upload limit. Throws `not_found`, `payload_too_large`. */
export async function readBytes({ workspace, normalize }: UserFiles, given: string): Promise<Uint8Array<ArrayBuffer>> {
  const { bytes, sizeBytes } = await workspace.read(normalize(given), MAX_UPLOAD_BYTES);
  if (sizeBytes > bytes.byteLength) throw new AppError("payload_too_large", "The file is too large to be read whole.");
  return new Uint8Array(bytes);
}

/** The file as text. Throws `invalid_input` for a file that is not UTF-8: download it instead. */
export async function readText(files: UserFiles, given: string): Promise<{ path: string; content: string }> {
  const bytes = await readBytes(files, given);
  try {
    const content = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return { path: files.normalize(given), content };
  } catch {
    throw new AppError("invalid_input", "The file is not text. Download it instead.");
  }
}

/** Writes a file and records its version, as a tool does. */
export async function writeBytes(
  services: Services,
  files: UserFiles,
  given: string,
  bytes: Uint8Array,
): Promise<UploadedFile> {
  const path = files.normalize(given);
  return workspaceShares(services, files.workspaceId).fileLock(path, async () => {
    const before = await contentBefore(files, path);
    await files.workspace.write(path, bytes);
    await files.history.record({ path, before, after: bytes });
    announceIfMemory(files, path);
    return { path, size: bytes.byteLength };
  });
}

/** Removes a file or an empty folder; a file's last content remains among its versions. */
export async function removeFile(services: Services, files: UserFiles, given: string): Promise<void> {
  const path = files.normalize(given);
  await workspaceShares(services, files.workspaceId).fileLock(path, async () => {
    const isFile = (await files.workspace.stat(path))?.type === "file";
    const before = isFile ? await contentBefore(files, path) : null;
    await files.workspace.remove(path);
    if (isFile) await files.history.record({ path, before, after: null });
    announceIfMemory(files, path);
  });
}

/** Makes runs that have read the document read it again. */
function announceIfMemory({ memoryPaths }: UserFiles, path: string): void {
  if (memoryKind(path, memoryPaths) !== null) announceMemoryChange();
}

/** Null if there is no file, or if it is too large to be stored whole. */
async function contentBefore({ workspace }: UserFiles, path: string): Promise<Uint8Array | null> {
  const entry = await workspace.stat(path);
  if (entry?.type !== "file") return null;
  const { bytes, sizeBytes } = await workspace.read(path, MAX_UPLOAD_BYTES);
  return bytes.byteLength === sizeBytes ? bytes : null;
}
