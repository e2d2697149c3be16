import { $ZodObject } from "zod/v4/core";

/** What the library of schemas is built on, half of what a phone evaluates of it. Exported so that a bundler keeps it. */
export const SchemaCore = $ZodObject;
