import { SqliteConnection } from "../../lib/server/platform/db/sqlite-connection";
import { aiSdkLoop } from "../ai-sdk-loop";
import { bareFetchLoop } from "../bare-fetch";
import type { ChatMessage } from "../loop-options";
import { openThread, ringmasterRun } from "../ringmaster-loop";
import { interleave, median } from "../statistics";

export interface LoopRow {
  readonly name: "bare fetch" | "AI SDK loop" | "Ringmaster" | "Ringmaster, NORMAL throughout";
  readonly msPerStep: number;
  /** The median of each round's ratio, so that a slow moment affects both sides. */
  readonly ratio: number;
}

interface Rounds {
  readonly warmUps: number;
  readonly rounds: number;
}

/** The loops over the same script, `historyLength` messages before the question; wall ms per step. */
export async function measureLoops(
  baseUrl: string,
  { steps, historyLength }: { readonly steps: number; readonly historyLength: number },
  rounds: Rounds,
): Promise<LoopRow[]> {
  const history = Array.from({ length: historyLength }, (_, index): ChatMessage => {
    const role = index % 2 === 0 ? "user" : "assistant";
    return { role, content: `Message ${index} of the history, about as long as a short sentence of a conversation.` };
  });
  const input = { baseUrl, history: [...history, { role: "user", content: "go" }] };
  const nothing = async () => "";
  const prepare = () => openThread(history);
  const contenders = [
    { name: "bare fetch", prepare: nothing, run: () => bareFetchLoop(input) },
    { name: "AI SDK loop", prepare: nothing, run: () => aiSdkLoop(input) },
    { name: "Ringmaster", prepare, run: (threadId: string) => ringmasterRun(threadId, "go") },
    {
      name: "Ringmaster, NORMAL throughout",
      prepare,
      run: (threadId: string) => withoutFullSync(() => ringmasterRun(threadId, "go")),
    },
  ] as const;
  const times = await interleave(contenders, rounds);
  const [floor = []] = times;
  return contenders.map(({ name }, index) => ({
    name,
    msPerStep: median(times[index] ?? []) / steps,
    ratio: median((times[index] ?? []).map((time, round) => time / (floor[round] ?? Number.NaN))),
  }));
}

/** Simulates a disk without fsync: every commit of `work` is NORMAL. */
async function withoutFullSync<Result>(work: () => Promise<Result>): Promise<Result> {
  const { runAll } = SqliteConnection.prototype;
  SqliteConnection.prototype.runAll = function (statements) {
    return runAll.call(this, statements, "normal");
  };
  try {
    return await work();
  } finally {
    SqliteConnection.prototype.runAll = runAll;
  }
}

/** The history's added cost per step of Ringmaster, as a multiple of its added cost per step of bare fetch. */
export function historyFactor(short: readonly LoopRow[], long: readonly LoopRow[]): number {
  const added = (name: LoopRow["name"]) => msPerStep(long, name) - msPerStep(short, name);
  return added("Ringmaster") / added("bare fetch");
}

function msPerStep(rows: readonly LoopRow[], name: LoopRow["name"]): number {
  return rows.find((row) => row.name === name)?.msPerStep ?? Number.NaN;
}

export function ratioOf(rows: readonly LoopRow[], name: LoopRow["name"]): number {
  return rows.find((row) => row.name === name)?.ratio ?? Number.NaN;
}
