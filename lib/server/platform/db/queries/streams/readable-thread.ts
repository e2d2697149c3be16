import { type Expression, expressionBuilder, type SqlBool, sql } from "kysely";
import type { Reader } from "@/lib/schema/users/user";
import type { Tables } from "@/lib/server/platform/db/generated/tables";
import { homeInReach } from "@/lib/server/platform/db/queries/search/threads-in-reach";

/** `readableBy` of views/readable-by.ts as a condition on `thread as t`, together with that it is not deleted. */
export function isReadable({ id: userId, reach }: Reader): Expression<SqlBool> {
  const eb = expressionBuilder<Tables & { t: Tables["thread"] }, "t">();
  const project = eb
    .selectFrom("project as p")
    .innerJoin("project_member as pm", "pm.projectId", "p.id")
    .select(sql.lit(1).as("one"))
    .whereRef("p.id", "=", "t.projectId")
    .where("pm.userId", "=", userId)
    .where((of) => of.or([of("p.deletedAt", "is", null), of("t.ownerId", "=", userId)]));
  const isOwn = eb.and([eb("t.ownerId", "=", userId), eb("t.projectId", "is", null)]);
  return eb.and([eb("t.deletedAt", "is", null), eb.or([isOwn, eb.exists(project)]), homeInReach(reach, "t")]);
}
