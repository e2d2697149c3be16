import { writeSync } from "node:fs";

const MAX_HELD_BYTES = 1_000_000;
const RETRY_MS = 250;

/**
 * The destination of log lines. Writing never throws: a line that the disk or pipe does not accept is held, up to a
 * megabyte, and written later; lines beyond that are counted, and the log says how many are missing.
 */
export class LogOutput {
  #held: Uint8Array[] = [];
  #heldBytes = 0;
  #lostLines = 0;
  #cause = "";
  #timer: NodeJS.Timeout | null = null;
  /** Listened to only while lines are held: a process may make many outputs. */
  readonly #atExit = () => this.flush();

  private readonly writeBytes: (bytes: Uint8Array) => number;
  private readonly maxHeldBytes: number;

  /** `writeBytes` may accept a part; it returns how many bytes it accepted. */
  constructor(writeBytes: (bytes: Uint8Array) => number, maxHeldBytes = MAX_HELD_BYTES) {
    this.writeBytes = writeBytes;
    this.maxHeldBytes = maxHeldBytes;
  }

  /** `line` ends with a line feed. */
  write(line: string): void {
    const bytes = Buffer.from(line);
    const rest = this.#held.length === 0 ? this.#take(bytes) : bytes;
    if (rest.length > 0) this.#hold(rest, rest.length < bytes.length);
  }

  /** Writes as much as possible of what is held. */
  flush(): void {
    while (this.#held.length > 0) {
      const [first = new Uint8Array()] = this.#held;
      const rest = this.#take(first);
      this.#heldBytes -= first.length - rest.length;
      if (rest.length > 0) {
        this.#held[0] = rest;
        this.#retryLater();
        return;
      }
      this.#held.shift();
    }
    process.off("exit", this.#atExit);
    if (this.#lostLines > 0) this.#tellLost();
  }

  /** Writes the bytes; returns those that could not be written. */
  #take(bytes: Uint8Array): Uint8Array {
    let rest = bytes;
    try {
      while (rest.length > 0) rest = rest.subarray(this.writeBytes(rest));
    } catch (error) {
      this.#cause = error instanceof Error && "code" in error ? String(error.code) : String(error);
    }
    return rest;
  }

  #hold(bytes: Uint8Array, hasBegun: boolean): void {
    if (hasBegun || this.#heldBytes + bytes.length <= this.maxHeldBytes) {
      this.#held.push(bytes);
      this.#heldBytes += bytes.length;
    } else {
      this.#lostLines += 1;
    }
    this.#retryLater();
  }

  #retryLater(): void {
    process.off("exit", this.#atExit).once("exit", this.#atExit);
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.flush();
    }, RETRY_MS).unref();
  }

  #tellLost(): void {
    const lostLines = this.#lostLines;
    this.#lostLines = 0;
    const msg = `${lostLines} lines of this log are missing here: they could not be written (${this.#cause})`;
    this.write(`${JSON.stringify({ level: "warn", time: new Date().toISOString(), lostLines, msg })}\n`);
  }
}

/** Writes log lines to stdout, bypassing Node's stream. */
export function standardOutput(): LogOutput {
  return new LogOutput((bytes) => writeSync(1, bytes));
}

/**
 * A full disk under stdout or stderr must not end the process: without a listener their error is an uncaught exception.
 */
export function ignoreOutputErrors(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
}
