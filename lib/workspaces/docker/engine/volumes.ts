import { randomBytes } from "node:crypto";
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

/** One in use belongs to a container that has just ended; it is left to the next start. Rejects with EngineError. */
export async function removeVolume(engine: Engine, name: string): Promise<void> {
  try {
    await engine.call({ method: "DELETE", path: `/volumes/${encodeURIComponent(name)}?force=1` });
  } catch (error) {
    if (error instanceof EngineError && (error.status === 404 || error.status === 409)) return;
    throw error;
  }
}
