-- CreateTable
CREATE TABLE "agent_version_file" (
    "agentVersionId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "content" TEXT NOT NULL,

    PRIMARY KEY ("agentVersionId", "name"),
    CONSTRAINT "agent_version_file_agentVersionId_fkey" FOREIGN KEY ("agentVersionId") REFERENCES "agent_version" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "first_time" (
    "key" TEXT NOT NULL PRIMARY KEY,
    "runId" TEXT NOT NULL,
    "threadId" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP
);
