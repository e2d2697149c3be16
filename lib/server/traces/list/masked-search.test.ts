import { afterEach, beforeEach, expect, test } from "vitest";
import { PATCH as changeSettings } from "@/app/api/settings/route";
import { GET as charts } from "@/app/api/traces/charts/route";
import { GET as facets } from "@/app/api/traces/facets/route";
import { GET as list } from "@/app/api/traces/route";
import type { MaskingRule } from "@/lib/schema/settings/settings";
import type { Role } from "@/lib/schema/users/user";
import { createAgent } from "@/lib/server/agents/publish-version";
import { countUnmasked, maskedText, maskTexts } from "@/lib/server/platform/db/queries/search/mask-texts";
import { hasMasks, setMasks } from "@/lib/server/platform/masking";
import { loadSettings } from "@/lib/server/settings/settings";
import { planOf, statementOf } from "@/lib/testing/databases/plan-of";
import { addTrace } from "@/lib/testing/fixtures/trace-fixture";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";

const ACCOUNT = { name: "accounts", pattern: "ACC-[0-9]{8}", replacement: "(account)" };
const MAIL = { name: "mails", pattern: "[a-z]+@example\\.test", replacement: "(mail)" };

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
  await createAgent(server.services, { agentId: "writer", raw: { name: "Writer" }, createdById: null });
});
afterEach(async () => {
  setMasks([]);
  await server.close();
});

async function setRules(...rules: MaskingRule[]): Promise<void> {
  const reply = await server.call(changeSettings, { as: "admin", method: "PATCH", body: { masking: { rules } } });
  expect(reply.status).toBe(200);
}

async function search(text: string, as: Role = "admin") {
  const reply = await server.call(list, { as, path: `/api/traces?q=${encodeURIComponent(text)}` });
  const { traces, unmasked } = await reply.json();
  return { ids: traces.map(({ id }: { id: string }) => id) as string[], unmasked: unmasked as number | undefined };
}
const found = async (text: string, as?: Role) => (await search(text, as)).ids;

function say(name: string, text: string, message: { id?: string; role?: string; parts?: string } = {}) {
  const { id = `tm_${name}`, role = "user", parts = "[]" } = message;
  const place = { threadId: `th_${name}`, runId: `run_${name}`, position: Number(id.split("_")[2] ?? 1) };
  return server.database.transcriptMessage.create({ data: { id, ...place, role, parts, text } });
}

/** In the facets, and in the charts. */
async function countedBy(q: string): Promise<[number, number]> {
  const query = `?q=${q}&since=2026-11-20T00:00:00Z&until=2026-11-21T00:00:00Z`;
  const counted = await (await server.call(facets, { as: "admin", path: `/api/traces/facets${query}` })).json();
  const drawn = await (await server.call(charts, { as: "admin", path: `/api/traces/charts${query}` })).json();
  const runs = drawn.buckets.reduce((sum: number, bucket: { runs: number }) => sum + bucket.runs, 0);
  return [counted.runs, runs];
}

test("no part of what is masked is confirmed by a search, a facet or a chart; what is beside it is", async () => {
  await addTrace(server, "a");
  await say("a", "Pay to ACC-12345678 today");
  expect(await found("acc-1234")).toEqual(["tr_a"]);
  await setRules(ACCOUNT);
  for (const as of ["member", "admin"] as const) {
    for (const part of ["ACC-1", "acc-12345678", "c-12", "5678", "678 today", "to acc"]) {
      expect([part, await found(part, as)]).toEqual([part, []]);
    }
    for (const shown of ["today", "pay to", "(account)", "to (account) today"]) {
      expect([shown, await found(shown, as)]).toEqual([shown, ["tr_a"]]);
    }
  }
  expect([await countedBy("1234"), await countedBy("today")]).toEqual([
    [0, 0],
    [1, 1],
  ]);
  await setRules();
  expect(await found("acc-1234")).toEqual(["tr_a"]);
  expect(await found("(account)")).toEqual([]);
});

test("titles, errors and notes are masked each by itself, as they are shown", async () => {
  await addTrace(server, "a", { status: "failed", error: "ACC-11111111 is closed" });
  await server.database.trace.update({ where: { id: "tr_a" }, data: { title: "Ask ada@example.test" } });
  await server.database.note.create({
    data: { id: "n1", traceId: "tr_a", text: "See ACC-22222222", authorId: "admin" },
  });
  const first = { name: "beginnings", pattern: "^ACC-[0-9]+", replacement: "#" };
  await setRules(first, MAIL);
  expect([await found("ada@"), await found("1111"), await found("ask (mail)")]).toEqual([[], [], ["tr_a"]]);
  // Not at the beginning of a text, so it is shown.
  expect(await found("see acc-2222", "member")).toEqual(["tr_a"]);
  await setRules(ACCOUNT);
  const asMember = (text: string) => found(text, "member");
  expect([await asMember("see acc-2"), await asMember("see (account)"), await asMember("ada@")]).toEqual([
    [],
    ["tr_a"],
    ["tr_a"],
  ]);
  // Its author sees it as it is.
  expect(await found("see acc-2")).toEqual(["tr_a"]);
});

