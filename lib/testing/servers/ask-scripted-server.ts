import type { ModelRequest, ModelRetry } from "@/lib/agent/model";
import { createModelRegistry, type ResolveOptions } from "@/lib/models/model-registry";
import type { ProviderSettings } from "@/lib/models/provider-settings";
import { AgentConfig, type ModelSpec } from "@/lib/schema/agents/agent-config";
import type { ModelReply } from "@/lib/schema/runs/run-event";
import { providerFetch } from "@/lib/server/providers/provider-fetch";

export const USER_REQUEST: ModelRequest = {
  system: [{ name: "identity", text: "You help." }],
  messages: [{ role: "user", content: "hi" }],
  tools: [{ name: "ls", description: "Lists files.", parameters: { type: "object", properties: {} } }],
  maxTokens: 100,
  temperature: null,
};

/** The defaults of an agent. */
export const REPLY_LIMITS = AgentConfig.parse({ name: "defaults" }).reply_limits;

export function providerSettings(providers: Partial<ProviderSettings["providers"]> = {}): ProviderSettings {
  const none = { openai: null, anthropic: null, google: null, openaiCompatible: null, ollama: null, scripted: null };
  return { defaultModel: null, providers: { ...none, ...providers } };
}

interface Asked {
  readonly reply?: ModelReply;
  readonly error?: unknown;
  readonly text: string;
  readonly retries: readonly ModelRetry[];
}

interface AskOptions extends Partial<ResolveOptions> {
  readonly settings: ProviderSettings;
  readonly spec?: ModelSpec;
  readonly request?: ModelRequest;
  readonly signal?: AbortSignal;
}

/** One model call through the registry; an error is part of the result. */
export async function askModel({ settings, spec = "openai-compatible:m", ...options }: AskOptions): Promise<Asked> {
  let text = "";
  const retries: ModelRetry[] = [];
  try {
    const port = createModelRegistry(settings, providerFetch).resolve(spec, {
      fallbacks: [],
      retries: 0,
      timeouts: { model_ms: 20_000, idle_ms: 10_000 },
      replyLimits: REPLY_LIMITS,
      clock: { now: Date.now, random: () => 0, sleep: async () => {} },
      ...options,
    });
    const reply = await port.call(options.request ?? USER_REQUEST, {
      signal: options.signal ?? new AbortController().signal,
      onText: (delta) => {
        text += delta;
      },
      onRetry: (retry) => {
        retries.push(retry);
        text = "";
      },
    });
    return { reply, text, retries };
  } catch (error) {
    return { error, text, retries };
  }
}
