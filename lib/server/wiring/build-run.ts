import "server-only";
import type { Hook } from "@/lib/agent/hooks/hook";
import type { PromptSection } from "@/lib/agent/model";
import { normalizePath } from "@/lib/agent/workspace/workspace";
import { denyCallsHook } from "@/lib/hooks/deny-calls";
import { missingToolHook } from "@/lib/hooks/missing-tool";
import { narrowToolsHook } from "@/lib/hooks/narrow-tools";
import { HEARTBEAT_TEXT } from "@/lib/prompt/heartbeat-text";
import type { AgentConfig, ModelSpec } from "@/lib/schema/agents/agent-config";
import { AppError, type FieldProblem } from "@/lib/schema/app-error";
import { missingParts } from "@/lib/server/agents/config/find-missing";
import { flushHooks } from "@/lib/server/agents/hooks/flush-hooks";
import { buildHooks } from "@/lib/server/agents/hooks/standard-hooks";
import { previewPromptEnvironment, runPromptEnvironment } from "@/lib/server/agents/prompt/prompt-environment";
import { systemPrompt } from "@/lib/server/agents/prompt/system-prompt";
import type { AgentVersion } from "@/lib/server/engine/agent-version";
import type { ClaimedRun } from "@/lib/server/engine/claimed-run";
import type { CompactionParts } from "@/lib/server/engine/compaction/compact-history";
import { announceToUser } from "@/lib/server/engine/log/signals";
import type { BuiltRun } from "@/lib/server/engine/ports";
import { projectSections } from "@/lib/server/engine/project-section";
import { triggerRulesOf } from "@/lib/server/engine/run-input";
import { backendOf, placeOf } from "@/lib/server/file-access/run-workspace";
import { createFileHistory } from "@/lib/server/files/file-history";
import { openWorkspace } from "@/lib/server/files/open-workspace";
import { imageReader, keepImage, type NewImage } from "@/lib/server/files/thread-images";
import { findElsewhere } from "@/lib/server/files/workspace-location";
import { requireWorkspace } from "@/lib/server/files/workspace-row";
import { workspaceShares } from "@/lib/server/files/workspace-shares";
import type { Database } from "@/lib/server/platform/db/database";
import { env } from "@/lib/server/platform/env";
import type { Services } from "@/lib/server/platform/services";
import { accessProblem, restrictedRoleOf } from "@/lib/server/providers/model-access";
import { defaultFallbacks, modelRegistry, whenProvidersAreLoaded } from "@/lib/server/providers/models";
import { withInstalledSkills } from "@/lib/server/skills/open-skill-library";
import { agentTools } from "@/lib/server/tools/agent-tools";
import { explainMissingTool } from "@/lib/server/tools/explain-missing-tool";
import { finishUndo } from "@/lib/server/traces/undo/journal";
import { cleanReplies } from "@/lib/text/sanitize/clean-replies";
import type { ReadDocument } from "@/lib/tools/files/workspace-files";
import { redactionHook } from "./run-parts/redaction-hook";
import { runParts } from "./run-parts/run-parts";
import { childTools } from "./subagent-tools";

/** The parts of a run that come from the agent's config and this installation; rebuilt for every segment. */
export async function buildRun(services: Services, run: ClaimedRun, version: AgentVersion): Promise<BuiltRun> {
  const { built, problems } = await buildParts(services, run, version);
  refuseIncomplete([...problems, ...missingParts(version.config)]);
  return built;
}

/** The same with what is missing. `recordedCallOf`: of a replay, the recorded call that a call of the run is. */
export async function buildParts(
  services: Services,
  run: ClaimedRun,
  version: AgentVersion,
  recordedCallOf?: (toolCallId: string) => string | null,
): Promise<{ readonly built: BuiltRun; readonly problems: readonly FieldProblem[] }> {
  const { config, promptFiles } = version;
  const [model, ownTools, children, parts, files] = await Promise.all([
    resolveModel(services, run, config),
    agentTools(services, config),
    childTools(services.database, run, version, recordedCallOf),
    runParts(services, run, config),
    openFiles(services, run, config),
  ]);
  const tools = [...ownTools, ...children.tools, ...parts.tools];
  // A replay is nobody's first chat.
  const prompt =
    run.replayId === null
      ? runPromptEnvironment(services.database, run, { workspaceId: files.workspaceId, promptFiles })
      : previewPromptEnvironment(services.database, run, promptFiles);
  const { hooks, problems } = buildHooks({ config, verboseTrace: isVerbose(config), prompt, ...files });
  const built: BuiltRun = {
    system: [...systemPrompt(config), ...children.system, ...heartbeatSections(run), ...parts.system],
    model,
    tools,
    hooks: [
      ...hooks,
      ...triggerHooks(run),
      ...parts.hooks,
      narrowToolsHook(),
      missingToolHook((name) => explainMissingTool(services.database, name)),
      redactionHook(),
    ],
  };
  return { built, problems };
}

