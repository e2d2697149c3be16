import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { makePdf } from "@/lib/testing/files/make-pdf";
import { fetchPage, type PageLimits } from "./fetch-page";
import { searchWeb } from "./search-web";

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const never = new AbortController().signal;

/** A fetch from `host`, the only private host that is allowed. */
function read(host: string, path = "/", limits: Partial<PageLimits> = {}, signal = never) {
  const standard = { maxBytes: 100_000, timeoutMs: 10_000, hosts: [], allowedPrivateHosts: [host] };
  return fetchPage(`http://${host}${path}`, { ...standard, ...limits }, signal);
}

describe("a page", () => {
  test("comes as markdown with its title and the address that it was redirected to", async () => {
    const host = await serve((request, reply) => {
      if (request.url === "/old") return void reply.writeHead(302, { location: "/new#x" }).end();
      const body = gzipSync("<title>New &amp; nice</title><h1>Hi</h1><p>See <a href='/other'>more</a></p>");
      reply.writeHead(200, { "content-type": "text/html", "content-encoding": "gzip" }).end(body);
    });
    expect(await read(host, "/old")).toEqual({
      address: `http://${host}/new#x`,
      title: "New & nice",
      text: `# Hi\n\nSee [more](http://${host}/other)`,
    });
  });

  test("of another type is text, a PDF by page, or refused", async () => {
    const types: Record<string, [string, string | Buffer]> = {
      "/json": ["application/json", '{"a": 1}'],
      "/pdf": ["application/pdf", makePdf(["On a page"])],
      "/zip": ["application/zip", "PK"],
    };
    const host = await serve((request, reply) => {
      const [type, body] = types[request.url ?? ""] ?? ["text/plain", ""];
      reply.writeHead(200, { "content-type": type }).end(body);
    });
    expect((await read(host, "/json")).text).toBe('{"a": 1}');
    expect((await read(host, "/pdf")).text).toBe("[Page 1]\nOn a page");
    await expect(read(host, "/zip")).rejects.toThrow("Only pages, text and PDFs are read.");
  });

  test("on a private address is refused, also by a redirect from an allowed one and by a name", async () => {
    const asked: string[] = [];
    const secret = await serve((request, reply) => {
      asked.push(request.url ?? "");
      reply.end("secret");
    });
    const host = await serve((_, reply) => void reply.writeHead(302, { location: `http://${secret}/` }).end());
    await expect(read(secret, "/", { allowedPrivateHosts: [] })).rejects.toThrow("is a private address");
    await expect(read(host)).rejects.toThrow("is a private address");
    const port = secret.split(":")[1];
    const resolve = async () => [{ address: "127.0.0.1", family: 4 }];
    await expect(fetchPage(`http://inside.example:${port}/`, { ...LIMITS, resolve }, never)).rejects.toThrow(
      "is a private address",
    );
    for (const address of [
      "file:///etc/passwd",
      "http://169.254.169.254/latest",
      "http://[::1]/",
      "http://0x7f000001/",
    ]) {
      await expect(fetchPage(address, LIMITS, never)).rejects.toThrow(/private address|Only http/);
    }
    expect(asked).toEqual([]);
  });

  test("of another host than the agent's is refused, redirects included", async () => {
    const host = await serve((_, reply) => void reply.writeHead(302, { location: "http://elsewhere.example/" }).end());
    await expect(read(host, "/", { hosts: ["127.0.0.1"] })).rejects.toThrow(
      "This agent may read pages of 127.0.0.1 only, not of elsewhere.example.",
    );
    await expect(read(host, "/", { hosts: ["*.example.org"] })).rejects.toThrow("pages of *.example.org only");
  });

  test("that redirects for ever, hangs or answers with an error says so", async () => {
    const host = await serve((request, reply) => {
      if (request.url === "/loop") reply.writeHead(302, { location: "/loop" }).end();
      else if (request.url === "/gone") reply.writeHead(404).end("no");
      // The other requests are never answered.
    });
    await expect(read(host, "/loop")).rejects.toThrow("The page redirects more than 5 times.");
    await expect(read(host, "/gone")).rejects.toThrow(`${host} answered 404.`);
    await expect(read(host, "/hangs", { timeoutMs: 100 })).rejects.toThrow("The page did not come within 0.1 s.");
    await expect(read(host, "/hangs", {}, AbortSignal.timeout(50))).rejects.toThrow(/timeout|aborted/i);
  });

  test("that is too large, sends without end or lies about its size is cut, and says so", async () => {
    const host = await serve((request, reply) => {
      if (request.url === "/lies") {
        reply.writeHead(200, { "content-type": "text/plain", "content-length": "5000" });
        reply.write("only this", () => reply.destroy());
        return;
      }
      const isBomb = request.url === "/bomb";
      reply.writeHead(200, { "content-type": "text/plain", ...(isBomb ? { "content-encoding": "gzip" } : {}) });
      if (isBomb) return void reply.end(gzipSync(Buffer.alloc(50_000_000, "x")));
      const more = () => void (reply.destroyed || reply.write("x".repeat(10_000), () => setImmediate(more)));
      more();
    });
    for (const path of ["/endless", "/bomb"]) {
      const page = await read(host, path);
      expect(page.text).toHaveLength(100_000);
      expect(page.notice).toBe("[The page is larger than 100,000 bytes: the rest is missing.]");
    }
    const page = await read(host, "/lies");
    expect([page.text, page.notice]).toEqual(["only this", "[The connection broke: the rest of the page is missing.]"]);
  });
});

