import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fetch as undiciFetch } from "undici";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createGuardedDispatcher, createGuardedFetch } from "./guarded-fetch";

let ports: number[] = [];
const servers: Server[] = [];
const asked: string[] = [];

beforeAll(async () => {
  for (const name of ["allowed", "other"]) {
    const server = createServer((request, response) => {
      asked.push(name);
      if (request.url === "/redirect") response.writeHead(302, { location: `http://inner.test:${ports[1]}/` }).end();
      else response.end(name);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    servers.push(server);
  }
  ports = servers.map((server) => (server.address() as AddressInfo).port);
});
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

const resolve = async () => [{ address: "127.0.0.1", family: 4 }];
const rulesFor = (host: string) => ({ allowedPrivateHosts: [`${host}:${ports[0]}`], resolve });

test.each(["inner.test", "127.0.0.1"])("an allowed port of %s allows no other port of it", async (host) => {
  const guarded = createGuardedFetch(rulesFor(host));
  expect(await (await guarded.fetch(`http://${host}:${ports[0]}/`)).text()).toBe("allowed");
  await expect(guarded.fetch(`http://${host}:${ports[1]}/`)).rejects.toThrow("is a private address");
  await guarded.close();
});

test.each(["inner.test", "127.0.0.1"])(
  "a connection checks its own port, whatever was checked before it: %s",
  async (host) => {
    asked.length = 0;
    const dispatcher = createGuardedDispatcher(rulesFor(host));
    const ask = (port: number | undefined) => undiciFetch(`http://${host}:${port}/`, { dispatcher });
    expect(await (await ask(ports[0])).text()).toBe("allowed");
    await expect(ask(ports[1])).rejects.toMatchObject({ cause: { name: "OutgoingRequestRefused" } });
    expect(asked).toEqual(["allowed"]);
    await dispatcher.destroy();
  },
);

test("a redirect to another port of an allowed host is not followed, nor is its port reached by who follows it", async () => {
  asked.length = 0;
  const guarded = createGuardedFetch(rulesFor("inner.test"));
  const reply = await guarded.fetch(`http://inner.test:${ports[0]}/redirect`);
  expect(reply.status).toBe(302);
  await expect(guarded.fetch(reply.headers.get("location") ?? "")).rejects.toThrow("is a private address");
  await guarded.close();
  const dispatcher = createGuardedDispatcher(rulesFor("inner.test"));
  await expect(undiciFetch(`http://inner.test:${ports[0]}/redirect`, { dispatcher })).rejects.toMatchObject({
    cause: { name: "OutgoingRequestRefused" },
  });
  expect(asked).toEqual(["allowed", "allowed"]);
  await dispatcher.destroy();
});

test("IPv6 addresses are allowed by their port as well", async () => {
  const guarded = createGuardedFetch({ allowedPrivateHosts: ["[::1]:1"] });
  await expect(guarded.fetch("http://[::1]:2/")).rejects.toThrow("is a private address");
  await expect(guarded.fetch("http://[::1]:1/")).rejects.not.toThrow("is a private address");
  await guarded.close();
});
