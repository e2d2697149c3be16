import { z } from "zod";
import { readJsonObject } from "@/lib/client/tools/json-object";
import { readAmount } from "@/lib/client/usage/budget-text";

// What people type is text; these read it as what a request's schema takes.

/** A form of `typed` fields, whose request `toBody` makes. Problems keep the paths of the request. */
export function formSchema<Form, Typed, Request, Body>(
  typed: z.ZodType<Form, Typed>,
  toBody: (form: Form) => NoInfer<Request>,
  body: z.ZodType<Body, Request>,
): z.ZodType<Body, Typed> {
  // A request is no promise, which the library's types allow a transform to return.
  return typed.transform(toBody).pipe(body as z.ZodType<Body, Awaited<Request>>);
}

/** A number, such as 12.50 or 12,50. Nothing is null. */
export function typedAmount<Body>(schema: z.ZodType<Body, number | null>) {
  return z.string().transform(readAmount).pipe(schema);
}

/** A number that is needed. */
export function typedNumber<Body>(schema: z.ZodType<Body, number>) {
  return z
    .string()
    .transform((text) => (text.trim() === "" ? Number.NaN : Number(text)))
    .pipe(schema);
}

/** A text that may be left out. */
export function typedOptional<Body>(schema: z.ZodType<Body, string | undefined>) {
  return z
    .string()
    .transform((text) => (text.trim() === "" ? undefined : text))
    .pipe(schema);
}

/** A text, or null for nothing. */
export function typedNullable<Body>(schema: z.ZodType<Body, string | null>) {
  return z
    .string()
    .transform((text) => (text.trim() === "" ? null : text.trim()))
    .pipe(schema);
}

/** A JSON object. */
export function typedJson<Body>(schema: z.ZodType<Body, Record<string, unknown>>) {
  return z
    .string()
    .transform((text, context) => {
      const read = readJsonObject(text);
      if (read === null) context.addIssue("This is not a JSON object.");
      return read ?? {};
    })
    .pipe(schema);
}
