import { z } from "zod";
import { AgentAlias, AliasName, SaveAliasBody } from "@/lib/schema/agents/agent-version";
import { RowId } from "@/lib/schema/page-query";
import { removeAlias, setAlias } from "@/lib/server/agents/versions/agent-aliases";
import { json, noContent } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const PUT = defineRoute(
  {
    access: "admin",
    params: z.object({ agentId: RowId, name: AliasName }),
    body: SaveAliasBody,
    reply: AgentAlias,
    summary: "Give a version this name, which another may have had",
  },
  async ({ services, params: { agentId, name }, body: { version }, viewer }) =>
    json(await setAlias(services, agentId, { name, version }, viewer), { schema: AgentAlias }),
);

export const DELETE = defineRoute(
  {
    access: "admin",
    params: z.object({ agentId: RowId, name: RowId }),
    status: 204,
    summary: "Remove a name; runs that ask for it are 404 then",
  },
  async ({ services, params: { agentId, name }, viewer }) => {
    await removeAlias(services, agentId, name, viewer);
    return noContent();
  },
);
