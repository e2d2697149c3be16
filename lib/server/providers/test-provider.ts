import "server-only";
import type { ModelRequest } from "@/lib/agent/model";
import type { ModelRegistry } from "@/lib/models/model-registry";
import { AgentConfig } from "@/lib/schema/agents/agent-config";
import { AppError } from "@/lib/schema/app-error";
import type { ProviderTest } from "@/lib/schema/provider";
import type { Viewer } from "@/lib/schema/users/user";
import type { Services } from "@/lib/server/platform/services";
import { keepTest } from "./kept-tests";
import { noProvider } from "./list-providers";
import { modelRegistry, whenProvidersAreLoaded } from "./models";

const LIMIT_MS = 30_000;
/** Leaves room for a model that thinks before it says a few words. */
const MAX_TOKENS = 400;
const LONGEST_TEXT = 500;

const REQUEST: ModelRequest = {
  system: [],
  messages: [{ role: "user", content: "This is a test of the connection. Say in a few words that you are ready." }],
  tools: [],
  maxTokens: MAX_TOKENS,
  temperature: null,
};

interface Trial {
  /** Default: the first one. */
  readonly model?: string;
  readonly signal: AbortSignal;
  readonly byName: string | null;
}

/**
 * Calls a model of the provider, the first one unless another is named, and stores the outcome. A failed call is a
 * result, with the provider's own message and without any key. Throws `not_found`.
 */
export async function testProvider(
  services: Services,
  id: string,
  asked: Omit<Trial, "byName">,
  viewer: Viewer,
): Promise<ProviderTest> {
  await whenProvidersAreLoaded(services);
  const test = await tryProvider(modelRegistry(services), id, { ...asked, byName: viewer.name });
  await keepTest(services.database, id, test);
  return test;
}

/** The same call through any registry; nothing is stored. Throws `not_found`, and the signal's reason. */
export async function tryProvider(registry: ModelRegistry, id: string, asked: Trial): Promise<ProviderTest> {
  const known = registry.providers().find((provider) => provider.id === id);
  if (!known) throw noProvider(id);
  const startedAtMs = performance.now();
  let model = asked.model ?? known.offered[0] ?? "";
  const facts = () => ({
    latencyMs: Math.round(performance.now() - startedAtMs),
    model,
    at: new Date().toISOString(),
    byName: asked.byName,
  });
  try {
    model ||= (await registry.listModels(id))[0] ?? "";
    if (model === "") throw new AppError("model_failed", `The provider ${id} lists no models. Name one to test.`);
    const { content, usage, costUsd } = await call(registry, `${id}:${model}`, asked.signal);
    const text = content.trim().slice(0, LONGEST_TEXT).toWellFormed();
    return { ok: true, ...facts(), text, usage, costUsd: costUsd ?? null };
  } catch (error) {
    asked.signal.throwIfAborted();
    const message = error instanceof Error ? error.message : "The call failed.";
    return { ok: false, ...facts(), error: message };
  }
}

function call(registry: ModelRegistry, model: string, signal: AbortSignal) {
  const { reply_limits: replyLimits } = AgentConfig.parse({ name: "test" });
  const timeouts = { model_ms: LIMIT_MS, idle_ms: LIMIT_MS };
  const port = registry.resolve(model, { fallbacks: [], retries: 0, timeouts, replyLimits });
  return port.call(REQUEST, { signal });
}
