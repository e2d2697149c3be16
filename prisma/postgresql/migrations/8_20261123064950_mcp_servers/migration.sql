-- CreateTable
CREATE TABLE "mcp_server" (
    "id" TEXT NOT NULL,
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
    "askedAt" TIMESTAMP(3),
    "awaySince" TIMESTAMP(3),
    "awayReason" TEXT,
    "createdById" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "mcp_server_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "mcp_tool" (
    "serverId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "definition" TEXT,
    "hash" TEXT,
    "noticedAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "pinned" TEXT,
    "pinnedHash" TEXT,
    "pinnedAt" TIMESTAMP(3),
    "pinnedById" TEXT,
    "onCall" TEXT,

    CONSTRAINT "mcp_tool_pkey" PRIMARY KEY ("serverId","name")
);

-- AddForeignKey
ALTER TABLE "mcp_tool" ADD CONSTRAINT "mcp_tool_serverId_fkey" FOREIGN KEY ("serverId") REFERENCES "mcp_server"("id") ON DELETE CASCADE ON UPDATE CASCADE;
