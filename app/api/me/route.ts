import { Viewer } from "@/lib/schema/users/user";
import { json } from "@/lib/server/http/reply";
import { defineRoute } from "@/lib/server/wiring/route";

export const GET = defineRoute(
  { access: "read", reply: Viewer, summary: "Who is asking, and what they are allowed to do" },
  async ({ viewer }) => json(viewer, { schema: Viewer }),
);
