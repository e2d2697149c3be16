import { expect, test } from "vitest";
import { z } from "zod";
import { defineTool } from "@/lib/agent/tools/tool";
import { scriptedModel } from "@/lib/models/scripted-model";
import { eventsToEnd, runDatabase, say, seedThread } from "@/lib/testing/fixtures/run-fixture";

const { database, startHost, history } = runDatabase();

const weather = defineTool({
  name: "weather",
  description: "Tells the weather",
  input: z.object({}),
  execute: async () => ({ output: "18 C", forUser: "It is **18 degrees**." }),
});

test("what a tool says to the user is in the transcript and never reaches the model", async () => {
  await seedThread(database());
  const model = scriptedModel([{ calls: [{ name: "weather" }] }, "Nice."]);
  await startHost({ model, tools: [weather] });
  await eventsToEnd(database(), (await say(database(), "How is it?")).runId);
  expect(JSON.stringify(model.requests)).not.toContain("degrees");
  expect(await history()).toEqual(["user: How is it?", "assistant: ", "tool: 18 C", "assistant: Nice."]);
  const shown = await database().transcriptMessage.findFirstOrThrow({ where: { role: "assistant" } });
  expect(shown.text).toBe("It is **18 degrees**.\n\nNice.");
});
