import type { MemoryAuthor } from "@/lib/schema/files/memory";

interface Origin {
  readonly runId: string | null;
  readonly toolCallId: string | null;
  readonly authorId: string | null;
}

/** Who wrote a version. A version with a run but without a tool call is a template for a new user (`seeded`). */
export function authorOf({ runId, toolCallId, authorId }: Origin): MemoryAuthor {
  if (runId !== null) return toolCallId === null ? "seeded" : "agent";
  return authorId === null ? "outside" : "user";
}

interface OriginRow extends Origin {
  readonly version: number;
  readonly spanId: string | null;
  readonly createdAt: Date;
}

/** The origin of a version, as shown in replies. */
export function originOf(row: OriginRow, names: ReadonlyMap<string, string>) {
  return {
    version: row.version,
    author: authorOf(row),
    authorName: names.get(row.authorId ?? "") ?? null,
    ...(row.runId === null ? {} : { runId: row.runId }),
    ...(row.spanId === null ? {} : { spanId: row.spanId }),
    at: row.createdAt.toISOString(),
  };
}
