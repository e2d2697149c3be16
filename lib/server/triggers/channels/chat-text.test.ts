import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RunEvent } from "@/lib/schema/runs/run-event";
import { createTestDatabase, type TestDatabase } from "@/lib/testing/databases/test-database";
import { chatText } from "./chat-text";
import { toMailHtml } from "./email/mail-html";
import { toMrkdwn } from "./slack/slack-text";
import { toTelegramHtml } from "./telegram/to-html";

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

const RUN = { id: "run_1", ownerId: "u1", status: "completed", errorMessage: null, notice: null };
const replied = (...notices: string[]) =>
  ({ type: "model.completed", step: 1, reply: { notices } }) as unknown as RunEvent;
const ended = (more: object) => ({ type: "run.completed", status: "completed", ...more }) as RunEvent;
const told = (said: string | null, events: readonly RunEvent[], run: Partial<typeof RUN & { status: string }> = {}) =>
  chatText(test.database, { ...RUN, ...run }, { channel: "lnk_1", said, events });

const REMARK = "a*b_c.png is damaged. The model was not shown it.";

describe("what the page says besides the answer", () => {
  it("follows the answer in the form of each kind of chat", async () => {
    const text = (await told("A <b>cat</b>.", [replied(REMARK), replied(REMARK)])) ?? "";
    expect(toTelegramHtml(text)).toBe(
      "A &lt;b&gt;cat&lt;/b&gt;.\n\n<i>a*b_c.png is damaged. The model was not shown it.</i>",
    );
    expect(toMrkdwn(text)).toContain("\n\n_a*b_c.png is damaged. The model was not shown it._");
    expect(toMailHtml(text)).toContain("<em>a*b_c.png is damaged. The model was not shown it.</em>");
  });

  it("stays short", async () => {
    const text = await told("Done.", [replied("One.", "Two.", "Three.", "Four.", "Five.")]);
    expect(text).toBe("Done.\n\n*One.*\n\n*Two.*\n\n*Three.*\n\n*2 more remarks stand on the thread's page.*");
  });

  it("includes why an answer is not whole, or is none", async () => {
    const notice = "The answer stops in the middle.";
    expect(await told("Half an ans", [ended({ notice, noticeKind: "cut" })])).toBe(`Half an ans\n\n${notice}`);
    expect(await told(null, [ended({ notice, defaultResponse: "Nothing new." })])).toBe("Nothing new.");
    const limit = { status: "limit" as const, notice: "25 model calls.", defaultResponse: "Sorry." };
    expect(await told(null, [ended(limit)], { status: "limit" })).toBe("Sorry.\n\n25 model calls.");
    expect(await told(null, [], { status: "limit", notice: "25 model calls." } as never)).toBe("25 model calls.");
  });

  it("says why a run failed without the part of the program that noticed", async () => {
    const failed = { status: "failed", errorMessage: "LLM call: The provider is overloaded." };
    expect(await told(null, [], failed as never)).toBe("The provider is overloaded.");
  });

  it("is nothing without a text that it belongs to", async () => {
    expect(await told(null, [replied(REMARK), ended({ silent: true })])).toBeNull();
    expect(await told(null, [], { status: "cancelled" })).toBeNull();
  });
});
