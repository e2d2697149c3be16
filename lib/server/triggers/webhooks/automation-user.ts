import "server-only";
import type { Database } from "@/lib/server/platform/db/database";

/** The user whose rights a webhook's runs have if no person was chosen. */
export const AUTOMATION_USER_ID = "automation";

/** The built-in user, created on first use: a member who can't sign in. */
export async function ensureAutomationUser(database: Database): Promise<void> {
  const id = AUTOMATION_USER_ID;
  const fixed = { role: "member", isService: true };
  await database.user.upsert({
    where: { id },
    create: { id, name: "Automation", email: "automation@ringmaster.invalid", ...fixed },
    update: fixed,
    select: { id: true },
  });
}
