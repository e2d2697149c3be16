import { globSync, readFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { webStream } from "./web-stream";

test("the whole stream is sent", async () => {
  const source = new PassThrough();
  source.end("a".repeat(100_000));
  expect(await new Response(webStream(source)).text()).toHaveLength(100_000);
});

test("a reader that goes away ends the source, which may go on writing", async () => {
  const source = new PassThrough();
  source.write("first");
  const reader = webStream(source).getReader();
  await reader.read();
  for (let part = 0; part < 10; part += 1) source.write("more".repeat(10_000));
  await reader.cancel();
  expect(source.destroyed).toBe(true);
  source.write("late");
  source.end();
  // What throws outside of the test fails it.
  await turn();
});

test("a source that fails fails the reading", async () => {
  const source = new PassThrough();
  source.write("first");
  const reading = new Response(webStream(source)).text();
  source.destroy(new Error("The disk is gone."));
  await expect(reading).rejects.toThrow("The disk is gone.");
});

test("no reply uses Readable.toWeb", () => {
  const files = globSync("{app,lib}/**/*.ts", { exclude: ["**/generated/**", "**/*.test.ts"] });
  const others = files.filter((file) => /\.toWeb\(/.test(readFileSync(file, "utf8")));
  expect(others).toEqual([]);
});
