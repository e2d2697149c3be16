import type { Database } from "@/lib/server/platform/db/database";

const REFUSE = {
  sqlite: `create trigger "refused" before insert on "audit_entry" begin select raise(abort, 'refused'); end`,
  postgresql: 'alter table "audit_entry" add constraint "refused" check (false) not valid',
};
const ALLOW = { sqlite: 'drop trigger "refused"', postgresql: 'alter table "audit_entry" drop constraint "refused"' };

/** Runs `work` while the audit log rejects entries. */
export async function whileAuditIsRefused<Result>(database: Database, work: () => Promise<Result>): Promise<Result> {
  const { provider } = database.dialect;
  await database.$executeRawUnsafe(REFUSE[provider]);
  try {
    return await work();
  } finally {
    await database.$executeRawUnsafe(ALLOW[provider]);
  }
}
