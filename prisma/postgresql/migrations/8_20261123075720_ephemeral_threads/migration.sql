-- CreateIndex
CREATE INDEX "thread_ephemeral_idx" ON "thread"("updatedAt") WHERE ("ephemeral" = true);
