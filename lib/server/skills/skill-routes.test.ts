import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { GET as diff } from "@/app/api/skills/[name]/diff/route";
import { GET as files, DELETE as removeFile, PUT as writeFile } from "@/app/api/skills/[name]/files/route";
import { POST as restore } from "@/app/api/skills/[name]/restore/route";
import { GET as get, DELETE as remove } from "@/app/api/skills/[name]/route";
import { GET as usage } from "@/app/api/skills/[name]/usage/route";
import { POST as restoreVersion } from "@/app/api/skills/[name]/versions/[number]/restore/route";
import { GET as versions } from "@/app/api/skills/[name]/versions/route";
import { POST as install, GET as list } from "@/app/api/skills/route";
import { createAgent } from "@/lib/server/agents/publish-version";
import { A_MOMENT_MS } from "@/lib/testing/contracts/contract-tools";
import { zipFile } from "@/lib/testing/files/zip-file";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { findInstalled, saveSkill } from "./save-skill";

const SKILL = "---\nname: pdf\ndescription: Fill in forms\n---\n# How";

describe("installed skills", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
    const backend = { type: "state" };
    const agent = (agentId: string, raw: object) =>
      createAgent(server.services, { agentId, raw: { name: agentId, ...raw }, createdById: null });
    await agent("all", { backend, skills: { paths: ["skills"] } });
    await agent("some", { backend, skills: { paths: ["skills"], enabled: ["other"] } });
    await agent("none", { backend });
  });
  afterEach(() => server.close());

  const params = { name: "pdf" };
  const put = async (contents: Record<string, string>) => {
    const body = { files: Object.entries(contents).map(([path, content]) => ({ path, content })) };
    const reply = await server.call(install, { as: "admin", body });
    return { status: reply.status, body: await reply.json() };
  };
  const read = async (route: Parameters<TestServer["call"]>[0], path = "/") =>
    (await server.call(route, { as: "viewer", params, path })).json();
  const send = async (body: FormData | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) => {
    const key = await server.addKey("admin", ["admin"]);
    const init = { method: "POST", body, headers: { authorization: `Bearer ${key}`, ...headers } };
    const reply = await install(new Request("http://127.0.0.1/", init), { params: Promise.resolve({}) });
    return { status: reply.status, body: await reply.json() };
  };

  test("an installed skill is listed with who uses it and its files", async () => {
    expect((await put({ "SKILL.md": SKILL, "scripts/fill.py": "print()" })).status).toBe(201);
    const usedBy = [{ id: "all", name: "all" }];
    const facts = { name: "pdf", description: "Fill in forms", version: 1, source: "json", fileCount: 2, usedBy };
    expect((await read(list)).skills).toMatchObject([facts]);
    const paths = [{ path: "SKILL.md" }, { path: "scripts/fill.py" }];
    expect(await read(get)).toMatchObject({ ...facts, shownVersion: 1, files: paths });
    const file = await server.call(files, { as: "viewer", params, path: "/?path=scripts/fill.py" });
    expect([await file.text(), file.headers.get("content-security-policy")]).toEqual(["print()", "sandbox"]);
  });

  test("refuses what is not base64 at once, however it continues", async () => {
    const started = performance.now();
    const spaces = { path: "a.bin", content: `${" ".repeat(200_000)}!`, encoding: "base64" };
    const body = { files: [{ path: "SKILL.md", content: SKILL }, spaces] };
    expect((await server.call(install, { as: "admin", body })).status).toBe(400);
    expect(performance.now() - started).toBeLessThan(A_MOMENT_MS);
    const wrapped = { ...spaces, content: " aGVs\nbG8 = \n" };
    expect((await server.call(install, { as: "admin", body: { files: [body.files[0], wrapped] } })).status).toBe(201);
  });

  test("other files become the next version, identical ones none, and old versions stay readable", async () => {
    await put({ "SKILL.md": SKILL });
    expect(await put({ "pdf/SKILL.md": SKILL })).toMatchObject({ status: 200, body: { outcome: "unchanged" } });
    const next = SKILL.replace("forms", "tax forms");
    expect(await put({ "SKILL.md": next })).toMatchObject({ status: 200, body: { outcome: "updated" } });
    expect(await read(get)).toMatchObject({ version: 2, description: "Fill in tax forms" });
    expect(await read(get, "/?version=1")).toMatchObject({ shownVersion: 1, version: 2 });
    const found = (await read(versions)).versions;
    expect(found).toMatchObject([
      { number: 2, current: true, createdByName: "The admin" },
      { number: 1, current: false, description: "Fill in forms" },
    ]);
    const old = await server.call(files, { as: "viewer", params, path: "/?path=SKILL.md&version=1" });
    expect(await old.text()).toBe(SKILL);
  });

  test("an older version becomes the next one; the same files and its description", async () => {
    await put({ "SKILL.md": SKILL, "a.txt": "first" });
    await put({ "SKILL.md": SKILL.replace("forms", "tax forms") });
    const call = { as: "admin", method: "POST", params: { ...params, number: "1" } } as const;
    expect(await (await server.call(restoreVersion, call)).json()).toMatchObject({ version: 3, fileCount: 2 });
    expect(await read(get)).toMatchObject({
      description: "Fill in forms",
      files: [{ path: "SKILL.md" }, { path: "a.txt" }],
    });
    const missing = { ...call, params: { ...params, number: "9" } };
    expect((await server.call(restoreVersion, missing)).status).toBe(404);
    await server.call(remove, { as: "admin", method: "DELETE", params });
    expect((await server.call(restoreVersion, call)).status).toBe(404);
  });

  const edit = async (path: string, content: string, version: number) => {
    const call = { as: "admin", method: "PUT", params, body: { path, content, version } } as const;
    const reply = await server.call(writeFile, call);
    return { status: reply.status, body: await reply.json() };
  };

  test("a file edited in place makes the next version; the same text makes none; another version is a conflict", async () => {
    await put({ "SKILL.md": SKILL, "a.txt": "first\n" });
    expect(await edit("a.txt", "second\n", 1)).toMatchObject({ status: 200, body: { version: 2, fileCount: 2 } });
    expect((await edit("a.txt", "second\n", 2)).body.version).toBe(2);
    expect((await edit("scripts/new.py", "print()", 2)).body).toMatchObject({
      version: 3,
      fileCount: 3,
      source: "edit",
    });
    const { status, body } = await edit("a.txt", "mine\n", 2);
    expect([status, body.error.code, body.error.details.current.version]).toEqual([409, "conflict", 3]);
    const replies = await Promise.all(["x", "y", "z"].map((text) => edit("a.txt", text, 3)));
    expect(replies.map((reply) => reply.status).toSorted()).toEqual([200, 409, 409]);
    const call = { as: "admin", method: "DELETE", params } as const;
    const gone = await server.call(removeFile, { ...call, path: "/?path=a.txt&version=4" });
    expect(await gone.json()).toMatchObject({ version: 5, fileCount: 2 });
    expect((await server.call(removeFile, { ...call, path: "/?path=a.txt&version=5" })).status).toBe(404);
    expect((await server.call(removeFile, { ...call, path: "/?path=SKILL.md&version=5" })).status).toBe(400);
    const old = await server.call(files, { as: "viewer", params, path: "/?path=a.txt&version=1" });
    expect(await old.text()).toBe("first\n");
    const audited = await server.database.auditEntry.count({ where: { action: "skill.edited", target: "skill:pdf" } });
    expect(audited).toBe(4);
  });

  test.each([
    ["SKILL.md", "---\nname: other\ndescription: d\n---", "must stay pdf"],
    ["SKILL.md", "no front matter", "no front matter"],
    ["SKILL.md", `---\nname: pdf\ndescription: d\ncompatibility: ${"x".repeat(501)}\n---`, "compatibility"],
    ["SKILL.md", "---\nname: pdf\ndescription: d\nallowed-tools: {a: 1}\n---", "allowed-tools"],
    ["../out.txt", "x", "must stay in the skill"],
    ["SKILL.md/x", "x", "both a file and a folder"],
  ])("an edit of %s to %j is refused as an upload of it is", async (path, content, problem) => {
    await put({ "SKILL.md": SKILL });
    const { status, body } = await edit(path, content, 1);
    expect([status, body.error.message]).toEqual([400, expect.stringContaining(problem)]);
    expect((await read(get)).version).toBe(1);
  });

  test.each(["__MACOSX/../../out.txt", "notes/.DS_Store"])(
    "%s, which an upload leaves out, can't be written",
    async (path) => {
      await put({ "SKILL.md": SKILL });
      const { status, body } = await edit(path, "x", 1);
      expect([status, body.error.message]).toEqual([400, expect.stringContaining(path)]);
      expect(await read(get)).toMatchObject({ version: 1, fileCount: 1 });
    },
  );

  test("SKILL.md can't be removed, not even where a folder has another one", async () => {
    await put({ "SKILL.md": SKILL, "old/SKILL.md": SKILL });
    const call = { as: "admin", method: "DELETE", params, path: "/?path=SKILL.md&version=1" } as const;
    expect((await server.call(removeFile, call)).status).toBe(400);
    expect(await read(get)).toMatchObject({ version: 1, fileCount: 2 });
  });

  test("a skill that was deleted since it was read stays deleted", async () => {
    await put({ "SKILL.md": SKILL });
    const before = await findInstalled(server.database, "pdf");
    if (!before) throw new Error("pdf is installed");
    await server.call(remove, { as: "admin", method: "DELETE", params });
    const skill = { name: "pdf", description: "Fill in forms", sizeBytes: 1 };
    const change = { skill, source: "edit", contentHash: "h", files: [], version: 1, before, viewerId: null } as const;
    await expect(saveSkill(server.services, change)).rejects.toMatchObject({ code: "conflict" });
    expect(await findInstalled(server.database, "pdf")).toMatchObject({ isDeleted: true });
  });

  test("the whole front matter of the format is shown", async () => {
    const rest = "license: Apache-2.0\ncompatibility: Needs git\nmetadata: {author: Ada, version: 1.0}";
    await put({ "SKILL.md": SKILL.replace("\n---\n#", `\n${rest}\nallowed-tools: Bash(git:*) Read\n---\n#`) });
    expect(await read(get)).toMatchObject({
      license: "Apache-2.0",
      compatibility: "Needs git",
      metadata: { author: "Ada", version: "1" },
      allowedTools: ["Bash(git:*)", "Read"],
    });
    await put({ "SKILL.md": SKILL });
    expect(await read(get)).toMatchObject({ license: null, metadata: {}, allowedTools: null });
  });

  test("two versions are compared file by file", async () => {
    await put({ "SKILL.md": SKILL, "a.txt": "one\n", "b.txt": "b" });
    await put({ "SKILL.md": SKILL, "a.txt": "two\n", "c.txt": "c" });
    const { from, to, files: changed } = await read(diff);
    expect([from, to]).toEqual([1, 2]);
    expect(changed).toMatchObject([
      { path: "a.txt", change: "changed", patch: expect.stringContaining("-one\n+two\n") },
      { path: "b.txt", change: "removed" },
      { path: "c.txt", change: "added" },
    ]);
    expect((await read(diff, "/?from=0&to=1")).files).toHaveLength(3);
    expect((await server.call(diff, { as: "viewer", params, path: "/?from=1&to=9" })).status).toBe(404);
  });

  test("the usage says what each agent's prompt has of the skill", async () => {
    await put({ "SKILL.md": SKILL });
    const skills = { paths: ["skills"], mode: "inline" };
    await createAgent(server.services, {
      agentId: "whole",
      raw: { name: "whole", backend: { type: "state" }, skills },
      createdById: null,
    });
    const reply = await server.call(usage, { as: "admin", params });
    expect(await reply.json()).toMatchObject({
      command: "/pdf",
      askedText: expect.stringContaining('asks for the skill "pdf"'),
      agents: [
        { id: "all", mode: "catalog", text: "- [pdf] Fill in forms → Read /skills/pdf/SKILL.md for full instructions" },
        { id: "whole", mode: "inline", text: expect.stringContaining("# How"), tokens: expect.any(Number) },
      ],
    });
    expect((await server.call(usage, { as: "member", params })).status).toBe(403);
  });

  test("a skill that is created with a name has that name", async () => {
    const body = (name: string, text: string) => ({ name, files: [{ path: "SKILL.md", content: text }] });
    const call = (name: string, text: string) => server.call(install, { as: "admin", body: body(name, text) });
    expect((await call("pdf", SKILL)).status).toBe(201);
    expect((await call("notes", "---\ndescription: Take notes\n---\n")).status).toBe(201);
    expect((await call("other", SKILL)).status).toBe(400);
    expect((await read(list)).skills.map(({ name }: { name: string }) => name)).toEqual(["notes", "pdf"]);
  });

  test("an impossible version is refused and is not a fault", async () => {
    await put({ "SKILL.md": SKILL });
    const number = "9007199254740991";
    const ask = { as: "admin", params } as const;
    const replies = [
      await server.call(restoreVersion, { ...ask, method: "POST", params: { ...params, number } }),
      await server.call(get, { ...ask, path: `/?version=${number}` }),
      await server.call(files, { ...ask, path: `/?path=SKILL.md&version=${number}` }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([400, 400, 400]);
  });

  test("a deleted skill is gone until it is restored or installed again", async () => {
    await put({ "SKILL.md": SKILL });
    const call = { as: "admin", method: "DELETE", params } as const;
    expect((await server.call(remove, call)).status).toBe(204);
    expect((await server.call(remove, call)).status).toBe(404);
    expect((await server.call(get, { as: "viewer", params })).status).toBe(404);
    expect((await read(list)).skills).toEqual([]);
    expect((await server.call(restore, { ...call, method: "POST" })).status).toBe(200);
    expect((await read(list)).skills).toHaveLength(1);
    await server.call(remove, call);
    expect(await put({ "SKILL.md": SKILL })).toMatchObject({ status: 200, body: { version: 1 } });
  });

  test("a skill that never was can't be restored", async () => {
    expect((await server.call(restore, { as: "admin", method: "POST", params })).status).toBe(404);
  });

  test("a zip archive is installed, by its own body or as a form's file", async () => {
    const archive = zipFile([{ path: "pdf/SKILL.md", content: SKILL }]);
    const raw = await send(archive, { "content-type": "application/zip" });
    expect(raw).toMatchObject({ status: 201, body: { source: "zip", fileCount: 1 } });
    const form = new FormData();
    const unnamed = "---\ndescription: Named by its archive\n---\n";
    form.set("file", new File([zipFile([{ path: "SKILL.md", content: unnamed }])], "from-archive.zip"));
    expect(await send(form)).toMatchObject({ status: 201, body: { name: "from-archive" } });
  });

  test("a folder is installed as a form of paths and files", async () => {
    const form = new FormData();
    for (const [path, content] of [["pdf/SKILL.md", SKILL] as const, ["pdf/data.bin", "\xff"] as const]) {
      form.append("path", path);
      form.append("file", new File([content], path.split("/").at(-1) ?? ""));
    }
    expect(await send(form)).toMatchObject({ status: 201, body: { source: "folder", fileCount: 2 } });
  });

  test("a refused skill leaves nothing behind and the message names the file", async () => {
    const reply = await put({ "SKILL.md": SKILL, "../../evil": "x" });
    expect([reply.status, reply.body.error.code]).toEqual([400, "invalid_input"]);
    expect(reply.body.error.message).toContain("../../evil");
    expect((await read(list)).skills).toEqual([]);
  });

  test("two simultaneous installs of one skill keep both or say so, never half of one", async () => {
    await put({ "SKILL.md": SKILL });
    const results = await Promise.all(["a", "b", "c"].map((text) => put({ "SKILL.md": SKILL, "x.txt": text })));
    expect(results.every(({ status }) => status === 200 || status === 409)).toBe(true);
    const done = results.filter(({ status }) => status === 200).length;
    const found = (await read(versions)).versions;
    expect(found.map(({ fileCount }: { fileCount: number }) => fileCount)).toEqual([...Array(done).fill(2), 1]);
  });

  test("every change is in the audit log", async () => {
    await put({ "SKILL.md": SKILL });
    await server.call(remove, { as: "admin", method: "DELETE", params });
    await server.call(restore, { as: "admin", method: "POST", params });
    const entries = await server.database.auditEntry.findMany({ orderBy: { id: "asc" } });
    expect(entries.map(({ action, target, actorId }) => [action, target, actorId])).toEqual([
      ["skill.installed", "skill:pdf", "admin"],
      ["skill.deleted", "skill:pdf", "admin"],
      ["skill.restored", "skill:pdf", "admin"],
    ]);
  });
});
