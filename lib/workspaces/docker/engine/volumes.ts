import { randomBytes } from "node:crypto";
import { promises as timers } from "node:timers";
import { type Engine, EngineError } from "./engine";

/** Creates a volume for one copy of a workspace and returns its name. Rejects with EngineError. */
export async function createVolume(
  engine: Engine,
  labels: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<string> {
  const name = `ringmaster-${randomBytes(12).toString("hex")}`;
  await engine.call({ method: "POST", path: "/volumes/create", body: { Name: name, Labels: labels }, signal });
  return name;
}

const TRIES = 10;
const PAUSE_MS = 200;

/**
 * One in use belongs to a container that is just going; it is tried for a moment and then left to the next start.
 * Rejects with EngineError.
 */
export async function removeVolume(engine: Engine, name: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    const isInUse = await tryRemove(engine, name);
    if (!isInUse || tries === TRIES) return;
    await timers.setTimeout(PAUSE_MS, undefined, { ref: false });
  }
}

async function tryRemove(engine: Engine, name: string): Promise<boolean> {
  try {
    await engine.call({ method: "DELETE", path: `/volumes/${encodeURIComponent(name)}?force=1` });
    return false;
  } catch (error) {
    if (error instanceof EngineError && error.status === 404) return false;
    if (error instanceof EngineError && error.status === 409) return true;
    throw error;
  }
}
