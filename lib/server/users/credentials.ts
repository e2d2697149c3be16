import "server-only";
import { type Database, database } from "@/lib/server/platform/db/database";
import { selectValidKeys, selectValidSessions } from "@/lib/server/platform/db/queries/credentials";
import { withoutRequest } from "@/lib/server/platform/request-context";

type Found<Select extends (...given: never[]) => Promise<Map<string, unknown>>> =
  Awaited<ReturnType<Select>> extends Map<string, infer Value> ? Value : never;

/** How credentials are looked up; null for one that is not valid now. */
export interface LookUp {
  readonly key: (hash: string) => Promise<Found<typeof selectValidKeys> | null>;
  readonly session: (token: string) => Promise<Found<typeof selectValidSessions> | null>;
  /** Notes that the key with this id is in use now. */
  readonly noteUse: (keyId: string) => Promise<unknown>;
}

/** Each with a statement of its own. */
export const ALONE: LookUp = {
  key: async (hash) => (await selectValidKeys(database(), [hash])).get(hash) ?? null,
  session: async (token) => (await selectValidSessions(database(), [token])).get(token) ?? null,
  noteUse: (keyId) => noteUses(database(), [keyId]),
};

/** All that come in the same turn of the event loop with one statement for the keys, one for the sessions. */
export const TOGETHER: LookUp = {
  key: together((hashes) => selectValidKeys(database(), hashes)),
  session: together((tokens) => selectValidSessions(database(), tokens)),
  noteUse: together((keyIds) => noteUses(database(), keyIds)),
};

async function noteUses(database: Database, keyIds: readonly string[]): Promise<ReadonlyMap<string, never>> {
  await database.apiKey.updateMany({ where: { id: { in: [...keyIds] } }, data: { lastUsedAt: new Date() } });
  return new Map<string, never>();
}

function together<Value>(select: (ids: readonly string[]) => Promise<ReadonlyMap<string, Value>>) {
  let next: { readonly ids: Set<string>; readonly found: Promise<ReadonlyMap<string, Value>> } | null = null;
  const begin = () => {
    const ids = new Set<string>();
    const turn = Promise.withResolvers<void>();
    setImmediate(() => {
      next = null;
      turn.resolve();
    });
    return { ids, found: turn.promise.then(() => select([...ids])) };
  };
  return async (id: string): Promise<Value | null> => {
    // Not as part of the request of whoever asks first: the others wait for the same answer.
    next ??= withoutRequest(begin);
    next.ids.add(id);
    return (await next.found).get(id) ?? null;
  };
}
