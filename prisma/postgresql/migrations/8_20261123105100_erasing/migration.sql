-- AlterTable
ALTER TABLE "audit_entry" ADD COLUMN "tombstone" TEXT;

-- AlterTable
ALTER TABLE "user" ADD COLUMN "erasedAt" TIMESTAMP(3);
ALTER TABLE "user" ADD COLUMN "erasureEndAt" TIMESTAMP(3);
