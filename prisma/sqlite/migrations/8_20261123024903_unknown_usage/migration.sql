-- AlterTable
ALTER TABLE "run" ADD COLUMN "isUsagePartial" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "thread" ADD COLUMN "isUsagePartial" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "trace" ADD COLUMN "isUsagePartial" BOOLEAN NOT NULL DEFAULT false;
