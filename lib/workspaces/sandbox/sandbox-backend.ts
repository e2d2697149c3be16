import type { CommandResult } from "@/lib/agent/workspace/workspace";
import type { CommandLimits } from "@/lib/workspaces/limits";
import type { LocalRoot } from "@/lib/workspaces/local/local-root";

/** A workspace for whose files commands are to run. */
export interface SandboxWorkspace {
  readonly root: LocalRoot;
  /** Permanent and unique in this installation. */
  readonly key: string;
  /** The path at which commands see it. */
  readonly workdir: string;
  /** The container image, for sandboxes that have one. */
  readonly image: string;
}

/** What a command may use. */
export interface SandboxLimits {
  readonly network: boolean;
  readonly memoryBytes: number;
  /** The size of the whole workspace. */
  readonly quotaBytes: number;
  readonly commands: CommandLimits;
}

/** One line for the shell. */
export interface CommandRequest {
  readonly command: string;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly stopOutputBytes: number;
  /** A server folder that the command sees read-only at `/skills`. */
  readonly skillsFolder?: string;
  /** No file can grow, so that only deleting works. */
  readonly deleteOnly: boolean;
  /** Why the disk on which the workspace is ends the command; null if it need not be watched. */
  readonly spaceReason: (() => Promise<Extract<CommandResult["stopped"], "quota" | "disk full"> | null>) | null;
  readonly signal: AbortSignal;
}

export interface SandboxChanges {
  /** What the model should know, such as a conflict. */
  readonly notice: string | null;
  /** The sandbox has ended processes of the command itself. */
  readonly stopped?: "memory limit";
}

/**
 * A sandbox opened for one command. A sandbox that shares the workspace's folder has nothing to exchange; one elsewhere
 * gets its own copy. Call `putFiles`, `execute` and `getChanges` in this order.
 */
export interface SandboxSession {
  /** Gives the sandbox what has changed in the workspace since its last session. */
  putFiles(): Promise<void>;
  /** Rejects with WorkspaceError if nothing could be started or the sandbox went away. */
  execute(request: CommandRequest): Promise<CommandResult>;
  /** Takes over what the command has changed, and reports what is only known afterwards. */
  getChanges(): Promise<SandboxChanges>;
  /** Leaves the sandbox to the next command. */
  close(): Promise<void>;
}

/** A place in which commands run, chosen by an agent's `backend.sandbox`. */
export interface SandboxBackend {
  /** Rejects with WorkspaceError if the sandbox does not work, with the signal's reason if it aborts. */
  open(workspace: SandboxWorkspace, limits: SandboxLimits, signal: AbortSignal): Promise<SandboxSession>;
}