function heartbeatSections({ origin }: ClaimedRun): PromptSection[] {
  return origin === "heartbeat" ? [{ name: "heartbeats", text: HEARTBEAT_TEXT }] : [];
}

/** Refuses the calls that the run's trigger excludes. */
export function triggerHooks(run: ClaimedRun): Hook[] {
  const deny = triggerRulesOf(run)?.deny ?? [];
  return deny.length === 0 ? [] : [denyCallsHook(deny)];
}

/** Refuses to run an agent whose hooks, sections or tools are missing. */
function refuseIncomplete([first]: readonly FieldProblem[]): void {
  if (!first) return;
  const advice = first.message.endsWith(".") ? "" : ". Restore the extension that provides it, or change the agent.";
  throw new AppError(
    "hook_failed",
    `The agent can't run as it is configured. ${first.path}: ${first.message}${advice}`,
  );
}

/** The parts of the run's agent needed to compact its thread (S4 phase 7). */
export async function buildCompaction(
  services: Services,
  run: ClaimedRun,
  version: AgentVersion,
): Promise<CompactionParts> {
  const { config, promptFiles } = version;
  const [model, files, project] = await Promise.all([
    resolveModel(services, run, config),
    openFiles(services, run, config),
    projectSections(services.database, run.projectId),
  ]);
  const { workspaceId, workspace, ...others } = files;
  const prompt = runPromptEnvironment(services.database, run, { workspaceId, promptFiles });
  const shared = { ...others, prompt, isVerbose: isVerbose(config) };
  return {
    model,
    system: [...systemPrompt(config), ...project],
    flushHooks: workspace && ((flushConfig) => flushHooks({ ...shared, config: flushConfig, workspace })),
    isVerbose: isVerbose(config),
  };
}

/** The agent's own setting overrides the installation's (D-37). */
function isVerbose({ trace }: AgentConfig): boolean {
  return trace.verbose ?? env().traceVerbose;
}

/** Resolves to a model with clean replies: its visible reasoning appears in no answer and no summary. */
export async function resolveModel(services: Services, { modelOverride, ownerId }: ClaimedRun, config: AgentConfig) {
  await whenProvidersAreLoaded(services);
  const registry = modelRegistry(services);
  const spec: ModelSpec = modelOverride ?? config.model ?? (await registry.defaultModel());
  const { fallback_models: own, on_missing_provider: onMissing, retries, timeouts, streaming } = config;
  const role = await restrictedRoleOf(services, ownerId);
  const refused = (entry: ModelSpec) => accessProblem(services, role, registry.nameOf(entry, onMissing));
  const problem = refused(spec);
  if (problem !== null) throw problem;
  const chain: readonly ModelSpec[] = own.length === 0 && config.model === null ? defaultFallbacks(services) : own;
  const fallbacks = chain.filter((entry) => refused(entry) === null);
  const { reply_limits: replyLimits } = config;
  const calls = { fallbacks, onMissing, retries, timeouts, replyLimits, streaming };
  const model = registry.resolve(spec, { ...calls, readImage: imageReader(services.database) });
  const { sanitize, silent_replies: silent } = config;
  return cleanReplies(model, { isSanitizing: sanitize.enabled, maxOtherChars: silent.max_other_chars });
}

/** Why this process can't use the run's files; null if it can, or if there are none. */
export async function filesElsewhere(db: Database, run: ClaimedRun, config: AgentConfig): Promise<string | null> {
  const backend = backendOf(run, config);
  if (backend?.type !== "local" || db.dialect.provider === "sqlite") return null;
  const { id } = await requireWorkspace(db, backend.scope, await placeOf(db, run));
  return findElsewhere(db, id);
}

/** Loaded lazily because most runs read no document. */
const readWorkspaceDocument: ReadDocument = async (file, signal) => {
  const { readFileDocument } = await import("@/lib/server/files/documents/read-document");
  return readFileDocument(file, signal);
};

async function openFiles(services: Services, run: ClaimedRun, config: AgentConfig) {
  const { database } = services;
  const { memory } = config;
  const backend = backendOf(run, config);
  if (backend === null) return { workspaceId: null, workspace: null, fileHistory: null };
  const { id: runId, agentId, ownerId } = run;
  const place = await placeOf(database, run);
  const { threadId } = place;
  const { id: workspaceId, workspace: own, undoId } = await openWorkspace(database, backend, place);
  // An undo that writes here is waited for; one that was left by a process that was killed is finished first.
  if (undoId !== null) await finishUndo(services, undoId);
  const workspace = await withInstalledSkills(services, own, config);
  const fileHistory = createFileHistory(database, {
    workspaceId,
    agentId,
    ownerId,
    threadId,
    runId,
    memoryPaths: memory.paths.map((path) => normalizePath(path, backend.workdir)),
    onChange: (path) => announceToUser(ownerId, { type: "file.changed", threadId, runId, path }),
  });
  return {
    workspaceId,
    workspace,
    fileHistory,
    readDocument: readWorkspaceDocument,
    keepImage: (image: NewImage) => keepImage(database, image),
    ...workspaceShares(services, workspaceId),
  };
}
