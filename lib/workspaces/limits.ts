/** The limits of a workspace and its commands, in bytes, ms and counts; tests lower them, and nothing raises them. */
export interface WorkspaceLimits {
  /** One file, written by the file tools or uploaded. */
  readonly fileBytes: number;
  /** All files of one workspace. */
  readonly quotaBytes: number;
  /** Disk space reserved for the database, which no command may take, whatever its quota. */
  readonly reservedDiskBytes: number;
  /** Entries visited by one glob or grep. */
  readonly walkEntries: number;
  /** The folder depth to which glob and grep descend. */
  readonly walkDepth: number;
}

/** The limits of one command, in addition to those of the agent's config. */
export interface CommandLimits {
  /** Processes and threads of one command. */
  readonly processes: number;
  /** One file written by a command. */
  readonly fileBytes: number;
  readonly openFiles: number;
  /** CPU time of each process. */
  readonly cpuSeconds: number;
  /** Processors that all processes of one command may keep busy; only the docker sandbox limits it. */
  readonly cpus: number;
  /** Size of `/tmp`, which is in memory. */
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
  cpus: 2,
  temporaryBytes: 256 * 2 ** 20,
  outputFactor: 16,
};

/** How many characters of a matching line grep returns. */
export const MAX_LINE_CHARS = 500;
