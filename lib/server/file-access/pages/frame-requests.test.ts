import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { GET as image } from "@/app/api/frames/image/route";
import { GET as mermaid } from "@/app/api/frames/mermaid/route";
import { GET as page } from "@/app/api/frames/page/route";
import { GET as pdf } from "@/app/api/frames/pdf/route";
import { PUT as put } from "@/app/api/threads/[threadId]/files/route";
import { POST as newThread } from "@/app/api/threads/route";
import { createAgent } from "@/lib/server/agents/publish-version";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";

const PAGE = "<!doctype html><title>Mine</title><script>alert(1)</script>";

let server: TestServer;
let paths: Record<string, string>;
const FRAMES = { image, mermaid, page, pdf };

beforeAll(async () => {
  server = await startTestServer();
  await createAgent(server.services, {
    agentId: "writer",
    raw: { name: "Writer", backend: { type: "state" } },
    createdById: null,
  });
  const thread = (await (await server.call(newThread, { as: "member", body: { agentId: "writer" } })).json()).id;
  const body = { path: "a.html", content: PAGE };
  await server.call(put, { as: "member", method: "PUT", params: { threadId: thread }, body });
  const src = encodeURIComponent("https://pictures.example/x.png");
  paths = { image: `/?src=${src}`, mermaid: "/", page: `/?thread=${thread}&path=a.html`, pdf: "/" };
});
afterAll(() => server.close());

const ask = (frame: keyof typeof FRAMES, method: string, headers: Record<string, string>) =>
  server.call(FRAMES[frame], { as: "member", method, path: paths[frame] ?? "/", headers });

/** Requests by which a client asks for a part, or for nothing if it has the page already. */
const PARTIAL: readonly Readonly<Record<string, string>>[] = [
  { range: "bytes=0-0" },
  { range: "bytes=500-" },
  { range: "bytes=-20" },
  { range: "bytes=0-1,30-40" },
  { range: "bytes=999999999-" },
  { range: "lines=1-2" },
  { range: "bytes=0-10", "if-range": '"x"' },
  { "if-none-match": "*" },
  { "if-match": '"x"' },
  { "if-modified-since": new Date().toUTCString() },
  { "if-unmodified-since": new Date(0).toUTCString() },
];

/** As which a browser would use the reply, other than in an iframe. */
const DESTINATIONS = ["document", "serviceworker", "worker", "sharedworker", "script", "object", "embed", "frame"];

describe.each(Object.keys(FRAMES) as (keyof typeof FRAMES)[])("the frame %s", (frame) => {
  test.each(["GET", "HEAD"])("is answered whole and with its policy to a %s for a part of it", async (method) => {
    const whole = (await (await ask(frame, "GET", { "sec-fetch-dest": "iframe" })).text()).length;
    for (const headers of PARTIAL) {
      const reply = await ask(frame, method, { "sec-fetch-dest": "iframe", ...headers });
      expect(reply.status).toBe(200);
      expect(reply.headers.get("content-security-policy")).toContain("sandbox allow-scripts");
      expect(reply.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(reply.headers.get("x-content-type-options")).toBe("nosniff");
      for (const name of ["content-range", "accept-ranges", "etag", "last-modified"])
        expect(reply.headers.has(name)).toBe(false);
      expect((await reply.text()).length).toBe(whole);
    }
  });
});

test.each(["GET", "HEAD"])(
  "a %s for a part of a page of a workspace that is no iframe's is a download",
  async (method) => {
    for (const [index, destination] of DESTINATIONS.entries()) {
      const headers = PARTIAL[index] ?? {};
      const reply = await ask("page", method, {
        "sec-fetch-dest": destination,
        "service-worker": "script",
        ...headers,
      });
      expect(reply.headers.get("content-disposition")).toBe("attachment");
      expect(reply.headers.get("content-security-policy")).toContain("sandbox allow-scripts");
    }
    for (const headers of PARTIAL) expect((await ask("page", method, headers)).status).toBe(403);
  },
);

test("several destinations in one header are none of an iframe", async () => {
  for (const destination of ["iframe, document", "document, iframe", "IFRAME", "iframe;v=1"]) {
    const reply = await ask("page", "GET", { "sec-fetch-dest": destination });
    expect(reply.headers.get("content-disposition")).toBe("attachment");
  }
});
