import { expect, test } from "vitest";
import type { StoredRunEvent } from "@/lib/schema/runs/run-event";
import {
  announceCancelRequest,
  announceRows,
  announceToUser,
  type FeedEvent,
  feedEvents,
  feedRevision,
  followTopics,
  type Notification,
  onCancelRequest,
  onNotification,
  onStoredRows,
  receiveNotification,
  resync,
  storedRows,
} from "./signals";

const renamed: FeedEvent = { type: "thread.changed", threadId: "th_1" };
const row: StoredRunEvent = { runId: "run_1", seq: 1, at: 0, event: { type: "text.delta", step: 1, delta: "a" } };

test("what is announced while a reader is busy comes one after the other when it reads on", async () => {
  const stop = new AbortController();
  const events = feedEvents("u_1", stop.signal);
  announceToUser("u_1", renamed);
  announceToUser("u_2", { ...renamed, threadId: "th_2" });
  announceToUser("u_1", { type: "run.changed", threadId: "th_1", runId: "run_1", status: "queued" });
  expect((await events.next()).value).toEqual([renamed, expect.any(String)]);
  expect((await events.next()).value).toMatchObject([{ type: "run.changed" }, expect.any(String)]);
  const waiting = events.next();
  stop.abort();
  await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
});

test("a revision changes with each change of that user, and is unknown beside other processes", async () => {
  const stop = new AbortController();
  const events = feedEvents("u_3", stop.signal);
  const before = feedRevision("u_3");
  announceToUser("u_4", renamed);
  expect(feedRevision("u_3")).toBe(before);
  announceToUser("u_3", renamed);
  const after = feedRevision("u_3");
  expect(after).not.toBe(before);
  expect((await events.next()).value).toEqual([renamed, after]);
  const unfollow = followTopics({ begin: async () => undefined, end: () => undefined });
  expect(feedRevision("u_3")).toBeNull();
  unfollow();
  expect(feedRevision("u_3")).not.toBe(after);
  await events.return?.();
  stop.abort();
});

test("where notifications may have been missed, every reader and page checks again", async () => {
  const { signal } = new AbortController();
  const [rows, feed] = [storedRows("run_1", signal), feedEvents("u_1", signal)];
  resync();
  expect((await rows.next()).value).toEqual([[]]);
  expect((await feed.next()).value).toEqual([null, null]);
  await rows.return?.();
  await feed.return?.();
});

test("other processes are told where to look, and what they send is not sent back", () => {
  const sent: Notification[] = [];
  const heard: unknown[] = [];
  const stops = [
    onNotification((notification) => sent.push(notification)),
    onStoredRows("run_1", (rows) => heard.push(rows)),
    onCancelRequest((runId, by) => heard.push(`${by} stops ${runId}`)),
  ];
  announceRows("run_1", [row]);
  announceCancelRequest("run_1", "u_1");
  const told: Notification[] = [
    { type: "rows", runId: "run_1" },
    { type: "cancel", runId: "run_1", by: "u_1" },
  ];
  expect(sent).toEqual(told);
  expect(heard).toEqual([[row], "u_1 stops run_1"]);
  for (const notification of told) receiveNotification(notification);
  expect(sent).toHaveLength(2);
  expect(heard.slice(2)).toEqual([[], "u_1 stops run_1"]);
  for (const stop of stops) stop();
});
