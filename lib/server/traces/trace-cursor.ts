import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/schema/app-error";

/** Where a page of the trace list ended: the last row's start (Unix ms) and id, newest first. */
export interface TraceCursor {
  readonly startedAtMs: number;
  readonly id: string;
}

const Stored = z.tuple([z.number().int().nonnegative().max(8.64e15), z.string().min(1).max(100)]);

/** Opaque to callers. */
export function writeTraceCursor(cursor: TraceCursor): string {
  return Buffer.from(JSON.stringify([cursor.startedAtMs, cursor.id])).toString("base64url");
}

/** Throws `invalid_input` for a cursor that this server did not write. */
export function readTraceCursor(text: string): TraceCursor {
  const found = Stored.safeParse(parseJson(Buffer.from(text, "base64url").toString("utf8")));
  if (!found.success) {
    const details = [{ path: "cursor", message: "is not a cursor of this list" }];
    throw new AppError("invalid_input", "The cursor is not one of this list. Start again without it.", { details });
  }
  return { startedAtMs: found.data[0], id: found.data[1] };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
