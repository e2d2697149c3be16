import { expect, test } from "vitest";
import { isLoopback } from "./loopback";

test.each(["localhost", "LOCALHOST", "app.localhost", "127.0.0.1", "127.9.8.7", "::1", "[::1]"])(
  "%s is here",
  (host) => {
    expect(isLoopback(host)).toBe(true);
  },
);

test.each([
  "localhost.example.org",
  "notlocalhost",
  "127.0.0.1.example.org",
  "128.0.0.1",
  "::2",
  "0.0.0.0",
  "10.0.0.1",
  "",
])("%s is elsewhere", (host) => {
  expect(isLoopback(host)).toBe(false);
});
