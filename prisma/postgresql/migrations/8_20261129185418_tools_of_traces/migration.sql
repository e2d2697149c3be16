-- Since 0.2.0

-- DropIndex
DROP INDEX "call_traceId_idx";

-- CreateIndex
CREATE INDEX "call_traceId_tool_status_idx" ON "call"("traceId", "tool", "status");
