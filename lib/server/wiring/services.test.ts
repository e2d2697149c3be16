import { afterEach, beforeEach, expect, test } from "vitest";
import { parseEnvironment } from "@/lib/server/platform/env";
import { forgetProcessStates, processState } from "@/lib/server/platform/process-state";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/databases/test-database";
import { openServices, processServices } from "./services";

let configured: TestDatabase;
beforeEach(async () => {
  configured = await createTestDatabase();
  forgetProcessStates();
  processState("environment", () => parseEnvironment({ DATABASE_URL: configured.url }, "/"));
});
afterEach(async () => {
  forgetProcessStates();
  await configured.close();
});

test("callers at the same time and later ones get the same services: the database is opened once", async () => {
  const [first, second] = await Promise.all([openServices(), openServices()]);
  try {
    expect(second).toBe(first);
    expect(await openServices()).toBe(first);
    expect(processServices()).toBe(first);
  } finally {
    await first.database.close();
    if (second !== first) await second.database.close();
  }
});
