import { afterEach, beforeEach, expect, test } from "vitest";
import { PATCH as change, DELETE as remove } from "@/app/api/notes/[noteId]/route";
import { GET as list, POST as write } from "@/app/api/notes/route";
import { GET as exportTrace } from "@/app/api/traces/[traceId]/export/route";
import { GET as listTraces } from "@/app/api/traces/route";
import type { Note } from "@/lib/schema/traces/note";
import type { Role } from "@/lib/schema/users/user";
import { createAgent } from "@/lib/server/agents/publish-version";
import { onFeedEvent } from "@/lib/server/engine/log/signals";
import { deleteTracesBefore } from "@/lib/server/platform/db/queries/retention/purge";
import { setMasks } from "@/lib/server/platform/masking";
import { addSpan, addTrace } from "@/lib/testing/fixtures/trace-fixture";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";

let server: TestServer;

beforeEach(async () => {
  server = await startTestServer();
  await createAgent(server.services, { agentId: "writer", raw: { name: "Writer" }, createdById: null });
  await addTrace(server, "a");
  await addSpan(server, "a", { id: "sp_call" });
});
afterEach(async () => {
  setMasks([]);
  await server.close();
});

const post = (body: object, as: Role = "member", headers = {}) =>
  server.call(write, { as, body: { runId: "run_a", ...body }, headers });
const written = async (text: string, as: Role = "member", more: object = {}): Promise<Note> => {
  const reply = await post({ text, ...more }, as);
  expect(reply.status).toBe(201);
  return reply.json();
};
const get = (as: Role, runId = "run_a") => server.call(list, { as, path: `/api/notes?runId=${runId}` });
const texts = async (as: Role = "member"): Promise<string[]> => {
  const { notes } = await (await get(as)).json();
  return notes.map(({ text }: Note) => text);
};
const edit = (noteId: string, text: string, as: Role = "member") =>
  server.call(change, { as, method: "PATCH", params: { noteId }, body: { text } });
const drop = (noteId: string, as: Role = "member") => server.call(remove, { as, method: "DELETE", params: { noteId } });
const audited = (action: string) => server.database.auditEntry.findMany({ where: { action } });

test("notes stand on a run or on one of its spans, oldest first, with their author", async () => {
  await written("Why so **slow**?");
  await written("Here it waited.\n\nFor me.", "admin", { spanId: "sp_call" });
  const { notes } = await (await get("member")).json();
  expect(notes).toMatchObject([
    { runId: "run_a", spanId: null, text: "Why so **slow**?", authorId: "member", editedAt: null },
    { runId: "run_a", spanId: "sp_call", text: "Here it waited.\n\nFor me.", authorId: "admin" },
  ]);
  expect(notes[0].authorName).toEqual(expect.any(String));
});

test("the author changes a note, which says so, and deletes it", async () => {
  const { id } = await written("Slow");
  const changed = await (await edit(id, "Slow, because of the proxy")).json();
  expect(changed).toMatchObject({ id, text: "Slow, because of the proxy", editedAt: expect.any(String) });
  expect(await texts()).toEqual(["Slow, because of the proxy"]);
  expect((await drop(id)).status).toBe(204);
  expect(await texts()).toEqual([]);
  expect((await drop(id)).status).toBe(404);
  expect(await audited("note.deleted")).toEqual([]);
});

test("an administrator reads and writes notes on another's run and deletes theirs, which is audited without the text, and changes none", async () => {
  const { id } = await written("Slow");
  expect(await texts("admin")).toEqual(["Slow"]);
  expect(await audited("trace.viewed")).toHaveLength(1);
  expect((await edit(id, "Fast", "admin")).status).toBe(404);
  const own = await written("Mine", "admin");
  expect((await drop(own.id, "member")).status).toBe(404);
  expect((await drop(id, "admin")).status).toBe(204);
  expect(await texts()).toEqual(["Mine"]);
  const [entry, ...others] = await audited("note.deleted");
  expect(others).toEqual([]);
  expect(entry).toMatchObject({ actorId: "admin", target: `note:${id}` });
  expect(JSON.parse(entry?.details ?? "")).toEqual({ authorId: "member", runId: "run_a" });
  expect(JSON.stringify([entry?.before, entry?.after])).not.toContain("Slow");
});

test("to a stranger, and to readers and writers of the run's project, neither run nor notes exist", async () => {
  await addTrace(server, "b", { owner: "admin", minute: 1 });
  const members = { create: [{ userId: "member", role: "write" }] };
  await server.database.project.create({ data: { id: "prj_1", name: "Ours", createdById: "admin", members } });
  for (const projectId of [null, "prj_1"]) {
    for (const role of ["read", "write"]) {
      await server.database.projectMember.updateMany({ data: { role } });
      await server.database.thread.update({ where: { id: "th_b" }, data: { projectId } });
      await server.database.trace.update({ where: { id: "tr_b" }, data: { projectId } });
      const { id } = await written("Of the admin", "admin", { runId: "run_b" });
      expect((await get("member", "run_b")).status).toBe(404);
      expect((await post({ runId: "run_b", text: "Hello" })).status).toBe(404);
      expect((await edit(id, "Hello")).status).toBe(404);
      expect((await drop(id)).status).toBe(404);
    }
  }
  expect(await server.database.note.count({ where: { text: "Of the admin" } })).toBe(4);
});

