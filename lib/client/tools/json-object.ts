import { z } from "zod";

const JsonObject = z.record(z.string(), z.unknown());

/** What a person typed as a JSON object; nothing is an empty one, and null is what is none. */
export function readJsonObject(text: string): Record<string, unknown> | null {
  try {
    const parsed = JsonObject.safeParse(JSON.parse(text.trim() === "" ? "{}" : text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
