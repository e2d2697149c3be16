import { z } from "zod";
import { AppError } from "@/lib/schema/app-error";

/** One page of a list. The cursor leads to the next page; null on the last one. */
interface PageOfRows<Row> {
  readonly page: readonly Row[];
  readonly nextCursor: string | null;
}

/** The first `limit` rows of a read that requested one more, to know whether there are more. */
export function pageOfRows<Row>(
  rows: readonly Row[],
  limit: number,
  cursorAfter: (last: Row) => string,
): PageOfRows<Row> {
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { page, nextCursor: last === undefined ? null : cursorAfter(last) };
}

/** Cursors of a list, opaque to callers: each contains the sort key of a page's last row. */
export function pageCursors<Place extends readonly unknown[]>(Stored: z.ZodType<Place>) {
  return {
    write: (...place: Place): string => Buffer.from(JSON.stringify(place)).toString("base64url"),
    /** Throws `invalid_input` for a cursor that this server did not write. */
    read(cursor: string): Place {
      try {
        return Stored.parse(JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")));
      } catch (cause) {
        const message = "Use the nextCursor of the page before.";
        throw new AppError("invalid_input", `cursor: ${message}`, { cause, details: [{ path: "cursor", message }] });
      }
    },
  };
}

export const CursorId = z.string().min(1).max(100);

const ofTimes = pageCursors(z.tuple([z.iso.datetime(), CursorId]));

/** Cursors of a list sorted by a time and an id. */
export const timeCursors = {
  write: (time: Date, id: string): string => ofTimes.write(time.toISOString(), id),
  /** The condition for the rows after the cursor, with `column` as the time; none without a cursor. */
  behind(cursor: string | undefined, column: string, order: "ascending" | "descending") {
    if (cursor === undefined) return {};
    const [text, id] = ofTimes.read(cursor);
    const time = new Date(text);
    const beyond = order === "ascending" ? "gt" : "lt";
    return { OR: [{ [column]: { [beyond]: time } }, { [column]: time, id: { [beyond]: id } }] };
  },
};
