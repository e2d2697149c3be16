import { afterEach, beforeEach, expect, test } from "vitest";
import { forgetProcessState } from "@/lib/server/platform/process-state";
import { readCounters } from "@/lib/server/platform/telemetry/counters";
import { servicesOf } from "@/lib/testing/databases/services-of";
import { runDatabase, seedThread } from "@/lib/testing/fixtures/run-fixture";
import { runProcess } from "@/lib/testing/processes/start-process";
import { addEndedRun } from "@/lib/testing/traces/ended-run";
import { type OtlpCollector, startOtlpCollector } from "@/lib/testing/traces/otlp-collector";
import { exportRuns, isExportDue } from "./export-runs";

const { database, url } = runDatabase();
const services = () => servicesOf(database());

let collector: OtlpCollector;
beforeEach(async () => {
  forgetProcessState("counters");
  collector = await startOtlpCollector();
  await seedThread(database());
});
afterEach(() => collector.close());

const settings = () => ({
  url: `${collector.url}/v1/traces`,
  headers: { authorization: "Bearer x" },
  serviceName: "agents",
  resource: { "deployment.environment.name": "test" },
  withContent: false,
});

const runExport = () => exportRuns(services(), settings());
/** As if the pause after a failure were over. */
const runExportLater = () => {
  services().states.delete("otlp-collector");
  return runExport();
};
const outbox = async () => (await database().traceExport.findMany()).map(({ runId }) => runId).toSorted();
const sentRuns = () => [...new Set(collector.accepted.map((span) => span.attributes["ringmaster.run_id"]))].toSorted();
const counted = (name: string) => readCounters().find(({ counter }) => counter.name === name)?.samples[0]?.value;

test("an ended run is sent once, with the installation's name and headers", async () => {
  await addEndedRun(database(), "run_1");
  await runExport();
  await runExport();
  expect(collector.requests).toHaveLength(1);
  const [{ headers, path, parts } = { headers: {}, path: "", parts: [] }] = collector.requests;
  expect(path).toBe("/v1/traces");
  expect(headers).toMatchObject({ "content-type": "application/x-protobuf", authorization: "Bearer x" });
  expect(parts[0]?.resource).toMatchObject({ "service.name": "agents", "deployment.environment.name": "test" });
  expect(collector.accepted.map(({ name }) => name).toSorted()).toEqual(["chat test", "invoke_agent agent"]);
  expect(await outbox()).toEqual([]);
  expect(counted("ringmaster_otlp_exported_runs_total")).toBe(1);
});

test("the spans of a trace hang together, and those of a subagent's run below the call that started it", async () => {
  await addEndedRun(database(), "run_1");
  await addEndedRun(database(), "run_2", { rootRunId: "run_1", traceId: "tr_run_1" });
  await database().span.update({ where: { id: "sp_run_2" }, data: { parentId: "sp_run_1_0" } });
  await runExport();
  const spans = new Map(
    collector.accepted.map((span) => [`${span.attributes["ringmaster.run_id"]} ${span.name}`, span]),
  );
  expect(new Set(collector.accepted.map(({ traceId }) => traceId)).size).toBe(1);
  expect(spans.get("run_1 invoke_agent agent")?.parentSpanId).toBe("");
  expect(spans.get("run_1 chat test")?.parentSpanId).toBe(spans.get("run_1 invoke_agent agent")?.spanId);
  expect(spans.get("run_2 invoke_agent agent")?.parentSpanId).toBe(spans.get("run_1 chat test")?.spanId);
});

test("the caller's traceparent names the exported trace, for the runs below too, and ours stays in an attribute", async () => {
  const traceparent = { traceId: "4bf92f3577b34da6a3ce929d0e0e4736", spanId: "00f067aa0ba902b7" };
  await addEndedRun(database(), "run_1", { input: { traceparent } });
  await addEndedRun(database(), "run_2", { rootRunId: "run_1", traceId: "tr_run_1" });
  await database().span.update({ where: { id: "sp_run_2" }, data: { parentId: "sp_run_1_0" } });
  await runExport();
  expect(collector.accepted.map(({ traceId }) => traceId)).toEqual(Array(4).fill(traceparent.traceId));
  const roots = collector.accepted.filter(({ parentSpanId }) => parentSpanId === traceparent.spanId);
  expect(roots.map(({ attributes }) => attributes["ringmaster.run_id"])).toEqual(["run_1"]);
  expect(roots[0]?.attributes["ringmaster.trace_id"]).toBe("tr_run_1");
  // Bits 8 and 9: whether the parent is remote is known, and it is.
  expect((roots[0]?.flags ?? 0) & 0x300).toBe(0x300);
});

