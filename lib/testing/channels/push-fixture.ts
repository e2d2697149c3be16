import { afterEach, beforeEach, expect } from "vitest";
import { PATCH as change } from "@/app/api/notifications/route";
import { POST as decide } from "@/app/api/push-decisions/route";
import { POST as subscribe } from "@/app/api/push-subscriptions/route";
import type { ChangeNotificationsBody, NotificationSettings, PushMessage } from "@/lib/schema/users/notification";
import { startRun } from "@/lib/server/engine/accept";
import type { RunHost } from "@/lib/server/engine/host";
import { DELIVERY_TASK, DeliveryTask } from "@/lib/server/engine/outgoing/delivery-timer";
import { decideOnRun } from "@/lib/server/inbox/decide-on-run";
import type { Services } from "@/lib/server/platform/services";
import { deliver } from "@/lib/server/triggers/deliver";
import { followRuns, notifyOfRun } from "@/lib/server/triggers/notify/notify-run";
import { approvalParts } from "@/lib/testing/fixtures/approval-parts";
import { addAgent, addThread, eventsToEnd, reached, testHost } from "@/lib/testing/fixtures/run-fixture";
import { type PushServer, startPushServer } from "@/lib/testing/servers/push-server";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";

/**
 * An installation whose agent `sender` asks the member before each mail that it sends, and a service for web push that
 * keeps what it gets. Call it at a test file's top level.
 */
export function pushInstallation() {
  let push: PushServer;
  let server: TestServer;
  let host: RunHost;
  let unfollow: () => void;
  const effects = () => `${server.dataDirectory}/effects`;
  const follow = (services: Services) => {
    unfollow = followRuns(services);
  };
  beforeEach(async () => {
    push = await startPushServer();
    server = await startTestServer({ RINGMASTER_ALLOWED_PRIVATE_HOSTS: push.host });
    const { database } = server;
    await addAgent(database, "sender", { name: "Sender", model: "scripted:approval" });
    await addThread(database, "th1", { ownerId: "member", agentId: "sender" });
    const parts = approvalParts(effects(), () => undefined);
    host = testHost(database, {
      ...parts,
      tools: parts.tools.map((tool) => ({ ...tool, question: "Send this mail?" })),
      tasks: { [DELIVERY_TASK]: (data) => deliver(server.services, DeliveryTask.parse(data).deliveryId) },
    });
    await host.start();
    follow(server.services);
  });
  afterEach(async () => {
    unfollow();
    await host.stop();
    await server.close();
    await push.close();
  });
  return {
    push: () => push,
    server: () => server,
    /** The file with what `sender` has sent. */
    effects,
    stopHost: () => host.stop(),
    unfollow: () => unfollow(),
    follow,
    ...runsOfSender(() => server),
    ...notificationsOfMember(
      () => server,
      () => push,
    ),
  };
}

function runsOfSender(server: () => TestServer) {
  const start = async (content: string, threadId = "th1") => {
    const messages = [{ role: "user" as const, content }];
    return (await startRun(server().database, { ownerId: "member", threadId, agentId: "sender", messages })).runId;
  };
  /** Starts a run and resolves when it asks. */
  const ask = async () => {
    const runId = await start("Send it");
    await reached(async () => (await server().database.approval.count({ where: { runId } })) === 1);
    return runId;
  };
  const decideInPage = async (runId: string, decision: "allow" | "deny") => {
    const decider = { id: "member", name: "Mia", via: "page" } as const;
    await decideOnRun(server().services, { runId, decider, decisions: [{ tool_call_id: "call_1", decision }] });
  };
  return {
    ask,
    decideInPage,
    /** Starts a run that asks, decides in the page, and resolves at its end. */
    async askAndDecide(decision: "allow" | "deny"): Promise<string> {
      const runId = await ask();
      await decideInPage(runId, decision);
      await eventsToEnd(server().database, runId);
      return runId;
    },
    /** A run that nothing works on: its host has stopped. */
    startSilently: (threadId: string) => start("Again", threadId),
    async fail(id: string): Promise<void> {
      const errorMessage = "LLM call: The provider is overloaded.";
      const data = { status: "failed" as const, attended: false, endedAt: new Date(), errorMessage };
      await server().database.run.update({ where: { id }, data });
      await notifyOfRun(server().services, id);
    },
  };
}

function notificationsOfMember(server: () => TestServer, push: () => PushServer) {
  return {
    choose: async (body: ChangeNotificationsBody): Promise<NotificationSettings> =>
      (await server().call(change, { as: "member", method: "PATCH", body })).json(),
    /** Returns the id of its subscription. */
    async addBrowser(browser: string): Promise<string> {
      const reply = await server().call(subscribe, { as: "member", body: push().subscribe(browser) });
      expect(reply.status, await reply.clone().text()).toBe(201);
      return (await reply.json()).id;
    },
    /** What the service has, once it is at least `count` messages. */
    async pushed(count = 1): Promise<PushMessage[]> {
      await reached(() => push().received.length >= count);
      return push().received.map(({ message }) => message);
    },
    /** Presses the button of a message: the status, and what a refusal says. */
    async press(token: string | undefined, decision = "allow"): Promise<[number, string | undefined]> {
      const reply = await server().call(decide, { body: { token, decision } });
      return [reply.status, (await reply.json()).error?.message];
    },
    /** Resolves once nothing is left to be delivered. */
    settled: () =>
      reached(async () => (await server().database.delivery.count({ where: { nextAt: { not: null } } })) === 0),
    deliveries: () =>
      server().database.delivery.findMany({
        select: { state: true, error: true },
        orderBy: [{ state: "asc" }, { id: "asc" }],
      }),
  };
}
