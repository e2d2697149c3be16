-- AlterTable
ALTER TABLE "audit_entry" ADD COLUMN "tombstone" TEXT;

-- AlterTable
ALTER TABLE "user" ADD COLUMN "erasedAt" DATETIME;
ALTER TABLE "user" ADD COLUMN "erasureEndAt" DATETIME;
