-- Since 0.2.0

-- Tables

CREATE TABLE "user" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "email" TEXT NOT NULL,
    "emailVerified" BOOLEAN NOT NULL DEFAULT false,
    "image" TEXT,
    "role" TEXT NOT NULL DEFAULT 'member',
    "isService" BOOLEAN NOT NULL DEFAULT false,
    "deactivatedAt" DATETIME,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" DATETIME NOT NULL
, "groupRole" TEXT, "erasedAt" DATETIME, "erasureEndAt" DATETIME, "timeZone" TEXT);

CREATE TABLE "session" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "token" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "ipAddress" TEXT,
    "userAgent" TEXT,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" DATETIME NOT NULL,
    CONSTRAINT "session_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "account" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "accountId" TEXT NOT NULL,
    "providerId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "accessToken" TEXT,
    "refreshToken" TEXT,
    "idToken" TEXT,
    "accessTokenExpiresAt" DATETIME,
    "refreshTokenExpiresAt" DATETIME,
    "scope" TEXT,
    "password" TEXT,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" DATETIME NOT NULL,
    CONSTRAINT "account_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "verification" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "identifier" TEXT NOT NULL,
    "value" TEXT NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" DATETIME NOT NULL
);

CREATE TABLE "api_key" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "prefix" TEXT NOT NULL,
    "sha256" TEXT NOT NULL,
    "scopes" TEXT NOT NULL,
    "expiresAt" DATETIME,
    "revokedAt" DATETIME,
    "lastUsedAt" DATETIME,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP, "agents" TEXT, "groupId" TEXT,
    CONSTRAINT "api_key_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "audit_entry" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "actorId" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "target" TEXT NOT NULL,
    "details" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP
, "after" TEXT, "apiKeyId" TEXT, "before" TEXT, "hash" TEXT, "hashKeyId" TEXT, "ip" TEXT, "number" INTEGER, "previousHash" TEXT, "tombstone" TEXT, "folded" TEXT);

CREATE TABLE "agent" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "currentVersionId" TEXT,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" DATETIME NOT NULL,
    "deletedAt" DATETIME
);

CREATE TABLE "http_tool" (
    "name" TEXT NOT NULL PRIMARY KEY,
    "description" TEXT NOT NULL,
    "parameters" TEXT NOT NULL,
    "callbackUrl" TEXT NOT NULL,
    "readOnly" BOOLEAN NOT NULL DEFAULT false,
    "secretEncrypted" TEXT,
    "createdById" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" DATETIME NOT NULL
);

CREATE TABLE "message" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "threadId" TEXT NOT NULL,
    "runId" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "role" TEXT NOT NULL,
    "content" TEXT NOT NULL,
    "toolCalls" TEXT,
    "reasoning" TEXT,
    "toolCallId" TEXT,
    "name" TEXT,
    "isError" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP, "bodyHash" TEXT, "images" TEXT,
    CONSTRAINT "message_threadId_fkey" FOREIGN KEY ("threadId") REFERENCES "thread" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "transcript_message" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "threadId" TEXT NOT NULL,
    "runId" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "role" TEXT NOT NULL,
    "parts" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP, "folded" TEXT,
    CONSTRAINT "transcript_message_threadId_fkey" FOREIGN KEY ("threadId") REFERENCES "thread" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "run_event" (
    "runId" TEXT NOT NULL,
    "seq" INTEGER NOT NULL,
    "epoch" INTEGER NOT NULL,
    "type" TEXT NOT NULL,
    "data" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,

    PRIMARY KEY ("runId", "seq")
);

CREATE TABLE "workspace" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "agentId" TEXT NOT NULL,
    "ownerId" TEXT,
    "threadId" TEXT,
    "scopeKey" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP
, "place" TEXT, "projectId" TEXT, "kind" TEXT);

CREATE TABLE "workspace_file" (
    "workspaceId" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "blobHash" TEXT NOT NULL,
    "sizeBytes" INTEGER NOT NULL,
    "updatedAt" DATETIME NOT NULL,

    PRIMARY KEY ("workspaceId", "path"),
    CONSTRAINT "workspace_file_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "workspace" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "file_version" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "workspaceId" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "blobHash" TEXT,
    "sizeBytes" INTEGER NOT NULL,
    "addedLines" INTEGER NOT NULL DEFAULT 0,
    "removedLines" INTEGER NOT NULL DEFAULT 0,
    "authorId" TEXT,
    "threadId" TEXT,
    "runId" TEXT,
    "toolCallId" TEXT,
    "spanId" TEXT,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "file_version_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES "workspace" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "memory_version" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "workspaceId" TEXT NOT NULL,
    "agentId" TEXT NOT NULL,
    "ownerId" TEXT,
    "path" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "blobHash" TEXT NOT NULL,
    "author" TEXT NOT NULL,
    "authorId" TEXT,
    "runId" TEXT,
    "spanId" TEXT,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE "blob" (
    "hash" TEXT NOT NULL PRIMARY KEY,
    "content" BLOB NOT NULL,
    "sizeBytes" INTEGER NOT NULL,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE "trace" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "runId" TEXT NOT NULL,
    "ownerId" TEXT NOT NULL,
    "threadId" TEXT NOT NULL,
    "agentId" TEXT NOT NULL,
    "agentVersionId" TEXT NOT NULL,
    "agentVersion" INTEGER NOT NULL,
    "title" TEXT,
    "model" TEXT,
    "status" TEXT NOT NULL,
    "error" TEXT,
    "steps" INTEGER NOT NULL DEFAULT 0,
    "inputTokens" INTEGER NOT NULL DEFAULT 0,
    "cachedReadTokens" INTEGER NOT NULL DEFAULT 0,
    "cachedWriteTokens" INTEGER NOT NULL DEFAULT 0,
    "outputTokens" INTEGER NOT NULL DEFAULT 0,
    "reasoningTokens" INTEGER NOT NULL DEFAULT 0,
    "costUsd" REAL,
    "timeToFirstTokenMs" INTEGER,
    "droppedSpans" INTEGER NOT NULL DEFAULT 0,
    "startedAt" DATETIME NOT NULL,
    "endedAt" DATETIME
, "isUsagePartial" BOOLEAN NOT NULL DEFAULT false, "isUsageEstimated" BOOLEAN NOT NULL DEFAULT false, "workedMs" INTEGER, "waitedMs" INTEGER NOT NULL DEFAULT 0, "origin" TEXT NOT NULL DEFAULT 'chat', "attended" BOOLEAN NOT NULL DEFAULT true, "originDetails" TEXT, "homeAgentId" TEXT, "folded" TEXT);

CREATE TABLE "span" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "traceId" TEXT NOT NULL,
    "runId" TEXT NOT NULL,
    "parentId" TEXT,
    "type" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "attributes" TEXT NOT NULL,
    "error" TEXT,
    "startedAt" DATETIME NOT NULL,
    "endedAt" DATETIME
);