test.each([429, 502, 503, 504])("a run that is answered %i is sent again, under the same ids", async (status) => {
  await addEndedRun(database(), "run_1");
  collector.answer = () => ({ status, headers: { "retry-after": "30" } });
  await runExport();
  expect(await outbox()).toEqual(["run_1"]);
  await runExport();
  expect(collector.requests).toHaveLength(1);
  expect(await isExportDue(services(), new Date(Date.now() + 29_000))).toBe(false);
  expect(await isExportDue(services(), new Date(Date.now() + 31_000))).toBe(true);
  collector.answer = () => ({ status: 200 });
  await runExportLater();
  const ids = collector.requests.map(({ parts }) => parts.flatMap(({ spans }) => spans.map(({ spanId }) => spanId)));
  expect(ids[0]).toEqual(ids[1]);
  expect(await outbox()).toEqual([]);
});

test("a collector may say when to come back with a date, and no longer than five minutes from now", async () => {
  await addEndedRun(database(), "run_1");
  collector.answer = () => ({ status: 503, headers: { "retry-after": new Date(Date.now() + 60_000).toUTCString() } });
  await runExport();
  expect(await isExportDue(services(), new Date(Date.now() + 55_000))).toBe(false);
  expect(await isExportDue(services(), new Date(Date.now() + 61_000))).toBe(true);
  collector.answer = () => ({ status: 503, headers: { "retry-after": "86400" } });
  await runExportLater();
  expect(await isExportDue(services(), new Date(Date.now() + 301_000))).toBe(true);
});

test("a collector that says nothing is given up on, and asked again", async () => {
  await addEndedRun(database(), "run_1");
  collector.answer = () => "silence";
  await runExport();
  expect([collector.requests.length, await outbox()]).toEqual([1, ["run_1"]]);
  expect(await isExportDue(services(), new Date())).toBe(false);
});

test.each([400, 401, 404, 413, 500, 302])(
  "a run that is answered %i is not sent again, and is counted",
  async (status) => {
    await addEndedRun(database(), "run_1");
    collector.answer = () => ({ status, body: "no\n" });
    await runExport();
    await runExportLater();
    expect(collector.requests).toHaveLength(1);
    expect(await outbox()).toEqual([]);
    expect(counted("ringmaster_otlp_dropped_runs_total")).toBe(1);
    expect(counted("ringmaster_otlp_exported_runs_total")).toBe(0);
  },
);

test("a run that the collector refuses costs no other its trace", async () => {
  for (let run = 0; run < 9; run++) await addEndedRun(database(), `run_${run}`);
  collector.answer = (spans) => ({
    status: spans.some((span) => span.attributes["ringmaster.run_id"] === "run_5") ? 400 : 200,
  });
  await runExport();
  expect(sentRuns()).toEqual(["run_0", "run_1", "run_2", "run_3", "run_4", "run_6", "run_7", "run_8"]);
  expect(await outbox()).toEqual([]);
  expect(counted("ringmaster_otlp_dropped_runs_total")).toBe(1);
});

test("a run that can't be read is dropped and named, and the others are sent", async () => {
  for (let run = 0; run < 3; run++) await addEndedRun(database(), `run_${run}`);
  await database().span.update({ where: { id: "sp_run_1_0" }, data: { type: "of a later version" } });
  await runExport();
  expect(sentRuns()).toEqual(["run_0", "run_2"]);
  expect(await outbox()).toEqual([]);
  expect(counted("ringmaster_otlp_dropped_runs_total")).toBe(1);
});

