import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { notifyOfRun } from "@/lib/server/triggers/notify/notify-run";
import { updateUser } from "@/lib/server/users/update-user";
import { pushInstallation } from "@/lib/testing/channels/push-fixture";
import { eventsToEnd } from "@/lib/testing/fixtures/run-fixture";

const { push, server, effects, choose, addBrowser, ask, decideInPage, pushed, press, settled, deliveries } =
  pushInstallation();

test("a push asks in the tool's own words and shows the whole call, and its button lets the run go on", async () => {
  await choose({ ways: { decision: { push: true } }, words: "full" });
  await addBrowser("phone");
  const runId = await ask();
  const [message] = await pushed();
  expect(message).toMatchObject({
    title: "Send this mail?",
    body: "Sender, in “Send it”\nsend: ada",
    path: "/inbox",
    mayAllow: true,
  });
  expect(await press(message?.token)).toEqual([200, undefined]);
  const last = (await eventsToEnd(server().database, runId)).at(-1);
  expect(last?.event).toMatchObject({ type: "run.completed", status: "completed" });
  expect(readFileSync(effects(), "utf8")).toBe(`${runId} ada\n`);
  const row = await server().database.approval.findFirstOrThrow({ where: { runId } });
  expect(row).toMatchObject({ status: "approved", decidedBy: "member", decidedVia: "push" });
  const stored = JSON.stringify(await server().database.decisionToken.findMany());
  expect(stored).not.toContain(message?.token?.slice(0, 40));
});

test("two devices that press at once make one decision, and the other is told that there is one", async () => {
  await choose({ ways: { decision: { push: true } }, words: "full" });
  await addBrowser("phone");
  await addBrowser("laptop");
  const runId = await ask();
  const [first, second] = await pushed(2);
  const answers = await Promise.all([press(first?.token, "allow"), press(second?.token, "deny")]);
  expect(answers.map(([status]) => status).toSorted()).toEqual([200, 409]);
  const refused = answers.find(([status]) => status === 409)?.[1];
  expect(refused).toMatch(/^Already decided\. (Allowed|Denied) by The member from a notification\.$/);
  await eventsToEnd(server().database, runId);
  expect(await server().database.runEvent.count({ where: { runId, type: "interrupt.decided" } })).toBe(1);
});

test("on every device the question is replaced once it is decided, by what was decided and without buttons", async () => {
  await choose({ ways: { decision: { push: true } }, words: "full" });
  await addBrowser("phone");
  await addBrowser("laptop");
  const runId = await ask();
  const [asked] = await pushed(2);
  await settled();
  await decideInPage(runId, "allow");
  const replaced = (await pushed(4)).slice(2);
  const path = "/inbox";
  const decided = { title: "Already decided", body: "Allowed by you in the browser.", path, tag: asked?.tag };
  expect(replaced).toEqual(Array(2).fill({ ...decided, replaces: true }));
  await eventsToEnd(server().database, runId);
  await settled();
  expect(push().received).toHaveLength(4);
});

test("a button works once, for 24 hours, and only with the token that was given out", async () => {
  await choose({ ways: { decision: { push: true } } });
  await addBrowser("phone");
  const runId = await ask();
  const [message] = await pushed();
  const token = message?.token ?? "";
  expect((await press(`${token.slice(0, -1)}${token.endsWith("0") ? "1" : "0"}`, "deny"))[0]).toBe(404);
  // Somebody who can write to the database can't point the token at another approval.
  const before = await server().database.decisionToken.findFirstOrThrow();
  await server().database.decisionToken.updateMany({ data: { mayAllow: true } });
  expect((await press(token, "allow"))[0]).toBe(404);
  await server().database.decisionToken.updateMany({ data: { mayAllow: false } });
  await server().database.decisionToken.updateMany({ data: { expiresAt: new Date(Date.now() - 1) } });
  expect(await press(token, "deny")).toEqual([404, "This button no longer works. Decide in the inbox."]);
  await server().database.decisionToken.updateMany({ data: { expiresAt: before.expiresAt } });
  expect((before.expiresAt.getTime() - Date.now()) / 3_600_000).toBeCloseTo(24, 1);
  expect((await press(token, "deny"))[0]).toBe(200);
  expect((await press(token, "deny"))[0]).toBe(409);
  await eventsToEnd(server().database, runId);
});

test("without more words it says that something is there, and can deny but not allow", async () => {
  await choose({ ways: { decision: { push: true } } });
  await addBrowser("phone");
  const runId = await ask();
  const [message] = await pushed();
  expect(message).toMatchObject({ title: "Something is waiting for you", body: "", mayAllow: false });
  expect((await press(message?.token, "allow"))[0]).toBe(403);
  expect((await press(message?.token, "deny"))[0]).toBe(200);
  await eventsToEnd(server().database, runId);
});

test("the buttons of a person who was deactivated or may no longer chat decide nothing", async () => {
  await choose({ ways: { decision: { push: true } }, words: "full" });
  await addBrowser("phone");
  const runId = await ask();
  const token = (await pushed())[0]?.token;
  const admin = { id: "admin", name: "A", email: "a@x.test", role: "admin", scopes: ["admin"] } as const;
  await updateUser(server().services, "member", { role: "viewer" }, { ...admin, scopes: ["admin"] });
  expect((await press(token))[0]).toBe(403);
  await updateUser(server().services, "member", { role: "member", deactivated: true }, { ...admin, scopes: ["admin"] });
  expect((await press(token))[0]).toBe(403);
  expect(await server().database.approval.count({ where: { runId, status: "pending" } })).toBe(1);
  await settled();
  // And nothing more is revealed to them.
  push().received.length = 0;
  await server().database.delivery.deleteMany();
  await notifyOfRun(server().services, runId);
  await settled();
  expect([push().received, await deliveries()]).toEqual([
    [],
    [{ state: "failed", error: "Not sent: the person has been deactivated." }],
  ]);
});