CREATE TABLE "setting" (
    "key" TEXT NOT NULL PRIMARY KEY,
    "value" TEXT NOT NULL,
    "updatedAt" DATETIME NOT NULL
);

CREATE TABLE "agent_version_file" (
    "agentVersionId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "content" TEXT NOT NULL,

    PRIMARY KEY ("agentVersionId", "name"),
    CONSTRAINT "agent_version_file_agentVersionId_fkey" FOREIGN KEY ("agentVersionId") REFERENCES "agent_version" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "first_time" (
    "key" TEXT NOT NULL PRIMARY KEY,
    "runId" TEXT NOT NULL,
    "threadId" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP
);

CREATE TABLE "approval" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "runId" TEXT NOT NULL,
    "threadId" TEXT NOT NULL,
    "ownerId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "toolCallId" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "args" TEXT NOT NULL,
    "editedArgs" TEXT,
    "reason" TEXT,
    "questions" TEXT,
    "answers" TEXT,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "note" TEXT,
    "scope" TEXT,
    "decidedBy" TEXT,
    "decidedAt" DATETIME,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP, "decidedVia" TEXT, "expiresAt" DATETIME, "runsIn" TEXT, "facts" TEXT,
    CONSTRAINT "approval_runId_fkey" FOREIGN KEY ("runId") REFERENCES "run" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "grant" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "threadId" TEXT NOT NULL,
    "ownerId" TEXT NOT NULL,
    "tool" TEXT NOT NULL,
    "args" TEXT NOT NULL,
    "argsHash" TEXT NOT NULL,
    "createdBy" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" DATETIME NOT NULL,
    "revokedAt" DATETIME, "pattern" TEXT, "rulesHash" TEXT,
    CONSTRAINT "grant_threadId_fkey" FOREIGN KEY ("threadId") REFERENCES "thread" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "run" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "threadId" TEXT NOT NULL,
    "ownerId" TEXT NOT NULL,
    "agentId" TEXT NOT NULL,
    "agentVersionId" TEXT NOT NULL,
    "traceId" TEXT NOT NULL,
    "parentRunId" TEXT,
    "rootRunId" TEXT,
    "depth" INTEGER NOT NULL DEFAULT 0,
    "parentToolCallId" TEXT,
    "parentSpanId" TEXT,
    "subagentName" TEXT,
    "isInline" BOOLEAN NOT NULL DEFAULT false,
    "isBackground" BOOLEAN NOT NULL DEFAULT false,
    "isReported" BOOLEAN NOT NULL DEFAULT false,
    "continuesRunId" TEXT,
    "status" TEXT NOT NULL DEFAULT 'queued',
    "input" TEXT NOT NULL,
    "modelOverride" TEXT,
    "idempotencyKey" TEXT,
    "assistantMessageId" TEXT NOT NULL,
    "segment" INTEGER NOT NULL DEFAULT 0,
    "takeovers" INTEGER NOT NULL DEFAULT 0,
    "waitingFor" TEXT,
    "waitingSince" DATETIME,
    "waitedMs" INTEGER NOT NULL DEFAULT 0,
    "leaseOwner" TEXT,
    "epoch" INTEGER NOT NULL DEFAULT 0,
    "cancelRequestedAt" DATETIME,
    "cancelledBy" TEXT,
    "errorCode" TEXT,
    "errorMessage" TEXT,
    "notice" TEXT,
    "steps" INTEGER NOT NULL DEFAULT 0,
    "inputTokens" INTEGER NOT NULL DEFAULT 0,
    "cachedReadTokens" INTEGER NOT NULL DEFAULT 0,
    "cachedWriteTokens" INTEGER NOT NULL DEFAULT 0,
    "outputTokens" INTEGER NOT NULL DEFAULT 0,
    "reasoningTokens" INTEGER NOT NULL DEFAULT 0,
    "costUsd" REAL,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "startedAt" DATETIME,
    "endedAt" DATETIME, "isUsagePartial" BOOLEAN NOT NULL DEFAULT false, "position" INTEGER NOT NULL DEFAULT 0, "apiKeyId" TEXT, "model" TEXT, "isUsageEstimated" BOOLEAN NOT NULL DEFAULT false, "afterRunId" TEXT, "regeneratesRunId" TEXT, "todos" TEXT, "steersRunId" TEXT, "unreadSteers" INTEGER NOT NULL DEFAULT 0, "origin" TEXT NOT NULL DEFAULT 'chat', "attended" BOOLEAN NOT NULL DEFAULT true, "originDetails" TEXT, "projectId" TEXT, "fileScope" TEXT, "effort" TEXT,
    CONSTRAINT "run_threadId_fkey" FOREIGN KEY ("threadId") REFERENCES "thread" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "run_agentVersionId_fkey" FOREIGN KEY ("agentVersionId") REFERENCES "agent_version" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE TABLE "thread" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "ownerId" TEXT NOT NULL,
    "agentId" TEXT NOT NULL,
    "clientId" TEXT NOT NULL,
    "title" TEXT,
    "titled" BOOLEAN NOT NULL DEFAULT false,
    "pinned" BOOLEAN NOT NULL DEFAULT false,
    "ephemeral" BOOLEAN NOT NULL DEFAULT false,
    "parentThreadId" TEXT,
    "archivedAt" DATETIME,
    "deletedAt" DATETIME,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "compactionCount" INTEGER NOT NULL DEFAULT 0,
    "compactionOwner" TEXT,
    "compactionUntil" DATETIME, "model" TEXT, "inputTokens" INTEGER NOT NULL DEFAULT 0, "cachedReadTokens" INTEGER NOT NULL DEFAULT 0, "cachedWriteTokens" INTEGER NOT NULL DEFAULT 0, "outputTokens" INTEGER NOT NULL DEFAULT 0, "reasoningTokens" INTEGER NOT NULL DEFAULT 0, "costUsd" REAL DEFAULT 0, "isUsagePartial" BOOLEAN NOT NULL DEFAULT false, "isUsageEstimated" BOOLEAN NOT NULL DEFAULT false, "isTest" BOOLEAN NOT NULL DEFAULT false, "leafRunId" TEXT, "isBranched" BOOLEAN NOT NULL DEFAULT false, "projectId" TEXT REFERENCES "project" ("id") ON DELETE SET NULL ON UPDATE CASCADE, "fileScope" TEXT, "activeAgentId" TEXT, "boardId" TEXT, "takenBackAt" DATETIME, "homeAgentId" TEXT, "folded" TEXT,
    CONSTRAINT "thread_ownerId_fkey" FOREIGN KEY ("ownerId") REFERENCES "user" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "thread_agentId_fkey" FOREIGN KEY ("agentId") REFERENCES "agent" ("id") ON DELETE RESTRICT ON UPDATE CASCADE
);

