import type { CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { yaml, yamlLanguage } from "@codemirror/lang-yaml";
import type { Extension } from "@codemirror/state";
import { keySuggestions, type Suggestion, schemasAt, valueSuggestions, yamlPlace } from "@/lib/client/agents/yaml-path";

type Schema = Readonly<Record<string, unknown>>;

/**
 * YAML completion that offers the schema's keys and values at the cursor, once the schema is loaded. An open list
 * closes when its editor gets another extension from here: create it once.
 */
export function yamlCompletion(loadSchema: () => Promise<Schema | null>): Extension {
  const offered = async (context: CompletionContext) => {
    const schema = await loadSchema();
    return schema === null || context.aborted ? null : complete(schema, context);
  };
  return [yaml(), yamlLanguage.data.of({ autocomplete: offered })];
}

function complete(schema: Schema, context: CompletionContext): CompletionResult | null {
  const line = context.state.doc.lineAt(context.pos);
  const before = line.text.slice(0, context.pos - line.from);
  const lines = context.state.doc.toString().split("\n");
  const placeAt = (indent: number) => yamlPlace(lines, line.number - 1, indent);
  const item = /^(\s*)- +(?:([\w-]+):\s+)?([\w-]*)$/.exec(before);
  if (item) {
    const [, space = "", key, typed = ""] = item;
    const { path, names } = placeAt(space.length + 1);
    const list = path.at(-1) === "[]" ? path : [...path, "[]"];
    const schemas = schemasAt(schema, key === undefined ? list : [...list, key], names);
    return offer(context, typed, valueSuggestions(schemas), "");
  }
  const value = /^(\s*)([\w-]+):\s+([\w-]*)$/.exec(before);
  if (value) {
    const [, space = "", key = "", typed = ""] = value;
    const { path, names } = placeAt(space.length);
    return offer(context, typed, valueSuggestions(schemasAt(schema, [...path, key], names)), "");
  }
  const key = /^(\s*)([\w-]*)$/.exec(before);
  if (!key) return null;
  const { path, names, siblings } = placeAt((key[1] ?? "").length);
  return offer(context, key[2] ?? "", keySuggestions(schemasAt(schema, path, names), siblings), ": ");
}

function offer(
  context: CompletionContext,
  typed: string,
  suggestions: readonly Suggestion[],
  after: string,
): CompletionResult | null {
  if (suggestions.length === 0 || (typed === "" && !context.explicit && after !== "")) return null;
  return {
    from: context.pos - typed.length,
    validFor: /^[\w-]*$/,
    options: suggestions.map(({ label, detail, info }) => ({
      label,
      detail,
      info: info ?? undefined,
      apply: `${label}${after}`,
      type: after === "" ? "constant" : "property",
    })),
  };
}
