import "server-only";
import { z } from "zod";
import type { PromptPart } from "@/lib/schema/span-body";
import type { Database } from "@/lib/server/platform/db/database";
import { readKeptText } from "./kept-texts";

const Sections = z.array(z.object({ name: z.string(), tokens: z.number(), hash: z.string().optional() }));

/** The system prompt that a model call's span points at; null when the span says nothing of it. */
export async function loadPromptParts(
  db: Database,
  attributes: Readonly<Record<string, unknown>>,
): Promise<PromptPart[] | null> {
  const found = Sections.safeParse(attributes.sections);
  if (!found.success) return null;
  return Promise.all(
    found.data.map(async ({ name, tokens, hash }) => ({
      name,
      tokens,
      text: hash === undefined ? null : await readKeptText(db, hash),
    })),
  );
}
