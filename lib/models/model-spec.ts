import type { ModelSpec } from "@/lib/schema/agent-config";
import { AppError } from "@/lib/schema/app-error";
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

/**
 * Reads `provider:model` or the object form. A custom address never receives the key from the environment, so editing
 * an agent cannot send that key elsewhere. Throws AppError that says which variable to set.
 */
export function readModelSpec(
  settings: ProviderSettings,
  spec: ModelSpec,
  secrets: Readonly<Record<string, string>>,
): ResolvedSpec {
  const fields = typeof spec === "string" ? splitName(spec) : spec;
  const provider = knownProvider(fields.provider);
  if (provider === "demo") return readDemo(fields.model);
  const { base_url: own, api_key_ref: reference } = fields;
  const facts = PROVIDER_FACTS[provider];
  const connection = connectionOf(settings, provider);
  const baseUrl = own ?? connection?.baseUrl ?? facts.ownBaseUrl;
  if (baseUrl === null) throw notConfigured(provider);
  const apiKey = reference === undefined ? ownKey(connection?.apiKey, own) : secretOf(secrets, reference);
  if (facts.needsKey && apiKey === null) throw own === undefined ? notConfigured(provider) : keyNeeded(provider);
  return { provider, model: fields.model, baseUrl, apiKey, keySource: reference ?? facts.keyVariable };
}

function splitName(name: string): Exclude<ModelSpec, string> {
  const colon = name.indexOf(":");
  if (colon <= 0 || colon === name.length - 1) {
    throw new AppError("invalid_input", `The model "${name}" must look like "provider:model".`);
  }
  return { provider: name.slice(0, colon), model: name.slice(colon + 1) };
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
