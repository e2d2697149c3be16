-- CreateTable
CREATE TABLE "project" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "agentId" TEXT,
    "createdById" TEXT NOT NULL,
    "archivedAt" DATETIME,
    "deletedAt" DATETIME,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "project_member" (
    "projectId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,

    PRIMARY KEY ("projectId", "userId"),
    CONSTRAINT "project_member_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "project" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "project_member_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "project_instructions" (
    "projectId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "text" TEXT NOT NULL,
    "createdById" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,

    PRIMARY KEY ("projectId", "number"),
    CONSTRAINT "project_instructions_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "project_deleted_idx" ON "project"("deletedAt") WHERE ("deletedAt" IS NOT NULL);

-- CreateIndex
CREATE INDEX "project_member_userId_idx" ON "project_member"("userId");

-- AlterTable: columns are added, so that the table and its triggers stay as they are.
ALTER TABLE "thread" ADD COLUMN "projectId" TEXT REFERENCES "project" ("id") ON DELETE SET NULL ON UPDATE CASCADE;
ALTER TABLE "thread" ADD COLUMN "fileScope" TEXT;

-- CreateIndex
CREATE INDEX "thread_project_idx" ON "thread"("projectId", "updatedAt", "id") WHERE ("projectId" IS NOT NULL);

-- AlterTable
ALTER TABLE "run" ADD COLUMN "projectId" TEXT;
ALTER TABLE "run" ADD COLUMN "fileScope" TEXT;

-- AlterTable
ALTER TABLE "workspace" ADD COLUMN "projectId" TEXT;
ALTER TABLE "workspace" ADD COLUMN "kind" TEXT;

-- CreateIndex
CREATE INDEX "workspace_project_idx" ON "workspace"("projectId") WHERE ("projectId" IS NOT NULL);