test("each text of a reply is masked by itself", async () => {
  await addTrace(server, "a");
  const parts = ["First", "ACC-33333333", "BEGIN", "key 5", "END"].map((text) => ({ type: "text", text }));
  await say("a", parts.map(({ text }) => text).join("\n\n"), { role: "assistant", parts: JSON.stringify(parts) });
  await setRules(
    { name: "beginnings", pattern: "^ACC-[0-9]+", replacement: "#" },
    { name: "keys", pattern: "(?s)BEGIN.*END", replacement: "#" },
  );
  expect([await found("acc-3333"), await found("key 5"), await found("first")]).toEqual([[], ["tr_a"], ["tr_a"]]);
});

test("until the rules are applied to a text, a search leaves it out and says so", async () => {
  await addTrace(server, "a");
  await setRules(MAIL);
  for (let index = 0; index < 60; index++) {
    await say("a", `Number ${index}: ACC-12345678 of ada@example.test`, { id: `tm_a_${index}` });
  }
  while ((await maskTexts(server.database, 100)) > 0);
  expect([await found("acc-1234"), await found("ada@")]).toEqual([["tr_a"], []]);
  await setRules(ACCOUNT);
  // Whoever searches has the newest texts masked first.
  expect(await search("number 59")).toMatchObject({ ids: ["tr_a"], unmasked: 10 });
  while ((await maskTexts(server.database, 7)) > 0);
  expect(await countUnmasked(server.database, 100)).toBe(0);
  expect([await found("acc-1234"), await found("ada@"), await found("number 3:")]).toEqual([[], ["tr_a"], ["tr_a"]]);
  expect((await search("number")).unmasked).toBeUndefined();
});

test.each([
  ["none", [], -1],
  ["none that were ever counted", [], 0],
  ["older ones", [(text: string) => text], 1],
  ["those of a database that was put back", [(text: string) => text], 900_000_000],
])("a process whose rules are %s confirms nothing either, and marks nothing as done", async (_, masks, revision) => {
  await addTrace(server, "a");
  await say("a", "Pay to ACC-12345678 today");
  await setRules(MAIL);
  await setRules(ACCOUNT);
  setMasks(masks, revision);
  expect(await search("acc-1234")).toMatchObject({ ids: [], unmasked: 2 });
  expect(await maskTexts(server.database, 100)).toBe(0);
  await loadSettings(server.services);
  expect([await found("acc-1234"), await found("today")]).toEqual([[], ["tr_a"]]);
});

test("rules that another program stored, or took away, are counted as new ones", async () => {
  await addTrace(server, "a");
  await say("a", "ACC-12345678 of ada@example.test today");
  const key = "settings:masking";
  for (const [rules, hidden, known] of [
    [[ACCOUNT], "acc-12", "ada@"],
    [[MAIL], "ada@", "acc-12"],
  ] as const) {
    const value = JSON.stringify({ rules });
    await server.database.setting.upsert({ where: { key }, create: { key, value }, update: { value } });
    await loadSettings(server.services);
    expect([await found(hidden), await found(known)]).toEqual([[], ["tr_a"]]);
  }
  await server.database.setting.delete({ where: { key } });
  await loadSettings(server.services);
  expect([await found("ada@"), await found("(mail)")]).toEqual([["tr_a"], []]);
  await setRules();
  await setRules(MAIL);
  expect(await found("ada@")).toEqual([]);
});

test("a text that changes, also while it is being masked, is masked as it is then", async () => {
  await addTrace(server, "a");
  await say("a", "Hello");
  await setRules(ACCOUNT);
  expect(await found("hello")).toEqual(["tr_a"]);
  const change = (text: string) => server.database.transcriptMessage.update({ where: { id: "tm_a" }, data: { text } });
  await change("Hello ACC-12345678");
  expect([await found("acc-12"), await found("hello (account)")]).toEqual([[], ["tr_a"]]);
  await change("Hello again");
  const { database } = server;
  const runAll = database.runAll.bind(database);
  let isChanged = false;
  const changing = new Proxy(database, {
    get(target, name) {
      if (name !== "runAll") return Reflect.get(target, name);
      return async (...given: Parameters<typeof runAll>) => {
        if (!isChanged) await change("Hello ACC-87654321");
        isChanged = true;
        return runAll(...given);
      };
    },
  });
  await maskTexts(changing, 10);
  expect(isChanged).toBe(true);
  expect(await countUnmasked(database, 10)).toBe(1);
  expect([await found("acc-87"), await found("hello (account)")]).toEqual([[], ["tr_a"]]);
});

