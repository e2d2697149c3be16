import "server-only";
import type { PriceHistory, UnpricedUsage } from "@/lib/schema/providers/provider-figures";
import { PriceHistory as PriceHistorySchema } from "@/lib/schema/providers/provider-figures";
import { dispatcherOf } from "@/lib/server/engine/dispatch/dispatcher-of";
import { announceQueued } from "@/lib/server/engine/log/signals";
import type { Database } from "@/lib/server/platform/db/database";
import type { Pace } from "@/lib/server/platform/db/in-chunks";
import {
  countUnpricedRuns,
  selectUnpricedRuns,
  selectUnpricedUse,
  type UnpricedRun,
  type UnpricedUse,
} from "@/lib/server/platform/db/queries/providers/unpriced-runs";
import { replaceSetting, selectSetting, upsertSetting } from "@/lib/server/platform/db/queries/settings";
import type { Services } from "@/lib/server/platform/services";
import { modelRegistry, whenProvidersAreLoaded } from "@/lib/server/providers/models";
import { fillUnknownCosts } from "./fill-unknown-costs";

const SETTING = "price-history";
/** The task's name, for the process that runs it. */
export const PRICE_HISTORY_TASK = "price-history";
/** The task also runs periodically: a run that was open when its model got a price ends with an unknown cost. */
export const PRICE_HISTORY_EVERY_MS = 3_600_000;
const PROGRESS_EVERY_MS = 500;
const AGAIN_MS = 120_000;
/** Runs that ended before this time have been processed. */
const UNTIL_SETTING = "price-history-until";
/** A run's last calls may be stored a while after its end, and clocks differ. */
const OVERLAP_MS = 600_000;

const NEVER: PriceHistory = { state: "idle", total: 0, looked: 0, filled: 0, startedAt: null, endedAt: null };

/** The progress of filling in costs. */
export async function getPriceHistory(database: Database): Promise<PriceHistory> {
  return parseHistory(await selectSetting(database, SETTING));
}

function parseHistory(stored: string | undefined): PriceHistory {
  try {
    return stored === undefined ? NEVER : PriceHistorySchema.parse(JSON.parse(stored));
  } catch {
    return NEVER;
  }
}

/** Called after a price was added: any process fills in the unknown costs; if it dies, another one retries. */
export async function schedulePriceHistory(database: Database): Promise<void> {
  const total = await countUnpricedRuns(database);
  const begun: PriceHistory = { ...NEVER, state: "running", total, startedAt: new Date().toISOString() };
  await upsertSetting(database, SETTING, JSON.stringify(begun));
  const dispatcher = dispatcherOf(database);
  const task = PRICE_HISTORY_TASK;
  const statements = await Promise.all([
    dispatcher.schedule({ name: task, at: new Date(), task, data: {} }),
    // For runs still open, and for calls not yet stored.
    dispatcher.schedule({ name: `${task} again`, at: new Date(Date.now() + AGAIN_MS), task, data: {} }),
  ]);
  await database.runAll(statements.flat(), "normal");
  // Wakes the hosts to look for due tasks.
  announceQueued();
}

/**
 * The task itself: processes everything after a price was added, otherwise the runs that ended since the last time.
 * Does nothing if no price was ever added.
 */
export async function fillPriceHistory(services: Services, pace: Pace): Promise<void> {
  const { database } = services;
  let stored = (await selectSetting(database, SETTING)) ?? "null";
  const known = parseHistory(stored);
  if (known.startedAt === null) return;
  await whenProvidersAreLoaded(services);
  const until = await selectSetting(database, UNTIL_SETTING);
  const isWhole = known.state === "running" || until === undefined;
  const nowMs = Date.now();
  const total = await countUnpricedRuns(database);
  let progress: PriceHistory = {
    ...NEVER,
    state: "running",
    total,
    startedAt: known.startedAt ?? new Date().toISOString(),
  };
  let savedAtMs = performance.now();
  // If another price was added in the meantime, the state stays `running` for the next task.
  const save = async () => {
    const next = JSON.stringify(progress);
    if (await replaceSetting(database, SETTING, { from: stored, to: next })) stored = next;
  };
  await fillUnknownCosts(database, {
    registry: modelRegistry(services),
    pace,
    ...(isWhole ? {} : { since: new Date(Number(until) - OVERLAP_MS) }),
    async onProgress(looked, filled) {
      progress = {
        ...progress,
        looked: Math.min(total, progress.looked + looked),
        filled: progress.filled + filled,
      };
      if (!isWhole || performance.now() - savedAtMs < PROGRESS_EVERY_MS) return;
      savedAtMs = performance.now();
      await save();
    },
  });
  progress = { ...progress, state: "idle", looked: total, endedAt: new Date().toISOString() };
  if (known.state === "running") await save();
  await upsertSetting(database, UNTIL_SETTING, String(nowMs));
}

const RUNS_PER_PAGE = 300;
const LONGEST_COUNT_MS = 2_000;

/** The usage that a price for the model would apply to; `isPartial` if counting all of it would take too long. */
export async function countUnpricedUsage(database: Database, model: string): Promise<UnpricedUsage> {
  const endsAtMs = performance.now() + LONGEST_COUNT_MS;
  const uses: UnpricedUse[] = [];
  let isPartial = false;
  for await (const ids of pagesOfUnpricedRuns(database)) {
    isPartial = performance.now() > endsAtMs;
    if (isPartial) break;
    uses.push(...(await selectUnpricedUse(database, model, ids)));
  }
  const sum = (name: "inputTokens" | "cachedReadTokens" | "cachedWriteTokens" | "outputTokens") =>
    uses.reduce((total, use) => total + Number(use[name]), 0);
  const begun = uses.map(({ startedAt }) => startedAt.getTime());
  return {
    runs: new Set(uses.map(({ rootId }) => rootId)).size,
    since: begun.length === 0 ? null : new Date(Math.min(...begun)).toISOString(),
    inputTokens: sum("inputTokens"),
    cachedReadTokens: sum("cachedReadTokens"),
    cachedWriteTokens: sum("cachedWriteTokens"),
    outputTokens: sum("outputTokens"),
    isPartial,
  };
}

async function* pagesOfUnpricedRuns(database: Database): AsyncIterable<string[]> {
  let after: UnpricedRun | null = null;
  for (;;) {
    const page: UnpricedRun[] = await selectUnpricedRuns(database, after, RUNS_PER_PAGE);
    yield page.map(({ id }) => id);
    after = page.at(-1) ?? null;
    if (page.length < RUNS_PER_PAGE) return;
  }
}
