-- CreateTable
CREATE TABLE "provider" (
    "id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "baseUrl" TEXT,
    "keyEncrypted" TEXT,
    "keyEnding" TEXT,
    "keySetAt" TIMESTAMP(3),
    "keySetById" TEXT,
    "models" TEXT NOT NULL DEFAULT '[]',
    "allowedRoles" TEXT NOT NULL,
    "createdById" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "provider_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "run_unpriced_idx" ON "run"("endedAt", "id") WHERE (("costUsd" IS NULL) AND ("endedAt" IS NOT NULL));
