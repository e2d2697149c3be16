-- AlterTable
ALTER TABLE "api_key" ADD COLUMN     "agents" TEXT,
ADD COLUMN     "groupId" TEXT;

-- AlterTable
ALTER TABLE "user" ADD COLUMN     "groupRole" TEXT;

-- CreateTable
CREATE TABLE "group" (
    "id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "roleFloor" TEXT,
    "createdById" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "group_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "group_member" (
    "groupId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "fromOidc" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "group_member_pkey" PRIMARY KEY ("groupId","userId")
);

-- CreateTable
CREATE TABLE "group_agent" (
    "groupId" TEXT NOT NULL,
    "agentId" TEXT NOT NULL,

    CONSTRAINT "group_agent_pkey" PRIMARY KEY ("groupId","agentId")
);

-- CreateIndex
CREATE UNIQUE INDEX "group_name_key" ON "group"("name");

-- CreateIndex
CREATE INDEX "group_member_userId_idx" ON "group_member"("userId");

-- CreateIndex
CREATE INDEX "group_agent_agentId_idx" ON "group_agent"("agentId");

-- AddForeignKey
ALTER TABLE "group_member" ADD CONSTRAINT "group_member_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "group"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "group_member" ADD CONSTRAINT "group_member_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "group_agent" ADD CONSTRAINT "group_agent_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "group"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "group_agent" ADD CONSTRAINT "group_agent_agentId_fkey" FOREIGN KEY ("agentId") REFERENCES "agent"("id") ON DELETE CASCADE ON UPDATE CASCADE;
