-- CreateTable
CREATE TABLE "provider" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "baseUrl" TEXT,
    "keyEncrypted" TEXT,
    "keyEnding" TEXT,
    "keySetAt" DATETIME,
    "keySetById" TEXT,
    "models" TEXT NOT NULL DEFAULT '[]',
    "allowedRoles" TEXT NOT NULL,
    "createdById" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" DATETIME NOT NULL
);

-- CreateIndex
CREATE INDEX "run_unpriced_idx" ON "run"("endedAt", "id") WHERE (("costUsd" IS NULL) AND ("endedAt" IS NOT NULL));
