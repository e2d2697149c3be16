import { messageOf } from "@/lib/agent/hooks/hook-chain";
import { AppError } from "@/lib/schema/app-error";
import { toHook } from "@/lib/sdk/to-hook";
import { extensions } from "@/lib/server/extensions/extensions";
import type { Registered } from "@/lib/server/extensions/registry";
import { traceHook } from "@/lib/server/extensions/trace-hook";
import { describePlainIssues } from "@/lib/server/http/field-problems";
import { type HookDefinition, settingsError } from "./hook-table";

/** An extension's hook in the form of the hook table; undefined if no extension has one of that name. */
export function findExtensionHook(name: string): HookDefinition | undefined {
  const registered = extensions().hooks.get(name);
  return registered && toDefinition(registered);
}

/** Every hook of an extension, by name. */
export function extensionHooks(): HookDefinition[] {
  return [...extensions().hooks.values()].map(toDefinition);
}

function toDefinition({ definition, file, hash }: Registered<"hook">): HookDefinition {
  const { name, description, configSchema } = definition;
  return {
    name,
    description: description || `From the extension ${file}.`,
    configSchema,
    create(_, settings) {
      const parsed = definition.parseConfig(settings);
      if (!parsed.ok)
        throw settingsError(
          name,
          describePlainIssues(parsed.issues, () => configSchema),
        );
      try {
        return traceHook(toHook(name, definition.create(parsed.config)), { file, hash });
      } catch (error) {
        throw new AppError("hook_failed", `hook ${name} of ${file} could not be created: ${messageOf(error)}`, {
          cause: error,
        });
      }
    },
  };
}
