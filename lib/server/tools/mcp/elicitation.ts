import type { ElicitResult } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { Answer, InterruptDecision, Question } from "@/lib/schema/runs/interrupt";

const MAX_FIELDS = 20;

const Choice = z.object({ const: z.string(), title: z.string().optional() });
const Field = z.object({
  type: z.enum(["string", "number", "integer", "boolean", "array"]),
  title: z.string().optional(),
  description: z.string().optional(),
  enum: z.array(z.string()).optional(),
  enumNames: z.array(z.string()).optional(),
  oneOf: z.array(Choice).optional(),
  items: z.object({ enum: z.array(z.string()).optional(), anyOf: z.array(Choice).optional() }).optional(),
});
type Field = z.infer<typeof Field>;

const Form = z.object({
  properties: z.record(z.string(), Field),
  required: z.array(z.string()).optional(),
});

/** A server's question in the middle of a call, in the form shown to people. */
export interface AskedForm {
  readonly questions: readonly Question[];
  /** The reply sent to the server for a person's decision. Throws an Error whose text names the invalid answer. */
  answer(decision: InterruptDecision): ElicitResult;
}

/** Null for a form that can't be shown here: it is declined. */
export function readForm({
  message,
  requestedSchema,
}: {
  message: string;
  requestedSchema: unknown;
}): AskedForm | null {
  const parsed = Form.safeParse(requestedSchema);
  if (!parsed.success) return null;
  const fields = Object.entries(parsed.data.properties);
  const { required = [] } = parsed.data;
  if (fields.length > MAX_FIELDS) return null;
  if (fields.length === 0) return confirmation(message);
  const asked = fields.map(([name, field]) => ({ name, field, isRequired: required.includes(name) }));
  return {
    questions: asked.map((one, index) => toQuestion(one, index === 0 ? message : "")),
    answer({ decision, answers = [] }) {
      if (decision !== "answer") return { action: decision === "expired" ? "cancel" : "decline" };
      const values = asked.map(({ name, field, isRequired }, index) => {
        return [name, toValue(name, field, answers[index] ?? "", isRequired)] as const;
      });
      return {
        action: "accept",
        content: Object.fromEntries(values.filter(([, value]) => value !== undefined)),
      } as ElicitResult;
    },
  };
}

const YES = "Yes";
const NO = "No";

/** Without fields, the form only asks whether to continue. */
function confirmation(message: string): AskedForm {
  return {
    questions: [{ question: cut(message || "Go on?"), options: [YES, NO] }],
    answer({ decision, answers = [] }) {
      if (decision !== "answer") return { action: decision === "expired" ? "cancel" : "decline" };
      return answers[0] === NO ? { action: "decline" } : { action: "accept", content: {} };
    },
  };
}

interface AskedField {
  readonly name: string;
  readonly field: Field;
  readonly isRequired: boolean;
}

/** What a person writes to omit an optional field. */
const LEFT_OUT = "–";

function toQuestion({ name, field, isRequired }: AskedField, message: string): Question {
  const { title = name, description } = field;
  const own = description === undefined ? title : `${title}: ${description}`;
  const optional = isRequired ? "" : ` (optional; ${LEFT_OUT} leaves it out)`;
  const question = cut([message, `${own}${optional}`].filter(Boolean).join("\n"));
  const options = choicesOf(field).map(({ label }) => cut(label, 500));
  const offered = isRequired || options.length === 0 ? options : [...options, LEFT_OUT];
  return {
    question,
    ...(offered.length >= 2 && offered.length <= 20 ? { options: offered } : {}),
    ...(field.type === "array" ? { multiple: true } : {}),
  };
}

function choicesOf(field: Field): { value: string; label: string }[] {
  if (field.type === "boolean") return [YES, NO].map((label) => ({ value: label, label }));
  const titled = field.oneOf ?? field.items?.anyOf;
  if (titled) return titled.map(({ const: value, title = value }) => ({ value, label: title }));
  const plain = field.enum ?? field.items?.enum ?? [];
  return plain.map((value, index) => ({ value, label: field.enumNames?.[index] ?? value }));
}

function toValue(name: string, field: Field, answer: Answer, isRequired: boolean): unknown {
  const given = [answer].flat().filter((text) => text !== "" && (isRequired || text !== LEFT_OUT));
  const [first] = given;
  if (first === undefined) {
    if (isRequired) throw new Error(`The server needs an answer for "${name}".`);
    return undefined;
  }
  const valueFor = (text: string) => choicesOf(field).find(({ label }) => cut(label, 500) === text)?.value ?? text;
  if (field.type === "array") return given.map(valueFor);
  if (field.type === "boolean") return /^(?:yes|true|y|1)$/i.test(first);
  if (field.type === "string") return valueFor(first);
  const number = Number(first);
  const fits = first.trim() !== "" && Number.isFinite(number) && (field.type === "number" || Number.isInteger(number));
  if (!fits)
    throw new Error(
      `"${first}" is not a${field.type === "integer" ? " whole" : ""} number, which the server needs for "${name}".`,
    );
  return number;
}

function cut(text: string, maxChars = 2_000): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars - 1).toWellFormed()}…`;
}
