import { afterEach, beforeEach, expect, test } from "vitest";
import type { InboxNoteList } from "@/lib/schema/inbox/inbox-note";
import type { ChangeNotificationsBody } from "@/lib/schema/users/notification";
import { composeNotification } from "@/lib/server/triggers/notify/compose";
import { sweepNotes, tellPerson } from "@/lib/server/triggers/notify/tell-person";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { PATCH as choose } from "../notifications/route";
import { PATCH as change } from "./[noteId]/route";
import { GET as list } from "./route";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

const EVENT = {
  ownerId: "member",
  kind: "schedule",
  key: "paused trg1",
  title: "Paused after 3 failures",
  detail: "The key was refused.",
  source: "schedule Import",
  path: "/automations/schedules/trg1",
} as const;
const tell = (over: { readonly key?: string } = {}) =>
  tellPerson(server.services, { ...EVENT, ...over, at: new Date() });
const notes = async (as: "member" | "admin" = "member"): Promise<InboxNoteList> =>
  (await server.call(list, { as })).json();
const done = async (noteId: string, as: "member" | "admin", isDone = true) =>
  (await server.call(change, { as, method: "PATCH", params: { noteId }, body: { done: isDone } })).status;
const prefer = (body: ChangeNotificationsBody) => server.call(choose, { as: "member", method: "PATCH", body });
const queued = () => server.database.delivery.findMany({ select: { target: true, runId: true } });

test("a note is only in its person's inbox, once, until they mark it as done", async () => {
  await tell();
  await tell();
  const {
    notes: [note],
    total,
  } = await notes();
  expect(total).toBe(1);
  expect(note).toMatchObject({
    kind: "schedule",
    title: "Paused after 3 failures",
    path: "/automations/schedules/trg1",
  });
  expect(await notes("admin")).toEqual({ notes: [], total: 0 });
  expect(await done(note?.id ?? "", "admin")).toBe(404);
  expect(await done(note?.id ?? "", "member")).toBe(204);
  expect(await notes()).toEqual({ notes: [], total: 0 });
  expect(await done(note?.id ?? "", "member", false)).toBe(204);
  expect((await notes()).total).toBe(1);
});

test("a person who has left is told nothing", async () => {
  await server.database.user.update({ where: { id: "member" }, data: { deactivatedAt: new Date() } });
  await tell();
  expect(await server.database.inboxNote.count()).toBe(0);
});

test("a note is notified in the chosen ways, with as many words as were chosen, and not once it is done", async () => {
  await tell({ key: "before" });
  await prefer({ ways: { schedule: { email: true } }, words: "full" });
  await tell();
  await sweepNotes(server.services);
  const rows = await queued();
  expect(rows).toHaveLength(1);
  const { mail: subject } = JSON.parse(rows[0]?.target ?? "{}");
  const about = { runId: "", subject };
  const full = await composeNotification(server.database, { ...about, words: "full" });
  expect(full).toMatchObject({
    title: "Paused after 3 failures",
    body: "schedule Import\nThe key was refused.",
    path: "/automations/schedules/trg1",
  });
  const short = await composeNotification(server.database, { ...about, words: "short" });
  expect([short.title, short.body]).toEqual(["A schedule was missed or paused", ""]);
  await done(subject.noteId, "member");
  await expect(composeNotification(server.database, { ...about, words: "full" })).rejects.toThrow("marked as done");
});

test("in quiet hours a note is kept for the summary", async () => {
  const clock = (hours: number) =>
    new Date(Date.now() + hours * 3_600_000).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  const quietHours = { from: clock(-1), to: clock(1), decisionsPass: true, summary: true };
  await prefer({ ways: { schedule: { page: true } }, quietHours });
  await tell();
  expect((await queued()).map(({ target }) => target)).toEqual(['{"summary":{"way":"page"}}']);
});
