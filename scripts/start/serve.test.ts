import { expect, test } from "vitest";
import { createHttpServer } from "./serve";

test("an idle connection outlives that of a proxy, and its next headers have time", () => {
  const server = createHttpServer(() => undefined);
  expect(server.keepAliveTimeout).toBeGreaterThan(60_000);
  expect(server.headersTimeout).toBeGreaterThan(server.keepAliveTimeout);
});
