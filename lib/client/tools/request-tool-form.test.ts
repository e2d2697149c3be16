import { expect, it } from "vitest";
import type { RequestTool } from "@/lib/schema/tools/request-tool";
import {
  ChangedRequestTool,
  missingArguments,
  NewRequestTool,
  newRequestForm,
  requestFieldOf,
} from "./request-tool-form";

const TOOL: RequestTool = {
  kind: "request",
  name: "weather",
  description: "The weather",
  method: "POST",
  url: "https://example.test/{city}",
  query: { days: "{days}" },
  headers: [
    { name: "X-Lang", value: "en" },
    { name: "X-Key", secret: { set: true } },
  ],
  body: { city: "{city}" },
  result: "$.now",
  timeoutMs: 5_500,
  arguments: { type: "object", properties: { city: { type: "string" }, days: { type: "integer" } } },
  readOnly: true,
  updatedAt: "2026-11-20T12:00:00.000Z",
};

it("opens a tool as text and saves the same, with the stored secret kept", () => {
  const form = newRequestForm(TOOL);
  expect(form).toMatchObject({
    query: "days={days}",
    headers: "X-Lang: en",
    secretHeaders: "X-Key: ••••••",
    effect: "reads",
  });
  const { kind: _, name: __, body, ...fields } = TOOL;
  expect(ChangedRequestTool.parse(form)).toEqual({ ...fields, body: JSON.stringify(body, null, 2) });
});

it("reads lines, and sends no body with a GET", () => {
  const typed = {
    ...newRequestForm(),
    ...{ name: " now ", description: "Now", url: " https://example.test ", body: "left over", result: "" },
    query: "q = a=b\n\nflag",
    secretHeaders: "Authorization: Bearer secret-of-mine",
  };
  expect(NewRequestTool.parse(typed)).toEqual({
    ...{ name: "now", description: "Now", method: "GET", url: "https://example.test", body: null, result: null },
    query: { q: "a=b", flag: "" },
    headers: [{ name: "Authorization", secret: "Bearer secret-of-mine" }],
    arguments: { type: "object", properties: {} },
    ...{ readOnly: true, timeoutMs: 30_000 },
  });
});

it.each([
  ["headers.1.secret", "secretHeaders"],
  ["headers.0.value", "headers"],
  ["query.q", "query"],
  ["timeoutMs", "timeoutSeconds"],
  ["url", "url"],
])("a problem at %s is shown at the field %s", (path, field) => {
  expect(requestFieldOf(path)).toBe(field);
});

it("knows which arguments the texts name that nobody has described", () => {
  const form = {
    ...newRequestForm(TOOL),
    url: "https://example.test/{city}/{street}",
    headers: "X-A: {tenant} {street}",
  };
  expect(missingArguments(form)).toEqual(["street", "tenant"]);
  expect(missingArguments({ ...form, arguments: "{" })).toEqual([]);
});
