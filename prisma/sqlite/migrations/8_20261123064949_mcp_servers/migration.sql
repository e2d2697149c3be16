-- CreateTable
CREATE TABLE "mcp_server" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "transport" TEXT NOT NULL,
    "url" TEXT,
    "command" TEXT,
    "args" TEXT NOT NULL DEFAULT '[]',
    "secretsEncrypted" TEXT,
    "unsandboxed" BOOLEAN NOT NULL DEFAULT false,
    "network" BOOLEAN NOT NULL DEFAULT false,
    "mounts" TEXT NOT NULL DEFAULT '[]',
    "auth" TEXT NOT NULL DEFAULT 'none',
    "scope" TEXT NOT NULL DEFAULT 'shared',
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "facts" TEXT,
    "askedAt" DATETIME,
    "awaySince" DATETIME,
    "awayReason" TEXT,
    "createdById" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" DATETIME NOT NULL
);

-- CreateTable
CREATE TABLE "mcp_tool" (
    "serverId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "definition" TEXT,
    "hash" TEXT,
    "noticedAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "pinned" TEXT,
    "pinnedHash" TEXT,
    "pinnedAt" DATETIME,
    "pinnedById" TEXT,
    "onCall" TEXT,

    PRIMARY KEY ("serverId", "name"),
    CONSTRAINT "mcp_tool_serverId_fkey" FOREIGN KEY ("serverId") REFERENCES "mcp_server" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
