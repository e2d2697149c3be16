import { PassThrough } from "node:stream";
import { pipeline } from "node:stream/promises";
import { describe, expect, test } from "vitest";
import { type Exec, whileAnswered } from "./container";
import { EngineError } from "./engine";
import type { OutputPiece } from "./output-frames";
import { stdoutOf } from "./stdout-of";

const SOON = { askAfterMs: 5, restMs: 5 };

const piece = (text: string): OutputPiece => ({ stream: "stdout", bytes: Buffer.from(text) });
const never = <Value>() => new Promise<Value>(() => undefined);

/** A program whose output is `pieces` and then, unless it ends, nothing until somebody closes it. */
function program(pieces: readonly string[], { ends, ended }: { ends: boolean; ended: () => Promise<number> }) {
  let closed = 0;
  const { promise: givenUp, reject } = Promise.withResolvers<never>();
  async function* output() {
    for (const text of pieces) yield piece(text);
    if (!ends) await givenUp;
  }
  const exec: Exec = {
    output: output(),
    ended,
    close: (error) => {
      closed += 1;
      if (error) reject(error);
    },
  };
  return { exec, closed: () => closed };
}

async function read(exec: Exec): Promise<string> {
  let text = "";
  for await (const { bytes } of whileAnswered(exec, SOON)) text += bytes.toString();
  return text;
}

describe("the output of a program of the image", () => {
  test("is read to its end, and its stream closed", async () => {
    const { exec, closed } = program(["a", "b"], { ends: true, ended: never });
    expect(await read(exec)).toBe("ab");
    expect(closed()).toBe(1);
  });

  test("fails if the engine falls silent in the middle of it", async () => {
    const ended = () => Promise.reject(new EngineError("The engine does not answer."));
    const { exec, closed } = program(["a"], { ends: false, ended });
    await expect(read(exec)).rejects.toThrow("The engine does not answer.");
    expect(closed()).toBe(2);
  });

  test("fails if it does not end with its program", async () => {
    const { exec, closed } = program(["a"], { ends: false, ended: async () => 0 });
    await expect(read(exec)).rejects.toThrow("does not end the output of a program that has ended");
    expect(closed()).toBe(2);
  });

  test("may be silent as long as the engine says that it runs", async () => {
    let isRunning = true;
    async function* output() {
      await expect.poll(() => isRunning).toBe(false);
      yield piece("late");
    }
    const ended = async () => {
      isRunning = false;
      return never<number>();
    };
    expect(await read({ output: output(), ended, close: () => undefined })).toBe("late");
  });

  test("may be read as slowly as its reader likes, though the program has ended", async () => {
    const { exec } = program(["a", "b"], { ends: true, ended: async () => 0 });
    let text = "";
    for await (const { bytes } of whileAnswered(exec, SOON)) {
      const startedMs = performance.now();
      await expect.poll(() => performance.now() - startedMs).toBeGreaterThan(4 * SOON.restMs);
      text += bytes.toString();
    }
    expect(text).toBe("ab");
  });

  test("is closed when its reader stops, and when the program failed", async () => {
    const stopped = program(["a", "b"], { ends: true, ended: never });
    for await (const _ of whileAnswered(stopped.exec, SOON)) break;
    expect(stopped.closed()).toBe(1);
    const failed = program(["a"], { ends: true, ended: async () => 2 });
    await expect(pipeline(stdoutOf(failed.exec), new PassThrough().resume())).rejects.toThrow(
      "A program of the image failed (2)",
    );
    expect(failed.closed()).toBe(1);
  });
});
