import { z } from "zod";
import { AppError } from "@/lib/schema/app-error";

const Stored = z.tuple([z.iso.datetime(), z.string().min(1).max(100)]);

/** Where a page ended: the creation and id of its last row. */
export interface PageCursor {
  readonly createdAt: Date;
  readonly id: string;
}

/** Opaque to callers. */
export function writePageCursor({ createdAt, id }: PageCursor): string {
  return Buffer.from(JSON.stringify([createdAt.toISOString(), id])).toString("base64url");
}

/** Throws `invalid_input` for a cursor that this server did not write. */
export function readPageCursor(cursor: string): PageCursor {
  try {
    const [createdAt, id] = Stored.parse(JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")));
    return { createdAt: new Date(createdAt), id };
  } catch (cause) {
    const message = "Use the nextCursor of the page before.";
    const details = [{ path: "cursor", message }];
    throw new AppError("invalid_input", `cursor: ${message}`, { cause, details });
  }
}
