import { Script } from "node:vm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { GET as image } from "@/app/api/frames/image/route";
import { GET as framed } from "@/app/api/frames/page/route";
import { PUT as put } from "@/app/api/threads/[threadId]/files/route";
import { POST as newThread } from "@/app/api/threads/route";
import { createAgent } from "@/lib/server/agents/publish-version";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";

const FOR_FRAME = { "sec-fetch-dest": "iframe" };

describe("a page of a workspace in a frame", () => {
  let server: TestServer;
  let thread: string;
  beforeEach(async () => {
    server = await startTestServer();
    await createAgent(server.services, {
      agentId: "writer",
      raw: { name: "Writer", backend: { type: "state" } },
      createdById: null,
    });
    thread = (await (await server.call(newThread, { as: "member", body: { agentId: "writer" } })).json()).id;
  });
  afterEach(() => server.close());

  const write = (path: string, content: string) =>
    server.call(put, { as: "member", method: "PUT", params: { threadId: thread }, body: { path, content } });
  const open = (query: string, as: "member" | "admin" = "member", headers: Record<string, string> = FOR_FRAME) =>
    server.call(framed, { as, path: `/?thread=${thread}&${query}`, headers });

  test("has its files in it, a guard before them, and a policy that lets it reach nothing", async () => {
    await write("site/a.css", "b { color: red }");
    await write("site/index.html", '<!doctype html>\n<link rel="stylesheet" href="a.css"><script>run()</script>');
    const reply = await open("path=site/index.html");
    const html = await reply.text();
    expect(html).toMatch(/^<!doctype html><script>[\s\S]*<\/script>\n<style>b \{ color: red \}<\/style><script>run/);
    // The script parses, however the compiler transformed it.
    expect(() => new Script(/<script>([\s\S]*?)<\/script>/.exec(html)?.[1] ?? "(")).not.toThrow();
    expect(reply.headers.get("content-security-policy")).toBe(
      "default-src 'none'; script-src 'unsafe-inline' data:; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; media-src data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts",
    );
    expect(reply.headers.get("connection-allowlist")).toBe("()");
  });

  test("an older version has its files as they were then", async () => {
    await write("a.css", "b { color: red }");
    await write("index.html", '<link rel="stylesheet" href="a.css">one');
    await write("index.html", '<link rel="stylesheet" href="a.css">two');
    await write("a.css", "b { color: blue }");
    expect(await (await open("path=index.html&version=1")).text()).toContain("red }</style>one");
    expect(await (await open("path=index.html&version=2")).text()).toContain("blue }</style>two");
    expect(await (await open("path=index.html")).text()).toContain("blue }</style>two");
  });

  test("is hidden from others, and refused where it is missing or too large", async () => {
    await write("index.html", "mine");
    expect((await open("path=index.html", "admin")).status).toBe(404);
    expect((await open("path=gone.html")).status).toBe(404);
    expect((await open("path=index.html&version=7")).status).toBe(404);
    await write("large.html", "x".repeat(6_000_000));
    expect((await open("path=large.html")).status).toBe(413);
  });

  test("is a download when it is opened as a page of its own, and nothing without a word about where it goes", async () => {
    await write("index.html", "mine");
    expect((await open("path=index.html")).headers.has("content-disposition")).toBe(false);
    for (const destination of ["document", "embed", "object", "frame", "empty", ""]) {
      const reply = await open("path=index.html", "member", { "sec-fetch-dest": destination });
      expect(reply.headers.get("content-disposition")).toBe("attachment");
      expect(reply.headers.get("content-security-policy")).toContain("sandbox allow-scripts");
    }
    expect((await open("path=index.html", "member", {})).status).toBe(403);
  });

  test("an image of another site is shown in a frame only", async () => {
    const path = `/?src=${encodeURIComponent("https://pictures.example/x.png")}`;
    const statusFor = async (headers: Record<string, string>) =>
      (await server.call(image, { as: "member", path, headers })).status;
    expect(await statusFor(FOR_FRAME)).toBe(200);
    expect(await statusFor({ "sec-fetch-dest": "document" })).toBe(404);
    expect(await statusFor({ "sec-fetch-dest": "image" })).toBe(404);
    expect(await statusFor({})).toBe(403);
  });

  test("modules that nest too deeply or grow too large are refused, and the server goes on", async () => {
    await write("deep.html", '<script type="module" src="m0.js"></script>');
    for (let level = 0; level < 10; level += 1) await write(`m${level}.js`, `import "./m${level + 1}.js"; ${level}`);
    const deep = await open("path=deep.html");
    expect(deep.status).toBe(413);
    expect((await deep.json()).error.message).toContain("more than 8 levels deep");

    const wide = Array.from({ length: 3 }, () => 'import "./large.js";').join("");
    await write("wide.html", `<script type="module">${wide}</script>`);
    await write("large.js", `"${"x".repeat(5_500_000)}"`);
    const large = await open("path=wide.html");
    expect(large.status).toBe(413);
    expect((await large.json()).error.message).toContain("larger than 20 MB");
  });
});
