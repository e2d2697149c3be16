import { afterEach, expect, it } from "vitest";
import { nextTask } from "@/lib/client/http/load-in-pieces";
import { MarkdownReader } from "./markdown-reader";
import { forgetRead, readAhead, wasRead } from "./read-ahead";

afterEach(forgetRead);

it("reads each text in a task of its own, so that a key press can come before it and between two", async () => {
  const all = readAhead(["one", "two"]);
  expect(wasRead("one")).toBeUndefined();
  while (wasRead("one") === undefined) await nextTask();
  expect(wasRead("two")).toBeUndefined();
  await all;
  expect(wasRead("two")).toBeDefined();
});

it("reads what a page would read itself, and keeps it until it is drawn", async () => {
  const text = `Some **bold** words, see [a]\n\n| a |\n| - |\n| b |\n\n[a]: https://a.example\n\n${"A *long* text.\n\n".repeat(2_000)}`;
  await readAhead([text]);
  expect(wasRead(text)?.pieces).toEqual(new MarkdownReader().read(text, false, undefined)?.pieces);
  expect(wasRead(text)?.definitions).toEqual(new MarkdownReader().read(text, false, undefined)?.definitions);
  forgetRead();
  expect(wasRead(text)).toBeUndefined();
});