CREATE TABLE "skill" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "createdById" TEXT,
    "updatedById" TEXT,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" DATETIME NOT NULL,
    "deletedAt" DATETIME
);

CREATE TABLE "skill_version" (
    "skillId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "description" TEXT NOT NULL,
    "contentHash" TEXT NOT NULL,
    "fileCount" INTEGER NOT NULL,
    "sizeBytes" INTEGER NOT NULL,
    "source" TEXT NOT NULL,
    "createdById" TEXT,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,

    PRIMARY KEY ("skillId", "number"),
    CONSTRAINT "skill_version_skillId_fkey" FOREIGN KEY ("skillId") REFERENCES "skill" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "skill_file" (
    "skillId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "path" TEXT NOT NULL,
    "blobHash" TEXT NOT NULL,
    "sizeBytes" INTEGER NOT NULL,

    PRIMARY KEY ("skillId", "number", "path"),
    CONSTRAINT "skill_file_skillId_number_fkey" FOREIGN KEY ("skillId", "number") REFERENCES "skill_version" ("skillId", "number") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "timer" (
    "name" TEXT NOT NULL PRIMARY KEY,
    "task" TEXT NOT NULL,
    "data" TEXT NOT NULL,
    "at" DATETIME NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE "lock" (
    "key" TEXT NOT NULL PRIMARY KEY,
    "owner" TEXT NOT NULL,
    "until" DATETIME NOT NULL
);

CREATE TABLE "rate_limit" (
    "key" TEXT NOT NULL PRIMARY KEY,
    "count" INTEGER NOT NULL,
    "endsAt" DATETIME NOT NULL
);

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

CREATE TABLE "agent_draft" (
    "agentId" TEXT NOT NULL,
    "revision" INTEGER NOT NULL,
    "yaml" TEXT NOT NULL,
    "baseVersion" INTEGER NOT NULL,
    "savedById" TEXT,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "endedAt" DATETIME, "filesFrom" INTEGER,

    PRIMARY KEY ("agentId", "revision"),
    CONSTRAINT "agent_draft_agentId_fkey" FOREIGN KEY ("agentId") REFERENCES "agent" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "budget" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "scope" TEXT NOT NULL,
    "scopeId" TEXT,
    "period" TEXT NOT NULL,
    "usd" REAL,
    "tokens" REAL,
    "onReach" TEXT NOT NULL,
    "createdById" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" DATETIME NOT NULL
);

CREATE TABLE "budget_account" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "budgetId" TEXT,
    "usedUsd" REAL NOT NULL DEFAULT 0,
    "usedTokens" REAL NOT NULL DEFAULT 0,
    "reservedUsd" REAL NOT NULL DEFAULT 0,
    "reservedTokens" REAL NOT NULL DEFAULT 0,
    "addedUsd" REAL NOT NULL DEFAULT 0,
    "addedTokens" REAL NOT NULL DEFAULT 0,
    "addedByName" TEXT,
    "addedAt" DATETIME,
    "reachedCount" INTEGER NOT NULL DEFAULT 0,
    "reachedAt" DATETIME,
    "updatedAt" DATETIME NOT NULL
);

CREATE TABLE "agent_alias" (
    "agentId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "version" INTEGER NOT NULL,
    "updatedById" TEXT,
    "updatedAt" DATETIME NOT NULL,

    PRIMARY KEY ("agentId", "name"),
    CONSTRAINT "agent_alias_agentId_fkey" FOREIGN KEY ("agentId") REFERENCES "agent" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "agent_version" (
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

CREATE TABLE "purged_run" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "ownerId" TEXT NOT NULL,
    "agentId" TEXT NOT NULL,
    "versionNumber" INTEGER NOT NULL,
    "model" TEXT,
    "apiKeyId" TEXT,
    "status" TEXT NOT NULL,
    "inputTokens" INTEGER NOT NULL,
    "cachedReadTokens" INTEGER NOT NULL,
    "cachedWriteTokens" INTEGER NOT NULL,
    "outputTokens" INTEGER NOT NULL,
    "reasoningTokens" INTEGER NOT NULL,
    "isUsagePartial" BOOLEAN NOT NULL,
    "costUsd" REAL,
    "createdAt" DATETIME NOT NULL,
    "startedAt" DATETIME,
    "endedAt" DATETIME,
    "waitedMs" INTEGER NOT NULL
, "origin" TEXT NOT NULL DEFAULT 'chat');

CREATE TABLE "group" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "roleFloor" TEXT,
    "createdById" TEXT,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" DATETIME NOT NULL
);

CREATE TABLE "group_member" (
    "groupId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "fromOidc" BOOLEAN NOT NULL DEFAULT false,

    PRIMARY KEY ("groupId", "userId"),
    CONSTRAINT "group_member_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "group" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "group_member_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "group_agent" (
    "groupId" TEXT NOT NULL,
    "agentId" TEXT NOT NULL,

    PRIMARY KEY ("groupId", "agentId"),
    CONSTRAINT "group_agent_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "group" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "group_agent_agentId_fkey" FOREIGN KEY ("agentId") REFERENCES "agent" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

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

CREATE TABLE "score" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "traceId" TEXT NOT NULL,
    "threadId" TEXT NOT NULL,
    "runId" TEXT NOT NULL,
    "spanId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "value" REAL NOT NULL,
    "why" TEXT,
    "authorId" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" DATETIME NOT NULL,
    CONSTRAINT "score_traceId_fkey" FOREIGN KEY ("traceId") REFERENCES "trace" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "score_authorId_fkey" FOREIGN KEY ("authorId") REFERENCES "user" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "saved_prompt" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "ownerId" TEXT,
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL DEFAULT '',
    "text" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" DATETIME NOT NULL,
    CONSTRAINT "saved_prompt_ownerId_fkey" FOREIGN KEY ("ownerId") REFERENCES "user" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "thread_image" (
    "threadId" TEXT NOT NULL,
    "blobHash" TEXT NOT NULL,
    "mediaType" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,

    PRIMARY KEY ("threadId", "blobHash"),
    CONSTRAINT "thread_image_threadId_fkey" FOREIGN KEY ("threadId") REFERENCES "thread" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "share" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "threadId" TEXT NOT NULL,
    "tokenHash" TEXT NOT NULL,
    "content" TEXT NOT NULL,
    "messages" INTEGER NOT NULL,
    "include" TEXT NOT NULL,
    "expiresAt" DATETIME,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "share_threadId_fkey" FOREIGN KEY ("threadId") REFERENCES "thread" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "compaction" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "threadId" TEXT NOT NULL,
    "afterRunId" TEXT NOT NULL,
    "cutMessageId" TEXT,
    "summary" TEXT,
    "count" INTEGER NOT NULL,
    "flushed" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "compaction_threadId_fkey" FOREIGN KEY ("threadId") REFERENCES "thread" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "search_message" (
    "id" INTEGER NOT NULL PRIMARY KEY,
    "messageId" TEXT NOT NULL
);

CREATE TABLE "search_pending" (
    "messageId" TEXT NOT NULL PRIMARY KEY
) WITHOUT ROWID;

CREATE TABLE "trigger" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "ownerId" TEXT,
    "agentId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "config" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "nextDueAt" DATETIME,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "pausedReason" TEXT,
    "pausedAt" DATETIME,
    "fromConfig" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" DATETIME NOT NULL
, "state" TEXT, "apiKeyId" TEXT);

CREATE TABLE "firing" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "triggerId" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "dueAt" DATETIME NOT NULL,
    "externalId" TEXT,
    "state" TEXT NOT NULL,
    "reason" TEXT,
    "count" INTEGER NOT NULL DEFAULT 1,
    "threadId" TEXT,
    "runId" TEXT,
    "outcome" TEXT,
    "failedCalls" INTEGER NOT NULL DEFAULT 0,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP, "prompt" TEXT, "pauseMs" INTEGER, "said" TEXT, "stoppedBy" TEXT, "answerKey" TEXT, "apiKeyId" TEXT,
    CONSTRAINT "firing_triggerId_fkey" FOREIGN KEY ("triggerId") REFERENCES "trigger" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "delivery" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "runId" TEXT NOT NULL,
    "ownerId" TEXT NOT NULL,
    "triggerId" TEXT,
    "target" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "nextAt" DATETIME,
    "begunAt" DATETIME,
    "error" TEXT,
    "sentAt" DATETIME,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP
, "event" TEXT, "webhookId" TEXT, "homeAgentId" TEXT);

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

CREATE TABLE "project_member" (
    "projectId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,

    PRIMARY KEY ("projectId", "userId"),
    CONSTRAINT "project_member_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "project" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "project_member_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "project_instructions" (
    "projectId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "text" TEXT NOT NULL,
    "createdById" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,

    PRIMARY KEY ("projectId", "number"),
    CONSTRAINT "project_instructions_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES "project" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "board" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "ownerId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "goal" TEXT NOT NULL DEFAULT '',
    "leadAgentId" TEXT,
    "members" TEXT NOT NULL,
    "maxParallel" INTEGER NOT NULL DEFAULT 3,
    "review" TEXT NOT NULL DEFAULT 'none',
    "workspace" TEXT NOT NULL DEFAULT 'own',
    "budgetUsd" REAL,
    "budgetTokens" REAL,
    "lastNumber" INTEGER NOT NULL DEFAULT 0,
    "stoppedAt" DATETIME,
    "stoppedReason" TEXT,
    "revision" INTEGER NOT NULL DEFAULT 0,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" DATETIME NOT NULL
, "apiKeyId" TEXT);

CREATE TABLE "board_card" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "boardId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "title" TEXT NOT NULL,
    "spec" TEXT NOT NULL DEFAULT '',
    "dependsOn" TEXT NOT NULL DEFAULT '[]',
    "assignee" TEXT,
    "status" TEXT NOT NULL DEFAULT 'todo',
    "worker" TEXT,
    "turnId" TEXT,
    "runId" TEXT,
    "threadId" TEXT,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "interruptions" INTEGER NOT NULL DEFAULT 0,
    "evidence" TEXT,
    "evidenceState" TEXT,
    "result" TEXT,
    "partial" TEXT,
    "cause" TEXT,
    "question" TEXT,
    "note" TEXT,
    "sentBack" INTEGER NOT NULL DEFAULT 0,
    "lostReviews" INTEGER NOT NULL DEFAULT 0,
    "acceptedBy" TEXT,
    "doneAt" DATETIME,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" DATETIME NOT NULL, "apiKeyId" TEXT,
    CONSTRAINT "board_card_boardId_fkey" FOREIGN KEY ("boardId") REFERENCES "board" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "board_run" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "boardId" TEXT NOT NULL,
    "cardId" TEXT,
    "agentId" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "prompt" TEXT NOT NULL,
    "news" TEXT,
    "state" TEXT NOT NULL DEFAULT 'claimed',
    "threadId" TEXT,
    "runId" TEXT,
    "verdict" TEXT,
    "outcome" TEXT,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "board_run_boardId_fkey" FOREIGN KEY ("boardId") REFERENCES "board" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "notification_choice" (
    "userId" TEXT NOT NULL PRIMARY KEY,
    "choices" TEXT NOT NULL,
    "isOn" BOOLEAN NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    CONSTRAINT "notification_choice_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "push_subscription" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "endpoint" TEXT NOT NULL,
    "p256dh" TEXT NOT NULL,
    "auth" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "lastSentAt" DATETIME,
    CONSTRAINT "push_subscription_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "decision_token" (
    "hash" TEXT NOT NULL PRIMARY KEY,
    "approvalId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "mayAllow" BOOLEAN NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "usedAt" DATETIME
, "signature" TEXT);

CREATE TABLE "delivery_attempt" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "deliveryId" TEXT NOT NULL,
    "at" DATETIME NOT NULL,
    "tookMs" INTEGER NOT NULL,
    "status" INTEGER,
    "error" TEXT,
    "headers" TEXT NOT NULL,
    "response" TEXT NOT NULL,
    CONSTRAINT "delivery_attempt_deliveryId_fkey" FOREIGN KEY ("deliveryId") REFERENCES "delivery" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "webhook" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "events" TEXT NOT NULL,
    "agentId" TEXT,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "createdById" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" DATETIME NOT NULL
);

CREATE TABLE "webhook_secret" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "webhookId" TEXT NOT NULL,
    "number" INTEGER NOT NULL,
    "sealed" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" DATETIME
);

CREATE TABLE "channel" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "agentId" TEXT NOT NULL,
    "credentials" TEXT NOT NULL,
    "ending" TEXT,
    "receives" TEXT NOT NULL,
    "apiRoot" TEXT,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "username" TEXT,
    "testedAt" DATETIME,
    "testedMs" INTEGER,
    "offset" TEXT,
    "leaseHolder" TEXT,
    "leaseUntil" DATETIME,
    "connectedAt" DATETIME,
    "failedAt" DATETIME,
    "error" TEXT,
    "lastUpdateAt" DATETIME,
    "waitedAt" DATETIME,
    "waitedSeconds" INTEGER,
    "createdById" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" DATETIME NOT NULL
);

CREATE TABLE "channel_link" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "channelId" TEXT NOT NULL,
    "chatKind" TEXT NOT NULL,
    "externalUser" TEXT NOT NULL,
    "externalChat" TEXT NOT NULL,
    "senderName" TEXT NOT NULL,
    "chatName" TEXT NOT NULL,
    "agentId" TEXT NOT NULL,
    "threadId" TEXT,
    "verifiedAt" DATETIME NOT NULL,
    "lastUsedAt" DATETIME,
    "secretHash" TEXT,
    CONSTRAINT "channel_link_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "channel_link_channelId_fkey" FOREIGN KEY ("channelId") REFERENCES "channel" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "channel_code" (
    "hash" TEXT NOT NULL PRIMARY KEY,
    "channelId" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "expiresAt" DATETIME NOT NULL,
    "usedAt" DATETIME,
    "linkId" TEXT,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP, "apiKeyId" TEXT,
    CONSTRAINT "channel_code_channelId_fkey" FOREIGN KEY ("channelId") REFERENCES "channel" ("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "channel_code_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "channel_message" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "channelId" TEXT NOT NULL,
    "externalChat" TEXT NOT NULL,
    "messageId" TEXT NOT NULL,
    "deliveryId" TEXT NOT NULL,
    "part" INTEGER NOT NULL,
    "userId" TEXT NOT NULL,
    "threadId" TEXT NOT NULL,
    "runId" TEXT NOT NULL,
    "approvalId" TEXT,
    "isOpen" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    CONSTRAINT "channel_message_channelId_fkey" FOREIGN KEY ("channelId") REFERENCES "channel" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "inbox_note" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "title" TEXT NOT NULL,
    "detail" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "path" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "doneAt" DATETIME,
    CONSTRAINT "inbox_note_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

CREATE TABLE "budget_reservation" (
    "runId" TEXT NOT NULL,
    "epoch" INTEGER NOT NULL,
    "call" INTEGER NOT NULL,
    "accountId" TEXT NOT NULL,
    "usd" REAL NOT NULL,
    "tokens" REAL NOT NULL,
    "inputUsd" REAL NOT NULL DEFAULT 0,
    "inputTokens" REAL NOT NULL DEFAULT 0,
    "createdAt" DATETIME NOT NULL,

    PRIMARY KEY ("runId", "epoch", "call", "accountId")
);

CREATE TABLE "kept_reply" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "userId" TEXT NOT NULL,
    "bodyHash" TEXT NOT NULL,
    "status" INTEGER NOT NULL,
    "body" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "expiresAt" DATETIME NOT NULL
);

CREATE TABLE "provider" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "kind" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "baseUrl" TEXT,
    "keyEncrypted" TEXT,
    "keyEnding" TEXT,
    "keySetAt" DATETIME,
    "keySetById" TEXT,
    "dialect" TEXT NOT NULL DEFAULT 'auto',
    "models" TEXT NOT NULL DEFAULT '[]',
    "allowedRoles" TEXT NOT NULL,
    "createdById" TEXT NOT NULL,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" DATETIME NOT NULL
, "anyAgent" BOOLEAN NOT NULL DEFAULT false);

