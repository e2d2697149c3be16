import { expect, onTestFinished, test } from "vitest";
import { runDatabase } from "@/lib/testing/fixtures/run-fixture";

const { database } = runDatabase();

test("a client is given one query at a time, also when Prisma splits a long insert", async () => {
  const warnings: string[] = [];
  const note = ({ message }: Error) => void warnings.push(message);
  process.on("warning", note);
  onTestFinished(() => void process.off("warning", note));
  const until = new Date();
  // More values than one statement can have.
  const data = Array.from({ length: 12_000 }, (_, index) => ({ key: `lock ${index}`, owner: "somebody", until }));
  await database().lock.createMany({ data });
  const [, count] = await database().$transaction([
    database().thread.findMany({ include: { runs: true, grants: true, messages: true } }),
    database().lock.count(),
  ]);
  expect(count).toBe(12_000);
  await new Promise((resolve) => setImmediate(resolve));
  expect(warnings).toEqual([]);
});
