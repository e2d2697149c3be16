import { afterEach, beforeEach, expect, test } from "vitest";
import { scriptedModel } from "@/lib/models/scripted-model";
import { eventsToEnd, say, seedThread, testHost } from "@/lib/testing/run-fixture";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/test-database";
import { loadHistory } from "../threads/load-history";
import type { RunHost } from "./run-host";

let testDatabase: TestDatabase;
let host: RunHost;

beforeEach(async () => {
  testDatabase = await createTestDatabase();
  await seedThread(testDatabase.database);
});

afterEach(async () => {
  await host.stop();
  await testDatabase.close();
});

test("a message becomes a run that leaves history, a transcript and an event log", async () => {
  const { database } = testDatabase;
  host = testHost(database, { model: scriptedModel(["Hello there, Ada."]) });
  await host.start();
  const { runId } = await say(database, "Hello");
  const events = await eventsToEnd(database, runId);
  expect(events.map(({ event }) => event.type)).toEqual([
    "run.started",
    "model.started",
    "text.delta",
    "text.delta",
    "model.completed",
    "run.completed",
  ]);
  expect((await loadHistory(database, "th1")).map(({ role, content }) => `${role}: ${content}`)).toEqual([
    "user: Hello",
    "assistant: Hello there, Ada.",
  ]);
  const transcript = await database.transcriptMessage.findMany({ orderBy: { position: "asc" } });
  expect(transcript.map(({ role, parts }) => [role, JSON.parse(parts)])).toEqual([
    ["user", [{ type: "text", text: "Hello" }]],
    ["assistant", [{ type: "step-start" }, { type: "text", text: "Hello there, Ada.", state: "done" }]],
  ]);
});
