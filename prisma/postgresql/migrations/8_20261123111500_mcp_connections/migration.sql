-- CreateTable
CREATE TABLE "mcp_connection" (
    "serverId" TEXT NOT NULL,
    "holder" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    "account" TEXT,
    "expiresAt" TIMESTAMP(3),
    "lostAt" TIMESTAMP(3),
    "connectedById" TEXT NOT NULL,
    "connectedAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mcp_connection_pkey" PRIMARY KEY ("serverId","holder")
);

-- CreateTable
CREATE TABLE "mcp_authorization" (
    "stateHash" TEXT NOT NULL,
    "serverId" TEXT NOT NULL,
    "holder" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "session" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    "expiresAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "mcp_authorization_pkey" PRIMARY KEY ("stateHash")
);

-- AddForeignKey
ALTER TABLE "mcp_connection" ADD CONSTRAINT "mcp_connection_serverId_fkey" FOREIGN KEY ("serverId") REFERENCES "mcp_server"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "mcp_authorization" ADD CONSTRAINT "mcp_authorization_serverId_fkey" FOREIGN KEY ("serverId") REFERENCES "mcp_server"("id") ON DELETE CASCADE ON UPDATE CASCADE;