CREATE TABLE "search_unfolded" (
    "kind" TEXT NOT NULL,
    "id" TEXT NOT NULL,
    "token" INTEGER NOT NULL,

    PRIMARY KEY ("kind", "id")
) WITHOUT ROWID;

CREATE TABLE "follow_up_call" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "runId" TEXT NOT NULL,
    "inputTokens" INTEGER NOT NULL,
    "outputTokens" INTEGER NOT NULL,
    "costUsd" REAL,
    "createdAt" DATETIME NOT NULL
);

CREATE TABLE "search_trace" (
    "id" INTEGER NOT NULL PRIMARY KEY,
    "traceId" TEXT NOT NULL
);

CREATE VIRTUAL TABLE "search_text" USING fts5("text", content='', contentless_delete=1, detail=none, tokenize='trigram');

CREATE VIRTUAL TABLE "search_trace_text" USING fts5("text", content='', contentless_delete=1, detail=none, tokenize='trigram');

-- Indexes

CREATE UNIQUE INDEX "user_email_key" ON "user"("email");

CREATE UNIQUE INDEX "session_token_key" ON "session"("token");

CREATE INDEX "session_userId_idx" ON "session"("userId");

CREATE INDEX "account_userId_idx" ON "account"("userId");

CREATE INDEX "verification_identifier_idx" ON "verification"("identifier");

