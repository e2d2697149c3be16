-- Since 0.2.0

-- CreateIndex
CREATE INDEX "run_named_child_idx" ON "run"("agentId", "createdAt") WHERE (("depth" > 0) AND (NOT "isInline"));
