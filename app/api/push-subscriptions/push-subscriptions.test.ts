import { expect, test } from "vitest";
import { PATCH as changeMe } from "@/app/api/me/route";
import { GET as show } from "@/app/api/notifications/route";
import { POST as tryDevice } from "@/app/api/push-subscriptions/[subscriptionId]/test/route";
import { POST as subscribe } from "@/app/api/push-subscriptions/route";
import type { NotificationSettings } from "@/lib/schema/users/notification";
import { deliver } from "@/lib/server/triggers/deliver";
import { pushInstallation } from "@/lib/testing/channels/push-fixture";
import { reached } from "@/lib/testing/fixtures/run-fixture";
import { DELETE as remove } from "./[subscriptionId]/route";

const { push, server, choose, addBrowser, ask, deliveries } = pushInstallation();

test("a browser that takes no more messages is forgotten; a service with a bad day is asked again", async () => {
  await choose({ ways: { decision: { push: true } } });
  await addBrowser("gone");
  await addBrowser("slow");
  push().statuses.set("gone", 410).set("slow", 503);
  await ask();
  await reached(async () => (await server().database.delivery.count({ where: { attempts: 1, begunAt: null } })) === 2);
  expect(await deliveries()).toEqual([
    { state: "failed", error: "Not sent: the browser takes no more messages and was removed." },
    { state: "pending", error: `${push().host} answered 503: the service has a bad day.` },
  ]);
  const { devices } = await choose({});
  expect(devices.map(({ name }) => name)).toEqual(["slow"]);
  const { nextAt, id } = await server().database.delivery.findFirstOrThrow({ where: { state: "pending" } });
  push().statuses.clear();
  await deliver(server().services, id, nextAt ?? new Date());
  expect(push().received).toMatchObject([{ browser: "slow", message: { title: "Something is waiting for you" } }]);
});

test("a browser is added by https only, belongs to one person, is tried and removed", async () => {
  const phone = push().subscribe("phone");
  const plain = await server().call(subscribe, {
    as: "member",
    body: { ...phone, endpoint: phone.endpoint.replace("https", "http") },
  });
  expect([plain.status, (await plain.json()).error.details[0].path]).toEqual([400, "endpoint"]);
  const inside = await server().call(subscribe, {
    as: "member",
    body: { ...phone, endpoint: "https://127.0.0.1:1/x" },
  });
  expect([inside.status, (await inside.json()).error.message]).toEqual([
    400,
    expect.stringContaining("private address"),
  ]);
  const id = await addBrowser("phone");
  const on = (as: "member" | "admin") => ({ as, method: "POST", params: { subscriptionId: id } });
  expect((await server().call(tryDevice, on("admin"))).status).toBe(404);
  expect(await (await server().call(tryDevice, on("member"))).json()).toEqual({ ok: true, error: null });
  expect(push().received).toMatchObject([{ message: { title: "Notifications work" } }]);
  expect((await server().call(remove, { ...on("admin"), method: "DELETE" })).status).toBe(404);
  expect((await server().call(remove, { ...on("member"), method: "DELETE" })).status).toBe(204);
  expect((await choose({})).devices).toEqual([]);
});

test("the key of web push is stored encrypted and stays the same; a time zone is the person's own", async () => {
  const get = async (as: "member" | "admin"): Promise<NotificationSettings> =>
    (await server().call(show, { as })).json();
  const { pushKey } = await get("member");
  expect([Buffer.from(pushKey, "base64url").length, (await get("admin")).pushKey]).toEqual([65, pushKey]);
  const stored = await server().database.setting.findUniqueOrThrow({ where: { key: "push:vapid" } });
  expect(JSON.parse(stored.value)).toEqual({ publicKey: pushKey, sealed: expect.stringMatching(/^v1\./) });
  const wrong = await server().call(changeMe, { as: "member", method: "PATCH", body: { timeZone: "Mars/Olympus" } });
  expect(wrong.status).toBe(400);
  await server().call(changeMe, { as: "member", method: "PATCH", body: { timeZone: "Asia/Tokyo" } });
  expect([(await get("member")).timeZone, (await get("admin")).timeZone]).toEqual(["Asia/Tokyo", null]);
});
