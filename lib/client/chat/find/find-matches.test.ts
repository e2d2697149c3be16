import { expect, test } from "vitest";
import type { ChatMessage } from "@/lib/client/chat/chat-message";
import { findMatches } from "./find-matches";

const message = (id: string, role: "user" | "assistant", ...texts: string[]): ChatMessage => ({
  id,
  role,
  parts: texts.map((text) => ({ type: "text", text })),
});
const found = (messages: ChatMessage[], words: string) =>
  findMatches(messages, words).map(({ messageId, nth }) => `${messageId} ${nth}`);

test("every occurrence is found in order, whatever its capitals", () => {
  const messages = [message("a", "user", "Sort the file. FILE?"), message("b", "assistant", "Files", "and a file")];
  expect(found(messages, "file")).toEqual(["a 0", "a 1", "b 0", "b 1"]);
});

test("accents and the case of any alphabet make no difference", () => {
  const messages = [message("a", "user", "Отпуск, ОТПУСК"), message("b", "assistant", "**Stra**ße in Łódź")];
  expect(found(messages, "отпуск")).toEqual(["a 0", "a 1"]);
  expect([found(messages, "STRASSE"), found(messages, "lodz")]).toEqual([["b 0"], ["b 0"]]);
});

test("a reply is searched as it is read, with bold, links and code", () => {
  const reply = message(
    "a",
    "assistant",
    "The **date** range, see [the *long* report](https://x.org/date).\n\n`a_b`\n",
  );
  expect(found([reply], "date range")).toEqual(["a 0"]);
  expect(found([reply], "the long report")).toEqual(["a 0"]);
  expect(found([reply], "x.org")).toEqual([]);
  expect(found([reply], "a_b")).toEqual(["a 0"]);
  expect(found([message("a", "assistant", "```py\na = b ** c\n```")], "b ** c")).toEqual(["a 0"]);
});

test("no words find nothing", () => {
  expect(found([message("a", "user", "a b")], " ")).toEqual([]);
  expect(found([message("a", "user", "a b")], "c")).toEqual([]);
});
