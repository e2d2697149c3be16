import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { createHttpServer } from "./serve";

test("an idle connection outlives that of a proxy, and its next headers have time", () => {
  const server = createHttpServer(() => undefined);
  expect(server.keepAliveTimeout).toBeGreaterThan(60_000);
  expect(server.headersTimeout).toBeGreaterThan(server.keepAliveTimeout);
});

test.each([
  [{}, "1"],
  [{ "x-forwarded-for": "203.0.113.9" }, undefined],
  [{ "x-forwarded-for": "127.0.0.1" }, undefined],
  [{ forwarded: "for=203.0.113.9" }, undefined],
  [{ "x-real-ip": "203.0.113.9" }, undefined],
  [{ "x-forwarded-proto": "https" }, undefined],
  [{ via: "1.1 proxy", "x-ringmaster-from-here": "1" }, undefined],
])("a program on this machine is told from a reverse proxy on it: %j", async (headers, expected) => {
  let told: unknown;
  const server = createHttpServer((request, response) => {
    told = request.headers["x-ringmaster-from-here"];
    response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { headers });
  expect(told).toBe(expected);
  server.close();
});

test("a client can't choose the address that throttles know it by", async () => {
  const server = createHttpServer((request, response) => void response.end(request.headers["x-forwarded-for"]));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const asked = get({ port, host: "127.0.0.1", headers: { "x-forwarded-for": "198.51.100.1" }, agent: false });
  const [reply] = (await once(asked, "response")) as [IncomingMessage];
  expect(await text(reply)).toBe("127.0.0.1");
  server.close();
});
