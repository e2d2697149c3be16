import { ReplayBody, StartedReplay } from "@/lib/schema/traces/replay";
import { json } from "@/lib/server/http/reply";
import { startReplay } from "@/lib/server/traces/replay/start-replay";
import { defineRoute } from "@/lib/server/wiring/route";
import { describeRunParts } from "@/lib/server/wiring/run-parts/run-parts";

export const POST = defineRoute(
  {
    access: "chat",
    body: ReplayBody,
    reply: StartedReplay,
    status: 202,
    summary:
      "Run an ended run's agent again from one of its steps, with what is changed, and with recorded results or tools that run",
  },
  async ({ services, body, viewer }) =>
    json(await startReplay(services, viewer, body, describeRunParts), {
      status: 202,
      schema: StartedReplay,
    }),
);
