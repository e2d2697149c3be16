import { z } from "zod";

// What clients of both OpenAI APIs send where they ask for nothing, and what they write in another way.

/** Some languages write an object or a list without entries as the other of the two. */
export function withoutEmpty(sent: unknown): unknown {
  const isBare =
    sent === "" || sent === false || (typeof sent === "object" && sent !== null && Object.keys(sent).length === 0);
  return isBare ? undefined : sent;
}

/** A list in which null asks for nothing, or a word for none. */
function withoutNulls(sent: unknown): unknown {
  if (sent === "" || sent === false) return undefined;
  return Array.isArray(sent) ? sent.filter((entry) => entry !== null) : sent;
}

/** A list of what belongs to the agent; `asksForNone` says whether it may be sent. */
export const agentsOwn = (sentence: string) =>
  z.preprocess(withoutNulls, z.array(z.unknown(), { error: sentence }).nullish());

export const NO_TOOLS = "tools belong to the agent and can't be sent";

/** Clients send an empty list with every request, or a list beside the wish that none be called: neither asks for any. */
export function asksForNone(sent: readonly unknown[] | null | undefined, choice: unknown): boolean {
  const isNone = typeof choice === "object" && choice !== null && "type" in choice && choice.type === "none";
  return !sent || sent.length === 0 || choice === "none" || isNone;
}

/** The format of a reply, in the field of this name: text, or a default that asks for nothing. */
export function textFormat(field: string) {
  const error = ({ input }: { readonly input?: unknown }) => {
    const type = typeOf(input);
    const name = typeof type === "string" ? ` ${JSON.stringify(type.slice(0, 100))}` : "";
    return `${field}${name} is not supported: replies are text`;
  };
  const format = z.looseObject({ type: z.literal("text", { error }) }, { error }).nullish();
  return z.preprocess(
    (sent) => (typeOf(sent) === null || typeOf(sent) === "text" ? undefined : withoutEmpty(sent)),
    format,
  );
}

function typeOf(format: unknown): unknown {
  return typeof format === "object" && format !== null && "type" in format ? format.type : format;
}

/** Some clients write a flag as text. */
export const flag = z.preprocess((sent) => FLAGS.get(sent) ?? sent, z.boolean().nullish());
const FLAGS = new Map<unknown, boolean>([
  ["true", true],
  ["True", true],
  [1, true],
  ["false", false],
  ["False", false],
  ["", false],
  [0, false],
]);