const ONE = { second: null, third: null, parts: null, isOne: true };

test("what a rule hides over a long stretch is hidden, and of what can't be told nothing is found", () => {
  const hides = (text: string) => text.replace(/BEGIN[\s\S]*END/u, "#");
  setMasks([hides], 1);
  const long = `found ${"a".repeat(49_000)} BEGIN ${"b".repeat(20_000)} END today`;
  expect(maskedText({ ...ONE, text: long })).toBe(`found ${"a".repeat(49_000)} # today`);
  expect(maskedText({ ...ONE, text: "b".repeat(100_000) })).toBeNull();
  expect(maskedText({ ...ONE, text: "b".repeat(100_001) })).toBe("");
  const reply = { second: null, third: null, isOne: false };
  const parts = JSON.stringify([
    { type: "text", text: "half \ud83d" },
    null,
    { type: "tool-x" },
    { type: "text", text: "b" },
  ]);
  expect(maskedText({ ...reply, text: "half \u{fffd}\n\nb", parts })).toBeNull();
  expect(maskedText({ ...reply, text: "", parts: "[]" })).toBeNull();
  for (const odd of [null, "{", "{}", "[]", '[{"type":"text","text":"another"}]']) {
    expect(maskedText({ ...reply, text: "half", parts: odd })).toBe("");
  }
  setMasks(
    [
      () => {
        throw new Error("odd");
      },
    ],
    1,
  );
  expect(maskedText({ ...ONE, text: "anything" })).toBe("");
});

test("one row that can't be read holds up no other", async () => {
  await addTrace(server, "a");
  await say("a", "broken", { role: "assistant", parts: "{" });
  await say("a", "whole today", { id: "tm_a_2" });
  await setRules(ACCOUNT);
  expect([await found("broken"), await found("today")]).toEqual([[], ["tr_a"]]);
  expect(await countUnmasked(server.database, 10)).toBe(0);
});

test("the order of a list does not tell what is masked, and pages go on after a long title", async () => {
  const titles = {
    a: "ACC-55555555",
    b: "漢".repeat(1_000),
    c: "x",
    d: "ACC-11111111",
    e: "ACC-3",
    f: "🎉".repeat(300),
  };
  for (const [name, title] of Object.entries(titles)) {
    await addTrace(server, name);
    await server.database.trace.update({ where: { id: `tr_${name}` }, data: { title, firstLine: title } });
  }
  const page = async (sort: string, cursor: string) => {
    const path = `/api/traces?sort=${sort}&limit=1${cursor && `&cursor=${cursor}`}`;
    return (await server.call(list, { as: "member", path })).json();
  };
  const inOrder = async (sort: string) => {
    const ids: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const { traces, nextCursor } = await page(sort, cursor);
      ids.push(traces[0].id.slice(3));
      cursor = nextCursor;
      if (hasMasks()) expect(Buffer.from(cursor ?? "", "base64url").toString()).not.toMatch(/ACC-[15]/u);
    }
    return ids.join("");
  };
  const sorts = ["thread", "message"];
  for (const sort of sorts) expect(await inOrder(sort)).toBe("deacbf");
  await setRules(ACCOUNT);
  // None is masked yet.
  for (const sort of sorts) expect(await inOrder(sort)).toBe("abcdef");
  while ((await maskTexts(server.database, 100)) > 0);
  for (const sort of sorts) expect(await inOrder(sort)).toBe("adecbf");
});

test("what is to be masked is found by an index, however many texts there are", async () => {
  await setRules(ACCOUNT);
  const { database } = server;
  const without = ["seqscan", "sort"];
  const next = await statementOf(database, "execute", (watched) => maskTexts(watched, 10));
  expect(await planOf(database, next, without)).toMatch(/transcript_message_maskRevision_createdAt_idx/u);
  expect(await planOf(database, next, without)).not.toMatch(/TEMP B-TREE|Sort/u);
  const counted = await statementOf(database, "readAside", (watched) => countUnmasked(watched, 10));
  const plan = await planOf(database, counted, without);
  for (const table of ["transcript_message", "trace", "note"]) expect(plan).toContain(`${table}_maskRevision_`);
});
