import "server-only";
import type { Database } from "@/lib/server/platform/db/database";
import { selectValidKeys, selectValidSessions } from "@/lib/server/platform/db/queries/credentials";
import { withoutRequest } from "@/lib/server/platform/request-context";

type Found<Select extends (...given: never[]) => Promise<Map<string, unknown>>> =
  Awaited<ReturnType<Select>> extends Map<string, infer Value> ? Value : never;

/** How credentials are looked up; null for one that is not valid now. */
export interface LookUp {
  readonly key: (database: Database, hash: string) => Promise<Found<typeof selectValidKeys> | null>;
  readonly session: (database: Database, token: string) => Promise<Found<typeof selectValidSessions> | null>;
  /** Notes that the key with this id is in use now. */
  readonly noteUse: (database: Database, keyId: string) => Promise<unknown>;
}

/** Each with a statement of its own. */
export const ALONE: LookUp = {
  key: async (database, hash) => (await selectValidKeys(database, [hash])).get(hash) ?? null,
  session: async (database, token) => (await selectValidSessions(database, [token])).get(token) ?? null,
  noteUse: (database, keyId) => noteUses(database, [keyId]),
};

/** All that come in the same turn of the event loop with one statement for the keys, one for the sessions. */
export const TOGETHER: LookUp = {
  key: together(selectValidKeys),
  session: together(selectValidSessions),
  noteUse: together(noteUses),
};

async function noteUses(database: Database, keyIds: readonly string[]): Promise<ReadonlyMap<string, never>> {
  await database.apiKey.updateMany({ where: { id: { in: [...keyIds] } }, data: { lastUsedAt: new Date() } });
  return new Map<string, never>();
}

function together<Value>(select: (database: Database, ids: readonly string[]) => Promise<ReadonlyMap<string, Value>>) {
  const turns = new WeakMap<
    Database,
    { readonly ids: Set<string>; readonly found: Promise<ReadonlyMap<string, Value>> }
  >();
  const begin = (database: Database) => {
    const ids = new Set<string>();
    const turn = Promise.withResolvers<void>();
    setImmediate(() => {
      turns.delete(database);
      turn.resolve();
    });
    return { ids, found: turn.promise.then(() => select(database, [...ids])) };
  };
  return async (database: Database, id: string): Promise<Value | null> => {
    // Not as part of the request of whoever asks first: the others wait for the same answer.
    const next = turns.get(database) ?? withoutRequest(() => begin(database));
    turns.set(database, next);
    next.ids.add(id);
    return (await next.found).get(id) ?? null;
  };
}
