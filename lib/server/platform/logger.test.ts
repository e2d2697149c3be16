import { describe, expect, test } from "vitest";
import { createLogger, redactText } from "./logger";

function capture(level: string) {
  const lines: string[] = [];
  const log = createLogger(level, { write: (line) => void lines.push(line) });
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? "null") };
}

describe("logger", () => {
  test("writes one JSON object a line with a level and an ISO time", () => {
    const { log, last } = capture("info");
    log.info({ runId: "run_1" }, "run started");
    expect(last()).toMatchObject({ level: "info", runId: "run_1", msg: "run started" });
    expect(new Date(last().time).getTime()).toBeGreaterThan(0);
  });

  test("is silent below its level", () => {
    const { log, lines } = capture("warn");
    log.info("unheard");
    expect(lines).toEqual([]);
  });

  test("hides fields that hold secrets by their name", () => {
    const { log, last } = capture("info");
    log.info({ apiKey: "a", provider: { password: "b" }, request: { headers: { authorization: "c" } } }, "x");
    expect(last()).toMatchObject({
      apiKey: "[redacted]",
      provider: { password: "[redacted]" },
      request: { headers: { authorization: "[redacted]" } },
    });
  });

  test("hides keys in messages and error texts, and the line stays JSON", () => {
    const { log, lines, last } = capture("info");
    log.error({ error: new Error('401 for "sk-abcdefghijklmnop1234"') }, "Bearer abcdefgh12345678 refused");
    expect(lines.join("")).not.toContain("abcdefgh");
    expect(last().msg).toBe("Bearer [redacted] refused");
    expect(last().error.message).toContain("[redacted]");
  });
});

describe("redactText", () => {
  test("hides the password of an address", () => {
    expect(redactText("postgresql://app:hunter22@db/x")).toBe("postgresql://app:[redacted]@db/x");
  });

  test("leaves ordinary text alone", () => {
    const text = "The task-runner asked the risk-assessment skill at http://host:3000/a@b";
    expect(redactText(text)).toBe(text);
  });
});
