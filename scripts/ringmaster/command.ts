import type { ParseArgsOptionsConfig } from "node:util";

/** What a command was given; options that are absent are undefined. */
export interface Given {
  readonly words: readonly string[];
  readonly text: (option: string) => string | undefined;
  readonly has: (option: string) => boolean;
}

/** Lines for a person: on standard output if `ok`, else on standard error, with exit code 1. */
export interface CommandReport {
  readonly lines: readonly string[];
  readonly ok: boolean;
}

export interface Command {
  /** One line for the list of commands. */
  readonly summary: string;
  /** One or more lines, without the name of the program. */
  readonly usage: readonly string[];
  /** Beside `--data`, `--help`, which all have. */
  readonly options?: ParseArgsOptionsConfig;
  /** Begins the sentence that says why it failed. */
  readonly failure: string;
  /** Null: it goes on, as a server does, or has said everything. */
  run(given: Given): Promise<CommandReport | null>;
}

/** The command can't be understood; the message says what is wrong. The program ends with 2 and shows the usage. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
