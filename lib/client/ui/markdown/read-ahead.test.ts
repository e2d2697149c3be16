import { afterEach, expect, it } from "vitest";
import { MarkdownReader } from "./markdown-reader";
import { forgetRead, readAhead, wasRead } from "./read-ahead";

afterEach(forgetRead);

it("reads one text per task, so that a key press can come between two", async () => {
  const all = readAhead(["one", "two"]);
  expect(wasRead("one")).toBeDefined();
  expect(wasRead("two")).toBeUndefined();
  await all;
  expect(wasRead("two")).toBeDefined();
});

it("reads what a page would read itself, and keeps it until it is drawn", async () => {
  const text = "Some **bold** words\n\n| a |\n| - |\n| b |";
  await readAhead([text]);
  expect(wasRead(text)?.pieces).toEqual(new MarkdownReader().read(text, false, undefined)?.pieces);
  forgetRead();
  expect(wasRead(text)).toBeUndefined();
});
