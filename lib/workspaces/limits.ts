/** What a workspace and its commands may use. Bytes, ms and counts; tests lower them, nobody raises them. */
export interface WorkspaceLimits {
  /** One file, by the file tools or uploaded. */
  readonly fileBytes: number;
  /** All files of one workspace. */
  readonly quotaBytes: number;
  /** Space on the disk that no command may take, whatever its quota: the database needs it. */
  readonly reservedDiskBytes: number;
  /** Entries looked at by one glob or grep. */
  readonly walkEntries: number;
  /** Folders inside folders that glob and grep enter. */
  readonly walkDepth: number;
}

/** Limits of one command, beside those of the agent's config. */
export interface CommandLimits {
  /** Processes and threads of one command. */
  readonly processes: number;
  /** One file that a command writes. */
  readonly fileBytes: number;
  readonly openFiles: number;
  /** CPU time of each process. */
  readonly cpuSeconds: number;
  /** Size of `/tmp`, which is memory. */
  readonly temporaryBytes: number;
  /** A command that writes this many times its output limit is ended. */
  readonly outputFactor: number;
}

export const WORKSPACE_LIMITS: WorkspaceLimits = {
  fileBytes: 32 * 2 ** 20,
  quotaBytes: 2 ** 30,
  reservedDiskBytes: 256 * 2 ** 20,
  walkEntries: 200_000,
  walkDepth: 64,
};

export const COMMAND_LIMITS: CommandLimits = {
  processes: 128,
  fileBytes: 512 * 2 ** 20,
  openFiles: 1_024,
  cpuSeconds: 600,
  temporaryBytes: 256 * 2 ** 20,
  outputFactor: 16,
};

/** Characters of a matching line that grep gives back. */
export const MAX_LINE_CHARS = 500;
