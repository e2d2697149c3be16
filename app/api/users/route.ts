import { PageQuery } from "@/lib/schema/page-query";
import { CreateUserBody, User, UserList } from "@/lib/schema/users/user";
import { json } from "@/lib/server/http/reply";
import { createUser } from "@/lib/server/users/create-user";
import { listUsers } from "@/lib/server/users/list-users";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "admin", query: PageQuery, reply: UserList, summary: "List users" },
  async ({ services, query }) =>
    json(await listUsers(services.database, query.limit, query.cursor), { schema: UserList }),
);

export const POST = defineRoute(
  { access: "admin", body: CreateUserBody, reply: User, status: 201, summary: "Create a user" },
  async ({ services, body, viewer }) => {
    const user = await createUser(services, body, {
      audit: ({ id, email }) => ({
        actorId: viewer.id,
        action: "user.created",
        target: `user:${id}`,
        after: { email, name: body.name, role: body.role },
      }),
    });
    return json(user, { status: 201, schema: User });
  },
);
