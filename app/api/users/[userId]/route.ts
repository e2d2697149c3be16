import { z } from "zod";
import { AppError } from "@/lib/schema/app-error";
import { RowId } from "@/lib/schema/page-query";
import { UpdateUserBody, User } from "@/lib/schema/users/user";
import { json, noContent } from "@/lib/server/http/reply";
import { getUser } from "@/lib/server/users/list-users";
import { deactivateUser, updateUser } from "@/lib/server/users/update-user";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ userId: RowId });

export const GET = defineRoute(
  { access: "admin", params, reply: User, summary: "One user" },
  async ({ services, params: { userId } }) => {
    const user = await getUser(services.database, userId);
    if (!user) throw new AppError("not_found", "There is no such user.");
    return json(user, { schema: User });
  },
);

export const PATCH = defineRoute(
  { access: "admin", params, body: UpdateUserBody, reply: User, summary: "Change a user" },
  async ({ services, params: { userId }, body, viewer }) =>
    json(await updateUser(services, userId, body, viewer), { schema: User }),
);

export const DELETE = defineRoute(
  { access: "admin", params, status: 204, summary: "Deactivate a user; what they own stays" },
  async ({ services, params: { userId }, viewer }) => {
    await deactivateUser(services, userId, viewer);
    return noContent();
  },
);
