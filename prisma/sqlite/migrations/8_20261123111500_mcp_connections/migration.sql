-- CreateTable
CREATE TABLE "mcp_connection" (
    "serverId" TEXT NOT NULL,
    "holder" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    "account" TEXT,
    "expiresAt" DATETIME,
    "lostAt" DATETIME,
    "connectedById" TEXT NOT NULL,
    "connectedAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,

    PRIMARY KEY ("serverId", "holder"),
    CONSTRAINT "mcp_connection_serverId_fkey" FOREIGN KEY ("serverId") REFERENCES "mcp_server" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "mcp_authorization" (
    "stateHash" TEXT NOT NULL PRIMARY KEY,
    "serverId" TEXT NOT NULL,
    "holder" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "session" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    CONSTRAINT "mcp_authorization_serverId_fkey" FOREIGN KEY ("serverId") REFERENCES "mcp_server" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);
