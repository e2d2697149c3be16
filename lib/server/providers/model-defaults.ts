import "server-only";
import { AppError, type FieldProblem } from "@/lib/schema/app-error";
import type { ModelDefaults } from "@/lib/schema/providers/provider-figures";
import type { ChangeModelDefaultsBody } from "@/lib/schema/providers/provider-requests";
import type { Viewer } from "@/lib/schema/users/user";
import { auditColumns } from "@/lib/server/platform/audit-columns";
import { selectSettings } from "@/lib/server/platform/db/queries/providers/provider-rows";
import { env } from "@/lib/server/platform/env";
import type { Services } from "@/lib/server/platform/services";
import {
  applyProviderChange,
  DEFAULT_MODEL_SETTING,
  defaultFallbacks,
  FALLBACKS_SETTING,
  modelRegistry,
  whenProvidersAreLoaded,
} from "./models";

export async function getModelDefaults(services: Services): Promise<ModelDefaults> {
  await whenProvidersAreLoaded(services);
  const [settings, resolved] = await Promise.all([
    selectSettings(services.database, [DEFAULT_MODEL_SETTING]),
    modelRegistry(services)
      .defaultModel()
      .catch(() => null),
  ]);
  const fixed = env().defaultModel;
  return {
    model: fixed ?? (settings.get(DEFAULT_MODEL_SETTING) || null),
    resolved,
    fallbacks: [...defaultFallbacks(services)],
    fixedBy: fixed === null ? null : "RINGMASTER_DEFAULT_MODEL",
  };
}

/**
 * Sets the model for agents that name none, and its fallbacks. Throws `conflict` if the environment sets them,
 * `invalid_input` for a model that can't be called.
 */
export async function changeModelDefaults(
  services: Services,
  body: ChangeModelDefaultsBody,
  viewer: Viewer,
): Promise<ModelDefaults> {
  const { model, fallbacks } = body;
  if (model !== undefined && env().defaultModel !== null) {
    const message = "RINGMASTER_DEFAULT_MODEL decides which model answers. Remove it and restart to choose one here.";
    throw new AppError("conflict", message, { details: { current: await getModelDefaults(services) } });
  }
  await whenProvidersAreLoaded(services);
  refuse([
    ...problemsOf(services, "model", model ?? null),
    ...(fallbacks ?? []).flatMap((name, index) => problemsOf(services, `fallbacks.${index}`, name)),
  ]);
  const set = (key: string, value: string) =>
    services.database.setting.upsert({ where: { key }, create: { key, value }, update: { value } });
  const record = {
    actorId: viewer.id,
    action: "model-defaults.changed",
    target: "model-defaults",
    details: { ...body },
  };
  await services.database.$transaction([
    ...(model === undefined ? [] : [set(DEFAULT_MODEL_SETTING, model ?? "")]),
    ...(fallbacks === undefined ? [] : [set(FALLBACKS_SETTING, JSON.stringify(fallbacks))]),
    services.database.auditEntry.create({ data: auditColumns(record) }),
  ]);
  await applyProviderChange(services);
  return getModelDefaults(services);
}

function problemsOf(services: Services, path: string, model: string | null): FieldProblem[] {
  const message = model === null ? null : modelRegistry(services).problemOf(model, "fail");
  return message === null ? [] : [{ path, message }];
}

function refuse(problems: readonly FieldProblem[]): void {
  const [first] = problems;
  if (first) throw new AppError("invalid_input", first.message, { details: problems });
}
