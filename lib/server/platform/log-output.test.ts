import { spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { LogOutput } from "./log-output";
import { createLogger } from "./logger";

/** A disk that accepts this many bytes and then reports that it is full. */
function smallDisk(roomBytes: number) {
  let content = "";
  const disk = { room: roomBytes, code: "ENOSPC" };
  const write = (bytes: Uint8Array) => {
    const taken = bytes.subarray(0, disk.room);
    if (taken.length === 0) throw Object.assign(new Error(disk.code), { code: disk.code });
    disk.room -= taken.length;
    content += new TextDecoder().decode(taken);
    return taken.length;
  };
  return { disk, write, lines: () => content.split("\n").slice(0, -1) };
}

test("logging never throws, and lines that found no room come later, whole and in order", () => {
  const { disk, write, lines } = smallDisk(60);
  const output = new LogOutput(write);
  const log = createLogger("info", output);
  for (const number of [1, 2, 3]) log.info({ number }, "a line that is longer than what is left of the disk");
  disk.room = Number.POSITIVE_INFINITY;
  output.flush();
  expect(lines().map((line) => JSON.parse(line).number)).toEqual([1, 2, 3]);
});

test("when its buffer is full it drops the newest lines, and says how many", () => {
  const { disk, write, lines } = smallDisk(0);
  const output = new LogOutput(write, 25);
  for (const line of ["first line\n", "second line\n", "third line\n", "fourth line\n"]) output.write(line);
  disk.room = Number.POSITIVE_INFINITY;
  output.flush();
  const [first, second, notice] = lines();
  expect([first, second]).toEqual(["first line", "second line"]);
  expect(JSON.parse(notice ?? "")).toMatchObject({
    level: "warn",
    lostLines: 2,
    msg: expect.stringContaining("ENOSPC"),
  });
});

test("only an output that holds lines waits for the end of the process, and writes them then", () => {
  const before = process.listeners("exit");
  for (let number = 0; number < 12; number += 1) createLogger("info");
  expect(process.listeners("exit")).toEqual(before);
  const { disk, write, lines } = smallDisk(0);
  const output = new LogOutput(write);
  output.write("one\n");
  output.write("two\n");
  const added = process.listeners("exit").filter((listener) => !before.includes(listener));
  expect(added).toHaveLength(1);
  disk.room = Number.POSITIVE_INFINITY;
  added[0]?.(0);
  expect(lines()).toEqual(["one", "two"]);
  expect(process.listeners("exit")).toEqual(before);
});

test("it tries again by itself", async () => {
  const { disk, write, lines } = smallDisk(0);
  const output = new LogOutput(write);
  output.write("late\n");
  disk.room = Number.POSITIVE_INFINITY;
  await expect.poll(lines).toEqual(["late"]);
});

test("a process whose output is a full disk keeps running", async () => {
  const full = openSync("/dev/full", "w");
  const script = path.resolve("lib/testing/processes/log-to-full-disk.ts");
  const loader = ["--no-warnings", "--import", path.resolve("scripts/resolve-imports.ts")];
  const child = spawn(process.execPath, [...loader, script], {
    stdio: ["ignore", full, full, "pipe"],
    timeout: 60_000,
  });
  closeSync(full);
  const [, , , answer] = child.stdio;
  expect(await text(answer as NodeJS.ReadableStream)).toBe("still here");
});