CREATE UNIQUE INDEX "api_key_sha256_key" ON "api_key"("sha256");

CREATE INDEX "api_key_userId_idx" ON "api_key"("userId");

CREATE INDEX "audit_entry_createdAt_id_idx" ON "audit_entry"("createdAt", "id");

CREATE UNIQUE INDEX "agent_currentVersionId_key" ON "agent"("currentVersionId");

CREATE INDEX "message_runId_idx" ON "message"("runId");

CREATE UNIQUE INDEX "message_threadId_position_key" ON "message"("threadId", "position");

CREATE INDEX "transcript_message_runId_idx" ON "transcript_message"("runId");

CREATE UNIQUE INDEX "transcript_message_threadId_position_key" ON "transcript_message"("threadId", "position");

CREATE UNIQUE INDEX "workspace_scopeKey_key" ON "workspace"("scopeKey");

CREATE INDEX "file_version_threadId_createdAt_idx" ON "file_version"("threadId", "createdAt");

CREATE INDEX "file_version_runId_idx" ON "file_version"("runId");

CREATE UNIQUE INDEX "file_version_workspaceId_path_version_key" ON "file_version"("workspaceId", "path", "version");

CREATE UNIQUE INDEX "memory_version_workspaceId_path_version_key" ON "memory_version"("workspaceId", "path", "version");

CREATE UNIQUE INDEX "trace_runId_key" ON "trace"("runId");

CREATE INDEX "trace_ownerId_startedAt_id_idx" ON "trace"("ownerId", "startedAt", "id");

CREATE INDEX "trace_startedAt_id_idx" ON "trace"("startedAt", "id");

CREATE INDEX "trace_agentId_startedAt_idx" ON "trace"("agentId", "startedAt");

CREATE INDEX "span_traceId_startedAt_id_idx" ON "span"("traceId", "startedAt", "id");

CREATE INDEX "run_ownerId_createdAt_idx" ON "run"("ownerId", "createdAt");

CREATE INDEX "run_rootRunId_idx" ON "run"("rootRunId");

