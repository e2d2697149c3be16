-- Since 0.2.0

-- CreateIndex
CREATE INDEX "run_step_workspaceId_startedAt_idx" ON "run_step"("workspaceId", "startedAt");
