-- CreateTable
CREATE TABLE "agent_version_file" (
    "agentVersionId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "content" TEXT NOT NULL,

    CONSTRAINT "agent_version_file_pkey" PRIMARY KEY ("agentVersionId","name")
);

-- CreateTable
CREATE TABLE "first_time" (
    "key" TEXT NOT NULL,
    "runId" TEXT NOT NULL,
    "threadId" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "first_time_pkey" PRIMARY KEY ("key")
);

-- AddForeignKey
ALTER TABLE "agent_version_file" ADD CONSTRAINT "agent_version_file_agentVersionId_fkey" FOREIGN KEY ("agentVersionId") REFERENCES "agent_version"("id") ON DELETE CASCADE ON UPDATE CASCADE;
