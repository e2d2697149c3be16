import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { forgetProcessState } from "@/lib/server/platform/process-state";
import { count } from "@/lib/server/platform/telemetry/counters";
import { startTestServer } from "@/lib/testing/servers/test-server";
import { requireMachine } from "@/lib/testing/setup/require-machine";
import { freePort } from "../free-port";
import { answerAsWorker } from "./answer-as-worker";
import { createHttpServer } from "./serve";

const TOKEN = "a-token-for-metrics";
/** An agent's id is a person's choice. */
const AGENT = 'an "odd" \\ agent';

/** Metrics at a loopback port, with three runs counted; with `needsToken` as for another machine. */
async function serveMetrics({ needsToken }: { readonly needsToken: boolean }): Promise<number> {
  const installation = await startTestServer({ RINGMASTER_METRICS_TOKEN: TOKEN });
  onTestFinished(() => installation.close());
  const server = createHttpServer((request, response) => {
    if (needsToken) delete request.headers["x-ringmaster-from-here"];
    void answerAsWorker(installation.services, request, response);
  }).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await once(server, "listening");
  forgetProcessState("counters");
  count("runs", [AGENT, "completed"], 3);
  return (server.address() as AddressInfo).port;
}

const Found = z.object({ data: z.object({ result: z.array(z.object({ value: z.tuple([z.number(), z.string()]) })) }) });

describe.skipIf(!requireMachine("prometheus"))("Debian's Prometheus", () => {
  test("finds nothing to improve in the names, types and helps", async () => {
    const reply = await fetch(`http://127.0.0.1:${await serveMetrics({ needsToken: false })}/metrics`);
    const checked = spawnSync("promtool", ["check", "metrics"], { input: await reply.text(), encoding: "utf8" });
    expect([checked.status, checked.stdout, checked.stderr]).toEqual([0, "", ""]);
  });

  test("scrapes a process with its token", async () => {
    const target = `127.0.0.1:${await serveMetrics({ needsToken: true })}`;
    const folder = mkdtempSync(path.join(tmpdir(), "ringmaster-prometheus-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const configuration = {
      global: { scrape_interval: "1s", scrape_timeout: "1s" },
      scrape_configs: [
        { job_name: "ringmaster", authorization: { credentials: TOKEN }, static_configs: [{ targets: [target] }] },
      ],
    };
    // JSON is YAML.
    writeFileSync(path.join(folder, "prometheus.yml"), JSON.stringify(configuration));
    const address = `127.0.0.1:${await freePort()}`;
    const prometheus = spawn(
      "prometheus",
      [
        `--config.file=${path.join(folder, "prometheus.yml")}`,
        `--storage.tsdb.path=${path.join(folder, "data")}`,
        `--web.listen-address=${address}`,
        "--log.level=error",
      ],
      { stdio: "ignore", timeout: 120_000, killSignal: "SIGKILL" },
    );
    onTestFinished(async () => {
      const ended = once(prometheus, "close");
      prometheus.kill("SIGKILL");
      await ended;
    });
    const ask = async (query: string) => {
      const reply = await fetch(`http://${address}/api/v1/query?query=${encodeURIComponent(query)}`).catch(() => null);
      if (!reply?.ok) return [];
      return Found.parse(await reply.json()).data.result.map(({ value: [, value] }) => value);
    };
    await expect.poll(() => ask('up{job="ringmaster"}')).toEqual(["1"]);
    await expect.poll(() => ask(`ringmaster_runs_total{agent=${JSON.stringify(AGENT)}}`)).toEqual(["3"]);
    await expect.poll(() => ask("ringmaster_database_up")).toEqual(["1"]);
  });
});
