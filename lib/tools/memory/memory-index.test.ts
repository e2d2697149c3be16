import { expect, test } from "vitest";
import { createMemoryIndex } from "./memory-index";

const paths = (index: ReturnType<typeof createMemoryIndex>, query: string, top = 5) =>
  index.search(query, top).map(({ path }) => path);

test("a changed document is found by its new text only, a removed one no longer", () => {
  const index = createMemoryIndex();
  index.update([
    { path: "a.md", text: "apples" },
    { path: "b.md", text: "pears" },
  ]);
  expect(paths(index, "apples")).toEqual(["a.md"]);
  index.update([{ path: "a.md", text: "cherries" }]);
  expect(paths(index, "apples")).toEqual([]);
  expect(paths(index, "pears")).toEqual([]);
  expect(paths(index, "cherries")).toEqual(["a.md"]);
});

test("words are found in any case, with or without accents", () => {
  const index = createMemoryIndex();
  index.update([{ path: "a.md", text: "Отпуск в Łodzi, Hauptstraße" }]);
  for (const query of ["ОТПУСК", "łodzi", "LODZI", "hauptstrasse"]) expect(paths(index, query)).toEqual(["a.md"]);
});

test("the best snippets come first, at most as many as requested", () => {
  const index = createMemoryIndex();
  const documents = Array.from({ length: 9 }, (_, at) => ({
    path: `n${at}.md`,
    text: `the boat ${"and more words ".repeat(at)}`,
  }));
  index.update(documents);
  expect(paths(index, "boat", 3)).toHaveLength(3);
  expect(paths(index, "boat")[0]).toBe("n0.md");
});

test("words that say nothing find nothing, and languages without spaces are found", () => {
  const index = createMemoryIndex();
  index.update([
    { path: "en.md", text: "What is the plan for this?" },
    { path: "ja.md", text: "東京の会議は金曜日です" },
  ]);
  expect(paths(index, "what is this for")).toEqual([]);
  expect(paths(index, "会議")).toEqual(["ja.md"]);
});

test("what is left out does not take the place of what is asked for", () => {
  const index = createMemoryIndex();
  index.update([
    { path: "shown.md", text: "boat boat boat" },
    { path: "old.md", text: "a boat was bought" },
  ]);
  expect(index.search("boat", 1, new Set(["shown.md"])).map(({ path }) => path)).toEqual(["old.md"]);
});

test("a snippet ends in whole characters", () => {
  const index = createMemoryIndex();
  index.update([{ path: "a.md", text: `boat ${"🦊".repeat(3_000)}` }]);
  expect(index.search("boat", 1)[0]?.text.isWellFormed()).toBe(true);
});
