import { describe, expect, it } from "vitest";
import { callStatus } from "./tool-status";

describe("callStatus", () => {
  const command = (exitCode: number | null) => ({
    state: "completed" as const,
    display: { kind: "command", command: "x", exitCode, output: "", truncated: false, durationMs: 1 },
  });

  it("calls a command well only when it exited with 0", () => {
    expect([0, 1, null].map((exitCode) => callStatus(command(exitCode)))).toEqual(["completed", "failed", "cancelled"]);
  });

  it("takes the state of any other call", () => {
    expect(callStatus({ state: "completed", display: { any: "thing" } })).toBe("completed");
    expect(callStatus({ state: "writing", display: undefined })).toBe("queued");
  });
});
