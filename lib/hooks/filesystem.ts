import type { Hook } from "@/lib/agent/hooks/hook";
import { memoryKind } from "@/lib/agent/workspace/memory-kind";
import { type FileHistory, normalizePath, type Workspace } from "@/lib/agent/workspace/workspace";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import type { BackendConfig } from "@/lib/schema/agents/agent-config-backend";
import { fileTools } from "@/lib/tools/files/file-tools";
import { lossWarning } from "@/lib/tools/files/loss-warning";
import { recordCommand } from "@/lib/tools/files/record-command";
import { recordVersion } from "@/lib/tools/files/record-version";
import { type KeepImage, VIEW_IMAGE, viewImageTool } from "@/lib/tools/files/view-image";
import {
  type FileLock,
  type ReadDocument,
  type WorkspaceFiles,
  workspaceFiles,
} from "@/lib/tools/files/workspace-files";
import { isToolNamed, offerTools } from "@/lib/tools/offer-tools";
import { evictResults } from "./eviction";

interface FilesystemOptions {
  readonly workspace: Workspace;
  /** The workspace without the files that the agent may not read, for the tools that read. Default: the same. */
  readonly readable?: Workspace;
  readonly fileHistory: FileHistory | null;
  readonly backend: BackendConfig;
  readonly eviction: AgentConfig["eviction"];
  /** Absent: only text files can be read. */
  readonly readDocument?: ReadDocument;
  /** Absent: images can't be viewed. */
  readonly keepImage?: KeepImage;
  /** Shared by everything that writes to this workspace; without it, only this run's writes are serialised. */
  readonly fileLock?: FileLock;
  /** `memory.paths`: the model is warned about a write that drops most of such a document. */
  readonly memoryPaths?: readonly string[];
}

/** S0's filesystem hook: offers the workspace's file tools, keeps the versions they write, and cuts huge results. */
export function filesystemHook(options: FilesystemOptions): Hook {
  const { workspace, fileHistory, backend, eviction, fileLock, keepImage, readDocument, memoryPaths = [] } = options;
  const { readable = workspace } = options;
  const paths = memoryPaths.map((path) => normalizePath(path, backend.workdir));
  const files: WorkspaceFiles = {
    ...workspaceFiles(
      workspace,
      backend.workdir,
      (file, execution) => recordVersion(fileHistory, file, execution),
      fileLock,
    ),
    workspace: readable,
    ...(readDocument ? { readDocument } : {}),
    ranCommand: (sinceMs, execution) => recordCommand({ workspace, fileHistory, sinceMs }, execution),
    noticeOf: (file) => (paths.length === 0 || memoryKind(file.path, paths) === null ? "" : lossWarning(file)),
  };
  const limits = { timeoutMs: backend.timeout_ms, maxOutputBytes: keptOutputBytes(backend, eviction) };
  return {
    name: "filesystem",
    async beforeAgent(context) {
      offerTools(fileTools(files, limits), context);
      const isWanted = context.model.canSee || isToolNamed(context.config, VIEW_IMAGE);
      if (keepImage && isWanted) offerTools([viewImageTool(files, keepImage)], context);
    },
    wrapToolCall: evictResults(eviction),
  };
}

/** The longest form of a character in UTF-8, for each unit of a text's length. */
const BYTES_PER_CHAR = 3;
const MOST_KEPT_BYTES = 30_000_000;

/**
 * `max_output_bytes`, which is counted in bytes only to guard the process: as long as it lies above the length at which
 * results are cut for the model, a text of that length is kept in any script. A smaller limit is meant.
 */
function keptOutputBytes({ max_output_bytes: limit }: BackendConfig, { enabled, max_chars }: AgentConfig["eviction"]) {
  if (!enabled || limit < max_chars) return limit;
  return Math.max(limit, Math.min(max_chars * BYTES_PER_CHAR, MOST_KEPT_BYTES));
}
