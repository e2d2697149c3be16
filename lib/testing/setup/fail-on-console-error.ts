import { afterAll, afterEach, expect, vi } from "vitest";

/** Kept outside the mocks, so that tests which run at the same time do not take it from each other. */
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

/** A test that lets an error reach the console has found a bug or should assert on it. */
afterEach(() => {
  expect(errors.splice(0)).toEqual([]);
  vi.restoreAllMocks();
});