test("a viewer reads notes on their own run and writes none", async () => {
  await addTrace(server, "v", { owner: "viewer", minute: 1 });
  const { id } = await written("Look here", "admin", { runId: "run_v" });
  expect((await (await get("viewer", "run_v")).json()).notes).toMatchObject([{ id }]);
  expect((await post({ runId: "run_v", text: "Hello" }, "viewer")).status).toBe(403);
  expect((await edit(id, "Hello", "viewer")).status).toBe(403);
  expect((await drop(id, "viewer")).status).toBe(403);
});

test("a text is bounded and not empty, and a span is one of the run's", async () => {
  await addTrace(server, "b", { minute: 1 });
  await addSpan(server, "b", { id: "sp_other" });
  for (const text of ["", "  \n", "x".repeat(10_001), "a\0b"]) expect((await post({ text })).status).toBe(400);
  const { id } = await written("x".repeat(10_000));
  expect((await edit(id, " ")).status).toBe(400);
  for (const spanId of ["sp_other", "sp_none"]) expect((await post({ text: "Hello", spanId })).status).toBe(404);
  expect((await get("member", "run_none")).status).toBe(404);
});

test("a note sent twice under one Idempotency-Key is written once", async () => {
  const twice = () => post({ text: "Once" }, "member", { "idempotency-key": "k1" });
  const [first, second] = [await (await twice()).json(), await (await twice()).json()];
  expect(second).toEqual(first);
  expect(await texts()).toEqual(["Once"]);
});

test("a run takes 500 notes and refuses the next one", async () => {
  const rows = Array.from({ length: 500 }, (_, index) => ({ id: `note_${index}`, text: "Again" }));
  await server.database.note.createMany({ data: rows.map((row) => ({ ...row, traceId: "tr_a", authorId: "member" })) });
  const refused = await post({ text: "One more" });
  expect([refused.status, (await refused.json()).error.message]).toEqual([
    409,
    "This run has 500 notes already. Delete some first.",
  ]);
});

test("a note is whole for its author, and masked for others and in the export, which has everybody's", async () => {
  await written("It names 12345.");
  await written("And 12345 again.", "admin", { spanId: "sp_call" });
  setMasks([(text) => text.replaceAll("12345", "#")]);
  expect(await texts("member")).toEqual(["It names 12345.", "And # again."]);
  expect(await texts("admin")).toEqual(["It names #.", "And 12345 again."]);
  const exported = await (await server.call(exportTrace, { as: "member", params: { traceId: "tr_a" } })).json();
  expect(exported.notes).toMatchObject([{ text: "It names #." }, { text: "And # again.", spanId: "sp_call" }]);
});

test("open pages of the run's owner and of the author hear of each change", async () => {
  const heard: string[] = [];
  const stops = ["member", "admin", "viewer"].map((userId) =>
    onFeedEvent(userId, (event) => event?.type === "trace_note.changed" && heard.push(`${userId} ${event.runId}`)),
  );
  const { id } = await written("Look here", "admin");
  expect(heard.splice(0).toSorted()).toEqual(["admin run_a", "member run_a"]);
  await edit(id, "Look there", "admin");
  await drop(id, "admin");
  expect(heard).toHaveLength(4);
  for (const stop of stops) stop();
});

test("notes are purged with their trace, after which the run takes none", async () => {
  await written("Slow");
  await server.database.run.update({ where: { id: "run_a" }, data: { endedAt: new Date() } });
  expect(await deleteTracesBefore(server.database, new Date("2100-01-01"), { rest: async () => true })).toBe(1);
  expect(await server.database.note.count()).toBe(0);
  expect((await get("member")).status).toBe(404);
  expect((await post({ text: "Late" })).status).toBe(404);
});

test("the list's search finds runs by their notes, in any spelling, as they are now, for those who see the run", async () => {
  await addTrace(server, "b", { owner: "admin", minute: 1 });
  const { id } = await written("Der ÜBERTRAGENE Wert\nhat 50% Łücken");
  const found = async (words: string, as: Role = "member"): Promise<string[]> => {
    const reply = await server.call(listTraces, { as, path: `/api/traces?q=${encodeURIComponent(words)}` });
    return (await reply.json()).traces.map((trace: { id: string }) => trace.id);
  };
  for (const words of ["übertragene", "ubertragene WERT", "50% luck", "Łücken"]) {
    expect(await found(words)).toEqual(["tr_a"]);
  }
  expect(await found("ubertragene", "admin")).toEqual(["tr_a"]);
  expect(await found("ubertragene", "viewer")).toEqual([]);
  expect(await found("5_% luck")).toEqual([]);
  await edit(id, "Ganz anders");
  expect(await found("ubertragene")).toEqual([]);
  expect(await found("GANZ anders")).toEqual(["tr_a"]);
  await drop(id);
  expect(await found("ganz anders")).toEqual([]);
});
