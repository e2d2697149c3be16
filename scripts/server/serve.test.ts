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
