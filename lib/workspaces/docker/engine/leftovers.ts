import { removeContainer } from "./container";
import type { Engine } from "./engine";
import { removeVolume } from "./volumes";

/** A start does not wait longer for an engine that may not even be used. */
const ANSWER_MS = 5_000;

/**
 * Removes all containers and volumes with this label, whatever their state, and returns how many there were. Others'
 * are never touched. Rejects with EngineError.
 */
export async function removeLeftovers(engine: Engine, label: string, value: string): Promise<number> {
  const timeoutMs = ANSWER_MS;
  const filters = encodeURIComponent(JSON.stringify({ label: [`${label}=${value}`] }));
  const containers = await engine.call({ method: "GET", path: `/containers/json?all=1&filters=${filters}`, timeoutMs });
  const ids = namesIn(containers, "Id");
  for (const id of ids) await removeContainer(engine, id);
  const volumes = await engine.call({ method: "GET", path: `/volumes?filters=${filters}`, timeoutMs });
  const names = namesIn((volumes as { Volumes?: unknown } | null)?.Volumes, "Name");
  for (const name of names) await removeVolume(engine, name);
  return ids.length + names.length;
}

function namesIn(list: unknown, field: "Id" | "Name"): string[] {
  const entries = Array.isArray(list) ? list : [];
  return entries.flatMap((entry) => (typeof entry?.[field] === "string" ? [entry[field]] : []));
}
