import { aiSdkLoop } from "./ai-sdk-loop";
import { bareFetchLoop } from "./bare-fetch";
import type { ChatMessage } from "./loop-options";
import { openThread, ringmasterRun } from "./ringmaster-loop";
import { interleave, median } from "./statistics";

export interface LoopRow {
  readonly name: string;
  readonly msPerStep: number;
  readonly ratio: number;
}

/** The three loops over the same script, `historyLength` messages before the question; wall ms per step. */
export async function measureLoops(baseUrl: string, steps: number, historyLength: number): Promise<LoopRow[]> {
  const history = Array.from({ length: historyLength }, (_, index): ChatMessage => {
    const role = index % 2 === 0 ? "user" : "assistant";
    return { role, content: `Message ${index} of the history, about as long as a short sentence of a conversation.` };
  });
  const question = { role: "user", content: "go" } as const;
  const input = { baseUrl, history: [...history, question] };
  const rounds = historyLength === 0 ? 15 : 7;
  const nothing = async () => "";
  const contenders = [
    { name: "bare fetch", prepare: nothing, run: () => bareFetchLoop(input) },
    { name: "AI SDK loop", prepare: nothing, run: () => aiSdkLoop(input) },
    {
      name: "Ringmaster",
      prepare: () => openThread(history),
      run: (threadId: string) => ringmasterRun(threadId, "go"),
    },
  ];
  const times = await interleave(contenders, rounds);
  const floor = median(times[0] ?? []);
  return contenders.map(({ name }, index) => ({
    name,
    msPerStep: median(times[index] ?? []) / steps,
    ratio: median(times[index] ?? []) / floor,
  }));
}
