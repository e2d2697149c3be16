import { PageQuery } from "@/lib/schema/page-query";
import { CreateGroupBody, Group, GroupList } from "@/lib/schema/users/group";
import { json } from "@/lib/server/http/reply";
import { createGroup, listGroups } from "@/lib/server/users/groups/groups";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "admin", query: PageQuery, reply: GroupList, summary: "List groups, with their members and agents" },
  async ({ services, query }) =>
    json(await listGroups(services.database, query.limit, query.cursor), { schema: GroupList }),
);

export const POST = defineRoute(
  {
    access: "admin",
    body: CreateGroupBody,
    reply: Group,
    status: 201,
    summary: "Create a group; its agents are then only for its members and for admins",
  },
  async ({ services, body, viewer }) =>
    json(await createGroup(services.database, body, viewer), { status: 201, schema: Group }),
);