CREATE UNIQUE INDEX "run_threadId_idempotencyKey_key" ON "run"("threadId", "idempotencyKey");

CREATE UNIQUE INDEX "run_parentRunId_parentToolCallId_key" ON "run"("parentRunId", "parentToolCallId");

CREATE UNIQUE INDEX "run_active_root_key" ON "run"("threadId") WHERE ("parentRunId" IS NULL) AND (("status" = 'running') OR ("status" = 'waiting'));

CREATE INDEX "thread_parentThreadId_idx" ON "thread"("parentThreadId");

CREATE INDEX "thread_ownerId_updatedAt_id_idx" ON "thread"("ownerId", "updatedAt", "id");

CREATE UNIQUE INDEX "thread_ownerId_agentId_clientId_key" ON "thread"("ownerId", "agentId", "clientId");

CREATE INDEX "approval_ownerId_status_createdAt_id_idx" ON "approval"("ownerId", "status", "createdAt", "id");

CREATE UNIQUE INDEX "approval_runId_toolCallId_kind_key" ON "approval"("runId", "toolCallId", "kind");

CREATE INDEX "grant_ownerId_createdAt_idx" ON "grant"("ownerId", "createdAt");

CREATE UNIQUE INDEX "grant_threadId_tool_argsHash_key" ON "grant"("threadId", "tool", "argsHash");

CREATE UNIQUE INDEX "skill_name_key" ON "skill"("name");

CREATE INDEX "skill_file_blobHash_idx" ON "skill_file"("blobHash");

CREATE INDEX "approval_status_expiresAt_idx" ON "approval"("status", "expiresAt");

CREATE INDEX "trace_status_startedAt_id_idx" ON "trace"("status", "startedAt", "id");

CREATE INDEX "thread_compacting_idx" ON "thread"("compactionUntil") WHERE ("compactionUntil" IS NOT NULL);

CREATE INDEX "run_threadId_position_idx" ON "run"("threadId", "position");

CREATE INDEX "run_open_thread_idx" ON "run"("threadId", "position") WHERE ("endedAt" IS NULL);

CREATE INDEX "run_open_idx" ON "run"("status", "ownerId", "createdAt") WHERE ("endedAt" IS NULL);

CREATE INDEX "run_unreported_idx" ON "run"("parentRunId") WHERE (("parentRunId" IS NOT NULL) AND (NOT "isReported") AND ("endedAt" IS NOT NULL));

CREATE INDEX "timer_at_idx" ON "timer"("at");

CREATE INDEX "blob_createdAt_idx" ON "blob"("createdAt");

CREATE INDEX "file_version_blobHash_idx" ON "file_version"("blobHash");

CREATE INDEX "memory_version_blobHash_idx" ON "memory_version"("blobHash");

CREATE INDEX "thread_deleted_idx" ON "thread"("deletedAt") WHERE ("deletedAt" IS NOT NULL);

CREATE INDEX "workspace_file_blobHash_idx" ON "workspace_file"("blobHash");

CREATE INDEX "run_root_created_idx" ON "run"("createdAt", "id") WHERE ("depth" = 0);

CREATE INDEX "agent_draft_endedAt_idx" ON "agent_draft"("endedAt");

CREATE INDEX "run_unpriced_idx" ON "run"("endedAt", "id") WHERE (("costUsd" IS NULL) AND ("endedAt" IS NOT NULL));

CREATE INDEX "budget_account_budgetId_updatedAt_idx" ON "budget_account"("budgetId", "updatedAt");

CREATE INDEX "agent_version_draft_idx" ON "agent_version"("agentId", "configHash") WHERE ("number" IS NULL);

CREATE UNIQUE INDEX "agent_version_agentId_number_key" ON "agent_version"("agentId", "number");

CREATE INDEX "audit_entry_unlinked_idx" ON "audit_entry"("createdAt", "id") WHERE ("number" IS NULL);

CREATE UNIQUE INDEX "audit_entry_number_key" ON "audit_entry"("number") WHERE ("number" > 0);

CREATE INDEX "workspace_threadId_idx" ON "workspace"("threadId");

CREATE INDEX "thread_ephemeral_idx" ON "thread"("updatedAt") WHERE ("ephemeral" = true);

CREATE INDEX "trace_workedMs_id_idx" ON "trace"("workedMs", "id");

CREATE INDEX "trace_waitedMs_id_idx" ON "trace"("waitedMs", "id");

CREATE INDEX "purged_run_createdAt_id_idx" ON "purged_run"("createdAt", "id");

CREATE UNIQUE INDEX "group_name_key" ON "group"("name");

CREATE INDEX "group_member_userId_idx" ON "group_member"("userId");

CREATE INDEX "group_agent_agentId_idx" ON "group_agent"("agentId");

CREATE INDEX "score_traceId_idx" ON "score"("traceId");

CREATE INDEX "score_threadId_idx" ON "score"("threadId");

CREATE INDEX "score_authorId_idx" ON "score"("authorId");

CREATE UNIQUE INDEX "score_runId_spanId_name_authorId_key" ON "score"("runId", "spanId", "name", "authorId");

CREATE UNIQUE INDEX "saved_prompt_ownerId_name_key" ON "saved_prompt"("ownerId", "name");

CREATE UNIQUE INDEX "saved_prompt_shared_key" ON "saved_prompt"("name") WHERE ("ownerId" IS NULL);

CREATE INDEX "thread_image_blobHash_idx" ON "thread_image"("blobHash");

CREATE UNIQUE INDEX "share_threadId_key" ON "share"("threadId");

CREATE UNIQUE INDEX "share_tokenHash_key" ON "share"("tokenHash");

CREATE INDEX "share_expiresAt_idx" ON "share"("expiresAt");

CREATE INDEX "compaction_threadId_count_idx" ON "compaction"("threadId", "count");

CREATE INDEX "run_todos_idx" ON "run"("threadId", "position") WHERE (todos IS NOT NULL);

CREATE UNIQUE INDEX "search_message_messageId_key" ON "search_message"("messageId");

CREATE INDEX "trigger_ownerId_idx" ON "trigger"("ownerId");

CREATE INDEX "trigger_agentId_idx" ON "trigger"("agentId");

CREATE INDEX "trigger_due_idx" ON "trigger"("nextDueAt") WHERE ("nextDueAt" IS NOT NULL);

CREATE UNIQUE INDEX "trigger_config_key" ON "trigger"("agentId", "name") WHERE ("fromConfig" = true);

CREATE INDEX "firing_triggerId_dueAt_id_idx" ON "firing"("triggerId", "dueAt", "id");

CREATE INDEX "firing_runId_idx" ON "firing"("runId");

