-- Since 0.2.0

-- AlterTable
ALTER TABLE "trace" ADD COLUMN     "ruleUses" TEXT,
ADD COLUMN     "toolUses" TEXT;

-- CreateIndex
CREATE INDEX "trace_uses_unkept_idx" ON "trace"("endedAt") WHERE ("toolUses" IS NULL);
