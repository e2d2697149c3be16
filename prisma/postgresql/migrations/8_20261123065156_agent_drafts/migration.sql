-- AlterTable
ALTER TABLE "agent_version" ADD COLUMN     "yaml" TEXT;

-- CreateTable
CREATE TABLE "agent_draft" (
    "agentId" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "yaml" TEXT NOT NULL,
    "baseVersion" INTEGER NOT NULL,
    "savedById" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "endedAt" TIMESTAMP(3),

    CONSTRAINT "agent_draft_pkey" PRIMARY KEY ("agentId","revision")
);

-- CreateIndex
CREATE INDEX "agent_draft_endedAt_idx" ON "agent_draft"("endedAt");

-- AddForeignKey
ALTER TABLE "agent_draft" ADD CONSTRAINT "agent_draft_agentId_fkey" FOREIGN KEY ("agentId") REFERENCES "agent"("id") ON DELETE CASCADE ON UPDATE CASCADE;
