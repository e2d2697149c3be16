-- AlterTable
ALTER TABLE "agent_draft" ADD COLUMN     "filesFrom" INTEGER;

-- AlterTable
ALTER TABLE "agent_version" ADD COLUMN     "draftRevision" INTEGER,
ALTER COLUMN "number" DROP NOT NULL;

-- AlterTable
ALTER TABLE "thread" ADD COLUMN     "isTest" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "agent_alias" (
    "agentId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "updatedById" TEXT,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "agent_alias_pkey" PRIMARY KEY ("agentId","name")
);

-- CreateIndex
CREATE INDEX "agent_version_draft_idx" ON "agent_version"("agentId", "configHash") WHERE ("number" IS NULL);

-- AddForeignKey
ALTER TABLE "agent_alias" ADD CONSTRAINT "agent_alias_agentId_fkey" FOREIGN KEY ("agentId") REFERENCES "agent"("id") ON DELETE CASCADE ON UPDATE CASCADE;
