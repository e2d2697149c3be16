-- AlterTable
ALTER TABLE "run" ADD COLUMN     "isUsageEstimated" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "thread" ADD COLUMN     "isUsageEstimated" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "trace" ADD COLUMN     "isUsageEstimated" BOOLEAN NOT NULL DEFAULT false;
