import { expect, test } from "vitest";
import { z } from "zod";
import { defineTool } from "@/lib/agent/tools/tool";
import { permissionsHook } from "@/lib/hooks/permissions";
import { PermissionsConfig } from "@/lib/schema/agents/agent-config-rules";
import { pricedModel } from "@/lib/testing/fixtures/priced-model";
import { reached, runDatabase, say, seedThread } from "@/lib/testing/fixtures/run-fixture";

const { database, startHost, statusOf } = runDatabase();

const send = defineTool({ name: "send", description: "Sends it.", input: z.object({}), execute: async () => "sent" });

test("a run that is stopped in the moment in which it begins to wait for people ends", async () => {
  await seedThread(database());
  const stopUnnoticed = { cancelRequestedAt: new Date(), cancelledBy: "u1" };
  const model = pricedModel({
    async turn() {
      await database().run.updateMany({ data: stopUnnoticed });
      return { calls: [{ name: "send" }] };
    },
  });
  const permissions = PermissionsConfig.parse({ enabled: true, mode: "default", ask: ["send"] });
  await startHost({ model, tools: [send], hooks: [permissionsHook({ permissions, workdir: "/workspace" })] });
  const { runId } = await say(database(), "go");
  await reached(async () => (await statusOf(runId)) === "cancelled");
  expect(await database().run.findUnique({ where: { id: runId } })).toMatchObject({ cancelledBy: "u1" });
  expect(await database().approval.findMany()).toMatchObject([{ status: "declined" }]);
});
