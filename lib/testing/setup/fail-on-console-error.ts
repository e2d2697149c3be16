import { afterAll, afterEach, expect, vi } from "vitest";

/** Kept outside the mocks, so that concurrent tests do not interfere. */
const errors: string[] = [];
const write = console.error;
console.error = (...values: unknown[]) => {
  errors.push(values.map(String).join(" "));
  write(...values);
};

// The next file of the process adds its own listener.
afterAll(() => {
  console.error = write;
});

/** A test that logs an error to the console has found a bug or should assert on the error. */
afterEach(() => {
  expect(errors.splice(0)).toEqual([]);
  vi.restoreAllMocks();
});
