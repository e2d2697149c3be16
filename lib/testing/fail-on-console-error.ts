import { afterEach, beforeEach, expect, vi } from "vitest";

/** A test that lets an error reach the console has found a bug or should assert on it. */
beforeEach(() => {
  vi.spyOn(console, "error");
});

afterEach(() => {
  expect(console.error).not.toHaveBeenCalled();
  vi.restoreAllMocks();
});
