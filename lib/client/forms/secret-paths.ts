import { z } from "zod";
import { isSecret } from "@/lib/schema/new-secret";

/** Dotted paths of a schema's secrets, of what is typed and of what is sent. Those of a list or a record are its own. */
export function secretPaths(schema: z.core.$ZodType): ReadonlySet<string> {
  return new Set(pathsUnder(schema, ""));
}

function pathsUnder(schema: z.core.$ZodType, path: string): string[] {
  if (isSecret(schema)) return [path];
  if (schema instanceof z.ZodObject) {
    const fields: [string, z.core.$ZodType][] = Object.entries(schema.shape);
    return fields.flatMap(([name, field]) => pathsUnder(field, path === "" ? name : `${path}.${name}`));
  }
  return partsOf(schema).flatMap((part) => pathsUnder(part, path));
}

function partsOf(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  if (schema instanceof z.ZodPipe) return [schema.in, schema.out];
  if (schema instanceof z.ZodUnion) return schema.options;
  if (schema instanceof z.ZodIntersection) return [schema.def.left, schema.def.right];
  if (schema instanceof z.ZodArray) return [schema.element];
  if (schema instanceof z.ZodRecord) return [schema.valueType];
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return [schema.unwrap()];
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) return [schema.unwrap()];
  return [];
}
