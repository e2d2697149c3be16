-- Since 0.2.0

-- CreateTable
CREATE TABLE "trace_export" (
    "runId" TEXT NOT NULL PRIMARY KEY,
    "traceId" TEXT NOT NULL,
    "endedAt" DATETIME NOT NULL,
    "dueAt" DATETIME NOT NULL
);

-- CreateIndex
CREATE INDEX "trace_export_dueAt_idx" ON "trace_export"("dueAt");

-- CreateIndex
CREATE INDEX "trace_export_endedAt_idx" ON "trace_export"("endedAt");
