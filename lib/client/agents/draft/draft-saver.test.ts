import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { parse } from "yaml";
import { ApiError } from "@/lib/client/http/api";
import type { AgentDraft } from "@/lib/schema/agents/agent-draft";
import { DraftSaver, type KeptText } from "./draft-saver";

const TEXT = "name: coder\nmax_iterations: 20\nretries: 2\n";

function draft(yaml: string, revision: number): AgentDraft {
  return {
    config: {},
    yaml,
    revision,
    baseVersion: 1,
    isBehind: false,
    valid: true,
    problems: [],
    updatedAt: "2026-11-23T10:00:00.000Z",
    updatedByName: "Jonas",
  };
}

/** A server with one draft, which another person may overwrite. */
function serverWith(first: AgentDraft) {
  let current = first;
  return {
    current: () => current,
    overwrite: (yaml: string) => {
      current = draft(yaml, current.revision + 1);
      return current;
    },
    /** The draft has ended: the text is the live one. */
    publish: (yaml = current.yaml) => {
      current = draft(yaml, 0);
      return current;
    },
    send: vi.fn(async (yaml: string, revision: number) => {
      if (revision !== current.revision) throw new ApiError("Changed", 409, "conflict", null, { current });
      current = draft(yaml, revision + 1);
      return current;
    }),
  };
}

function open(options: { kept?: KeptText; server?: ReturnType<typeof serverWith> } = {}) {
  const { server = serverWith(draft(TEXT, 3)), kept = null } = options;
  const keep = vi.fn<(kept: KeptText | null) => void>();
  const saver = new DraftSaver({ stored: server.current(), kept, send: server.send, keep, onStored: () => undefined });
  return { saver, server, keep };
}

const edit = (text: string, steps: number) => text.replace(/max_iterations: \d+/u, `max_iterations: ${steps}`);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("saves once, 600 ms after the last key", async () => {
  const { saver, server } = open();
  saver.setText(edit(TEXT, 21));
  await vi.advanceTimersByTimeAsync(400);
  saver.setText(edit(TEXT, 22));
  await vi.advanceTimersByTimeAsync(599);
  expect(server.send).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(server.send.mock.calls).toEqual([[edit(TEXT, 22), 3]]);
  expect(saver.snapshot()).toMatchObject({ save: { kind: "saved" }, stored: { revision: 4 } });
});

it("keeps the text in the browser until the server has it, and tries again", async () => {
  const { saver, server, keep } = open();
  const text = edit(TEXT, 21);
  server.send.mockRejectedValueOnce(new ApiError("Silent", 0, "unreachable", null));
  server.send.mockRejectedValueOnce(new ApiError("Silent", 0, "unreachable", null));
  saver.setText(text);
  expect(keep).toHaveBeenLastCalledWith({ text, base: TEXT, revision: 3 });
  await vi.advanceTimersByTimeAsync(600);
  expect(saver.snapshot().save).toEqual({ kind: "failed", tries: 1, message: "Silent" });
  await vi.advanceTimersByTimeAsync(2_000);
  expect(saver.snapshot().save).toMatchObject({ kind: "failed", tries: 2 });
  expect(keep).toHaveBeenLastCalledWith({ text, base: TEXT, revision: 3 });
  await vi.advanceTimersByTimeAsync(4_000);
  expect(saver.snapshot().save).toEqual({ kind: "saved" });
  expect(keep).toHaveBeenLastCalledWith(null);
});

it("joins what another person saved in other fields, and saves both", async () => {
  const { saver, server } = open();
  server.overwrite(TEXT.replace("retries: 2", "retries: 5"));
  saver.setText(edit(TEXT, 25));
  await vi.advanceTimersByTimeAsync(600);
  expect(saver.snapshot().joined).toEqual({ name: "Jonas", paths: [["retries"]] });
  await vi.advanceTimersByTimeAsync(10);
  expect(server.current()).toMatchObject({ revision: 5 });
  expect(parse(server.current().yaml)).toEqual({ name: "coder", max_iterations: 25, retries: 5 });
  expect(saver.snapshot()).toMatchObject({ conflict: null, save: { kind: "saved" } });
});

it("waits for a choice where both changed a field, and saves mine or theirs", async () => {
  for (const [choice, steps] of [
    ["mine", 25],
    ["theirs", 30],
  ] as const) {
    const { saver, server } = open();
    server.overwrite(edit(TEXT, 30));
    saver.setText(edit(TEXT, 25));
    await vi.advanceTimersByTimeAsync(600);
    expect(saver.snapshot().conflict?.fields).toEqual([{ path: ["max_iterations"], mine: 25, theirs: 30 }]);
    saver.setText(saver.snapshot().text.replace("coder", "typed on"));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(server.current().revision).toBe(4);
    saver.resolve(choice);
    await vi.advanceTimersByTimeAsync(600);
    expect(parse(server.current().yaml)).toEqual({ name: "typed on", max_iterations: steps, retries: 2 });
    expect(saver.snapshot()).toMatchObject({ conflict: null, save: { kind: "saved" } });
  }
});

it("keeps an open conflict when the other person saves something else as well", async () => {
  const { saver, server } = open();
  server.overwrite(edit(TEXT, 30));
  saver.setText(edit(TEXT, 25));
  await vi.advanceTimersByTimeAsync(600);
  saver.receive(server.overwrite(edit(TEXT, 30).replace("retries: 2", "retries: 9")));
  expect(saver.snapshot().conflict?.fields).toEqual([{ path: ["max_iterations"], mine: 25, theirs: 30 }]);
  expect(parse(saver.snapshot().text)).toEqual({ name: "coder", max_iterations: 25, retries: 9 });
  saver.resolveField(["max_iterations"], "mine");
  await vi.advanceTimersByTimeAsync(10);
  expect(parse(server.current().yaml)).toEqual({ name: "coder", max_iterations: 25, retries: 9 });
});

