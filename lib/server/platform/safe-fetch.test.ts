import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkDestination, isPublicAddress, safeFetch } from "./safe-fetch";

const server = createServer((request, response) => {
  if (request.url === "/redirect") response.writeHead(302, { location: "http://example.com/" }).end();
  else if (request.url === "/large") response.end("x".repeat(5_000));
  else if (request.url === "/slow") response.write("never ends");
  else response.end(`${request.method} ${request.headers.host}`);
});
let port = 0;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const options = (path: string, extra = {}) =>
  safeFetch(`http://127.0.0.1:${port}${path}`, {
    method: "GET",
    headers: {},
    timeoutMs: 20_000,
    maxBytes: 1_000,
    signal: new AbortController().signal,
    allowedPrivateHosts: [`127.0.0.1:${port}`],
    ...extra,
  });

test.each([
  "127.0.0.1",
  "10.1.2.3",
  "172.16.0.1",
  "192.168.1.1",
  "169.254.169.254",
  "168.63.129.16",
  "::ffff:a83f:8110",
  "192.0.0.192",
  "198.18.0.1",
  "240.0.0.1",
  "2001:0:7f00:1::",
  "fd00:ec2::254",
  "fec0::1",
  "64:ff9b:1::a9fe:a9fe",
  "100.64.0.1",
  "0.0.0.0",
  "255.255.255.255",
  "224.0.0.1",
  "::1",
  "::",
  "::ffff:127.0.0.1",
  "64:ff9b::7f00:1",
  "2002:7f00:1::",
  "fc00::1",
  "fe80::1",
  "::127.0.0.1",
  "::a9fe:a9fe",
])("%s is not public", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each(["8.8.8.8", "2606:4700:4700::1111"])("%s is public", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each(["http://2130706433/", "http://0x7f.1/", "http://0177.0.0.1/", "http://[::ffff:7f00:1]/", "http://127.1/"])(
  "%s is loopback in another spelling and is refused",
  async (url) => {
    await expect(checkDestination(url, { allowedPrivateHosts: [] })).rejects.toThrow("private address");
  },
);

test("one private address among several refuses the name", async () => {
  const resolve = async () => [
    { address: "8.8.8.8", family: 4 },
    { address: "10.0.0.1", family: 4 },
  ];
  await expect(checkDestination("http://two.example/", { allowedPrivateHosts: [], resolve })).rejects.toThrow(
    "private",
  );
});

test.each(["ftp://example.com/", "file:///etc/passwd", "http://user:pass@example.com/", "nonsense"])(
  "%s is refused without a lookup",
  async (url) => {
    const resolve = async () => Promise.reject(new Error("looked up"));
    await expect(checkDestination(url, { allowedPrivateHosts: [], resolve })).rejects.toThrow(/http|user|not a URL/);
  },
);

test("a private host on the list is reached, on that port only", async () => {
  expect((await options("/")).text).toBe(`GET 127.0.0.1:${port}`);
  await expect(options("/", { allowedPrivateHosts: [`127.0.0.1:${port + 1}`] })).rejects.toThrow("private address");
});

test("the connection goes to the address that was checked, with the name in Host", async () => {
  const lookups: string[] = [];
  const resolve = async (name: string) => {
    lookups.push(name);
    return [{ address: "127.0.0.1", family: 4 }];
  };
  const allowedPrivateHosts = [`pinned.example:${port}`];
  const reply = await safeFetch(`http://pinned.example:${port}/`, {
    method: "GET",
    headers: {},
    timeoutMs: 20_000,
    maxBytes: 1_000,
    signal: new AbortController().signal,
    allowedPrivateHosts,
    resolve,
  });
  expect([reply.text, lookups]).toEqual([`GET pinned.example:${port}`, ["pinned.example"]]);
});

test("redirects are not followed", async () => {
  await expect(options("/redirect")).rejects.toThrow("redirect (302)");
});

test("a larger answer is cut off", async () => {
  await expect(options("/large")).rejects.toThrow("larger than 1,000 bytes");
});

test("an answer that does not end is abandoned", async () => {
  await expect(options("/slow", { timeoutMs: 100 })).rejects.toThrow("No answer within 100 ms");
});

test("a cancel ends the request with the cancel's own reason", async () => {
  const controller = new AbortController();
  const pending = options("/slow", { signal: controller.signal });
  const reason = new Error("cancelled by the user");
  controller.abort(reason);
  await expect(pending).rejects.toBe(reason);
});
