import type { ScriptedAnswer } from "@/lib/testing/servers/scripted-openai-events";
import { type ChatRequestBody, startScriptedServer } from "@/lib/testing/servers/scripted-openai-server";

export type Step = ScriptedAnswer | ((request: ChatRequestBody) => ScriptedAnswer);

/** An OpenAI-compatible server with a script of its own for every model name. */
export interface ScriptProvider {
  readonly url: string;
  /** Answers `model` in order from now on; the last step repeats. */
  readonly script: (model: string, steps: readonly Step[]) => void;
  /** How many requests `model` has had. */
  readonly countRequests: (model: string) => number;
  readonly close: () => Promise<void>;
}

export async function startScriptProvider(): Promise<ScriptProvider> {
  const scripts = new Map<string, { readonly steps: readonly Step[]; asked: number }>();
  const server = await startScriptedServer({
    record: false,
    script: (request) => {
      const found = scripts.get(request.model ?? "");
      const step = found?.steps[Math.min(found.asked++, found.steps.length - 1)];
      if (step === undefined) throw new Error(`No script for the model ${request.model}`);
      return typeof step === "function" ? step(request) : step;
    },
  });
  return {
    url: server.url,
    script: (model, steps) => void scripts.set(model, { steps, asked: 0 }),
    countRequests: (model) => scripts.get(model)?.asked ?? 0,
    close: server.close,
  };
}
