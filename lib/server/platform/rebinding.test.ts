// A name that resolves to another address from one lookup to the next.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fetch as undiciFetch } from "undici";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { fetchPage } from "@/lib/server/tools/web/fetch-page";
import { createGuardedDispatcher, createGuardedFetch } from "./guarded-fetch";
import { type OutgoingRules, safeFetch } from "./safe-fetch";

const HOSTS = ["127.0.0.1", "127.0.0.2", "127.0.0.3"];
const PUBLIC = "8.8.8.8";
const servers: Server[] = [];
/** The addresses at which a request arrived. */
const reached: string[] = [];
let port = 0;

beforeAll(async () => {
  for (const host of HOSTS) {
    const server = createServer((_request, response) => {
      reached.push(host);
      response.writeHead(200, { "content-type": "text/plain", connection: "close" }).end(host);
    });
    await new Promise<void>((resolve) => server.listen(port, host, resolve));
    port = (server.address() as AddressInfo).port;
    servers.push(server);
  }
});
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});
beforeEach(() => {
  reached.length = 0;
});

interface Script extends OutgoingRules {
  /** How many lookups there were. */
  readonly lookups: () => number;
}

/** Each lookup takes the next answer; the last one stays. */
function answering(answers: readonly (readonly string[])[], allowedPrivateHosts: readonly string[] = []): Script {
  let count = 0;
  return {
    allowedPrivateHosts,
    lookups: () => count,
    async resolve() {
      const addresses = answers[Math.min(count, answers.length - 1)] ?? [];
      count += 1;
      return addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
    },
  };
}

const url = () => `http://rebound.test:${port}/`;
const { signal } = new AbortController();
const limits = { timeoutMs: 20_000, maxBytes: 10_000 };

test("a request that looks a name up once connects to the address of that lookup", async () => {
  const sent: [string, (rules: OutgoingRules) => Promise<{ text: string }>][] = [
    ["safeFetch", (rules) => safeFetch(url(), { ...rules, ...limits, signal, method: "GET", headers: {} })],
    ["fetchPage", (rules) => fetchPage(url(), { ...rules, ...limits, hosts: [] }, signal)],
  ];
  for (const [name, send] of sent) {
    const rules = answering(
      HOSTS.map((host) => [host]),
      [`rebound.test:${port}`],
    );
    expect((await send(rules)).text, name).toBe("127.0.0.1");
    expect(rules.lookups(), name).toBe(1);
  }
  expect(reached).toEqual(["127.0.0.1", "127.0.0.1"]);
});

const PRIVATE = [
  ["127.0.0.1"],
  ["::ffff:127.0.0.1"],
  ["::1"],
  ["10.0.0.1"],
  ["169.254.169.254"],
  ["0.0.0.0"],
  [PUBLIC, "127.0.0.1"],
  ["127.0.0.1", PUBLIC],
  ["not an address"],
  [],
];

test.each(PRIVATE.map((addresses) => ({ addresses })))(
  "a name that was public when it was checked and is $addresses as the connection is made is not connected to",
  async ({ addresses }) => {
    const rules = answering([[PUBLIC], addresses]);
    const guarded = createGuardedFetch(rules);
    await expect(guarded.fetch(url())).rejects.toMatchObject({ cause: { name: "OutgoingRequestRefused" } });
    expect(rules.lookups()).toBe(2);
    expect(reached).toEqual([]);
    await guarded.close();
  },
);

test("a streaming connection goes to the address that was checked for it, whatever later lookups say", async () => {
  const rules = answering(
    HOSTS.map((host) => [host]),
    [`rebound.test:${port}`],
  );
  const guarded = createGuardedFetch(rules);
  expect(await (await guarded.fetch(url())).text()).toBe("127.0.0.2");
  expect(rules.lookups()).toBe(2);
  await guarded.close();
});

test("each new connection is looked up anew", async () => {
  const dispatcher = createGuardedDispatcher(answering([["127.0.0.1"], ["127.0.0.2"]], [`rebound.test:${port}`]));
  const ask = async () => await (await undiciFetch(url(), { dispatcher })).text();
  expect([await ask(), await ask()]).toEqual(["127.0.0.1", "127.0.0.2"]);
  await dispatcher.destroy();
});