CREATE INDEX "firing_open_idx" ON "firing"("createdAt") WHERE (("state" = 'claimed') OR (("state" = 'started') AND ("outcome" IS NULL)));

CREATE UNIQUE INDEX "firing_triggerId_key_key" ON "firing"("triggerId", "key");

CREATE INDEX "delivery_runId_idx" ON "delivery"("runId");

CREATE INDEX "delivery_ownerId_state_createdAt_id_idx" ON "delivery"("ownerId", "state", "createdAt", "id");

CREATE INDEX "delivery_due_idx" ON "delivery"("nextAt") WHERE ("nextAt" IS NOT NULL);

CREATE INDEX "project_deleted_idx" ON "project"("deletedAt") WHERE ("deletedAt" IS NOT NULL);

CREATE INDEX "project_member_userId_idx" ON "project_member"("userId");

CREATE INDEX "thread_project_idx" ON "thread"("projectId", "updatedAt", "id") WHERE ("projectId" IS NOT NULL);

CREATE INDEX "workspace_project_idx" ON "workspace"("projectId") WHERE ("projectId" IS NOT NULL);

CREATE INDEX "board_ownerId_createdAt_id_idx" ON "board"("ownerId", "createdAt", "id");

CREATE UNIQUE INDEX "board_card_boardId_number_key" ON "board_card"("boardId", "number");

CREATE INDEX "board_run_boardId_createdAt_id_idx" ON "board_run"("boardId", "createdAt", "id");

CREATE INDEX "board_run_runId_idx" ON "board_run"("runId");

CREATE INDEX "board_run_open_idx" ON "board_run"("boardId") WHERE ("outcome" IS NULL);

CREATE INDEX "thread_board_idx" ON "thread"("boardId") WHERE ("boardId" IS NOT NULL);

CREATE UNIQUE INDEX "push_subscription_endpoint_key" ON "push_subscription"("endpoint");

CREATE INDEX "push_subscription_userId_idx" ON "push_subscription"("userId");

CREATE INDEX "decision_token_expiresAt_idx" ON "decision_token"("expiresAt");

CREATE INDEX "delivery_attempt_deliveryId_at_id_idx" ON "delivery_attempt"("deliveryId", "at", "id");

CREATE UNIQUE INDEX "webhook_secret_webhookId_number_key" ON "webhook_secret"("webhookId", "number");

CREATE INDEX "delivery_webhook_idx" ON "delivery"("webhookId", "createdAt", "id") WHERE ("webhookId" IS NOT NULL);

CREATE UNIQUE INDEX "channel_link_secretHash_key" ON "channel_link"("secretHash");

CREATE INDEX "channel_link_userId_lastUsedAt_idx" ON "channel_link"("userId", "lastUsedAt");

CREATE UNIQUE INDEX "channel_link_channelId_externalChat_externalUser_key" ON "channel_link"("channelId", "externalChat", "externalUser");

CREATE INDEX "channel_code_userId_createdAt_idx" ON "channel_code"("userId", "createdAt");

CREATE INDEX "channel_message_channelId_externalChat_messageId_idx" ON "channel_message"("channelId", "externalChat", "messageId");

CREATE INDEX "channel_message_open_idx" ON "channel_message"("approvalId") WHERE ("isOpen" = true);

CREATE UNIQUE INDEX "channel_message_deliveryId_part_key" ON "channel_message"("deliveryId", "part");

CREATE UNIQUE INDEX "trigger_heartbeat_key" ON "trigger"("ownerId", "agentId") WHERE ("kind" = 'heartbeat');

CREATE INDEX "inbox_note_userId_doneAt_createdAt_id_idx" ON "inbox_note"("userId", "doneAt", "createdAt", "id");

CREATE INDEX "trigger_apiKeyId_idx" ON "trigger"("apiKeyId");

CREATE INDEX "channel_code_expiresAt_idx" ON "channel_code"("expiresAt");

CREATE INDEX "channel_message_over_idx" ON "channel_message"("createdAt") WHERE ("isOpen" = false);

CREATE INDEX "delivery_done_idx" ON "delivery"("createdAt") WHERE ("nextAt" IS NULL);

CREATE INDEX "file_version_createdAt_idx" ON "file_version"("createdAt");

CREATE INDEX "firing_createdAt_idx" ON "firing"("createdAt");

CREATE INDEX "grant_expiresAt_idx" ON "grant"("expiresAt");

CREATE INDEX "grant_revoked_idx" ON "grant"("revokedAt") WHERE ("revokedAt" IS NOT NULL);

CREATE INDEX "inbox_note_done_idx" ON "inbox_note"("doneAt") WHERE ("doneAt" IS NOT NULL);

CREATE INDEX "memory_version_createdAt_idx" ON "memory_version"("createdAt");

CREATE INDEX "session_expiresAt_idx" ON "session"("expiresAt");

CREATE INDEX "thread_unused_idx" ON "thread"("updatedAt") WHERE (("deletedAt" IS NULL) AND ("parentThreadId" IS NULL));

CREATE INDEX "verification_expiresAt_idx" ON "verification"("expiresAt");

CREATE INDEX "kept_reply_userId_idx" ON "kept_reply"("userId");

CREATE INDEX "kept_reply_expiresAt_idx" ON "kept_reply"("expiresAt");

CREATE INDEX "search_unfolded_token_idx" ON "search_unfolded"("token");

CREATE INDEX "follow_up_call_createdAt_idx" ON "follow_up_call"("createdAt");

CREATE UNIQUE INDEX "search_trace_traceId_key" ON "search_trace"("traceId");

-- What keeps the search indexes up to date

CREATE TRIGGER "search_after_insert" AFTER INSERT ON "transcript_message" BEGIN
    INSERT INTO "search_pending" VALUES (new."id");
END;

CREATE TRIGGER "search_after_delete" AFTER DELETE ON "transcript_message" BEGIN
    DELETE FROM "search_pending" WHERE "messageId" = old."id";
    DELETE FROM "search_text" WHERE "rowid" = (SELECT "id" FROM "search_message" WHERE "messageId" = old."id");
    DELETE FROM "search_message" WHERE "messageId" = old."id";
END;

CREATE TRIGGER "search_after_update" AFTER UPDATE OF "text" ON "transcript_message" BEGIN
    DELETE FROM "search_text" WHERE "rowid" = (SELECT "id" FROM "search_message" WHERE "messageId" = old."id");
    DELETE FROM "search_message" WHERE "messageId" = old."id";
    INSERT OR IGNORE INTO "search_pending" VALUES (new."id");
END;

