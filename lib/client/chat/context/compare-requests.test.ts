import { expect, test } from "vitest";
import { changedParts } from "./compare-requests";
import type { RequestText } from "./request-parts";

const ESTIMATE = { tokens: 3, estimated: true } as const;
const section = (name: string, text: string) => ({ name, text, from: "agent", ...ESTIMATE });
const message = (role: "user" | "assistant", content: string) => ({
  role,
  content,
  name: null,
  calls: [],
  isSummary: false,
  isNew: false,
  ...ESTIMATE,
});
const request = (sections: RequestText["sections"], messages: RequestText["messages"] = []): RequestText => ({
  sections,
  messages,
  tools: [],
});
const shown = (earlier: RequestText, later: RequestText) =>
  changedParts(earlier, later).map(({ part, kind, before, after }) => [part.name, kind, before, after]);

test("of two requests only what differs is compared: changed with its earlier text, added and removed alone", () => {
  const earlier = request([section("identity", "You are Ada."), section("time", "It is 9."), section("todos", "One.")]);
  const later = request(
    [section("identity", "You are Ada."), section("time", "It is 10.")],
    [message("user", "hi"), message("assistant", "hello")],
  );
  expect(shown(earlier, later)).toEqual([
    ["Todos", "removed", "One.", ""],
    ["Time", "changed", "It is 9.", "It is 10."],
    ["User", "added", "", "hi"],
    ["Reply", "added", "", "hello"],
  ]);
});

test("a summary that the record has as a message is still the same text", () => {
  const recorded = request([], [message("user", "So far"), message("user", "hi")]);
  const next = request([], [{ ...message("user", "So far"), isSummary: true }, message("user", "hi")]);
  expect(shown(recorded, next)).toEqual([]);
});

test("requests that are alike have no changes, and what is only gone is removed", () => {
  const same = request([section("identity", "You are Ada.")]);
  expect(shown(same, same)).toEqual([]);
  expect(shown(same, request([]))).toEqual([["Identity", "removed", "You are Ada.", ""]]);
});
