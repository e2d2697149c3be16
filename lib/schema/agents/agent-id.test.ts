import { expect, test } from "vitest";
import { AgentId, agentIdFrom } from "./agent-id";

test.each([
  ["Invoice check", "invoice-check"],
  ["Größe & Maß", "grosse-mass"],
  ["  --Q4 / 2026--  ", "q4-2026"],
  ["議事録", "agent"],
  ["tools", "agent-tools"],
  ["x".repeat(90), "x".repeat(64)],
])("%s becomes the id %s", (name, id) => {
  expect(agentIdFrom(name)).toBe(id);
  expect(AgentId.safeParse(id).success).toBe(true);
});
