-- AlterTable
ALTER TABLE "run" DROP COLUMN "leaseUntil";

-- CreateTable
CREATE TABLE "timer" (
    "name" TEXT NOT NULL,
    "task" TEXT NOT NULL,
    "data" TEXT NOT NULL,
    "at" TIMESTAMP(3) NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "timer_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE INDEX "timer_at_idx" ON "timer"("at");
