import "server-only";
import { z } from "zod";
import { Scope } from "@/lib/schema/users/user";
import { auditColumns } from "@/lib/server/platform/audit-columns";
import type { Database } from "@/lib/server/platform/db/database";
import { eachAlone } from "@/lib/server/platform/db/each-alone";
import { limitedScopes } from "@/lib/server/users/find-key-owner";
import { SERVICE_USER_ID } from "@/lib/server/users/service-user";

/**
 * Takes the scope `admin` from keys that are limited to some agents, which could have it in earlier versions, and tells
 * their owners in their inbox. A restored backup may bring such keys back, so every start looks.
 */
export async function limitOldKeys(database: Database): Promise<void> {
  const keys = await database.apiKey.findMany({
    where: {
      revokedAt: null,
      scopes: { contains: '"admin"' },
      OR: [{ agents: { not: null } }, { groupId: { not: null } }],
    },
    select: { id: true, userId: true, name: true, scopes: true },
  });
  await eachAlone(keys, "limiting an old key", async ({ id, userId, name, scopes: stored }) => {
    const before = z.array(Scope).parse(JSON.parse(stored));
    const scopes = limitedScopes(before);
    const record = { actorId: SERVICE_USER_ID, action: "api_key.limited", target: `api_key:${id}` };
    const note = {
      kind: "key",
      title: `Your key “${name}” no longer administers`,
      detail: "A key that is limited to some agents reads and chats with these. Make one without limits to administer.",
      source: `key ${name}`,
      path: "/settings/keys",
      createdAt: new Date(),
    };
    await database.$transaction([
      database.apiKey.updateMany({ where: { id }, data: { scopes: JSON.stringify(scopes) } }),
      database.auditEntry.create({
        data: auditColumns({ ...record, before: { scopes: before }, after: { scopes } }),
        select: { id: true },
      }),
      database.inboxNote.upsert({
        where: { id: `not_${id}` },
        create: { id: `not_${id}`, userId, ...note },
        update: { doneAt: null },
      }),
    ]);
  });
}
