-- AlterTable
ALTER TABLE "audit_entry" ADD COLUMN     "after" TEXT,
ADD COLUMN     "apiKeyId" TEXT,
ADD COLUMN     "before" TEXT,
ADD COLUMN     "hash" TEXT,
ADD COLUMN     "hashKeyId" TEXT,
ADD COLUMN     "ip" TEXT,
ADD COLUMN     "number" INTEGER,
ADD COLUMN     "previousHash" TEXT;

-- Entries from before there was a chain stay outside it.
UPDATE "audit_entry" SET "number" = 0;

-- CreateIndex
CREATE INDEX "audit_entry_unlinked_idx" ON "audit_entry"("createdAt", "id") WHERE ("number" IS NULL);

-- CreateIndex
CREATE UNIQUE INDEX "audit_entry_number_key" ON "audit_entry"("number") WHERE ("number" > 0);
