-- AlterTable
ALTER TABLE "agent_version" ADD COLUMN "yaml" TEXT;

-- CreateTable
CREATE TABLE "agent_draft" (
    "agentId" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "yaml" TEXT NOT NULL,
    "baseVersion" INTEGER NOT NULL,
    "savedById" TEXT,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "endedAt" DATETIME,

    PRIMARY KEY ("agentId", "revision"),
    CONSTRAINT "agent_draft_agentId_fkey" FOREIGN KEY ("agentId") REFERENCES "agent" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "agent_draft_endedAt_idx" ON "agent_draft"("endedAt");
