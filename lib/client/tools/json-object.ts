import { z } from "zod";

const JsonObject = z.record(z.string(), z.unknown());

/**
 * Parses typed text as a JSON object; an empty text is an empty object, anything else that is not an object is null.
 */
export function readJsonObject(text: string): Record<string, unknown> | null {
  try {
    const parsed = JsonObject.safeParse(JSON.parse(text.trim() === "" ? "{}" : text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
