import { afterEach, beforeEach, expect, test } from "vitest";
import { POST as invoke } from "@/app/agents/[id]/invoke/route";
import { GET as bundle } from "@/app/api/traces/[traceId]/bundle/route";
import type { Role } from "@/lib/schema/users/user";
import { setMasks } from "@/lib/server/platform/masking";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import { scriptedTurns } from "@/lib/testing/servers/scripted-turns";

const ATTACK = '</pre><img src=x onerror="alert(1)"><script>alert(2)</script>';
const plan = { name: "write_todos", args: { todos: [{ id: "1", title: ATTACK, status: "done" }] } };

let server: RunServer;
beforeEach(async () => {
  server = await startRunServer(scriptedTurns({ [ATTACK]: [{ text: ATTACK, calls: [plan] }, { text: "Done." }] }));
  const body = { messages: [{ role: "user", content: ATTACK }] };
  await server.call(invoke, { as: "member", params: { id: "coder" }, body });
});
afterEach(() => {
  setMasks([]);
  return server.close();
});

async function read(as: Role) {
  const { id: traceId } = await server.database.trace.findFirstOrThrow({});
  return server.call(bundle, { as, params: { traceId } });
}

test("a bundle is one file with the text, the tree and the waterfall of the run", async () => {
  const reply = await read("member");
  expect(reply.headers.get("content-disposition")).toMatch(/^attachment; filename\*=UTF-8''trace-.*\.html$/);
  const html = await reply.text();
  expect(html.indexOf('class="read"')).toBeLessThan(html.indexOf('class="tree"'));
  for (const part of ["Done.", "write_todos", "<table><tr>", "Step 2", "<rect "]) expect(html).toContain(part);
});

test("nothing in it loads or runs anything, whatever was said", async () => {
  const html = await (await read("member")).text();
  expect(html).toMatch(
    /content="default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'; form-action 'none'"/,
  );
  for (const tag of ["<script", "<img", "<link", "<a ", "style="]) expect(html).not.toContain(tag);
  expect(html).toContain("&lt;script&gt;alert(2)&lt;/script&gt;");
});

test("masks apply, and strangers get nothing", async () => {
  setMasks([(text) => text.replaceAll("alert", "[masked]")]);
  const html = await (await read("member")).text();
  expect(html).not.toContain("alert");
  expect(html).toContain("[masked]");
  expect((await read("viewer")).status).toBe(404);
});
