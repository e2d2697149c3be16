import { expect, it } from "vitest";
import { z } from "zod";
import { secret } from "@/lib/schema/new-secret";
import { secretPaths } from "./secret-paths";
import { formSchema, typedOptional } from "./typed";

const key = secret(z.string()).trim().min(3);

it.each<[string, z.ZodType, string[]]>([
  ["a field, with checks added since", z.object({ key: key.regex(/x/).max(9), name: z.string() }), ["key"]],
  ["one that may be left out", z.object({ key: key.nullable().optional().default(null) }), ["key"]],
  ["one in a group", z.object({ mail: z.object({ key }) }), ["mail.key"]],
  ["one of a kind", z.discriminatedUnion("kind", [z.object({ kind: z.literal("a"), key })]), ["key"]],
  ["the values of a record", z.object({ headers: z.record(z.string(), z.union([key, z.literal(1)])) }), ["headers"]],
  ["the entries of a list", z.object({ keys: z.array(key) }), ["keys"]],
  ["one that is typed as text", z.object({ key: typedOptional(key.optional()) }), ["key"]],
  ["one of the request alone", formSchema(z.object({ key: z.string() }), (it) => it, z.object({ key })), ["key"]],
  ["none", z.object({ name: z.string(), note: z.string().nullable() }), []],
])("finds %s", (_, schema, paths) => {
  expect([...secretPaths(schema)]).toEqual(paths);
});
