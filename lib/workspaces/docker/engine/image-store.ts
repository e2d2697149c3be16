import { once } from "node:events";
import { WorkspaceError } from "@/lib/agent/workspace/workspace";
import { type Engine, EngineError } from "./engine";
import { type PullProgress, pullImage } from "./pull-image";

interface Pull {
  readonly ended: Promise<void>;
  progress: PullProgress;
}

/** How long one command waits for an image that others may be waiting for too. */
const WAIT_MS = 60_000;

/** The images of an engine. One that is missing is pulled once, whoever waits for it. */
export class ImageStore {
  readonly #engine: Engine;
  readonly #pulls = new Map<string, Pull>();
  readonly #present = new Set<string>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /** Whether the engine has it; asks the engine each time. Rejects with EngineError. */
  async has(image: string): Promise<boolean> {
    try {
      await this.#engine.call({ method: "GET", path: `/images/${encodeURIComponent(image)}/json` });
      this.#present.add(image);
      return true;
    } catch (error) {
      if (!(error instanceof EngineError) || error.status !== 404) throw error;
      this.#present.delete(image);
      return false;
    }
  }

  /** How far the pull of an image is; null if none is under way. */
  progressOf(image: string): string | null {
    const pull = this.#pulls.get(image);
    return pull ? describe(pull.progress) : null;
  }

  /**
   * Resolves once the engine has the image. Rejects with EngineError if it can't be pulled, with WorkspaceError if that
   * takes longer than a command waits; the pull goes on.
   */
  async require(image: string, signal: AbortSignal): Promise<void> {
    if (this.#present.has(image) || (!this.#pulls.has(image) && (await this.has(image)))) return;
    const pull = this.#pulls.get(image) ?? this.#start(image);
    const waiting = AbortSignal.any([signal, AbortSignal.timeout(WAIT_MS)]);
    const over = new AbortController();
    try {
      await Promise.race([pull.ended, once(waiting, "abort", { signal: over.signal }).catch(() => undefined)]);
    } finally {
      over.abort();
    }
    signal.throwIfAborted();
    if (waiting.aborted) throw stillPulling(image, pull.progress);
  }

  /** Forgets that an image was there, after the engine said it is not. */
  forget(image: string): void {
    this.#present.delete(image);
  }

  #start(image: string): Pull {
    const ended = pullImage(this.#engine, image, (progress) => {
      pull.progress = progress;
    });
    const pull: Pull = { ended, progress: { doneBytes: 0, totalBytes: 0 } };
    this.#pulls.set(image, pull);
    ended
      .then(() => this.#present.add(image))
      .catch(() => undefined)
      .finally(() => this.#pulls.delete(image));
    return pull;
  }
}

function describe({ doneBytes, totalBytes }: PullProgress): string {
  return `${inMegabytes(doneBytes)} of ${inMegabytes(totalBytes)} MB`;
}

function inMegabytes(bytes: number): number {
  return Math.round(bytes / 1_000_000);
}

function stillPulling(image: string, progress: PullProgress): WorkspaceError {
  const message = `The image ${image} is still being pulled (${describe(progress)}). Try the command again in a minute.`;
  return new WorkspaceError("failed", message);
}
