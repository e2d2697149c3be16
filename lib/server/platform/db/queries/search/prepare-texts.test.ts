import { afterEach, beforeEach, expect, test } from "vitest";
import { setMasks } from "@/lib/server/platform/masking";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/databases/test-database";
import { seedThread } from "@/lib/testing/fixtures/run-fixture";
import { countUnmasked } from "./mask-texts";
import { MASKING_REVISION, nextRevision, revisionOf } from "./masking-revision";
import { hasUnprepared, prepareTexts } from "./prepare-texts";
import { countPending } from "./text-index";

let opened: TestDatabase;
beforeEach(async () => {
  opened = await createTestDatabase();
  await seedThread(opened.database);
  const value = nextRevision(undefined, [{ name: "accounts" }]);
  await opened.database.setting.create({ data: { key: MASKING_REVISION, value } });
  setMasks([(text) => text.replaceAll(/ACC-\d+/g, "(account)")], revisionOf(value));
});
afterEach(async () => {
  setMasks([]);
  await opened.close();
});

async function addMessages(count: number): Promise<void> {
  const message = { threadId: "th1", runId: "run1", role: "user", parts: "[]" };
  const data = Array.from({ length: count }, (_, index) => ({
    ...message,
    id: `tm_${index}`,
    position: index,
    text: `Pay to ACC-${index}`,
  }));
  await opened.database.transcriptMessage.createMany({ data });
}

const left = async () => ({
  toIndex: await countPending(opened.database, 1_000),
  toMask: await countUnmasked(opened.database, 1_000),
});

const toTheEnd = { rest: async () => true };
const oneChunk = { rest: async () => false };

test("while there is much to mask and to index, some of each is done in every chunk", async () => {
  await addMessages(100);
  expect(await left()).toEqual({ toIndex: 100, toMask: 100 });
  await prepareTexts(opened.database, oneChunk);
  expect(await left()).toEqual({ toIndex: 90, toMask: 90 });
  await prepareTexts(opened.database, oneChunk);
  expect(await left()).toEqual({ toIndex: 80, toMask: 80 });
});

test.each([
  ["masked", () => opened.database.transcriptMessage.updateMany({ data: { maskRevision: 0, masked: null } })],
  ["indexed", () => opened.database.raw(`insert into "search_pending" select "id" from "transcript_message"`)],
])("what is only to be %s is done to the end, though there is nothing else to do", async (_, undo) => {
  await addMessages(40);
  await prepareTexts(opened.database, toTheEnd);
  expect([await left(), await hasUnprepared(opened.database)]).toEqual([{ toIndex: 0, toMask: 0 }, false]);
  await undo();
  expect(await hasUnprepared(opened.database)).toBe(true);
  await prepareTexts(opened.database, toTheEnd);
  expect([await left(), await hasUnprepared(opened.database)]).toEqual([{ toIndex: 0, toMask: 0 }, false]);
});
