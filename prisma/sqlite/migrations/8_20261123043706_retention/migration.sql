-- CreateIndex
CREATE INDEX "blob_createdAt_idx" ON "blob"("createdAt");

-- CreateIndex
CREATE INDEX "file_version_blobHash_idx" ON "file_version"("blobHash");

-- CreateIndex
CREATE INDEX "memory_version_blobHash_idx" ON "memory_version"("blobHash");

-- CreateIndex
CREATE INDEX "thread_deleted_idx" ON "thread"("deletedAt") WHERE ("deletedAt" IS NOT NULL);

-- CreateIndex
CREATE INDEX "workspace_file_blobHash_idx" ON "workspace_file"("blobHash");
