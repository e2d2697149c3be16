import { Script } from "node:vm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { GET as framed } from "@/app/api/frames/page/route";
import { PUT as put } from "@/app/api/threads/[threadId]/files/route";
import { POST as newThread } from "@/app/api/threads/route";
import { createAgent } from "@/lib/server/agents/publish-version";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";

describe("a page of a workspace in a frame", () => {
  let server: TestServer;
  let thread: string;
  beforeEach(async () => {
    server = await startTestServer();
    await createAgent({ agentId: "writer", raw: { name: "Writer", backend: { type: "state" } }, createdById: null });
    thread = (await (await server.call(newThread, { as: "member", body: { agentId: "writer" } })).json()).id;
  });
  afterEach(() => server.close());

  const write = (path: string, content: string) =>
    server.call(put, { as: "member", method: "PUT", params: { threadId: thread }, body: { path, content } });
  const open = (query: string, as: "member" | "admin" = "member") =>
    server.call(framed, { as, path: `/?thread=${thread}&${query}` });

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
});
