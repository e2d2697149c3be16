import { readInterval } from "@/lib/schema/triggers/interval";
import type { StoredIncoming } from "@/lib/schema/webhooks/webhook";
import type { Database } from "@/lib/server/platform/db/database";
import type { FiringRow } from "@/lib/server/platform/db/queries/dispatch/triggers";
import type { RequestIdentity } from "./verify-request";

/** How long a repeat is recognized. */
const KNOWN_MS = 7 * 86_400_000;

/** The firing of a repeat, or the key of a new request. `externalId` is what the log shows. */
export type Recognized =
  | { readonly known: FiringRow }
  | { readonly known: null; readonly key: string; readonly externalId: string };

/**
 * Tells a repeat from a new request. An id inside the signature says it by itself. Otherwise the body does: an equal one
 * is a repeat, unless its unsigned id differs within `repeatWindow` of the first; later ids prove nothing, since whoever
 * has caught a request could write another one. With `repeats: allow` an equal body is new again after the window.
 */
export async function recognizeRequest(
  database: Database,
  triggerId: string,
  identity: RequestIdentity,
  { config, now }: { readonly config: Pick<StoredIncoming, "repeats" | "repeatWindow">; readonly now: Date },
): Promise<Recognized> {
  if ("signedId" in identity) {
    const key = `hook:${identity.signedId}`;
    const known = await database.firing.findUnique({ where: { triggerId_key: { triggerId, key } } });
    if (known && ageOf(known, now) <= KNOWN_MS) return { known };
    return newRequest(database, known, { key, externalId: identity.signedId });
  }
  const { bodyHash, unsignedId } = identity;
  const ofBody = `hook:${bodyHash}`;
  const key = unsignedId === null ? ofBody : `${ofBody} id:${unsignedId}`;
  const seen = await database.firing.findMany({
    where: { triggerId, key: { startsWith: ofBody }, createdAt: { gte: new Date(now.getTime() - KNOWN_MS) } },
    orderBy: [{ createdAt: "asc" }, { id: "asc" }],
  });
  const windowMs = readInterval(config.repeatWindow) ?? 0;
  const last = seen.at(-1);
  const isOver = last !== undefined && ageOf(last, now) > windowMs;
  const same = seen.find((firing) => firing.key === key);
  const old = same ?? (await database.firing.findUnique({ where: { triggerId_key: { triggerId, key } } }));
  const fresh = () => newRequest(database, old, { key, externalId: bodyHash });
  if (last === undefined || (isOver && config.repeats === "allow")) return fresh();
  if (same) return { known: same };
  const round = seen.filter((firing) => config.repeats === "known" || ageOf(firing, now) <= windowMs);
  const first = round[0] ?? last;
  const isToldApart = unsignedId !== null && ageOf(first, now) <= windowMs;
  return isToldApart ? fresh() : { known: last };
}

function ageOf({ createdAt }: Pick<FiringRow, "createdAt">, now: Date): number {
  return now.getTime() - createdAt.getTime();
}

/** A firing with the same key that no longer counts gives the key away. */
async function newRequest(
  database: Database,
  old: FiringRow | null,
  request: { readonly key: string; readonly externalId: string },
): Promise<Recognized> {
  if (old) await database.firing.updateMany({ where: { id: old.id }, data: { key: `${request.key} ${old.id}` } });
  return { known: null, ...request };
}
