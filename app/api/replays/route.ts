import { ReplayBody, StartedReplay } from "@/lib/schema/traces/replay";
import { json } from "@/lib/server/http/reply";
import { startReplay } from "@/lib/server/traces/replay/start-replay";
import { defineRoute } from "@/lib/server/wiring/route";

export const POST = defineRoute(
  {
    access: "chat",
    body: ReplayBody,
    reply: StartedReplay,
    status: 202,
    summary: "Run an ended run's agent again from one of its steps, with the recorded tool results and what is changed",
  },
  async ({ body, viewer }) => json(await startReplay(viewer, body), { status: 202, schema: StartedReplay }),
);
