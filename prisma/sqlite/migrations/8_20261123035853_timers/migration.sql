-- AlterTable
ALTER TABLE "run" DROP COLUMN "leaseUntil";

-- CreateTable
CREATE TABLE "timer" (
    "name" TEXT NOT NULL PRIMARY KEY,
    "task" TEXT NOT NULL,
    "data" TEXT NOT NULL,
    "at" DATETIME NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0
);

-- CreateIndex
CREATE INDEX "timer_at_idx" ON "timer"("at");
