import {
  type CommandOptions,
  type CommandResult,
  type Workspace,
  WorkspaceError,
} from "@/lib/agent/workspace/workspace";
import { DEFAULT_IMAGE } from "@/lib/schema/agents/agent-config-backend";
import { COMMAND_LIMITS, type CommandLimits, WORKSPACE_LIMITS, type WorkspaceLimits } from "@/lib/workspaces/limits";
import { checkFileSize, DISK_NOTICE, quotaNotice } from "@/lib/workspaces/refusals";
import { bubblewrapBackend, bubblewrapSettings } from "@/lib/workspaces/sandbox/bubblewrap-backend";
import { startQuota } from "@/lib/workspaces/sandbox/command-watch";
import type { SandboxProbe } from "@/lib/workspaces/sandbox/probe-sandbox";
import { runSession, withNotice } from "@/lib/workspaces/sandbox/run-session";
import { runInSandbox, type SandboxSettings } from "@/lib/workspaces/sandbox/sandbox";
import type {
  CommandRequest,
  SandboxBackend,
  SandboxLimits,
  SandboxWorkspace,
} from "@/lib/workspaces/sandbox/sandbox-backend";
import { sandboxUid } from "@/lib/workspaces/sandbox/sandbox-uid";
import { diskUsage } from "./disk-usage";
import { changedSince } from "./local-changes";
import { listFolder, makeFolder, readFile, removeEntry, replacedBytes, statEntry, writeFile } from "./local-files";
import { createLocalQuota, type LocalQuota } from "./local-quota";
import { createLocalRoot } from "./local-root";
import { type FastSearch, globLocal, grepLocal } from "./local-search";
import { readRipgrep, ripgrepCommand } from "./ripgrep";

export interface LocalWorkspaceOptions {
  /** The absolute path of the workspace's folder; created on first use. Only the server's user may own its parents. */
  readonly root: string;
  /** A permanent key for the workspace: the user that owns its files is derived from it. Default: the root. */
  readonly key?: string;
  /** The result of `probeSandbox` at start-up. Without a sandbox there is no `execute`. */
  readonly sandbox: SandboxProbe;
  /** The path at which commands see the workspace. */
  readonly workdir?: string;
  /** The container image, for a sandbox that has one. */
  readonly image?: string;
  /** Access to the machine's own network, including loopback and private addresses: only for trusted agents. */
  readonly network?: boolean;
  readonly memoryMb?: number;
  readonly limits?: Partial<WorkspaceLimits>;
  readonly commandLimits?: Partial<CommandLimits>;
}

const SEARCH_TIMEOUT_MS = 30_000;
const SEARCH_OUTPUT_BYTES = 4 * 2 ** 20;
const SYSTEM_FOLDERS = new Set(["usr", "bin", "sbin", "lib", "lib32", "lib64", "libx32", "etc", "proc", "dev", "sys"]);

/**
 * Files in a folder of this machine, and commands in a sandbox over the same folder (S0 §backends). Linux only: call
 * `probeLocalFiles` first. Every file operation opens the path component by component and follows no link, so that a
 * command that swaps folders and links concurrently can't redirect it outside.
 */
export function createLocalWorkspace(options: LocalWorkspaceOptions): Workspace {
  const { sandbox, workdir = "/workspace" } = options;
  checkWorkdir(workdir);
  const key = options.key ?? options.root;
  const root = createLocalRoot(options.root, sandboxUid(key));
  const limits = { ...WORKSPACE_LIMITS, ...options.limits };
  const place: SandboxWorkspace = { root, key, workdir, image: options.image ?? DEFAULT_IMAGE };
  const commandLimits: SandboxLimits = {
    network: options.network ?? false,
    memoryBytes: (options.memoryMb ?? 1_024) * 2 ** 20,
    quotaBytes: limits.quotaBytes,
    commands: { ...COMMAND_LIMITS, ...options.commandLimits },
  };
  const local = sandbox.mode === "bubblewrap" ? bubblewrapSettings("bubblewrap", place, commandLimits) : null;
  const quota = createLocalQuota(root, limits, local && diskUsage(local));
  const fast = local && sandbox.ripgrep ? fastSearch(local) : null;
  const backend = backendOf(sandbox);
  return {
    type: "local",
    list: (path) => listFolder(root, path),
    stat: (path) => statEntry(root, path),
    read: (path, maxBytes) => readFile(root, path, Math.min(maxBytes, limits.fileBytes)),
    async write(path, bytes) {
      checkFileSize(path, bytes.byteLength, limits);
      await quota.admit(bytes.byteLength - (await replacedBytes(root, path)));
      await writeFile(root, path, bytes);
    },
    makeFolder: (path) => makeFolder(root, path),
    remove: (path) => removeEntry(root, path),
    async glob(pattern, path, limit, isShown) {
      const { items, truncated } = await globLocal(root, { pattern, path, limit, isShown }, limits);
      return { files: items, truncated };
    },
    async grep(query) {
      const { items, truncated } = await grepLocal(root, query, limits, fast);
      return { matches: items, truncated };
    },
    isSandboxed: sandbox.mode !== null && sandbox.mode !== "unsafe",
    ...(backend && {
      execute: (command: string, run: CommandOptions) =>
        execute({ backend, place, commandLimits, quota }, command, run),
      changedSince: (sinceMs: number) => changedSince(root, sinceMs),
    }),
  };
}

/** Throws WorkspaceError for a workdir that would hide folders commands need. */
export function checkWorkdir(workdir: string): void {
  if (!SYSTEM_FOLDERS.has(workdir.split("/")[1] ?? "")) return;
  throw new WorkspaceError("invalid_path", `backend.workdir must not be in ${workdir}, which belongs to the system.`);
}

function backendOf({ mode, backend }: SandboxProbe): SandboxBackend | null {
  if (mode === null) return null;
  return mode === "docker" ? (backend ?? null) : bubblewrapBackend(mode);
}

interface Execution {
  readonly backend: SandboxBackend;
  readonly place: SandboxWorkspace;
  readonly commandLimits: SandboxLimits;
  readonly quota: LocalQuota;
}

async function execute(execution: Execution, command: string, options: CommandOptions): Promise<CommandResult> {
  const { place, commandLimits, quota } = execution;
  const { deleteOnly, spaceReason } = await startQuota(quota);
  const stopOutputBytes = options.maxOutputBytes * commandLimits.commands.outputFactor;
  const request: CommandRequest = { ...options, command, deleteOnly, spaceReason, stopOutputBytes };
  const result = await runSession(() => execution.backend.open(place, commandLimits, options.signal), request);
  if (await quota.measure()) return withNotice(result, quotaNotice(quota.limits));
  return result.stopped === "disk full" ? withNotice(result, DISK_NOTICE) : result;
}

function fastSearch(settings: SandboxSettings): FastSearch {
  return async (query, base, glob) => {
    const result = await runInSandbox(settings, {
      argv: ripgrepCommand(query, glob),
      folder: base,
      readOnly: true,
      timeoutMs: SEARCH_TIMEOUT_MS,
      maxOutputBytes: SEARCH_OUTPUT_BYTES,
      stopOutputBytes: SEARCH_OUTPUT_BYTES,
      signal: AbortSignal.timeout(SEARCH_TIMEOUT_MS),
    });
    return readRipgrep(result, base);
  };
}