it("asks for the whole text where mine can't be read", async () => {
  const { saver, server } = open();
  const theirs = server.overwrite(edit(TEXT, 30)).yaml;
  saver.setText(`${TEXT}tools: [`);
  await vi.advanceTimersByTimeAsync(600);
  expect(saver.snapshot().conflict).toMatchObject({ fields: null });
  saver.resolve("theirs");
  expect(saver.snapshot()).toMatchObject({ text: theirs, save: { kind: "saved" } });
});

it("follows what others save while nothing is typed, and what they publish", async () => {
  const { saver, server } = open();
  saver.receive(server.overwrite(edit(TEXT, 30)));
  expect(saver.snapshot()).toMatchObject({ text: edit(TEXT, 30), save: { kind: "saved" } });
  saver.receive(draft(edit(TEXT, 31), 0));
  expect(saver.snapshot()).toMatchObject({ text: edit(TEXT, 31), stored: { revision: 0 } });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(server.send).not.toHaveBeenCalled();
});

it("takes up what an earlier visit could not save", async () => {
  const same = open({ kept: { text: edit(TEXT, 25), base: TEXT, revision: 3 } });
  await vi.advanceTimersByTimeAsync(10);
  expect(parse(same.server.current().yaml)).toMatchObject({ max_iterations: 25 });
  const server = serverWith(draft(TEXT.replace("retries: 2", "retries: 9"), 7));
  open({ server, kept: { text: edit(TEXT, 25), base: TEXT, revision: 3 } });
  await vi.advanceTimersByTimeAsync(10);
  expect(parse(server.current().yaml)).toEqual({ name: "coder", max_iterations: 25, retries: 9 });
});

it("has all that was typed on the server before a publish", async () => {
  const { saver, server } = open();
  saver.setText(edit(TEXT, 25));
  expect(await saver.flush()).toBe(true);
  expect(server.current().yaml).toBe(edit(TEXT, 25));
});

describe("a request that replaces the draft", () => {
  /** Publishes like the server: the text that is stored becomes the version, and the draft has ended. */
  function published(server: ReturnType<typeof serverWith>, revision: number): AgentDraft {
    if (server.current().revision !== revision) throw new ApiError("Changed", 409, "conflict", null, {});
    return server.publish();
  }

  it("waits for the save under way, and publishes what that stored", async () => {
    const { saver, server } = open();
    const slow = Promise.withResolvers<void>();
    const { send } = server;
    const first = send.getMockImplementation();
    send.mockImplementationOnce(async (yaml, revision) => {
      await slow.promise;
      return (first as typeof server.send)(yaml, revision);
    });
    saver.setText(edit(TEXT, 21));
    await vi.advanceTimersByTimeAsync(600);
    expect(saver.snapshot().save).toEqual({ kind: "saving" });
    const done = saver.replaceBy(async () => {
      expect(await saver.flush()).toBe(true);
      return { draft: published(server, saver.snapshot().stored.revision) };
    });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(server.current().revision).toBe(3);
    slow.resolve();
    await done;
    expect(saver.snapshot()).toMatchObject({ text: edit(TEXT, 21), save: { kind: "saved" }, stored: { revision: 0 } });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(send).toHaveBeenCalledOnce();
  });

  it("keeps a pending save from coming after a discard", async () => {
    const { saver, server, keep } = open();
    saver.setText(edit(TEXT, 21));
    const slow = Promise.withResolvers<void>();
    const done = saver.replaceBy(async () => {
      await slow.promise;
      return { draft: server.publish() };
    });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(server.send).not.toHaveBeenCalled();
    slow.resolve();
    await done;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(server.send).not.toHaveBeenCalled();
    expect(saver.snapshot()).toMatchObject({ text: TEXT, save: { kind: "saved" } });
    expect(keep).toHaveBeenLastCalledWith(null);
  });

  it("keeps what is typed meanwhile, on top of the result, and saves it afterwards", async () => {
    const { saver, server } = open();
    await saver.replaceBy(async () => {
      saver.setText(edit(TEXT, 25));
      await vi.advanceTimersByTimeAsync(5_000);
      return { draft: server.publish(TEXT.replace("retries: 2", "retries: 5")) };
    });
    expect(server.send).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(600);
    expect(parse(server.current().yaml)).toMatchObject({ max_iterations: 25, retries: 5 });
    expect(saver.snapshot()).toMatchObject({ save: { kind: "saved" }, conflict: null });
  });

  it("that fails leaves the text, which is saved as usual", async () => {
    const { saver, server } = open();
    saver.setText(edit(TEXT, 21));
    await expect(saver.replaceBy(() => Promise.reject(new Error("unreachable")))).rejects.toThrow("unreachable");
    await vi.advanceTimersByTimeAsync(600);
    expect(server.send).toHaveBeenCalledExactlyOnceWith(edit(TEXT, 21), 3);
  });

  it("runs after another one that has begun", async () => {
    const { saver, server } = open();
    const order: string[] = [];
    const step = (name: string) => async () => {
      order.push(`${name} begins`);
      await vi.advanceTimersByTimeAsync(10);
      order.push(`${name} ends`);
      return { draft: server.current() };
    };
    await Promise.all([saver.replaceBy(step("first")), saver.replaceBy(step("second"))]);
    expect(order).toEqual(["first begins", "first ends", "second begins", "second ends"]);
  });
});
