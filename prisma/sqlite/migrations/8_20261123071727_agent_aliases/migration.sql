-- AlterTable
ALTER TABLE "agent_draft" ADD COLUMN "filesFrom" INTEGER;

-- CreateTable
CREATE TABLE "agent_alias" (
    "agentId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "updatedById" TEXT,
    "updatedAt" DATETIME NOT NULL,

    PRIMARY KEY ("agentId", "name"),
    CONSTRAINT "agent_alias_agentId_fkey" FOREIGN KEY ("agentId") REFERENCES "agent" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- AlterTable
ALTER TABLE "thread" ADD COLUMN "isTest" BOOLEAN NOT NULL DEFAULT false;

-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_agent_version" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "agentId" TEXT NOT NULL,
    "number" INTEGER,
    "draftRevision" INTEGER,
    "config" TEXT NOT NULL,
    "configHash" TEXT NOT NULL,
    "yaml" TEXT,
    "note" TEXT,
    "createdById" TEXT,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "agent_version_agentId_fkey" FOREIGN KEY ("agentId") REFERENCES "agent" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
INSERT INTO "new_agent_version" ("agentId", "config", "configHash", "createdAt", "createdById", "id", "note", "number", "yaml") SELECT "agentId", "config", "configHash", "createdAt", "createdById", "id", "note", "number", "yaml" FROM "agent_version";
DROP TABLE "agent_version";
ALTER TABLE "new_agent_version" RENAME TO "agent_version";
CREATE INDEX "agent_version_draft_idx" ON "agent_version"("agentId", "configHash") WHERE ("number" IS NULL);
CREATE UNIQUE INDEX "agent_version_agentId_number_key" ON "agent_version"("agentId", "number");
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;
