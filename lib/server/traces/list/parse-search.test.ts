import { expect, test } from "vitest";
import { parseSearch } from "./parse-search";

const KNOWN = {
  agents: [
    { id: "coder", name: "Coder" },
    { id: "research", name: "Deep Research" },
    { id: "deep", name: "Deep" },
  ],
  people: [{ id: "u_ada", name: "Ada Lovelace" }],
  tools: ["execute", "read_file"],
  models: ["openai:gpt-5", "mock:echo"],
};
/** A Wednesday, shortly after midnight in Berlin. */
const CLOCK = { nowMs: Date.parse("2026-11-24T23:30:00Z"), timeZone: "Europe/Berlin" };
const parse = (text: string) => parseSearch(text, KNOWN, CLOCK);

test.each([
  [
    "failed runs of coder yesterday",
    { status: "failed", agentId: "coder", since: "2026-11-23T23:00:00.000Z", until: "2026-11-24T23:00:00.000Z" },
  ],
  [
    "coder runs since Friday that used execute",
    { agentId: "coder", since: "2026-11-19T23:00:00.000Z", tool: "execute" },
  ],
  ["Failed, stopped and interrupted", { status: "failed,cancelled,interrupted" }],
  ["runs of Deep Research", { agentId: "research" }],
  ["deep", { agentId: "deep" }],
  ["by Ada Lovelace", { person: "u_ada" }],
  ["my runs today", { mine: true, since: "2026-11-24T23:00:00.000Z" }],
  ["execute failed last 3 days", { toolFailed: "execute", since: "2026-11-21T23:30:00.000Z" }],
  ["failed at read_file", { toolFailed: "read_file" }],
  ["over $0.50 this week", { minCostUsd: 0.5, since: "2026-11-22T23:00:00.000Z" }],
  ["more than 2 dollars this month", { minCostUsd: 2, since: "2026-10-31T23:00:00.000Z" }],
  ["longer than 1.5 min", { minWorkedMs: 90_000 }],
  ["slower than 30s", { minWorkedMs: 30_000 }],
  ["v12 with gpt-5", { version: "12", model: "openai:gpt-5" }],
  ["thumbs down on monday", { score: "down", since: "2026-11-22T23:00:00.000Z", until: "2026-11-23T23:00:00.000Z" }],
  ["scheduled runs that hit the limit", { origin: "schedule", status: "limit" }],
  ["denied since 2026-11-20", { decision: "denied", since: "2026-11-19T23:00:00.000Z" }],
])("%s", (text, filters) => {
  expect(parse(text)).toEqual({ filters, rest: "" });
});

test.each([
  ["failed runs about invoices of Müller", { status: "failed" }, "invoices of Müller"],
  ["coder on dates", { agentId: "coder" }, "dates"],
  ['failed "runs of coder"', { status: "failed" }, "runs of coder"],
  ["the invoice of today's run", {}, "the invoice of today's run"],
  ["over 50", {}, "over 50"],
  ["used nothing", {}, "used nothing"],
  ["since never", {}, "since never"],
  ["", {}, ""],
])("what %s leaves over is text", (text, filters, rest) => {
  expect(parse(text)).toEqual({ filters, rest });
});

test("a day is the person's, also where the clocks change", () => {
  const clock = { nowMs: Date.parse("2026-10-26T12:00:00Z"), timeZone: "Europe/Berlin" };
  const { filters } = parseSearch("yesterday", KNOWN, clock);
  expect(filters).toEqual({ since: "2026-10-24T22:00:00.000Z", until: "2026-10-25T23:00:00.000Z" });
});

test("time grows with the length of the text", () => {
  const took = (text: string) => {
    const began = performance.now();
    parse(text);
    return performance.now() - began;
  };
  const attack = (words: number) => "since of deep last 3 “ ".repeat(words);
  const [short, long] = [100, 200].map((words) => Math.min(...Array.from({ length: 5 }, () => took(attack(words)))));
  expect(long).toBeLessThan((short ?? 0) * 3 + 5);
});
