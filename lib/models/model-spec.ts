import type { ModelSpec } from "@/lib/schema/agents/agent-config";
import { AppError } from "@/lib/schema/app-error";
import { visibleAddress } from "./failures/redact";
import {
  connectionOf,
  PROVIDER_FACTS,
  PROVIDER_IDS,
  type ProviderId,
  type ProviderSettings,
  type RemoteProviderId,
} from "./provider-settings";

/** A model with everything needed to call it. */
export interface ResolvedSpec {
  readonly provider: ProviderId;
  readonly model: string;
  readonly baseUrl: string;
  readonly apiKey: string | null;
  /** Where the key comes from, for messages. */
  readonly keySource: string;
}

/** A model called over the network. */
export type RemoteSpec = ResolvedSpec & { readonly provider: RemoteProviderId };

/** A model and the provider to call for it. */
export type NamedModel = Exclude<ModelSpec, string>;

/** What happens when a provider is not configured: the run fails, or the first configured one is called. */
export type OnMissingProvider = "fail" | "first";

/**
 * Finds the provider for a model. A bare name means the provider that the model is known by, otherwise the first one
 * that is configured (D-74). With `first`, that one also replaces a provider that is not configured (D-75). Throws
 * AppError when no provider can be called.
 */
export function nameModel(settings: ProviderSettings, spec: ModelSpec, onMissing: OnMissingProvider): NamedModel {
  const named = typeof spec === "string" ? splitName(settings, spec) : spec;
  if (onMissing === "fail" || !isMissing(settings, named)) return named;
  const provider = firstProvider(settings);
  return provider === null ? named : { provider, model: named.model };
}

function isMissing(settings: ProviderSettings, { provider, base_url: own }: NamedModel): boolean {
  if (provider === "demo" || own !== undefined) return false;
  const known = PROVIDER_IDS.find((id) => id === provider);
  return known === undefined || known === "demo" || connectionOf(settings, known) === null;
}

function firstProvider(settings: ProviderSettings): RemoteProviderId | null {
  const remote = PROVIDER_IDS.filter((id) => id !== "demo");
  return remote.find((id) => connectionOf(settings, id) !== null) ?? null;
}

/** How the model names of each vendor begin. */
const KNOWN_BY: readonly (readonly [RegExp, RemoteProviderId])[] = [
  [/^claude-/, "anthropic"],
  [/^(gpt-|chatgpt-|o\d)/, "openai"],
  [/^gemini-/, "google"],
];

/** Anthropic's short names: each means the current model of its class. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  haiku: "anthropic:claude-haiku-4-5",
  sonnet: "anthropic:claude-sonnet-5-5",
  opus: "anthropic:claude-opus-5-5",
};

/** The provider that a bare model name stands for; null when the name does not belong to a known vendor. */
export function knownProviderOf(model: string): string | null {
  const whole = SHORT_NAMES[model];
  if (whole !== undefined) return whole.slice(0, whole.indexOf(":"));
  return KNOWN_BY.find(([pattern]) => pattern.test(model))?.[1] ?? null;
}

/**
 * Finds the address and key of a model. A custom address never receives the key from the environment, so editing an
 * agent cannot send that key elsewhere. Throws AppError that says which variable to set.
 */
export function readModelSpec(
  settings: ProviderSettings,
  fields: NamedModel,
  secrets: Readonly<Record<string, string>>,
): ResolvedSpec {
  const provider = knownProvider(fields.provider);
  if (provider === "demo") return readDemo(fields.model);
  const { base_url: own, api_key_ref: reference } = fields;
  const facts = PROVIDER_FACTS[provider];
  const connection = connectionOf(settings, provider);
  const baseUrl = own ?? connection?.baseUrl ?? facts.ownBaseUrl;
  if (baseUrl === null) throw notConfigured(provider);
  if (!isHttpAddress(baseUrl)) throw notOfTheWeb(baseUrl);
  const apiKey = reference === undefined ? ownKey(connection?.apiKey, own) : secretOf(secrets, reference);
  if (facts.needsKey && apiKey === null) throw own === undefined ? notConfigured(provider) : keyNeeded(provider);
  return { provider, model: fields.model, baseUrl, apiKey, keySource: reference ?? facts.keyVariable };
}

/** True for what a model can be asked at: `file:` and others reach what is on this machine. */
export function isHttpAddress(address: string): boolean {
  return /^https?:$/.test(URL.parse(address)?.protocol ?? "");
}

function splitName(settings: ProviderSettings, name: string): NamedModel {
  const whole = SHORT_NAMES[name] ?? name;
  const colon = whole.indexOf(":");
  if (colon === 0 || colon === whole.length - 1) {
    throw new AppError("invalid_input", `The model "${name}" must look like "provider:model".`);
  }
  if (colon > 0) return { provider: whole.slice(0, colon), model: whole.slice(colon + 1) };
  const provider = knownProviderOf(whole) ?? firstProvider(settings);
  if (provider !== null) return { provider, model: whole };
  throw new AppError(
    "not_available",
    `No provider is configured to ask for "${name}". Set OPENAI_API_KEY, ANTHROPIC_API_KEY or another provider's variable and restart, or choose another model.`,
  );
}

function knownProvider(id: string): ProviderId {
  const known = PROVIDER_IDS.find((provider) => provider === id);
  if (known) return known;
  const names = PROVIDER_IDS.filter((provider) => provider !== "scripted").join(", ");
  throw new AppError("invalid_input", `Unknown provider "${id}". Known providers: ${names}.`);
}

function readDemo(model: string): ResolvedSpec {
  if (model !== "demo") {
    throw new AppError("invalid_input", `The demo provider has one model, demo:demo; there is no "${model}".`);
  }
  return { provider: "demo", model, baseUrl: "", apiKey: null, keySource: "" };
}

function ownKey(environmentKey: string | null | undefined, ownBaseUrl: string | undefined): string | null {
  return ownBaseUrl === undefined ? (environmentKey ?? null) : null;
}

function secretOf(secrets: Readonly<Record<string, string>>, reference: string): string {
  const secret = Object.hasOwn(secrets, reference) ? secrets[reference] : undefined;
  if (secret !== undefined) return secret;
  throw new AppError("not_available", `No key named "${reference}" (api_key_ref) is stored.`);
}

function notConfigured(provider: RemoteProviderId): AppError {
  const { variable } = PROVIDER_FACTS[provider];
  return new AppError(
    "not_available",
    `The provider ${provider} is not configured. Set ${variable} and restart, or choose another model.`,
  );
}

function keyNeeded(provider: RemoteProviderId): AppError {
  return new AppError("not_available", `The provider ${provider} needs api_key_ref as well as base_url.`);
}

function notOfTheWeb(address: string): AppError {
  const message = `base_url must be an http:// or https:// address, not ${visibleAddress(address)}. Correct the agent's model.`;
  return new AppError("invalid_input", message);
}
