-- AlterTable
ALTER TABLE "audit_entry" ADD COLUMN "after" TEXT;
ALTER TABLE "audit_entry" ADD COLUMN "apiKeyId" TEXT;
ALTER TABLE "audit_entry" ADD COLUMN "before" TEXT;
ALTER TABLE "audit_entry" ADD COLUMN "hash" TEXT;
ALTER TABLE "audit_entry" ADD COLUMN "hashKeyId" TEXT;
ALTER TABLE "audit_entry" ADD COLUMN "ip" TEXT;
ALTER TABLE "audit_entry" ADD COLUMN "number" INTEGER;
ALTER TABLE "audit_entry" ADD COLUMN "previousHash" TEXT;

-- Entries from before there was a chain stay outside it.
UPDATE "audit_entry" SET "number" = 0;

-- CreateIndex
CREATE INDEX "audit_entry_unlinked_idx" ON "audit_entry"("createdAt", "id") WHERE ("number" IS NULL);

-- CreateIndex
CREATE UNIQUE INDEX "audit_entry_number_key" ON "audit_entry"("number") WHERE ("number" > 0);
