-- CreateIndex
CREATE INDEX "trace_status_startedAt_id_idx" ON "trace"("status", "startedAt", "id");
