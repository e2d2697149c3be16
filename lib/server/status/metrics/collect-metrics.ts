import { countOpenReplies } from "@/lib/server/http/event-stream";
import type { Database } from "@/lib/server/platform/db/database";
import { logger } from "@/lib/server/platform/logger";
import type { Services } from "@/lib/server/platform/services";
import { readCounters } from "@/lib/server/platform/telemetry/counters";
import { VERSION } from "@/lib/server/platform/version";
import type { Metric } from "./exposition";

const DATABASE_TIMEOUT_MS = 3_000;

const OPEN_STATUSES = ["queued", "running", "waiting"] as const;

/**
 * What `/metrics` shows: counters and gauges of this process, and what the database holds, which is the same in every
 * process. A database that does not answer is `ringmaster_database_up 0`; the rest is still there.
 */
export async function collectMetrics(services: Services): Promise<Metric[]> {
  return [...processMetrics(services), ...counterMetrics(), ...(await databaseMetrics(services.database))];
}

function processMetrics(services: Services): Metric[] {
  const { rss, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const startedAt = Date.now() / 1_000 - process.uptime();
  return [
    {
      ...gauge("ringmaster_build_info", "The version that this process runs."),
      samples: [{ labels: { version: VERSION }, value: 1 }],
    },
    {
      ...gauge("ringmaster_open_streams", "Event streams and waiting replies that this process has open."),
      samples: [{ value: countOpenReplies(services) }],
    },
    {
      name: "process_cpu_seconds_total",
      type: "counter",
      help: "User and system CPU time of the process in seconds.",
      samples: [{ value: (user + system) / 1_000_000 }],
    },
    {
      ...gauge("process_resident_memory_bytes", "Resident memory of the process in bytes."),
      samples: [{ value: rss }],
    },
    {
      ...gauge("process_start_time_seconds", "When the process started, in seconds since 1970."),
      samples: [{ value: startedAt }],
    },
    {
      ...gauge("nodejs_heap_size_used_bytes", "Used memory of the JavaScript heap in bytes."),
      samples: [{ value: heapUsed }],
    },
  ];
}

function counterMetrics(): Metric[] {
  return readCounters().map(({ counter: { name, help, labels }, samples }) => ({
    ...{ name, help, type: "counter" },
    samples: samples.map(({ values, value }) => ({
      labels: Object.fromEntries(labels.map((label, index) => [label, values[index] ?? ""])),
      value,
    })),
  }));
}

async function databaseMetrics(database: Database): Promise<Metric[]> {
  const up = gauge("ringmaster_database_up", "Whether the database answers: 1 or 0.");
  try {
    const { runs, approvals } = await Promise.race([countOpen(database), silence()]);
    return [
      { ...up, samples: [{ value: 1 }] },
      {
        ...gauge("ringmaster_open_runs", "Runs that have not ended, in all processes together."),
        samples: OPEN_STATUSES.map((status) => ({ labels: { status }, value: runs.get(status) ?? 0 })),
      },
      {
        ...gauge("ringmaster_pending_asks", "Approvals and questions that wait for a person."),
        samples: [...approvals].map(([kind, value]) => ({ labels: { kind }, value })),
      },
    ];
  } catch (error) {
    logger().warn({ err: error }, "could not count for /metrics");
    return [{ ...up, samples: [{ value: 0 }] }];
  }
}

async function countOpen(db: Database) {
  const [runs, asks] = await Promise.all([
    db.run.groupBy({ by: ["status"], where: { endedAt: null }, _count: true }),
    db.approval.groupBy({ by: ["kind"], where: { status: "pending" }, _count: true }),
  ]);
  const approvals = new Map([
    ["approval", 0],
    ["question", 0],
  ]);
  for (const { kind, _count } of asks) approvals.set(kind, _count);
  return { runs: new Map(runs.map(({ status, _count }) => [status, _count])), approvals };
}

function gauge(name: string, help: string) {
  return { name, help, type: "gauge" } as const;
}

/** Rejects after the time in which a working database would have answered. */
function silence(): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error("The database does not answer.")), DATABASE_TIMEOUT_MS).unref();
  });
}
