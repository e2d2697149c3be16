import { AvailableSkills } from "@/lib/schema/agent-api";
import { listAvailableSkills } from "@/lib/server/agents/list-available";
import { json } from "@/lib/server/reply";
import { defineRoute } from "@/lib/server/route";

export const GET = defineRoute(
  { access: "read", reply: AvailableSkills, summary: "Skills in the caller's own workspaces" },
  async ({ viewer }) => json(await listAvailableSkills(viewer.id), { schema: AvailableSkills }),
);
