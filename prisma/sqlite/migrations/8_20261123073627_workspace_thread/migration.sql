-- CreateIndex
CREATE INDEX "workspace_threadId_idx" ON "workspace"("threadId");
