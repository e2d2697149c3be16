-- Since 0.2.0

-- CreateTable
CREATE TABLE "trace_export" (
    "runId" TEXT NOT NULL,
    "traceId" TEXT NOT NULL,
    "endedAt" TIMESTAMP(3) NOT NULL,
    "dueAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "trace_export_pkey" PRIMARY KEY ("runId")
);

-- CreateIndex
CREATE INDEX "trace_export_dueAt_idx" ON "trace_export"("dueAt");

-- CreateIndex
CREATE INDEX "trace_export_endedAt_idx" ON "trace_export"("endedAt");
