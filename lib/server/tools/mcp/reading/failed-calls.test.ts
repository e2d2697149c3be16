import { beforeEach, describe, expect, test } from "vitest";
import { DONE, oddMcpInstallation } from "@/lib/testing/fixtures/odd-mcp-fixture";
import type { OddReply } from "@/lib/testing/servers/mcp/odd-mcp-server";

const { over, call } = await oddMcpInstallation();

const VALIDATOR = /invalid_|expected|ZodError|issues|-32\d{3}|\[\s*\{/i;

describe.each(["http", "current"] as const)("a call over %s that fails says so in a sentence", (transport) => {
  beforeEach(() => {
    over.transport = transport;
  });
  test.each<[string, OddReply, RegExp]>([
    [
      "an error with the server's words",
      { error: { code: -32_603, message: "The shop is closed." } },
      /The shop is closed\./,
    ],
    [
      "an error whose cause stands beside its words",
      { error: { code: -32_000, message: "The tool failed.", data: { detail: "The disk is full." } } },
      /The tool failed: The disk is full\./,
    ],
    [
      "an error whose cause is a text",
      { error: { code: -32_000, message: "The tool failed", data: "ENOSPC: no space left" } },
      /The tool failed: ENOSPC: no space left/,
    ],
    [
      "an error that says the same beside its words",
      { error: { code: -32_000, message: "The disk is full.", data: { message: "disk is full" } } },
      /The disk is full\.$/,
    ],
    ["the mark of Python's field", { result: { content: [DONE], is_error: true } }, /^ORDER 4 SHIPPED$/],
    [
      "a page with a heading alone",
      { status: 503, type: "text/html", body: "<html><body><h1>Closed &amp; locked</h1></body></html>" },
      /status 503: Closed & locked/,
    ],
    ["an error that is a text", { error: "The shop is closed." }, /The shop is closed\./],
    ["an error without words", { error: { code: "-32000" } }, /./],
    [
      "a result marked as an error",
      { result: { content: [{ type: "text", text: "no such order" }], isError: true } },
      /^no such order$/,
    ],
    [
      "a validator's output in a result",
      {
        result: {
          content: [
            {
              type: "text",
              text: `Bad arguments: ${JSON.stringify([{ code: "invalid_type", path: ["city"], message: "Required" }])}`,
            },
          ],
          isError: true,
        },
      },
      /^Bad arguments: city: Required$/,
    ],
    ["a number as the mark of an error", { result: { content: [DONE], isError: 1 } }, /^ORDER 4 SHIPPED$/],
    ["the mark in other letters", { result: { content: [DONE], isError: "True" } }, /^ORDER 4 SHIPPED$/],
    [
      "an error in the structured part alone",
      { result: { isError: true, structuredContent: { error: { code: 4, message: "The shop is closed." } } } },
      /^The shop is closed\.$/,
    ],
    [
      "Pydantic's output",
      {
        result: {
          isError: true,
          content: [
            {
              type: "text",
              text: "Error executing tool x: 2 validation errors for xArguments\ncity\n  Field required [type=missing, input_value={}, input_type=dict]\n    For further information visit https://errors.pydantic.dev/2.11/v/missing\ndays.0\n  Input should be a valid integer [type=int_type, input_value='a', input_type=str]\n    For further information visit https://errors.pydantic.dev/2.11/v/int_type",
            },
          ],
        },
      },
      /^Error executing tool x: city: Field required; days\.0: Input should be a valid integer$/,
    ],
    [
      "a trace of Python",
      {
        result: {
          isError: true,
          content: [
            {
              type: "text",
              text: 'Traceback (most recent call last):\n  File "/srv/x.py", line 3, in x\nValueError: no such order',
            },
          ],
        },
      },
      /^ValueError: no such order$/,
    ],
    [
      "a validator's output",
      {
        error: {
          code: -32_602,
          message: `MCP error -32602: Invalid arguments: ${JSON.stringify([{ code: "invalid_type", expected: "string", path: ["city"], message: "Required" }])}`,
        },
      },
      /Invalid arguments: city: Required/,
    ],
    [
      "a page instead of an answer",
      { type: "text/html", body: "<html><title>Welcome</title></html>" },
      /answered with text\/html instead of MCP/,
    ],
    ["no JSON", { body: "{oops" }, /not JSON/],
    ["JSON that is no message", { body: "{}" }, /not an MCP message/],
    [
      "a page with a status",
      { status: 502, type: "text/html", body: "<html><title>502 Bad Gateway</title><p>nginx" },
      /status 502: 502 Bad Gateway/,
    ],
    [
      "a stream that breaks while the server stays",
      { events: [], isBroken: true },
      /broke off before the result, so what/,
    ],
    ["a stream without an answer", { events: [], isCut: true }, /ended its answer before the result/],
    [
      "acceptance, with no stream that could bring the answer",
      { status: 202, body: "" },
      /no stream is open on which it could/,
    ],
    ["no content at all", { status: 204, body: "" }, /no stream is open on which it could/],
  ])("%s", async (_, reply, words) => {
    const { error = "" } = await call(reply);
    expect(error).toMatch(words);
    expect(error).not.toMatch(VALIDATOR);
  });
});
