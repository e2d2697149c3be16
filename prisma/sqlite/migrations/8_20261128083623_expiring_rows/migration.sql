-- CreateIndex
CREATE INDEX "channel_code_expiresAt_idx" ON "channel_code"("expiresAt");

-- CreateIndex
CREATE INDEX "channel_message_over_idx" ON "channel_message"("createdAt") WHERE ("isOpen" = false);

-- CreateIndex
CREATE INDEX "delivery_done_idx" ON "delivery"("createdAt") WHERE ("nextAt" IS NULL);

-- CreateIndex
CREATE INDEX "file_version_createdAt_idx" ON "file_version"("createdAt");

-- CreateIndex
CREATE INDEX "firing_createdAt_idx" ON "firing"("createdAt");

-- CreateIndex
CREATE INDEX "grant_expiresAt_idx" ON "grant"("expiresAt");

-- CreateIndex
CREATE INDEX "grant_revoked_idx" ON "grant"("revokedAt") WHERE ("revokedAt" IS NOT NULL);

-- CreateIndex
CREATE INDEX "inbox_note_done_idx" ON "inbox_note"("doneAt") WHERE ("doneAt" IS NOT NULL);

-- CreateIndex
CREATE INDEX "memory_version_createdAt_idx" ON "memory_version"("createdAt");

-- CreateIndex
CREATE INDEX "session_expiresAt_idx" ON "session"("expiresAt");

-- CreateIndex
CREATE INDEX "thread_unused_idx" ON "thread"("updatedAt") WHERE (("deletedAt" IS NULL) AND ("parentThreadId" IS NULL));

-- CreateIndex
CREATE INDEX "verification_expiresAt_idx" ON "verification"("expiresAt");
