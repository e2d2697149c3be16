import { z } from "zod";
import { RowId } from "@/lib/schema/page-query";
import { DeleteGroupBody, DeleteGroupQuery, Group, UpdateGroupBody } from "@/lib/schema/users/group";
import { json, noContent } from "@/lib/server/http/reply";
import { deleteGroup, getGroup, updateGroup } from "@/lib/server/users/groups/groups";
import { defineRoute } from "@/lib/server/wiring/route";

const params = z.object({ groupId: RowId });

export const GET = defineRoute(
  { access: "admin", params, reply: Group, summary: "One group" },
  async ({ services, params: { groupId } }) => json(await getGroup(services.database, groupId), { schema: Group }),
);

export const PATCH = defineRoute(
  {
    access: "admin",
    params,
    body: UpdateGroupBody,
    reply: Group,
    summary: "Change a group; 409 when an agent would leave its last group, unless open is true",
  },
  async ({ services, params: { groupId }, body, viewer }) =>
    json(await updateGroup(services.database, groupId, body, viewer), { schema: Group }),
);

export const DELETE = defineRoute(
  {
    access: "admin",
    params,
    query: DeleteGroupQuery,
    body: DeleteGroupBody,
    status: 204,
    summary: "Delete a group; 409 naming the agents that would be for everybody, unless open is true",
  },
  async ({ services, params: { groupId }, query, body, viewer }) => {
    await deleteGroup(services.database, groupId, query.open === "true" || body?.open === true, viewer);
    return noContent();
  },
);