const LIMITS: PageLimits = { maxBytes: 1_000, timeoutMs: 5_000, hosts: [], allowedPrivateHosts: [] };

describe("a search", () => {
  const ask = { query: "cats & dogs", limit: 2, signal: never };
  const hit = (extra: object) => ({ title: "Cats", url: "https://cats.example/", ...extra });
  const bad = { title: "Bad", url: "javascript:alert(1)" };

  test.each([
    ["searxng", { results: [bad, hit({ content: "About  cats", publishedDate: "2026-01-02" }), hit({}), hit({})] }],
    [
      "brave",
      {
        type: "search",
        web: { results: [hit({ description: "About <strong>cats</strong>", page_age: "2026-01-02" }), hit({})] },
      },
    ],
    ["tavily", { results: [hit({ content: "About cats", published_date: "2026-01-02" }), hit({})] }],
  ] as const)("by %s gives titles, addresses, snippets and dates", async (provider, answer) => {
    const asked: string[] = [];
    const host = await serve((request, reply) => {
      const { authorization, "x-subscription-token": token } = request.headers;
      asked.push(`${request.method} ${request.url} ${authorization ?? token ?? ""}`.trim());
      reply.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
    });
    const access = { baseUrl: `http://${host}` };
    const hits = await searchWeb(
      provider === "searxng" ? { provider, ...access } : { provider, apiKey: "k", ...access },
      ask,
    );
    expect(hits).toEqual([
      { title: "Cats", url: "https://cats.example/", snippet: "About cats", date: "2026-01-02" },
      { title: "Cats", url: "https://cats.example/", snippet: "" },
    ]);
    expect(asked).toEqual([
      {
        searxng: "GET /search?q=cats%20%26%20dogs&format=json",
        brave: "GET /res/v1/web/search?q=cats%20%26%20dogs&count=2 k",
        tavily: "POST /search Bearer k",
      }[provider],
    ]);
  });

  test("that is refused or answered with nonsense says what to do", async () => {
    const host = await serve((request, reply) => {
      if (request.url?.startsWith("/search")) reply.writeHead(403).end();
      else reply.end("<html>");
    });
    const baseUrl = `http://${host}`;
    await expect(searchWeb({ provider: "searxng", baseUrl }, ask)).rejects.toThrow("must allow the format json");
    await expect(searchWeb({ provider: "tavily", apiKey: "k", baseUrl }, ask)).rejects.toThrow(
      "Tavily refused the key (403)",
    );
    await expect(searchWeb({ provider: "brave", apiKey: "k", baseUrl }, ask)).rejects.toThrow("no list of results");
  });
});
