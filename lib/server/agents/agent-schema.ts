import "server-only";
import { z } from "zod";
import { AgentConfig } from "@/lib/schema/agents/agent-config";
import { extensions } from "@/lib/server/extensions/extensions";
import type { Services } from "@/lib/server/platform/services";
import { allHooks } from "./hooks/standard-hooks";
import { listAvailableTools } from "./list-available";

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** JSON Schema of a config as this installation accepts it, with the current hooks, tools and sections. */
export async function agentSchema(services: Services): Promise<JsonSchema> {
  const schema = z.toJSONSchema(AgentConfig, { io: "input", unrepresentable: "any" });
  // Omit fields whose only valid value is the default.
  delete schema.properties?.gate;
  const prompt = propertyOf(schema, "prompt");
  const sections = prompt && propertyOf(prompt, "sections");
  if (sections) {
    const added = [...extensions().sections.keys()].map((name) => [name, { type: "boolean" }]);
    sections.properties = { ...sections.properties, ...Object.fromEntries(added) };
  }
  const { tools } = await listAvailableTools(services);
  const named = tools.filter(({ offered }) => offered.startsWith("named in tools")).map(({ name }) => name);
  eachList(propertyOf(schema, "tools"), (list) => {
    list.items = { anyOf: [list.items as JsonSchema, { enum: named }] };
  });
  eachList(propertyOf(schema, "hooks"), (list) => {
    list.items = hookEntries();
  });
  return schema;
}

/** An entry of `hooks`: a name, or a name with settings for that hook. */
function hookEntries(): JsonSchema {
  const hooks = allHooks();
  const objects = hooks.map(
    ({ name, description, configSchema }): JsonSchema => ({
      type: "object",
      description,
      properties: { name: { const: name }, enabled: { type: "boolean", default: true }, config: configSchema },
      required: ["name"],
      additionalProperties: false,
    }),
  );
  return { anyOf: [{ enum: hooks.map(({ name }) => name) }, ...objects] };
}

function propertyOf(schema: JsonSchema, name: string): JsonSchema | undefined {
  const property = schema.properties?.[name];
  return typeof property === "object" ? property : undefined;
}

/** Applies `change` to each list among the schema, its branches and its properties. */
function eachList(schema: JsonSchema | undefined, change: (list: JsonSchema) => void): void {
  if (!schema) return;
  if (schema.type === "array") change(schema);
  const parts = [...(schema.anyOf ?? []), ...Object.values(schema.properties ?? {})];
  for (const part of parts) if (typeof part === "object") eachList(part, change);
}
