-- Since 0.2.0

-- The keys of two orders of the list, written as in `trace-list/page.ts`: Prisma's schema has no words for them.
CREATE INDEX "trace_cost_idx" ON "trace"(coalesce("costUsd", -1), "id");
CREATE INDEX "trace_tokens_idx" ON "trace"(coalesce("inputTokens" + "cachedReadTokens" + "cachedWriteTokens" + "outputTokens", -1), "id");
