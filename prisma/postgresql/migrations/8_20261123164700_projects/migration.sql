-- CreateTable
CREATE TABLE "project" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "agentId" TEXT,
    "createdById" TEXT NOT NULL,
    "archivedAt" TIMESTAMP(3),
    "deletedAt" TIMESTAMP(3),
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "project_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "project_member" (
    "projectId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "project_member_pkey" PRIMARY KEY ("projectId","userId")
);

-- CreateTable
CREATE TABLE "project_instructions" (
    "projectId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "text" TEXT NOT NULL,
    "createdById" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "project_instructions_pkey" PRIMARY KEY ("projectId","number")
);

-- CreateIndex
CREATE INDEX "project_deleted_idx" ON "project"("deletedAt") WHERE ("deletedAt" IS NOT NULL);

-- CreateIndex
CREATE INDEX "project_member_userId_idx" ON "project_member"("userId");

-- AlterTable
ALTER TABLE "thread" ADD COLUMN "projectId" TEXT,
ADD COLUMN "fileScope" TEXT;

-- CreateIndex
CREATE INDEX "thread_project_idx" ON "thread"("projectId", "updatedAt", "id") WHERE ("projectId" IS NOT NULL);

-- AlterTable
ALTER TABLE "run" ADD COLUMN "projectId" TEXT,
ADD COLUMN "fileScope" TEXT;

-- AlterTable
ALTER TABLE "workspace" ADD COLUMN "projectId" TEXT,
ADD COLUMN "kind" TEXT;

-- CreateIndex
CREATE INDEX "workspace_project_idx" ON "workspace"("projectId") WHERE ("projectId" IS NOT NULL);

-- AddForeignKey
ALTER TABLE "project_member" ADD CONSTRAINT "project_member_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project_member" ADD CONSTRAINT "project_member_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "project_instructions" ADD CONSTRAINT "project_instructions_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "project"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "thread" ADD CONSTRAINT "thread_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "project"("id") ON DELETE SET NULL ON UPDATE CASCADE;