CREATE TRIGGER "thread_fold_after_insert" AFTER INSERT ON "thread"
    WHEN length(CAST(new."title" AS BLOB)) <> length(new."title") BEGIN
    INSERT OR REPLACE INTO "search_unfolded" VALUES ('thread', new."id", abs(random() % 1000000000) + 1);
END;

CREATE TRIGGER "thread_fold_after_update" AFTER UPDATE OF "title" ON "thread" BEGIN
    UPDATE "thread" SET "folded" = NULL WHERE "id" = new."id" AND "folded" IS NOT NULL;
    DELETE FROM "search_unfolded" WHERE "kind" = 'thread' AND "id" = new."id";
    INSERT INTO "search_unfolded" SELECT 'thread', new."id", abs(random() % 1000000000) + 1
        WHERE length(CAST(new."title" AS BLOB)) <> length(new."title");
END;

CREATE TRIGGER "thread_fold_after_delete" AFTER DELETE ON "thread" BEGIN
    DELETE FROM "search_unfolded" WHERE "kind" = 'thread' AND "id" = old."id";
END;

CREATE TRIGGER "trace_fold_after_insert" AFTER INSERT ON "trace"
    WHEN length(CAST((coalesce(new."title", '') || coalesce(new."error", '')) AS BLOB)) <> length((coalesce(new."title", '') || coalesce(new."error", ''))) BEGIN
    INSERT OR REPLACE INTO "search_unfolded" VALUES ('trace', new."id", abs(random() % 1000000000) + 1);
END;

CREATE TRIGGER "trace_fold_after_update" AFTER UPDATE OF "title", "error" ON "trace" BEGIN
    UPDATE "trace" SET "folded" = NULL WHERE "id" = new."id" AND "folded" IS NOT NULL;
    DELETE FROM "search_unfolded" WHERE "kind" = 'trace' AND "id" = new."id";
    INSERT INTO "search_unfolded" SELECT 'trace', new."id", abs(random() % 1000000000) + 1
        WHERE length(CAST((coalesce(new."title", '') || coalesce(new."error", '')) AS BLOB)) <> length((coalesce(new."title", '') || coalesce(new."error", '')));
END;

CREATE TRIGGER "trace_fold_after_delete" AFTER DELETE ON "trace" BEGIN
    DELETE FROM "search_unfolded" WHERE "kind" = 'trace' AND "id" = old."id";
END;

CREATE TRIGGER "transcript_message_fold_after_insert" AFTER INSERT ON "transcript_message"
    WHEN length(CAST(new."text" AS BLOB)) <> length(new."text") BEGIN
    INSERT OR REPLACE INTO "search_unfolded" VALUES ('transcript_message', new."id", abs(random() % 1000000000) + 1);
END;

CREATE TRIGGER "transcript_message_fold_after_update" AFTER UPDATE OF "text" ON "transcript_message" BEGIN
    UPDATE "transcript_message" SET "folded" = NULL WHERE "id" = new."id" AND "folded" IS NOT NULL;
    DELETE FROM "search_unfolded" WHERE "kind" = 'transcript_message' AND "id" = new."id";
    INSERT INTO "search_unfolded" SELECT 'transcript_message', new."id", abs(random() % 1000000000) + 1
        WHERE length(CAST(new."text" AS BLOB)) <> length(new."text");
END;

CREATE TRIGGER "transcript_message_fold_after_delete" AFTER DELETE ON "transcript_message" BEGIN
    DELETE FROM "search_unfolded" WHERE "kind" = 'transcript_message' AND "id" = old."id";
END;

CREATE TRIGGER "audit_entry_fold_after_insert" AFTER INSERT ON "audit_entry"
    WHEN length(CAST((coalesce(new."details", '') || coalesce(new."before", '') || coalesce(new."after", '')) AS BLOB)) <> length((coalesce(new."details", '') || coalesce(new."before", '') || coalesce(new."after", ''))) BEGIN
    INSERT OR REPLACE INTO "search_unfolded" VALUES ('audit_entry', new."id", abs(random() % 1000000000) + 1);
END;

CREATE TRIGGER "audit_entry_fold_after_update" AFTER UPDATE OF "details", "before", "after" ON "audit_entry" BEGIN
    UPDATE "audit_entry" SET "folded" = NULL WHERE "id" = new."id" AND "folded" IS NOT NULL;
    DELETE FROM "search_unfolded" WHERE "kind" = 'audit_entry' AND "id" = new."id";
    INSERT INTO "search_unfolded" SELECT 'audit_entry', new."id", abs(random() % 1000000000) + 1
        WHERE length(CAST((coalesce(new."details", '') || coalesce(new."before", '') || coalesce(new."after", '')) AS BLOB)) <> length((coalesce(new."details", '') || coalesce(new."before", '') || coalesce(new."after", '')));
END;

CREATE TRIGGER "audit_entry_fold_after_delete" AFTER DELETE ON "audit_entry" BEGIN
    DELETE FROM "search_unfolded" WHERE "kind" = 'audit_entry' AND "id" = old."id";
END;

CREATE TRIGGER "search_trace_after_insert" AFTER INSERT ON "trace" BEGIN
    INSERT INTO "search_trace" ("traceId") VALUES (new."id");
    INSERT INTO "search_trace_text" ("rowid", "text")
        SELECT "id", coalesce(new."folded", coalesce(new."title", '') || ' ' || coalesce(new."error", '')) || ' ' || coalesce(new."model", '')
        FROM "search_trace" WHERE "traceId" = new."id";
END;

CREATE TRIGGER "search_trace_after_update" AFTER UPDATE OF "title", "error", "folded", "model" ON "trace"
    WHEN new."title" IS NOT old."title" OR new."error" IS NOT old."error" OR new."folded" IS NOT old."folded"
        OR new."model" IS NOT old."model" OR NOT EXISTS (SELECT 1 FROM "search_trace" WHERE "traceId" = new."id") BEGIN
    DELETE FROM "search_trace_text" WHERE "rowid" = (SELECT "id" FROM "search_trace" WHERE "traceId" = new."id");
    INSERT OR IGNORE INTO "search_trace" ("traceId") VALUES (new."id");
    INSERT INTO "search_trace_text" ("rowid", "text")
        SELECT s."id", coalesce(t."folded", coalesce(t."title", '') || ' ' || coalesce(t."error", '')) || ' ' || coalesce(t."model", '')
        FROM "search_trace" s JOIN "trace" t ON t."id" = s."traceId" WHERE s."traceId" = new."id";
END;

CREATE TRIGGER "search_trace_after_delete" AFTER DELETE ON "trace" BEGIN
    DELETE FROM "search_trace_text" WHERE "rowid" = (SELECT "id" FROM "search_trace" WHERE "traceId" = old."id");
    DELETE FROM "search_trace" WHERE "traceId" = old."id";
END;
