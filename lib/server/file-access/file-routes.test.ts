import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { GET as download } from "@/app/agents/[id]/files/download/route";
import { GET as listFiles } from "@/app/agents/[id]/files/list/route";
import { GET as readFile } from "@/app/agents/[id]/files/read/route";
import { PUT as upload } from "@/app/agents/[id]/files/upload/route";
import { GET as archive } from "@/app/api/threads/[threadId]/files/archive/route";
import { GET as changed } from "@/app/api/threads/[threadId]/files/changed/route";
import { GET as content } from "@/app/api/threads/[threadId]/files/content/route";
import { GET as diff } from "@/app/api/threads/[threadId]/files/diff/route";
import { GET as listThread, PUT as put, DELETE as remove } from "@/app/api/threads/[threadId]/files/route";
import { GET as textOf } from "@/app/api/threads/[threadId]/files/text/route";
import { GET as then } from "@/app/api/threads/[threadId]/files/then/route";
import { GET as versions } from "@/app/api/threads/[threadId]/files/versions/route";
import { POST as newThread } from "@/app/api/threads/route";
import { createAgent } from "@/lib/server/agents/publish-version";
import { readZip } from "@/lib/server/skills/read-zip";
import { zipFile } from "@/lib/testing/files/zip-file";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";

describe("workspace files", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
    const raw = { name: "Writer", backend: { type: "state" } };
    await createAgent(server.services, { agentId: "writer", raw, createdById: null });
    await createAgent(server.services, { agentId: "plain", raw: { name: "Plain" }, createdById: null });
  });
  afterEach(() => server.close());

  const params = { id: "writer" };
  const write = (path: string, text: string, as: "member" | "admin" = "member") =>
    server.call(upload, { as, method: "PUT", params, body: { path, content: text } });

  async function startThread(as: "member" | "admin" = "member") {
    return (await (await server.call(newThread, { as, body: { agentId: "writer" } })).json()).id as string;
  }

  test("an uploaded text is listed and read back, whatever spelling its path has", async () => {
    expect(await (await write("/workspace/notes/a.txt", "hello")).json()).toEqual({ path: "notes/a.txt", size: 5 });
    const list = await (await server.call(listFiles, { as: "member", params, path: "/?path=notes" })).json();
    expect(list).toEqual({ path: "notes", entries: [{ name: "a.txt", type: "file", size: 5 }] });
    const text = await (await server.call(readFile, { as: "member", params, path: "/?path=/notes/a.txt" })).json();
    expect(text).toEqual({ path: "notes/a.txt", content: "hello" });
  });

  test("a thread whose agent has no workspace has an empty list that says so", async () => {
    const created = await server.call(newThread, { as: "member", body: { agentId: "plain" } });
    const { id: threadId } = await created.json();
    const reply = await server.call(listThread, { as: "member", params: { threadId } });
    expect([reply.status, await reply.json()]).toEqual([200, { path: "", entries: [], hasWorkspace: false }]);
  });

  test.each([
    ["user", [undefined, 1, 2]],
    ["thread", [undefined, undefined, undefined]],
  ] as const)("with files per %s a thread says with how many others it shares them", async (scope, expected) => {
    const raw = { name: "Sharing", backend: { type: "state", scope } };
    await createAgent(server.services, { agentId: "sharing", raw, createdById: null });
    const counts: (number | undefined)[] = [];
    for (const as of ["member", "admin", "member", "member"] as const) {
      const { id } = await (await server.call(newThread, { as, body: { agentId: "sharing" } })).json();
      if (as === "admin") continue;
      const list = await server.call(listThread, { as, params: { threadId: id } });
      counts.push((await list.json()).sharedThreads);
    }
    expect(counts).toEqual(expected);
  });

  describe("the files as of then", () => {
    /** Adds a message of a run that ended a minute ago, after all versions so far, or has not ended. */
    async function answered(threadId: string, { open = false } = {}): Promise<string> {
      const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
      await server.database.fileVersion.updateMany({ data: { createdAt: minutesAgo(2) } });
      const { currentVersionId } = await server.database.agent.findUniqueOrThrow({ where: { id: "writer" } });
      const id = `run_${++made}`;
      const ids = { id, threadId, ownerId: "member", agentId: "writer", agentVersionId: currentVersionId ?? "" };
      const ended = open ? {} : { status: "completed", endedAt: minutesAgo(1) };
      const data = { ...ids, ...ended, traceId: `tr_${made}`, input: "{}", assistantMessageId: "a", position: made };
      await server.database.run.create({ data });
      const message = { id: `m_${made}`, threadId, runId: id, position: made, role: "user", parts: "[]", text: "" };
      await server.database.transcriptMessage.create({ data: message });
      return message.id;
    }
    let made = 0;
    const filesThen = (threadId: string, message: string, as: "member" | "admin" = "member") =>
      server.call(then, { as, params: { threadId }, path: `/?message=${message}` });

    test("are those that there were, each as it was, with what became of it", async () => {
      const threadId = await startThread();
      await write("a.txt", "one");
      await write("b.txt", "stays");
      await write("c.txt", "goes");
      await write("early.txt", "gone before");
      await server.call(remove, { as: "member", method: "DELETE", params: { threadId }, path: "/?path=early.txt" });
      const message = await answered(threadId);
      await write("a.txt", "two");
      await write("late.txt", "not yet");
      await server.call(remove, { as: "member", method: "DELETE", params: { threadId }, path: "/?path=c.txt" });
      const reply = await (await filesThen(threadId, message)).json();
      expect(reply).toMatchObject({ at: expect.any(String), isCut: false });
      expect(reply.files).toEqual([
        { path: "a.txt", version: 1, sizeBytes: 3, since: "changed", isKept: true },
        { path: "b.txt", version: 1, sizeBytes: 5, since: "same", isKept: true },
        { path: "c.txt", version: 1, sizeBytes: 4, since: "deleted", isKept: true },
      ]);
    });

    test("are those of now while the run goes on, and say what is no longer kept", async () => {
      const threadId = await startThread();
      const message = await answered(threadId, { open: true });
      await write("a.txt", "one");
      await server.database.blob.deleteMany();
      expect(await (await filesThen(threadId, message)).json()).toEqual({
        at: null,
        files: [{ path: "a.txt", version: 1, sizeBytes: 3, since: "same", isKept: false }],
        isCut: false,
      });
    });

    test("are for those who read the thread, and of its own messages", async () => {
      const threadId = await startThread();
      const message = await answered(threadId);
      expect((await filesThen(threadId, message, "admin")).status).toBe(404);
      expect((await filesThen(await startThread(), message)).status).toBe(404);
    });
  });

  test("a download never becomes a page", async () => {
    await write("evil.html", "<script>alert(1)</script>");
    const reply = await server.call(download, { as: "member", params, path: "/?path=evil.html" });
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      "content-type": "application/octet-stream",
      "x-content-type-options": "nosniff",
      "content-security-policy": "sandbox",
      "content-disposition": "attachment; filename*=UTF-8''evil.html",
    });
  });

  test("a folder is downloaded whole, with all that is below it, by its owner alone", async () => {
    await write("a.txt", "1");
    await write("docs/b.txt", "2");
    await write("docs/deep/c.txt", "3");
    const threadId = await startThread();
    const of = (path: string, as: "member" | "admin" = "member") =>
      server.call(archive, { as, params: { threadId }, path: `/?path=${path}` });
    const names = async (reply: Response) =>
      (await readZip(new Uint8Array(await reply.arrayBuffer()))).map(({ path }) => path);
    expect(await names(await of(""))).toEqual(["a.txt", "docs/b.txt", "docs/deep/c.txt"]);
    const docs = await of("docs");
    expect(docs.headers.get("content-disposition")).toContain("docs.zip");
    expect(await names(docs)).toEqual(["b.txt", "deep/c.txt"]);
    expect((await of("", "admin")).status).toBe(404);
  });

  test("a multipart upload keeps every byte", async () => {
    const form = new FormData();
    form.set("path", "data.bin");
    form.set("file", new File([new Uint8Array([0, 255, 1])], "other.bin"));
    const key = await server.addKey("member", ["admin"]);
    const request = new Request("http://127.0.0.1/", {
      method: "PUT",
      body: form,
      headers: { authorization: `Bearer ${key}` },
    });
    expect((await upload(request, { params: Promise.resolve(params) })).status).toBe(200);
    const reply = await server.call(download, { as: "member", params, path: "/?path=data.bin" });
    expect([...new Uint8Array(await reply.arrayBuffer())]).toEqual([0, 255, 1]);
  });

  test("31 MB of small JSON values or form fields are refused before anything is made of them", async () => {
    const parse = vi.spyOn(JSON, "parse");
    const values = `{"path":"a.txt","content":[${"1,".repeat(15_500_000)}1]}`;
    const send = (body: string, headers = {}) =>
      server.call(upload, { as: "member", method: "PUT", params, body, headers });
    const reply = await send(values);
    expect([reply.status, (await reply.json()).error.message]).toEqual([400, expect.stringContaining("multipart")]);
    expect(parse.mock.calls.filter(([text]) => text.length > 2 ** 20)).toEqual([]);
    parse.mockRestore();
    const field = '--b\r\ncontent-disposition: form-data; name="path"\r\n\r\nx\r\n';
    const read = vi.spyOn(Response.prototype, "formData");
    const form = await send(`${field.repeat(300_000)}--b--`, { "content-type": "multipart/form-data; boundary=b" });
    expect([form.status, (await form.json()).error.message]).toEqual([400, expect.stringContaining("fields")]);
    expect(read).not.toHaveBeenCalled();
    read.mockRestore();
  });

  test("a text of many megabytes is uploaded as JSON, whatever it contains", async () => {
    const content = '[1,2,"\\\\"] {}\n'.repeat(300_000);
    expect(await (await write("big.json", content)).json()).toEqual({ path: "big.json", size: content.length });
  });

  test("everybody has files of their own with the same agent", async () => {
    await write("mine.txt", "member's");
    expect((await server.call(readFile, { as: "admin", params, path: "/?path=mine.txt" })).status).toBe(404);
  });

  test.each(["../x", "a/../../x", "a\nb"])("the path %j is refused", async (path) => {
    expect((await write(path, "x")).status).toBe(400);
  });

  test("an agent without a backend has no files", async () => {
    const reply = await server.call(listFiles, { as: "member", params: { id: "plain" } });
    expect([reply.status, (await reply.json()).error.message]).toEqual([404, "This agent has no workspace."]);
  });

  test("a Word file is read for a person as for an agent, at any version, and only for who may read the thread", async () => {
    const threadId = await startThread();
    const save = async (text: string | null) => {
      const xml = `<w:document><w:body><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:body></w:document>`;
      const bytes =
        text === null ? Buffer.from("no Word file") : zipFile([{ path: "word/document.xml", content: xml }]);
      const body = new FormData();
      body.set("path", "a.docx");
      body.set("file", new File([new Uint8Array(bytes)], "a.docx"));
      const headers = { authorization: `Bearer ${await server.addKey("member", ["chat"])}` };
      const request = new Request("http://127.0.0.1/", { method: "PUT", body, headers });
      expect((await put(request, { params: Promise.resolve({ threadId }) })).status).toBe(200);
    };
    const read = (query: string, as: "member" | "admin" = "member") =>
      server.call(textOf, { as, params: { threadId }, path: `/?path=a.docx${query}` });
    await save("First.");
    await save("Second.");
    expect(await (await read("")).json()).toEqual({ text: "[Page 1]\nSecond.", refused: null });
    expect(await (await read("&version=1")).json()).toEqual({ text: "[Page 1]\nFirst.", refused: null });
    expect((await read("", "admin")).status).toBe(404);
    await save(null);
    expect(await (await read("")).json()).toEqual({ text: null, refused: null });
  });

  test("a thread knows what it changed, each version and the difference", async () => {
    const threadId = await startThread();
    const save = (text: string) =>
      server.call(put, { as: "member", method: "PUT", params: { threadId }, body: { path: "a.txt", content: text } });
    await save("one\n");
    await save("one\ntwo\n");
    const get = async (route: Parameters<TestServer["call"]>[0], path: string) =>
      server.call(route, { as: "member", params: { threadId }, path });
    const { files } = await (await get(changed, "/")).json();
    expect(files).toMatchObject([{ path: "a.txt", operation: "created", version: 2, addedLines: 2, removedLines: 0 }]);
    const list = await (await get(versions, "/?path=a.txt")).json();
    expect(list.versions.map(({ version }: { version: number }) => version)).toEqual([2, 1]);
    expect((await (await get(diff, "/?path=a.txt")).json()).patch).toContain("+two");
    expect(await (await get(content, "/?path=a.txt&version=1")).text()).toBe("one\n");
    await save("\ufeffone\ntwo\n");
    expect((await (await get(diff, "/?path=a.txt")).json()).patch).toContain("-one\n+\ufeffone\n");
    await save("\u0000");
    expect((await (await get(diff, "/?path=a.txt")).json()).patch).toBeNull();
  });

  test("a version that no file can have is refused, not a fault", async () => {
    const threadId = await startThread();
    await write("a.txt", "one");
    const number = "9007199254740991";
    const replies = [
      await server.call(content, { as: "member", params: { threadId }, path: `/?path=a.txt&version=${number}` }),
      await server.call(diff, { as: "member", params: { threadId }, path: `/?path=a.txt&to=${number}` }),
      await server.call(diff, { as: "member", params: { threadId }, path: `/?path=a.txt&from=${number}` }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([400, 400, 400]);
  });

  test("a removed file is gone and its last content stays among its versions", async () => {
    const threadId = await startThread();
    await write("a.txt", "keep me");
    const call = { as: "member", method: "DELETE", params: { threadId }, path: "/?path=a.txt" } as const;
    expect((await server.call(remove, call)).status).toBe(204);
    expect((await server.call(remove, call)).status).toBe(404);
    const old = { as: "member", params: { threadId }, path: "/?path=a.txt&version=1" } as const;
    expect(await (await server.call(content, old)).text()).toBe("keep me");
  });

  test("the files of a thread stay readable when its agent is deleted", async () => {
    const threadId = await startThread();
    await write("a.txt", "still here");
    await server.database.agent.update({ where: { id: "writer" }, data: { deletedAt: new Date() } });
    const call = { as: "member", params: { threadId }, path: "/?path=a.txt" } as const;
    expect(await (await server.call(content, call)).text()).toBe("still here");
  });

  test("another person's thread is 404 for its files too", async () => {
    const threadId = await startThread("admin");
    for (const route of [changed, versions, content, diff]) {
      expect(
        (await server.call(route, { as: "member", params: { threadId }, path: route === changed ? "/" : "/?path=a" }))
          .status,
      ).toBe(404);
    }
  });
});
