import { afterEach, describe, expect, test, vi } from "vitest";
import { forgetProcessState, forgetProcessStates, processState } from "./process-state";

afterEach(() => forgetProcessState("test-value"));

describe("processState", () => {
  test("creates a value once and returns the same one afterwards", () => {
    const make = vi.fn(() => ({ count: 0 }));
    const first = processState("test-value", make);
    expect(processState("test-value", make)).toBe(first);
    expect(make).toHaveBeenCalledTimes(1);
  });

  test("is shared by two instances of the module, as Next loads them", async () => {
    const first = processState("test-value", () => ({}));
    vi.resetModules();
    const again = await import("./process-state");
    expect(again.processState).not.toBe(processState);
    expect(again.processState("test-value", () => ({}))).toBe(first);
  });

  test("keeps a value that is undefined", () => {
    const make = vi.fn(() => undefined);
    processState("test-value", make);
    processState("test-value", make);
    expect(make).toHaveBeenCalledTimes(1);
  });

  test("is created again after everything was forgotten", () => {
    const first = processState("test-value", () => ({}));
    forgetProcessStates();
    expect(processState("test-value", () => ({}))).not.toBe(first);
  });
});
