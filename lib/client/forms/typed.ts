import { z } from "zod";
import { readJsonObject } from "@/lib/client/tools/json-object";
import { readAmount } from "@/lib/client/usage/budget-text";
import { flattenIssues } from "@/lib/schema/problems/flatten-issues";
import { issueMessage } from "@/lib/schema/problems/issue-message";

// What people type is text; these read it as what a request's schema takes.

/**
 * A form of `typed` fields, whose request `toBody` makes. Problems keep the paths of the request; those that the form
 * finds itself and those of the request are found together.
 */
export function formSchema<Form, Typed, Request, Body>(
  typed: z.ZodType<Form, Typed>,
  toBody: (form: Form) => NoInfer<Request>,
  body: z.ZodType<Body, Request>,
): z.ZodType<Body, Typed> {
  const checked = typed.superRefine((form, context) => {
    const { error } = body.safeParse(toBody(form));
    for (const { path, issue } of flattenIssues(error?.issues ?? [])) {
      context.addIssue({ code: "custom", path: [...path], message: issueMessage(issue) });
    }
  });
  // A request is no promise, which the library's types allow a transform to return.
  return checked.transform(toBody).pipe(body as z.ZodType<Body, Awaited<Request>>);
}

/** A number, such as 12.50 or 12,50. Nothing is null. */
export function typedAmount<Body>(schema: z.ZodType<Body, number | null>) {
  return z.string().transform(readAmount).pipe(schema);
}

/** A number that is needed. */
export function typedNumber<Body>(schema: z.ZodType<Body, number>) {
  return z
    .string()
    .transform((text) => readAmount(text) ?? Number.NaN)
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
