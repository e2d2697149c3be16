import { expect, test } from "vitest";
import { foldTexts } from "@/lib/server/platform/db/queries/search/fold-texts";
import { selectTracesWith } from "@/lib/server/platform/db/queries/search/trace-index";
import { addTrace, traceInstallation } from "@/lib/testing/fixtures/trace-fixture";

const { server, listed, ids } = traceInstallation();

test("an id finds its trace, run or thread alone; what is no id is searched for in titles", async () => {
  await addTrace(server(), "a");
  await addTrace(server(), "b", { owner: "viewer", minute: 1 });
  await addTrace(server(), "c", { minute: 2 });
  await server().database.trace.update({ where: { id: "tr_c" }, data: { title: "About run_a, tr_a, th_a and run_b" } });
  for (const id of ["tr_a", "run_a", "th_a"]) expect(await ids("admin", `?q=${id}`)).toEqual(["tr_a"]);
  expect(await ids("admin", "?q=run_")).toEqual(["tr_c"]);
  // Somebody else's run is no id to a member.
  expect(await ids("member", "?q=run_b")).toEqual(["tr_c"]);
  await server().database.thread.delete({ where: { id: "th_a" } });
  expect(await ids("admin", "?q=th_a")).toEqual(["tr_c", "tr_a"]);
});

test.each([
  ["Отпуск в июле", ["отпуск", "ОТПУСК"]],
  ["Die Straße", ["STRASSE", "straße"]],
  ["Zażółć w Łodzi", ["zazolc", "ŁODZI"]],
  ["ﾀﾜｰ ＡＢＣ", ["タワー abc"]],
])("titles and errors are found in any case, with or without accents: %s", async (text, queries) => {
  await addTrace(server(), "a", { status: "failed", error: text });
  await addTrace(server(), "b", { minute: 1 });
  await addTrace(server(), "c", { minute: 2 });
  await server().database.trace.update({ where: { id: "tr_c" }, data: { title: text } });
  for (const q of queries) expect(await ids("member", `?q=${encodeURIComponent(q)}`)).toEqual(["tr_c", "tr_a"]);
  await server().database.trace.update({ where: { id: "tr_c" }, data: { title: "Plain" } });
  for (const q of queries) expect(await ids("member", `?q=${encodeURIComponent(q)}`)).toEqual(["tr_a"]);
});

test("the index finds titles, errors and models as they are after a change, and no more after a deletion", async () => {
  const found = async (text: string) => (await selectTracesWith(server().database, text))?.toSorted();
  await addTrace(server(), "a", { status: "failed", error: "The model refused the key" });
  await addTrace(server(), "b", { minute: 1, model: "openai:gpt" });
  expect([await found("REFUSED the"), await found("openai:g"), await found("th_a")]).toEqual([
    ["tr_a"],
    ["tr_b"],
    ["tr_a"],
  ]);
  await server().database.trace.update({ where: { id: "tr_a" }, data: { title: "Über Łódź", error: null } });
  expect(await ids("admin", `?q=${encodeURIComponent("uber lodz")}`)).toEqual(["tr_a"]);
  expect([await found("refused"), await found("ÜBER ŁÓDŹ")]).toEqual([[], ["tr_a"]]);
  await server().database.trace.update({ where: { id: "tr_a" }, data: { title: "Plain" } });
  expect([await found("lodz"), await found("plain")]).toEqual([[], ["tr_a"]]);
  expect([await found("no"), await found("nowhere")]).toEqual([undefined, []]);
  await server().database.trace.delete({ where: { id: "tr_b" } });
  expect([await found("openai:g"), await ids("admin", "?q=openai:g")]).toEqual([[], []]);
});

test("traces from before the index are found while and after they are added to it", async () => {
  await addTrace(server(), "a");
  await server().database.trace.update({ where: { id: "tr_a" }, data: { title: "Holidays" } });
  for (const table of [
    "search_trace",
    ...(server().database.dialect.provider === "sqlite" ? ["search_trace_text"] : []),
  ]) {
    await server().database.raw(`delete from "${table}"`);
  }
  const before = Array.from({ length: 60 }, (_, index) => ({ id: `old_${index}` })).concat({ id: "tr_a" });
  const rows = server().database.dialect.rows("w", { id: "text" }, "$1");
  await server().database.raw(`insert into "search_unfolded" select 'trace', w."id", 0 from ${rows}`, [
    JSON.stringify(before),
  ]);
  expect(await ids("admin", "?q=holiday")).toEqual(["tr_a"]);
  await foldTexts(server().database, 100);
  expect(await selectTracesWith(server().database, "holiday")).toEqual(["tr_a"]);
  expect(await ids("admin", "?q=holiday")).toEqual(["tr_a"]);
});

test("a search says how many older titles are not prepared for it", async () => {
  await addTrace(server(), "a");
  await server().database.trace.update({ where: { id: "tr_a" }, data: { title: "Отпуск" } });
  const older = Array.from({ length: 60 }, (_, index) => ({ id: `old_${index}` }));
  const rows = server().database.dialect.rows("w", { id: "text" }, "$1");
  await server().database.raw(`insert into "search_unfolded" select 'trace', w."id", 0 from ${rows}`, [
    JSON.stringify(older),
  ]);
  expect(await listed("member", `?q=${encodeURIComponent("ОТПУСК")}`)).toMatchObject({
    traces: [{ id: "tr_a" }],
    unfolded: 11,
  });
  expect(await listed("member")).not.toHaveProperty("unfolded");
});
