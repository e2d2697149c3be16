-- CreateIndex
CREATE INDEX "thread_compacting_idx" ON "thread"("compactionUntil") WHERE ("compactionUntil" IS NOT NULL);
