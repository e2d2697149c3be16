import { type Engine, EngineError } from "./engine";

/** The progress of a pull, all layers together. */
export interface PullProgress {
  readonly doneBytes: number;
  /** Grows while layers are still being announced. */
  readonly totalBytes: number;
}

/** As for any image that the engine does not have. */
const NOT_PULLED = 404;
const PULL_TIMEOUT_MS = 30 * 60_000;

interface Layer {
  done: number;
  total: number;
}

/** Has the engine fetch an image. Rejects with EngineError and the registry's own words. */
export async function pullImage(
  engine: Engine,
  image: string,
  onProgress: (progress: PullProgress) => void,
): Promise<void> {
  const path = `/images/create?fromImage=${encodeURIComponent(withTag(image))}`;
  const layers = new Map<string, Layer>();
  try {
    for await (const line of engine.lines({ method: "POST", path, timeoutMs: PULL_TIMEOUT_MS })) {
      const { error, id, progressDetail } = readLine(line);
      if (error !== null) throw new EngineError(error, { status: NOT_PULLED });
      if (id === null || progressDetail === null) continue;
      layers.set(id, progressDetail);
      onProgress({ doneBytes: sumOf(layers, "done"), totalBytes: sumOf(layers, "total") });
    }
  } catch (error) {
    // Podman begins a stream and says so in it; Docker answers with 500 or 403 where it does not reach the registry.
    if (error instanceof EngineError && error.status !== null)
      throw new EngineError(error.message, { status: NOT_PULLED });
    throw error;
  }
}

/** Without a tag the engine would fetch all of them. */
function withTag(image: string): string {
  const name = image.slice(image.lastIndexOf("/") + 1);
  return name.includes(":") || name.includes("@") ? image : `${image}:latest`;
}

function readLine(line: unknown) {
  const fields = (typeof line === "object" && line !== null ? line : {}) as Record<string, unknown>;
  return {
    error: typeof fields.error === "string" ? fields.error.slice(0, 500) : null,
    id: typeof fields.id === "string" ? fields.id : null,
    progressDetail: readLayer(fields.progressDetail),
  };
}

function readLayer(detail: unknown): Layer | null {
  const { current, total } = (typeof detail === "object" && detail !== null ? detail : {}) as Record<string, unknown>;
  return typeof current === "number" && typeof total === "number" ? { done: current, total } : null;
}

function sumOf(layers: ReadonlyMap<string, Layer>, field: keyof Layer): number {
  return [...layers.values()].reduce((sum, layer) => sum + layer[field], 0);
}