test("what a collector is not there to take is sent when it is, a day later, in the order of the ends", async () => {
  for (let run = 0; run < 120; run++) {
    await addEndedRun(database(), `run_${String(run).padStart(3, "0")}`, {
      endedAt: new Date(Date.now() - 86_400_000 + run),
    });
  }
  const gone = settings();
  const port = Number(new URL(collector.url).port);
  await collector.close();
  await exportRuns(services(), gone);
  expect(await outbox()).toHaveLength(120);
  expect(await isExportDue(services(), new Date())).toBe(false);
  collector = await startOtlpCollector(port);
  await runExportLater();
  expect(await outbox()).toEqual([]);
  expect(sentRuns()).toHaveLength(120);
  const order = collector.accepted.map((span) => String(span.attributes["ringmaster.run_id"]));
  expect(order.indexOf("run_000")).toBeLessThan(order.indexOf("run_119"));
});

test("failures in a row wait longer and longer, up to five minutes, and a success ends that", async () => {
  await addEndedRun(database(), "run_1");
  collector.answer = () => ({ status: 503 });
  const pauses: number[] = [];
  let atMs = Date.now();
  for (let attempt = 0; attempt < 12; attempt++) {
    await exportRuns(services(), settings(), () => new Date(atMs));
    let pauseMs = 0;
    while (!(await isExportDue(services(), new Date(atMs + pauseMs)))) pauseMs += 500;
    pauses.push(Math.round(pauseMs / 1_000));
    atMs += pauseMs;
  }
  expect(collector.requests).toHaveLength(12);
  expect(pauses.slice(0, 4)).toEqual([1, 2, 4, 8]);
  expect(Math.max(...pauses)).toBeLessThanOrEqual(300);
  expect(pauses.at(-1)).toBe(300);
}, 120_000);

test("a partial success is a success: what was rejected is not sent again", async () => {
  await addEndedRun(database(), "run_1");
  collector.answer = () => ({ status: 200, rejectedSpans: 1 });
  await runExport();
  expect(await outbox()).toEqual([]);
});

test("a run with many spans is sent in several requests", async () => {
  await addEndedRun(database(), "run_1", { spans: 1_200 });
  await runExport();
  expect(collector.accepted).toHaveLength(1_201);
  expect(collector.requests).toHaveLength(3);
});

test("a run whose spans are not all finished waits, but not for ever", async () => {
  const endedAt = new Date();
  await addEndedRun(database(), "run_1", { isOpen: true, endedAt });
  await runExport();
  expect(collector.requests).toEqual([]);
  expect(await outbox()).toEqual(["run_1"]);
  await exportRuns(services(), settings(), () => new Date(endedAt.getTime() + 301_000));
  expect(collector.accepted.map(({ name }) => name)).toEqual(["invoke_agent agent"]);
});

test("a run that was deleted in the meantime leaves the outbox", async () => {
  await addEndedRun(database(), "run_1");
  await database().span.deleteMany({});
  await database().run.delete({ where: { id: "run_1" } });
  await runExport();
  expect([collector.requests.length, await outbox()]).toEqual([0, []]);
  expect(counted("ringmaster_otlp_exported_runs_total")).toBe(0);
});

test("what nobody took within a week is dropped", async () => {
  await addEndedRun(database(), "run_1", { endedAt: new Date(Date.now() - 8 * 86_400_000) });
  await runExport();
  expect([collector.requests.length, await outbox()]).toEqual([0, []]);
  expect(counted("ringmaster_otlp_dropped_runs_total")).toBe(1);
});

test("two processes at once send each run once", async () => {
  for (let run = 0; run < 60; run++) await addEndedRun(database(), `run_${run}`);
  await Promise.all([runExport(), runExport()]);
  expect(collector.accepted).toHaveLength(120);
  expect(await outbox()).toEqual([]);
});

test("a process that is killed while the collector has the request loses nothing", async () => {
  await addEndedRun(database(), "run_1");
  const script = "lib/testing/processes/traces/killable-export.ts";
  expect(await runProcess(script, url(), `${collector.url}/v1/traces`)).toMatchObject({ signal: "SIGKILL" });
  // Taken by the collector, and not yet noted here.
  expect([collector.accepted.length, await outbox()]).toEqual([2, ["run_1"]]);
  await runExport();
  expect(collector.requests).toHaveLength(1);
  await exportRuns(services(), settings(), () => new Date(Date.now() + 130_000));
  const [before, after] = [collector.accepted.slice(0, 2), collector.accepted.slice(2)];
  expect(after.map(({ spanId }) => spanId)).toEqual(before.map(({ spanId }) => spanId));
  expect(await outbox()).toEqual([]);
});
