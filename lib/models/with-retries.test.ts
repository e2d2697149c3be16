import { describe, expect, it } from "vitest";
import type { ModelPort, ModelRetry } from "@/lib/agent/model";
import { AppError } from "@/lib/schema/app-error";
import { USER_REQUEST } from "@/lib/testing/servers/ask-scripted-server";
import { ProviderFailure } from "./failures/provider-failure";
import { type ScriptedReply, scriptedModel } from "./scripted-model";
import { withRetries } from "./with-retries";

const passing = (message: string, retryAfterMs?: number) =>
  new ProviderFailure("model_failed", message, { retryable: true, retryAfterMs });
const lasting = (message: string) => new ProviderFailure("model_failed", message, { retryable: false });

function models(...scripts: (string | ScriptedReply)[][]): [ModelPort, ...ModelPort[]] {
  const [first, ...rest] = scripts.map((steps, index) => scriptedModel(steps, { name: `scripted:${index}` }));
  if (!first) throw new Error("A script is needed.");
  return [first, ...rest];
}

async function ask(ports: [ModelPort, ...ModelPort[]], retries: number, random = 1) {
  const slept: number[] = [];
  const seen: ModelRetry[] = [];
  let now = 1_000;
  const clock = {
    now: () => now,
    random: () => random,
    sleep: async (durationMs: number) => {
      slept.push(durationMs);
      now += durationMs;
    },
  };
  const call = withRetries(ports, { retries, clock }).call(USER_REQUEST, {
    signal: new AbortController().signal,
    onRetry: (retry) => seen.push(retry),
  });
  const outcome = await call.then(
    (reply) => ({ reply, error: undefined }),
    (error: unknown) => ({ reply: undefined, error: error as AppError }),
  );
  return { ...outcome, slept, seen };
}

describe("withRetries", () => {
  it("waits longer each time, with jitter, up to a limit", async () => {
    const failing = Array.from({ length: 8 }, () => ({ error: passing("busy") }));
    const calm = await ask(models([...failing, "fine"]), 8, 1);
    expect(calm.slept).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
    const jittered = await ask(models([...failing, "fine"]), 8, 0);
    expect(jittered.slept.slice(0, 3)).toEqual([500, 1_000, 2_000]);
    expect(jittered.reply?.content).toBe("fine");
  });

  it("waits as long as the provider asks", async () => {
    const { slept, reply } = await ask(models([{ error: passing("busy", 42_000) }, "fine"]), 2);
    expect(slept).toEqual([42_000]);
    expect(reply?.content).toBe("fine");
  });

  it("ignores a time that no calendar has", async () => {
    const { error } = await ask(models([{ error: passing("Limited.", 1e20) }]), 2);
    expect(error).toMatchObject({ name: "AppError", code: "model_failed", message: "Limited." });
  });

  it("does not hang on a long Retry-After: it says when to try again", async () => {
    const { slept, error } = await ask(models([{ error: passing("Limited.", 3_600_000) }]), 2);
    expect(slept).toEqual([]);
    expect(error?.message).toBe("Limited. Try again after 1970-01-01 01:00 UTC.");
  });

  it("goes to the fallback instead of waiting long", async () => {
    const { reply, seen } = await ask(models([{ error: passing("Limited.", 3_600_000) }], ["from the second"]), 2);
    expect(reply).toMatchObject({ content: "from the second", model: "scripted:1" });
    expect(seen).toEqual([
      {
        attempt: 1,
        error: { code: "model_failed", message: "Limited." },
        delayMs: 0,
        nextModel: "scripted:1",
        startedAtMs: 1_000,
      },
    ]);
  });

  it("does not retry what can't succeed", async () => {
    const { error, seen } = await ask(models([{ error: lasting("Wrong key.") }, "never"]), 5);
    expect(seen).toEqual([]);
    expect(error).toBeInstanceOf(AppError);
    expect(error?.message).toBe("Wrong key.");
  });

  it("retries each model separately and names every cause in the end", async () => {
    const first = [{ error: passing("One is busy.") }, { error: passing("One is busy.") }];
    const second = [{ error: lasting("Two is gone.") }];
    const third = [{ error: passing("Three is busy.") }, { error: passing("Three is busy.") }];
    const { error, seen } = await ask(models(first, second, third), 1);
    expect(seen.map((retry) => [retry.attempt, retry.nextModel])).toEqual([
      [1, "scripted:0"],
      [2, "scripted:1"],
      [3, "scripted:2"],
      [4, "scripted:2"],
    ]);
    expect(error?.message).toBe("One is busy. (asked 2 times) Then: Two is gone. Then: Three is busy. (asked 2 times)");
    expect(error?.code).toBe("model_failed");
  });

  it("calls once when retries are disabled", async () => {
    const { error, seen } = await ask(models([{ error: passing("busy") }, "never"]), 0);
    expect(seen).toEqual([]);
    expect(error?.message).toBe("busy");
  });

  it("rethrows the abort reason, also while it waits", async () => {
    const controller = new AbortController();
    const reason = new Error("cancelled");
    const port = withRetries(models([{ error: passing("busy") }, "never"]), { retries: 3 });
    const call = port.call(USER_REQUEST, { signal: controller.signal, onRetry: () => controller.abort(reason) });
    await expect(call).rejects.toBe(reason);
  });

  it("passes a bug through unchanged", async () => {
    const bug = new TypeError("x is not a function");
    const { error } = await ask(models([{ error: bug }], ["never"]), 3);
    expect(error).toBe(bug);
  });
});
