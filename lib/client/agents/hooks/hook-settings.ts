import { isObject } from "@/lib/client/agents/config-text/config-values";
import type { FieldControl } from "@/lib/client/agents/form/form-field";

/** One setting of a hook, as its schema describes it. */
export interface HookSetting {
  readonly path: readonly string[];
  readonly label: string;
  readonly help?: string;
  /** Null: only the YAML can hold such a value. */
  readonly control: Extract<FieldControl, { kind: "text" | "number" | "switch" | "choice" | "words" }> | null;
  readonly fallback: unknown;
}

/** The settings in a hook's JSON Schema, in its order; those of a mapping are flattened. */
export function hookSettings(schema: unknown, path: readonly string[] = []): readonly HookSetting[] {
  const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : {};
  return Object.entries(properties).flatMap(([name, given]): readonly HookSetting[] => {
    const below = [...path, name];
    const property = withoutNull(given);
    if (property.type === "object" && isObject(property.properties)) return hookSettings(property, below);
    const { description } = property;
    return [
      {
        path: below,
        label: words(below),
        ...(typeof description === "string" ? { help: description } : {}),
        control: controlOf(property),
        fallback: property.default,
      },
    ];
  });
}

function words(path: readonly string[]): string {
  const text = path.join(" ").replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A nullable setting is edited as its other type: empty means null. */
function withoutNull(value: unknown): Readonly<Record<string, unknown>> {
  if (!isObject(value)) return {};
  const choices = value.anyOf;
  if (!Array.isArray(choices)) return value;
  const others = choices.filter((choice) => isObject(choice) && choice.type !== "null");
  return others.length === 1 && isObject(others[0]) ? { ...value, ...others[0] } : value;
}

function controlOf(property: Readonly<Record<string, unknown>>): HookSetting["control"] {
  if (Array.isArray(property.enum)) {
    const options = property.enum.map((option) => ({ id: String(option), name: String(option) }));
    return { kind: "choice", options };
  }
  switch (property.type) {
    case "boolean":
      return { kind: "switch" };
    case "string":
      return { kind: "text", isMono: true };
    case "integer":
    case "number":
      return { kind: "number" };
    case "array":
      return isObject(property.items) && property.items.type === "string" ? { kind: "words", add: "Add" } : null;
    default:
      return null;
  }
}
