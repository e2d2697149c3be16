-- Since 0.2.0

CREATE FUNCTION search_fold_gone() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    DELETE FROM "search_unfolded" WHERE "kind" = TG_TABLE_NAME AND "id" = OLD."id";
    RETURN NULL;
END $$;

CREATE FUNCTION search_fold_missing() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO "search_unfolded" VALUES (TG_TABLE_NAME, NEW."id", floor(random() * 1000000000)::INTEGER + 1)
        ON CONFLICT ("kind", "id") DO UPDATE SET "token" = excluded."token";
    RETURN NULL;
END $$;

CREATE FUNCTION search_fold_stale() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    NEW."folded" := NULL;
    RETURN NEW;
END $$;

CREATE FUNCTION search_grams(content text) RETURNS tsvector
    LANGUAGE plpgsql IMMUTABLE
    AS $$
BEGIN
    IF length("content") > 100000 THEN RETURN array_to_tsvector(ARRAY['any text']); END IF;
    RETURN (
        SELECT array_to_tsvector(coalesce(array_agg(DISTINCT "gram"), ARRAY[]::TEXT[]))
        FROM (
            SELECT unnest(ARRAY["a" || "b" || "c", CASE WHEN ascii("a") >= 11904 AND ascii("b") >= 11904 THEN "a" || "b" END]) AS "gram"
            FROM (
                SELECT "a", lead("a") OVER (ORDER BY "place") AS "b", lead("a", 2) OVER (ORDER BY "place") AS "c"
                FROM regexp_split_to_table(lower("content"), '') WITH ORDINALITY AS "characters"("a", "place")
            ) AS "neighbours"
        ) AS "grams"
        WHERE "gram" IS NOT NULL
    );
END $$;

CREATE FUNCTION search_message_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        DELETE FROM "search_pending" WHERE "messageId" = OLD."id";
        DELETE FROM "search_message" WHERE "messageId" = OLD."id";
    END IF;
    IF TG_OP <> 'DELETE' THEN INSERT INTO "search_pending" VALUES (NEW."id"); END IF;
    RETURN NULL;
END $$;

CREATE FUNCTION search_query(term text) RETURNS tsquery
    LANGUAGE sql IMMUTABLE
    AS $$
    SELECT ('''any text'' | (' || string_agg('''' || replace(replace("gram", '\', '\\'), '''', '''''') || '''', ' & ') || ')')::TSQUERY
    FROM unnest(tsvector_to_array("search_grams"("term"))) AS "gram"
$$;

CREATE FUNCTION search_trace_changed() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        DELETE FROM "search_trace" WHERE "traceId" = OLD."id";
    ELSE
        INSERT INTO "search_trace" VALUES (NEW."id", "search_grams"(
            coalesce(NEW."folded", coalesce(NEW."title", '') || ' ' || coalesce(NEW."error", '')) || ' ' || coalesce(NEW."model", '')))
            ON CONFLICT ("traceId") DO UPDATE SET "grams" = excluded."grams";
    END IF;
    RETURN NULL;
END $$;

CREATE TABLE account (
    id text NOT NULL,
    "accountId" text NOT NULL,
    "providerId" text NOT NULL,
    "userId" text NOT NULL,
    "accessToken" text,
    "refreshToken" text,
    "idToken" text,
    "accessTokenExpiresAt" timestamp(3) without time zone,
    "refreshTokenExpiresAt" timestamp(3) without time zone,
    scope text,
    password text,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "updatedAt" timestamp(3) without time zone NOT NULL
);

CREATE TABLE agent (
    id text NOT NULL,
    "currentVersionId" text,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "updatedAt" timestamp(3) without time zone NOT NULL,
    "deletedAt" timestamp(3) without time zone
);

CREATE TABLE agent_alias (
    "agentId" text NOT NULL,
    name text NOT NULL,
    version integer NOT NULL,
    "updatedById" text,
    "updatedAt" timestamp(3) without time zone NOT NULL
);

CREATE TABLE agent_draft (
    "agentId" text NOT NULL,
    revision integer NOT NULL,
    yaml text NOT NULL,
    "baseVersion" integer NOT NULL,
    "savedById" text,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "endedAt" timestamp(3) without time zone,
    "filesFrom" integer
);

CREATE TABLE agent_version (
    id text NOT NULL,
    "agentId" text NOT NULL,
    number integer,
    config text NOT NULL,
    "configHash" text NOT NULL,
    note text,
    "createdById" text,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    yaml text,
    "draftRevision" integer
);

CREATE TABLE agent_version_file (
    "agentVersionId" text NOT NULL,
    name text NOT NULL,
    content text NOT NULL
);

CREATE TABLE api_key (
    id text NOT NULL,
    "userId" text NOT NULL,
    name text NOT NULL,
    prefix text NOT NULL,
    sha256 text NOT NULL,
    scopes text NOT NULL,
    "expiresAt" timestamp(3) without time zone,
    "revokedAt" timestamp(3) without time zone,
    "lastUsedAt" timestamp(3) without time zone,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    agents text,
    "groupId" text
);

CREATE TABLE approval (
    id text NOT NULL,
    "runId" text NOT NULL,
    "threadId" text NOT NULL,
    "ownerId" text NOT NULL,
    kind text NOT NULL,
    "toolCallId" text NOT NULL,
    tool text NOT NULL,
    args text NOT NULL,
    "editedArgs" text,
    reason text,
    questions text,
    answers text,
    status text DEFAULT 'pending'::text NOT NULL,
    note text,
    scope text,
    "decidedBy" text,
    "decidedAt" timestamp(3) without time zone,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "decidedVia" text,
    "expiresAt" timestamp(3) without time zone,
    "runsIn" text,
    facts text
);

CREATE TABLE audit_entry (
    id text NOT NULL,
    "actorId" text NOT NULL,
    action text NOT NULL,
    target text NOT NULL,
    details text NOT NULL,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    after text,
    "apiKeyId" text,
    before text,
    hash text,
    "hashKeyId" text,
    ip text,
    number integer,
    "previousHash" text,
    tombstone text,
    folded text
);

CREATE TABLE blob (
    hash text NOT NULL,
    content bytea NOT NULL,
    "sizeBytes" integer NOT NULL,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE board (
    id text NOT NULL,
    "ownerId" text NOT NULL,
    name text NOT NULL,
    goal text DEFAULT ''::text NOT NULL,
    "leadAgentId" text,
    members text NOT NULL,
    "maxParallel" integer DEFAULT 3 NOT NULL,
    review text DEFAULT 'none'::text NOT NULL,
    workspace text DEFAULT 'own'::text NOT NULL,
    "budgetUsd" double precision,
    "budgetTokens" double precision,
    "lastNumber" integer DEFAULT 0 NOT NULL,
    "stoppedAt" timestamp(3) without time zone,
    "stoppedReason" text,
    revision integer DEFAULT 0 NOT NULL,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "updatedAt" timestamp(3) without time zone NOT NULL,
    "apiKeyId" text
);

CREATE TABLE board_card (
    id text NOT NULL,
    "boardId" text NOT NULL,
    number integer NOT NULL,
    title text NOT NULL,
    spec text DEFAULT ''::text NOT NULL,
    "dependsOn" text DEFAULT '[]'::text NOT NULL,
    assignee text,
    status text DEFAULT 'todo'::text NOT NULL,
    worker text,
    "turnId" text,
    "runId" text,
    "threadId" text,
    attempts integer DEFAULT 0 NOT NULL,
    interruptions integer DEFAULT 0 NOT NULL,
    evidence text,
    "evidenceState" text,
    result text,
    partial text,
    cause text,
    question text,
    note text,
    "sentBack" integer DEFAULT 0 NOT NULL,
    "lostReviews" integer DEFAULT 0 NOT NULL,
    "acceptedBy" text,
    "doneAt" timestamp(3) without time zone,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "updatedAt" timestamp(3) without time zone NOT NULL,
    "apiKeyId" text
);

CREATE TABLE board_run (
    id text NOT NULL,
    "boardId" text NOT NULL,
    "cardId" text,
    "agentId" text NOT NULL,
    role text NOT NULL,
    prompt text NOT NULL,
    news text,
    state text DEFAULT 'claimed'::text NOT NULL,
    "threadId" text,
    "runId" text,
    verdict text,
    outcome text,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE budget (
    id text NOT NULL,
    scope text NOT NULL,
    "scopeId" text,
    period text NOT NULL,
    usd double precision,
    tokens double precision,
    "onReach" text NOT NULL,
    "createdById" text NOT NULL,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "updatedAt" timestamp(3) without time zone NOT NULL
);

CREATE TABLE budget_account (
    id text NOT NULL,
    "budgetId" text,
    "usedUsd" double precision DEFAULT 0 NOT NULL,
    "usedTokens" double precision DEFAULT 0 NOT NULL,
    "reservedUsd" double precision DEFAULT 0 NOT NULL,
    "reservedTokens" double precision DEFAULT 0 NOT NULL,
    "addedUsd" double precision DEFAULT 0 NOT NULL,
    "addedTokens" double precision DEFAULT 0 NOT NULL,
    "addedByName" text,
    "addedAt" timestamp(3) without time zone,
    "reachedCount" integer DEFAULT 0 NOT NULL,
    "reachedAt" timestamp(3) without time zone,
    "updatedAt" timestamp(3) without time zone NOT NULL
);

CREATE TABLE budget_reservation (
    "runId" text NOT NULL,
    epoch integer NOT NULL,
    call integer NOT NULL,
    "accountId" text NOT NULL,
    usd double precision NOT NULL,
    tokens double precision NOT NULL,
    "createdAt" timestamp(3) without time zone NOT NULL,
    "inputTokens" double precision DEFAULT 0 NOT NULL,
    "inputUsd" double precision DEFAULT 0 NOT NULL
);

CREATE TABLE channel (
    id text NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    "agentId" text NOT NULL,
    credentials text NOT NULL,
    ending text,
    receives text NOT NULL,
    "apiRoot" text,
    enabled boolean DEFAULT true NOT NULL,
    username text,
    "testedAt" timestamp(3) without time zone,
    "testedMs" integer,
    "offset" text,
    "leaseHolder" text,
    "leaseUntil" timestamp(3) without time zone,
    "connectedAt" timestamp(3) without time zone,
    "failedAt" timestamp(3) without time zone,
    error text,
    "lastUpdateAt" timestamp(3) without time zone,
    "waitedAt" timestamp(3) without time zone,
    "waitedSeconds" integer,
    "createdById" text NOT NULL,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "updatedAt" timestamp(3) without time zone NOT NULL
);

CREATE TABLE channel_code (
    hash text NOT NULL,
    "channelId" text NOT NULL,
    "userId" text NOT NULL,
    "expiresAt" timestamp(3) without time zone NOT NULL,
    "usedAt" timestamp(3) without time zone,
    "linkId" text,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "apiKeyId" text
);

CREATE TABLE channel_link (
    id text NOT NULL,
    "userId" text NOT NULL,
    "channelId" text NOT NULL,
    "chatKind" text NOT NULL,
    "externalUser" text NOT NULL,
    "externalChat" text NOT NULL,
    "senderName" text NOT NULL,
    "chatName" text NOT NULL,
    "agentId" text NOT NULL,
    "threadId" text,
    "verifiedAt" timestamp(3) without time zone NOT NULL,
    "lastUsedAt" timestamp(3) without time zone,
    "secretHash" text
);

CREATE TABLE channel_message (
    id text NOT NULL,
    "channelId" text NOT NULL,
    "externalChat" text NOT NULL,
    "messageId" text NOT NULL,
    "deliveryId" text NOT NULL,
    part integer NOT NULL,
    "userId" text NOT NULL,
    "threadId" text NOT NULL,
    "runId" text NOT NULL,
    "approvalId" text,
    "isOpen" boolean DEFAULT false NOT NULL,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE compaction (
    id text NOT NULL,
    "threadId" text NOT NULL,
    "afterRunId" text NOT NULL,
    "cutMessageId" text,
    summary text,
    count integer NOT NULL,
    flushed boolean DEFAULT false NOT NULL,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE decision_token (
    hash text NOT NULL,
    "approvalId" text NOT NULL,
    "userId" text NOT NULL,
    "mayAllow" boolean NOT NULL,
    "expiresAt" timestamp(3) without time zone NOT NULL,
    "usedAt" timestamp(3) without time zone,
    signature text
);

CREATE TABLE delivery (
    id text NOT NULL,
    "runId" text NOT NULL,
    "ownerId" text NOT NULL,
    "triggerId" text,
    target text NOT NULL,
    body text NOT NULL,
    state text DEFAULT 'pending'::text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    "nextAt" timestamp(3) without time zone,
    "begunAt" timestamp(3) without time zone,
    error text,
    "sentAt" timestamp(3) without time zone,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    event text,
    "webhookId" text,
    "homeAgentId" text
);

CREATE TABLE delivery_attempt (
    id text NOT NULL,
    "deliveryId" text NOT NULL,
    at timestamp(3) without time zone NOT NULL,
    "tookMs" integer NOT NULL,
    status integer,
    error text,
    headers text NOT NULL,
    response text NOT NULL
);

CREATE TABLE file_version (
    id text NOT NULL,
    "workspaceId" text NOT NULL,
    path text NOT NULL,
    version integer NOT NULL,
    "blobHash" text,
    "sizeBytes" integer NOT NULL,
    "addedLines" integer DEFAULT 0 NOT NULL,
    "removedLines" integer DEFAULT 0 NOT NULL,
    "authorId" text,
    "threadId" text,
    "runId" text,
    "toolCallId" text,
    "spanId" text,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE firing (
    id text NOT NULL,
    "triggerId" text NOT NULL,
    key text NOT NULL,
    "dueAt" timestamp(3) without time zone NOT NULL,
    "externalId" text,
    state text NOT NULL,
    reason text,
    count integer DEFAULT 1 NOT NULL,
    "threadId" text,
    "runId" text,
    outcome text,
    "failedCalls" integer DEFAULT 0 NOT NULL,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    prompt text,
    "pauseMs" integer,
    said text,
    "stoppedBy" text,
    "answerKey" text,
    "apiKeyId" text
);

CREATE TABLE first_time (
    key text NOT NULL,
    "runId" text NOT NULL,
    "threadId" text NOT NULL,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE follow_up_call (
    id text NOT NULL,
    "runId" text NOT NULL,
    "inputTokens" integer NOT NULL,
    "outputTokens" integer NOT NULL,
    "costUsd" double precision,
    "createdAt" timestamp(3) without time zone NOT NULL
);

CREATE TABLE "grant" (
    id text NOT NULL,
    "threadId" text NOT NULL,
    "ownerId" text NOT NULL,
    tool text NOT NULL,
    args text NOT NULL,
    "argsHash" text NOT NULL,
    "createdBy" text NOT NULL,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "expiresAt" timestamp(3) without time zone NOT NULL,
    "revokedAt" timestamp(3) without time zone,
    pattern text,
    "rulesHash" text
);

CREATE TABLE "group" (
    id text NOT NULL,
    name text NOT NULL,
    "roleFloor" text,
    "createdById" text,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "updatedAt" timestamp(3) without time zone NOT NULL
);

CREATE TABLE group_agent (
    "groupId" text NOT NULL,
    "agentId" text NOT NULL
);

CREATE TABLE group_member (
    "groupId" text NOT NULL,
    "userId" text NOT NULL,
    "fromOidc" boolean DEFAULT false NOT NULL
);

CREATE TABLE http_tool (
    name text NOT NULL,
    description text NOT NULL,
    parameters text NOT NULL,
    "callbackUrl" text NOT NULL,
    "readOnly" boolean DEFAULT false NOT NULL,
    "secretEncrypted" text,
    "createdById" text NOT NULL,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "updatedAt" timestamp(3) without time zone NOT NULL
);

CREATE TABLE inbox_note (
    id text NOT NULL,
    "userId" text NOT NULL,
    kind text NOT NULL,
    title text NOT NULL,
    detail text NOT NULL,
    source text NOT NULL,
    path text NOT NULL,
    "createdAt" timestamp(3) without time zone NOT NULL,
    "doneAt" timestamp(3) without time zone
);

CREATE TABLE kept_reply (
    id text NOT NULL,
    "userId" text NOT NULL,
    "bodyHash" text NOT NULL,
    status integer NOT NULL,
    body text NOT NULL,
    "createdAt" timestamp(3) without time zone NOT NULL,
    "expiresAt" timestamp(3) without time zone NOT NULL
);

CREATE UNLOGGED TABLE lock (
    key text NOT NULL,
    owner text NOT NULL,
    until timestamp(3) without time zone NOT NULL
);

CREATE TABLE mcp_authorization (
    "stateHash" text NOT NULL,
    "serverId" text NOT NULL,
    holder text NOT NULL,
    "userId" text NOT NULL,
    session text NOT NULL,
    sealed text NOT NULL,
    "expiresAt" timestamp(3) without time zone NOT NULL
);

CREATE TABLE mcp_connection (
    "serverId" text NOT NULL,
    holder text NOT NULL,
    sealed text NOT NULL,
    account text,
    "expiresAt" timestamp(3) without time zone,
    "lostAt" timestamp(3) without time zone,
    "connectedById" text NOT NULL,
    "connectedAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE mcp_server (
    id text NOT NULL,
    transport text NOT NULL,
    url text,
    command text,
    args text DEFAULT '[]'::text NOT NULL,
    "secretsEncrypted" text,
    unsandboxed boolean DEFAULT false NOT NULL,
    network boolean DEFAULT false NOT NULL,
    mounts text DEFAULT '[]'::text NOT NULL,
    auth text DEFAULT 'none'::text NOT NULL,
    scope text DEFAULT 'shared'::text NOT NULL,
    enabled boolean DEFAULT true NOT NULL,
    revision integer DEFAULT 1 NOT NULL,
    facts text,
    "askedAt" timestamp(3) without time zone,
    "awaySince" timestamp(3) without time zone,
    "awayReason" text,
    "createdById" text NOT NULL,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "updatedAt" timestamp(3) without time zone NOT NULL
);

CREATE TABLE mcp_tool (
    "serverId" text NOT NULL,
    name text NOT NULL,
    definition text,
    hash text,
    "noticedAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    pinned text,
    "pinnedHash" text,
    "pinnedAt" timestamp(3) without time zone,
    "pinnedById" text,
    "onCall" text
);

CREATE TABLE memory_version (
    id text NOT NULL,
    "workspaceId" text NOT NULL,
    "agentId" text NOT NULL,
    "ownerId" text,
    path text NOT NULL,
    kind text NOT NULL,
    version integer NOT NULL,
    "blobHash" text NOT NULL,
    author text NOT NULL,
    "authorId" text,
    "runId" text,
    "spanId" text,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE message (
    id text NOT NULL,
    "threadId" text NOT NULL,
    "runId" text NOT NULL,
    "position" integer NOT NULL,
    role text NOT NULL,
    content text NOT NULL,
    "toolCalls" text,
    reasoning text,
    "toolCallId" text,
    name text,
    "isError" boolean DEFAULT false NOT NULL,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "bodyHash" text,
    images text
);

CREATE TABLE notification_choice (
    "userId" text NOT NULL,
    choices text NOT NULL,
    "isOn" boolean NOT NULL,
    "updatedAt" timestamp(3) without time zone NOT NULL
);

CREATE TABLE project (
    id text NOT NULL,
    name text NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    "agentId" text,
    "createdById" text NOT NULL,
    "archivedAt" timestamp(3) without time zone,
    "deletedAt" timestamp(3) without time zone,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "updatedAt" timestamp(3) without time zone NOT NULL
);

CREATE TABLE project_instructions (
    "projectId" text NOT NULL,
    number integer NOT NULL,
    text text NOT NULL,
    "createdById" text NOT NULL,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE project_member (
    "projectId" text NOT NULL,
    "userId" text NOT NULL,
    role text NOT NULL,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE provider (
    id text NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    "baseUrl" text,
    "keyEncrypted" text,
    "keyEnding" text,
    "keySetAt" timestamp(3) without time zone,
    "keySetById" text,
    models text DEFAULT '[]'::text NOT NULL,
    "allowedRoles" text NOT NULL,
    "createdById" text NOT NULL,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "updatedAt" timestamp(3) without time zone NOT NULL,
    dialect text DEFAULT 'auto'::text NOT NULL,
    "anyAgent" boolean DEFAULT false NOT NULL
);

CREATE TABLE purged_run (
    id text NOT NULL,
    "ownerId" text NOT NULL,
    "agentId" text NOT NULL,
    "versionNumber" integer NOT NULL,
    model text,
    "apiKeyId" text,
    status text NOT NULL,
    "inputTokens" integer NOT NULL,
    "cachedReadTokens" integer NOT NULL,
    "cachedWriteTokens" integer NOT NULL,
    "outputTokens" integer NOT NULL,
    "reasoningTokens" integer NOT NULL,
    "isUsagePartial" boolean NOT NULL,
    "costUsd" double precision,
    "createdAt" timestamp(3) without time zone NOT NULL,
    "startedAt" timestamp(3) without time zone,
    "endedAt" timestamp(3) without time zone,
    "waitedMs" integer NOT NULL,
    origin text DEFAULT 'chat'::text NOT NULL
);

CREATE TABLE push_subscription (
    id text NOT NULL,
    "userId" text NOT NULL,
    name text NOT NULL,
    endpoint text NOT NULL,
    p256dh text NOT NULL,
    auth text NOT NULL,
    "createdAt" timestamp(3) without time zone NOT NULL,
    "lastSentAt" timestamp(3) without time zone
);

CREATE UNLOGGED TABLE rate_limit (
    key text NOT NULL,
    count integer NOT NULL,
    "endsAt" timestamp(3) without time zone NOT NULL
);

CREATE TABLE run (
    id text NOT NULL,
    "threadId" text NOT NULL,
    "ownerId" text NOT NULL,
    "agentId" text NOT NULL,
    "agentVersionId" text NOT NULL,
    "traceId" text NOT NULL,
    "parentRunId" text,
    "continuesRunId" text,
    status text DEFAULT 'queued'::text NOT NULL,
    input text NOT NULL,
    "modelOverride" text,
    "idempotencyKey" text,
    "assistantMessageId" text NOT NULL,
    segment integer DEFAULT 0 NOT NULL,
    takeovers integer DEFAULT 0 NOT NULL,
    "leaseOwner" text,
    epoch integer DEFAULT 0 NOT NULL,
    "cancelRequestedAt" timestamp(3) without time zone,
    "cancelledBy" text,
    "errorCode" text,
    "errorMessage" text,
    notice text,
    steps integer DEFAULT 0 NOT NULL,
    "inputTokens" integer DEFAULT 0 NOT NULL,
    "cachedReadTokens" integer DEFAULT 0 NOT NULL,
    "cachedWriteTokens" integer DEFAULT 0 NOT NULL,
    "outputTokens" integer DEFAULT 0 NOT NULL,
    "reasoningTokens" integer DEFAULT 0 NOT NULL,
    "costUsd" double precision,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "startedAt" timestamp(3) without time zone,
    "endedAt" timestamp(3) without time zone,
    depth integer DEFAULT 0 NOT NULL,
    "isBackground" boolean DEFAULT false NOT NULL,
    "isInline" boolean DEFAULT false NOT NULL,
    "isReported" boolean DEFAULT false NOT NULL,
    "parentSpanId" text,
    "parentToolCallId" text,
    "rootRunId" text,
    "subagentName" text,
    "waitedMs" integer DEFAULT 0 NOT NULL,
    "waitingFor" text,
    "waitingSince" timestamp(3) without time zone,
    "isUsagePartial" boolean DEFAULT false NOT NULL,
    "position" integer DEFAULT 0 NOT NULL,
    "apiKeyId" text,
    model text,
    "isUsageEstimated" boolean DEFAULT false NOT NULL,
    "afterRunId" text,
    "regeneratesRunId" text,
    todos text,
    "steersRunId" text,
    "unreadSteers" integer DEFAULT 0 NOT NULL,
    origin text DEFAULT 'chat'::text NOT NULL,
    attended boolean DEFAULT true NOT NULL,
    "originDetails" text,
    "projectId" text,
    "fileScope" text,
    effort text
);

CREATE TABLE run_event (
    "runId" text NOT NULL,
    seq integer NOT NULL,
    epoch integer NOT NULL,
    type text NOT NULL,
    data text NOT NULL,
    "createdAt" timestamp(3) without time zone NOT NULL
);

CREATE TABLE saved_prompt (
    id text NOT NULL,
    "ownerId" text,
    name text NOT NULL,
    description text DEFAULT ''::text NOT NULL,
    text text NOT NULL,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "updatedAt" timestamp(3) without time zone NOT NULL
);

CREATE TABLE score (
    id text NOT NULL,
    "traceId" text NOT NULL,
    "threadId" text NOT NULL,
    "runId" text NOT NULL,
    "spanId" text NOT NULL,
    name text NOT NULL,
    value double precision NOT NULL,
    why text,
    "authorId" text NOT NULL,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "updatedAt" timestamp(3) without time zone NOT NULL
);

CREATE TABLE search_message (
    "messageId" text NOT NULL,
    grams tsvector NOT NULL
);

CREATE TABLE search_pending (
    "messageId" text NOT NULL
);

CREATE TABLE search_trace (
    "traceId" text NOT NULL,
    grams tsvector NOT NULL
);

CREATE TABLE search_unfolded (
    kind text NOT NULL,
    id text NOT NULL,
    token integer NOT NULL
);

CREATE TABLE session (
    id text NOT NULL,
    token text NOT NULL,
    "userId" text NOT NULL,
    "expiresAt" timestamp(3) without time zone NOT NULL,
    "ipAddress" text,
    "userAgent" text,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "updatedAt" timestamp(3) without time zone NOT NULL
);

CREATE TABLE setting (
    key text NOT NULL,
    value text NOT NULL,
    "updatedAt" timestamp(3) without time zone NOT NULL
);

CREATE TABLE share (
    id text NOT NULL,
    "threadId" text NOT NULL,
    "tokenHash" text NOT NULL,
    content text NOT NULL,
    messages integer NOT NULL,
    include text NOT NULL,
    "expiresAt" timestamp(3) without time zone,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE skill (
    id text NOT NULL,
    name text NOT NULL,
    description text NOT NULL,
    version integer NOT NULL,
    "createdById" text,
    "updatedById" text,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "updatedAt" timestamp(3) without time zone NOT NULL,
    "deletedAt" timestamp(3) without time zone
);

CREATE TABLE skill_file (
    "skillId" text NOT NULL,
    number integer NOT NULL,
    path text NOT NULL,
    "blobHash" text NOT NULL,
    "sizeBytes" integer NOT NULL
);

CREATE TABLE skill_version (
    "skillId" text NOT NULL,
    number integer NOT NULL,
    description text NOT NULL,
    "contentHash" text NOT NULL,
    "fileCount" integer NOT NULL,
    "sizeBytes" integer NOT NULL,
    source text NOT NULL,
    "createdById" text,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE span (
    id text NOT NULL,
    "traceId" text NOT NULL,
    "runId" text NOT NULL,
    "parentId" text,
    type text NOT NULL,
    name text NOT NULL,
    status text NOT NULL,
    attributes text NOT NULL,
    error text,
    "startedAt" timestamp(3) without time zone NOT NULL,
    "endedAt" timestamp(3) without time zone
);

CREATE TABLE thread (
    id text NOT NULL,
    "ownerId" text NOT NULL,
    "agentId" text NOT NULL,
    "clientId" text NOT NULL,
    title text,
    titled boolean DEFAULT false NOT NULL,
    pinned boolean DEFAULT false NOT NULL,
    ephemeral boolean DEFAULT false NOT NULL,
    "archivedAt" timestamp(3) without time zone,
    "deletedAt" timestamp(3) without time zone,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "updatedAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "compactionCount" integer DEFAULT 0 NOT NULL,
    "compactionOwner" text,
    "compactionUntil" timestamp(3) without time zone,
    "parentThreadId" text,
    "cachedReadTokens" integer DEFAULT 0 NOT NULL,
    "cachedWriteTokens" integer DEFAULT 0 NOT NULL,
    "costUsd" double precision DEFAULT 0,
    "inputTokens" integer DEFAULT 0 NOT NULL,
    model text,
    "outputTokens" integer DEFAULT 0 NOT NULL,
    "reasoningTokens" integer DEFAULT 0 NOT NULL,
    "isUsagePartial" boolean DEFAULT false NOT NULL,
    "isUsageEstimated" boolean DEFAULT false NOT NULL,
    "isTest" boolean DEFAULT false NOT NULL,
    "leafRunId" text,
    "isBranched" boolean DEFAULT false NOT NULL,
    "projectId" text,
    "fileScope" text,
    "activeAgentId" text,
    "boardId" text,
    "takenBackAt" timestamp(3) without time zone,
    "homeAgentId" text,
    folded text
);

CREATE TABLE thread_image (
    "threadId" text NOT NULL,
    "blobHash" text NOT NULL,
    "mediaType" text NOT NULL,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL
);

CREATE TABLE timer (
    name text NOT NULL,
    task text NOT NULL,
    data text NOT NULL,
    at timestamp(3) without time zone NOT NULL,
    attempts integer DEFAULT 0 NOT NULL
);

CREATE TABLE trace (
    id text NOT NULL,
    "runId" text NOT NULL,
    "ownerId" text NOT NULL,
    "threadId" text NOT NULL,
    "agentId" text NOT NULL,
    "agentVersionId" text NOT NULL,
    "agentVersion" integer NOT NULL,
    title text,
    model text,
    status text NOT NULL,
    error text,
    steps integer DEFAULT 0 NOT NULL,
    "inputTokens" integer DEFAULT 0 NOT NULL,
    "cachedReadTokens" integer DEFAULT 0 NOT NULL,
    "cachedWriteTokens" integer DEFAULT 0 NOT NULL,
    "outputTokens" integer DEFAULT 0 NOT NULL,
    "reasoningTokens" integer DEFAULT 0 NOT NULL,
    "costUsd" double precision,
    "timeToFirstTokenMs" integer,
    "droppedSpans" integer DEFAULT 0 NOT NULL,
    "startedAt" timestamp(3) without time zone NOT NULL,
    "endedAt" timestamp(3) without time zone,
    "isUsagePartial" boolean DEFAULT false NOT NULL,
    "isUsageEstimated" boolean DEFAULT false NOT NULL,
    "waitedMs" integer DEFAULT 0 NOT NULL,
    "workedMs" integer,
    origin text DEFAULT 'chat'::text NOT NULL,
    attended boolean DEFAULT true NOT NULL,
    "originDetails" text,
    "homeAgentId" text,
    folded text
);

CREATE TABLE transcript_message (
    id text NOT NULL,
    "threadId" text NOT NULL,
    "runId" text NOT NULL,
    "position" integer NOT NULL,
    role text NOT NULL,
    parts text NOT NULL,
    text text NOT NULL,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    folded text
);

CREATE TABLE trigger (
    id text NOT NULL,
    "ownerId" text,
    "agentId" text NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    config text NOT NULL,
    enabled boolean DEFAULT true NOT NULL,
    "nextDueAt" timestamp(3) without time zone,
    failures integer DEFAULT 0 NOT NULL,
    "pausedReason" text,
    "pausedAt" timestamp(3) without time zone,
    "fromConfig" boolean DEFAULT false NOT NULL,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "updatedAt" timestamp(3) without time zone NOT NULL,
    state text,
    "apiKeyId" text
);

CREATE TABLE "user" (
    id text NOT NULL,
    name text NOT NULL,
    email text NOT NULL,
    "emailVerified" boolean DEFAULT false NOT NULL,
    image text,
    role text DEFAULT 'member'::text NOT NULL,
    "isService" boolean DEFAULT false NOT NULL,
    "deactivatedAt" timestamp(3) without time zone,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "updatedAt" timestamp(3) without time zone NOT NULL,
    "groupRole" text,
    "erasedAt" timestamp(3) without time zone,
    "erasureEndAt" timestamp(3) without time zone,
    "timeZone" text
);

CREATE TABLE verification (
    id text NOT NULL,
    identifier text NOT NULL,
    value text NOT NULL,
    "expiresAt" timestamp(3) without time zone NOT NULL,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "updatedAt" timestamp(3) without time zone NOT NULL
);

CREATE TABLE webhook (
    id text NOT NULL,
    name text NOT NULL,
    url text NOT NULL,
    events text NOT NULL,
    "agentId" text,
    enabled boolean DEFAULT true NOT NULL,
    "createdById" text NOT NULL,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "updatedAt" timestamp(3) without time zone NOT NULL
);

CREATE TABLE webhook_secret (
    id text NOT NULL,
    "webhookId" text NOT NULL,
    number integer NOT NULL,
    sealed text NOT NULL,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    "expiresAt" timestamp(3) without time zone
);

CREATE TABLE workspace (
    id text NOT NULL,
    "agentId" text NOT NULL,
    "ownerId" text,
    "threadId" text,
    "scopeKey" text NOT NULL,
    "createdAt" timestamp(3) without time zone DEFAULT CURRENT_TIMESTAMP NOT NULL,
    place text,
    "projectId" text,
    kind text
);

CREATE TABLE workspace_file (
    "workspaceId" text NOT NULL,
    path text NOT NULL,
    "blobHash" text NOT NULL,
    "sizeBytes" integer NOT NULL,
    "updatedAt" timestamp(3) without time zone NOT NULL
);

ALTER TABLE account
    ADD CONSTRAINT account_pkey PRIMARY KEY (id);

ALTER TABLE agent_alias
    ADD CONSTRAINT agent_alias_pkey PRIMARY KEY ("agentId", name);

ALTER TABLE agent_draft
    ADD CONSTRAINT agent_draft_pkey PRIMARY KEY ("agentId", revision);

ALTER TABLE agent
    ADD CONSTRAINT agent_pkey PRIMARY KEY (id);

ALTER TABLE agent_version_file
    ADD CONSTRAINT agent_version_file_pkey PRIMARY KEY ("agentVersionId", name);

ALTER TABLE agent_version
    ADD CONSTRAINT agent_version_pkey PRIMARY KEY (id);

ALTER TABLE api_key
    ADD CONSTRAINT api_key_pkey PRIMARY KEY (id);

ALTER TABLE approval
    ADD CONSTRAINT approval_pkey PRIMARY KEY (id);

ALTER TABLE audit_entry
    ADD CONSTRAINT audit_entry_pkey PRIMARY KEY (id);

ALTER TABLE blob
    ADD CONSTRAINT blob_pkey PRIMARY KEY (hash);

ALTER TABLE board_card
    ADD CONSTRAINT board_card_pkey PRIMARY KEY (id);

ALTER TABLE board
    ADD CONSTRAINT board_pkey PRIMARY KEY (id);

ALTER TABLE board_run
    ADD CONSTRAINT board_run_pkey PRIMARY KEY (id);

ALTER TABLE budget_account
    ADD CONSTRAINT budget_account_pkey PRIMARY KEY (id);

ALTER TABLE budget
    ADD CONSTRAINT budget_pkey PRIMARY KEY (id);

ALTER TABLE budget_reservation
    ADD CONSTRAINT budget_reservation_pkey PRIMARY KEY ("runId", epoch, call, "accountId");

ALTER TABLE channel_code
    ADD CONSTRAINT channel_code_pkey PRIMARY KEY (hash);

ALTER TABLE channel_link
    ADD CONSTRAINT channel_link_pkey PRIMARY KEY (id);

ALTER TABLE channel_message
    ADD CONSTRAINT channel_message_pkey PRIMARY KEY (id);

ALTER TABLE channel
    ADD CONSTRAINT channel_pkey PRIMARY KEY (id);

ALTER TABLE compaction
    ADD CONSTRAINT compaction_pkey PRIMARY KEY (id);

ALTER TABLE decision_token
    ADD CONSTRAINT decision_token_pkey PRIMARY KEY (hash);

ALTER TABLE delivery_attempt
    ADD CONSTRAINT delivery_attempt_pkey PRIMARY KEY (id);

ALTER TABLE delivery
    ADD CONSTRAINT delivery_pkey PRIMARY KEY (id);

ALTER TABLE file_version
    ADD CONSTRAINT file_version_pkey PRIMARY KEY (id);

ALTER TABLE firing
    ADD CONSTRAINT firing_pkey PRIMARY KEY (id);

ALTER TABLE first_time
    ADD CONSTRAINT first_time_pkey PRIMARY KEY (key);

ALTER TABLE follow_up_call
    ADD CONSTRAINT follow_up_call_pkey PRIMARY KEY (id);

ALTER TABLE "grant"
    ADD CONSTRAINT grant_pkey PRIMARY KEY (id);

ALTER TABLE group_agent
    ADD CONSTRAINT group_agent_pkey PRIMARY KEY ("groupId", "agentId");

ALTER TABLE group_member
    ADD CONSTRAINT group_member_pkey PRIMARY KEY ("groupId", "userId");

ALTER TABLE "group"
    ADD CONSTRAINT group_pkey PRIMARY KEY (id);

ALTER TABLE http_tool
    ADD CONSTRAINT http_tool_pkey PRIMARY KEY (name);

ALTER TABLE inbox_note
    ADD CONSTRAINT inbox_note_pkey PRIMARY KEY (id);

ALTER TABLE kept_reply
    ADD CONSTRAINT kept_reply_pkey PRIMARY KEY (id);

ALTER TABLE lock
    ADD CONSTRAINT lock_pkey PRIMARY KEY (key);

ALTER TABLE mcp_authorization
    ADD CONSTRAINT mcp_authorization_pkey PRIMARY KEY ("stateHash");

ALTER TABLE mcp_connection
    ADD CONSTRAINT mcp_connection_pkey PRIMARY KEY ("serverId", holder);

ALTER TABLE mcp_server
    ADD CONSTRAINT mcp_server_pkey PRIMARY KEY (id);

ALTER TABLE mcp_tool
    ADD CONSTRAINT mcp_tool_pkey PRIMARY KEY ("serverId", name);

ALTER TABLE memory_version
    ADD CONSTRAINT memory_version_pkey PRIMARY KEY (id);

ALTER TABLE message
    ADD CONSTRAINT message_pkey PRIMARY KEY (id);

ALTER TABLE notification_choice
    ADD CONSTRAINT notification_choice_pkey PRIMARY KEY ("userId");

ALTER TABLE project_instructions
    ADD CONSTRAINT project_instructions_pkey PRIMARY KEY ("projectId", number);

ALTER TABLE project_member
    ADD CONSTRAINT project_member_pkey PRIMARY KEY ("projectId", "userId");

ALTER TABLE project
    ADD CONSTRAINT project_pkey PRIMARY KEY (id);

ALTER TABLE provider
    ADD CONSTRAINT provider_pkey PRIMARY KEY (id);

ALTER TABLE purged_run
    ADD CONSTRAINT purged_run_pkey PRIMARY KEY (id);

ALTER TABLE push_subscription
    ADD CONSTRAINT push_subscription_pkey PRIMARY KEY (id);

ALTER TABLE rate_limit
    ADD CONSTRAINT rate_limit_pkey PRIMARY KEY (key);

ALTER TABLE run_event
    ADD CONSTRAINT run_event_pkey PRIMARY KEY ("runId", seq);

ALTER TABLE run
    ADD CONSTRAINT run_pkey PRIMARY KEY (id);

ALTER TABLE saved_prompt
    ADD CONSTRAINT saved_prompt_pkey PRIMARY KEY (id);

ALTER TABLE score
    ADD CONSTRAINT score_pkey PRIMARY KEY (id);

ALTER TABLE search_message
    ADD CONSTRAINT search_message_pkey PRIMARY KEY ("messageId");

ALTER TABLE search_pending
    ADD CONSTRAINT search_pending_pkey PRIMARY KEY ("messageId");

ALTER TABLE search_trace
    ADD CONSTRAINT search_trace_pkey PRIMARY KEY ("traceId");

ALTER TABLE search_unfolded
    ADD CONSTRAINT search_unfolded_pkey PRIMARY KEY (kind, id);

ALTER TABLE session
    ADD CONSTRAINT session_pkey PRIMARY KEY (id);

ALTER TABLE setting
    ADD CONSTRAINT setting_pkey PRIMARY KEY (key);

ALTER TABLE share
    ADD CONSTRAINT share_pkey PRIMARY KEY (id);

ALTER TABLE skill_file
    ADD CONSTRAINT skill_file_pkey PRIMARY KEY ("skillId", number, path);

ALTER TABLE skill
    ADD CONSTRAINT skill_pkey PRIMARY KEY (id);

ALTER TABLE skill_version
    ADD CONSTRAINT skill_version_pkey PRIMARY KEY ("skillId", number);

ALTER TABLE span
    ADD CONSTRAINT span_pkey PRIMARY KEY (id);

ALTER TABLE thread_image
    ADD CONSTRAINT thread_image_pkey PRIMARY KEY ("threadId", "blobHash");

ALTER TABLE thread
    ADD CONSTRAINT thread_pkey PRIMARY KEY (id);

ALTER TABLE timer
    ADD CONSTRAINT timer_pkey PRIMARY KEY (name);

ALTER TABLE trace
    ADD CONSTRAINT trace_pkey PRIMARY KEY (id);

ALTER TABLE transcript_message
    ADD CONSTRAINT transcript_message_pkey PRIMARY KEY (id);

ALTER TABLE trigger
    ADD CONSTRAINT trigger_pkey PRIMARY KEY (id);

ALTER TABLE "user"
    ADD CONSTRAINT user_pkey PRIMARY KEY (id);

ALTER TABLE verification
    ADD CONSTRAINT verification_pkey PRIMARY KEY (id);

ALTER TABLE webhook
    ADD CONSTRAINT webhook_pkey PRIMARY KEY (id);

ALTER TABLE webhook_secret
    ADD CONSTRAINT webhook_secret_pkey PRIMARY KEY (id);

ALTER TABLE workspace_file
    ADD CONSTRAINT workspace_file_pkey PRIMARY KEY ("workspaceId", path);

ALTER TABLE workspace
    ADD CONSTRAINT workspace_pkey PRIMARY KEY (id);

CREATE INDEX "account_userId_idx" ON account USING btree ("userId");

CREATE UNIQUE INDEX "agent_currentVersionId_key" ON agent USING btree ("currentVersionId");

CREATE INDEX "agent_draft_endedAt_idx" ON agent_draft USING btree ("endedAt");

CREATE UNIQUE INDEX "agent_version_agentId_number_key" ON agent_version USING btree ("agentId", number);

CREATE INDEX agent_version_draft_idx ON agent_version USING btree ("agentId", "configHash") WHERE (number IS NULL);

CREATE UNIQUE INDEX api_key_sha256_key ON api_key USING btree (sha256);

CREATE INDEX "api_key_userId_idx" ON api_key USING btree ("userId");

CREATE INDEX "approval_ownerId_status_createdAt_id_idx" ON approval USING btree ("ownerId", status, "createdAt", id);

CREATE UNIQUE INDEX "approval_runId_toolCallId_kind_key" ON approval USING btree ("runId", "toolCallId", kind);

CREATE INDEX "approval_status_expiresAt_idx" ON approval USING btree (status, "expiresAt");

CREATE INDEX "audit_entry_createdAt_id_idx" ON audit_entry USING btree ("createdAt", id);

CREATE UNIQUE INDEX audit_entry_number_key ON audit_entry USING btree (number) WHERE (number > 0);

CREATE INDEX audit_entry_unlinked_idx ON audit_entry USING btree ("createdAt", id) WHERE (number IS NULL);

CREATE INDEX "blob_createdAt_idx" ON blob USING btree ("createdAt");

CREATE UNIQUE INDEX "board_card_boardId_number_key" ON board_card USING btree ("boardId", number);

CREATE INDEX "board_ownerId_createdAt_id_idx" ON board USING btree ("ownerId", "createdAt", id);

CREATE INDEX "board_run_boardId_createdAt_id_idx" ON board_run USING btree ("boardId", "createdAt", id);

CREATE INDEX board_run_open_idx ON board_run USING btree ("boardId") WHERE (outcome IS NULL);

CREATE INDEX "board_run_runId_idx" ON board_run USING btree ("runId");

CREATE INDEX "budget_account_budgetId_updatedAt_idx" ON budget_account USING btree ("budgetId", "updatedAt");

CREATE INDEX "channel_code_expiresAt_idx" ON channel_code USING btree ("expiresAt");

CREATE INDEX "channel_code_userId_createdAt_idx" ON channel_code USING btree ("userId", "createdAt");

CREATE UNIQUE INDEX "channel_link_channelId_externalChat_externalUser_key" ON channel_link USING btree ("channelId", "externalChat", "externalUser");

CREATE UNIQUE INDEX "channel_link_secretHash_key" ON channel_link USING btree ("secretHash");

CREATE INDEX "channel_link_userId_lastUsedAt_idx" ON channel_link USING btree ("userId", "lastUsedAt");

CREATE INDEX "channel_message_channelId_externalChat_messageId_idx" ON channel_message USING btree ("channelId", "externalChat", "messageId");

CREATE UNIQUE INDEX "channel_message_deliveryId_part_key" ON channel_message USING btree ("deliveryId", part);

CREATE INDEX channel_message_open_idx ON channel_message USING btree ("approvalId") WHERE ("isOpen" = true);

CREATE INDEX channel_message_over_idx ON channel_message USING btree ("createdAt") WHERE ("isOpen" = false);

CREATE INDEX "compaction_threadId_count_idx" ON compaction USING btree ("threadId", count);

CREATE INDEX "decision_token_expiresAt_idx" ON decision_token USING btree ("expiresAt");

CREATE INDEX "delivery_attempt_deliveryId_at_id_idx" ON delivery_attempt USING btree ("deliveryId", at, id);

CREATE INDEX delivery_done_idx ON delivery USING btree ("createdAt") WHERE ("nextAt" IS NULL);

CREATE INDEX delivery_due_idx ON delivery USING btree ("nextAt") WHERE ("nextAt" IS NOT NULL);

CREATE INDEX "delivery_ownerId_state_createdAt_id_idx" ON delivery USING btree ("ownerId", state, "createdAt", id);

CREATE INDEX "delivery_runId_idx" ON delivery USING btree ("runId");

CREATE INDEX delivery_webhook_idx ON delivery USING btree ("webhookId", "createdAt", id) WHERE ("webhookId" IS NOT NULL);

CREATE INDEX "file_version_blobHash_idx" ON file_version USING btree ("blobHash");

CREATE INDEX "file_version_createdAt_idx" ON file_version USING btree ("createdAt");

CREATE INDEX "file_version_runId_idx" ON file_version USING btree ("runId");

CREATE INDEX "file_version_threadId_createdAt_idx" ON file_version USING btree ("threadId", "createdAt");

CREATE UNIQUE INDEX "file_version_workspaceId_path_version_key" ON file_version USING btree ("workspaceId", path, version);

CREATE INDEX "firing_createdAt_idx" ON firing USING btree ("createdAt");

CREATE INDEX firing_open_idx ON firing USING btree ("createdAt") WHERE ((state = 'claimed'::text) OR ((state = 'started'::text) AND (outcome IS NULL)));

CREATE INDEX "firing_runId_idx" ON firing USING btree ("runId");

CREATE INDEX "firing_triggerId_dueAt_id_idx" ON firing USING btree ("triggerId", "dueAt", id);

CREATE UNIQUE INDEX "firing_triggerId_key_key" ON firing USING btree ("triggerId", key);

CREATE INDEX "follow_up_call_createdAt_idx" ON follow_up_call USING btree ("createdAt");

CREATE INDEX "grant_expiresAt_idx" ON "grant" USING btree ("expiresAt");

CREATE INDEX "grant_ownerId_createdAt_idx" ON "grant" USING btree ("ownerId", "createdAt");

CREATE INDEX grant_revoked_idx ON "grant" USING btree ("revokedAt") WHERE ("revokedAt" IS NOT NULL);

CREATE UNIQUE INDEX "grant_threadId_tool_argsHash_key" ON "grant" USING btree ("threadId", tool, "argsHash");

CREATE INDEX "group_agent_agentId_idx" ON group_agent USING btree ("agentId");

CREATE INDEX "group_member_userId_idx" ON group_member USING btree ("userId");

CREATE UNIQUE INDEX group_name_key ON "group" USING btree (name);

CREATE INDEX inbox_note_done_idx ON inbox_note USING btree ("doneAt") WHERE ("doneAt" IS NOT NULL);

CREATE INDEX "inbox_note_userId_doneAt_createdAt_id_idx" ON inbox_note USING btree ("userId", "doneAt", "createdAt", id);

CREATE INDEX "kept_reply_expiresAt_idx" ON kept_reply USING btree ("expiresAt");

CREATE INDEX "kept_reply_userId_idx" ON kept_reply USING btree ("userId");

CREATE INDEX "memory_version_blobHash_idx" ON memory_version USING btree ("blobHash");

CREATE INDEX "memory_version_createdAt_idx" ON memory_version USING btree ("createdAt");

CREATE UNIQUE INDEX "memory_version_workspaceId_path_version_key" ON memory_version USING btree ("workspaceId", path, version);

CREATE INDEX "message_runId_idx" ON message USING btree ("runId");

CREATE UNIQUE INDEX "message_threadId_position_key" ON message USING btree ("threadId", "position");

CREATE INDEX project_deleted_idx ON project USING btree ("deletedAt") WHERE ("deletedAt" IS NOT NULL);

CREATE INDEX "project_member_userId_idx" ON project_member USING btree ("userId");

CREATE INDEX "purged_run_createdAt_id_idx" ON purged_run USING btree ("createdAt", id);

CREATE UNIQUE INDEX push_subscription_endpoint_key ON push_subscription USING btree (endpoint);

CREATE INDEX "push_subscription_userId_idx" ON push_subscription USING btree ("userId");

CREATE UNIQUE INDEX run_active_root_key ON run USING btree ("threadId") WHERE (("parentRunId" IS NULL) AND ((status = 'running'::text) OR (status = 'waiting'::text)));

CREATE INDEX run_open_idx ON run USING btree (status, "ownerId", "createdAt") WHERE ("endedAt" IS NULL);

CREATE INDEX run_open_thread_idx ON run USING btree ("threadId", "position") WHERE ("endedAt" IS NULL);

CREATE INDEX "run_ownerId_createdAt_idx" ON run USING btree ("ownerId", "createdAt");

CREATE UNIQUE INDEX "run_parentRunId_parentToolCallId_key" ON run USING btree ("parentRunId", "parentToolCallId");

CREATE INDEX "run_rootRunId_idx" ON run USING btree ("rootRunId");

CREATE INDEX run_root_created_idx ON run USING btree ("createdAt", id) WHERE (depth = 0);

CREATE UNIQUE INDEX "run_threadId_idempotencyKey_key" ON run USING btree ("threadId", "idempotencyKey");

CREATE INDEX "run_threadId_position_idx" ON run USING btree ("threadId", "position");

CREATE INDEX run_todos_idx ON run USING btree ("threadId", "position") WHERE (todos IS NOT NULL);

CREATE INDEX run_unpriced_idx ON run USING btree ("endedAt", id) WHERE (("costUsd" IS NULL) AND ("endedAt" IS NOT NULL));

CREATE INDEX run_unreported_idx ON run USING btree ("parentRunId") WHERE (("parentRunId" IS NOT NULL) AND (NOT "isReported") AND ("endedAt" IS NOT NULL));

CREATE UNIQUE INDEX "saved_prompt_ownerId_name_key" ON saved_prompt USING btree ("ownerId", name);

CREATE UNIQUE INDEX saved_prompt_shared_key ON saved_prompt USING btree (name) WHERE ("ownerId" IS NULL);

CREATE INDEX "score_authorId_idx" ON score USING btree ("authorId");

CREATE UNIQUE INDEX "score_runId_spanId_name_authorId_key" ON score USING btree ("runId", "spanId", name, "authorId");

CREATE INDEX "score_threadId_idx" ON score USING btree ("threadId");

CREATE INDEX "score_traceId_idx" ON score USING btree ("traceId");

CREATE INDEX search_message_grams_idx ON search_message USING gin (grams);

CREATE INDEX search_trace_grams_idx ON search_trace USING gin (grams);

CREATE INDEX search_unfolded_token_idx ON search_unfolded USING btree (token);

CREATE INDEX "session_expiresAt_idx" ON session USING btree ("expiresAt");

CREATE UNIQUE INDEX session_token_key ON session USING btree (token);

CREATE INDEX "session_userId_idx" ON session USING btree ("userId");

CREATE INDEX "share_expiresAt_idx" ON share USING btree ("expiresAt");

CREATE UNIQUE INDEX "share_threadId_key" ON share USING btree ("threadId");

CREATE UNIQUE INDEX "share_tokenHash_key" ON share USING btree ("tokenHash");

CREATE INDEX "skill_file_blobHash_idx" ON skill_file USING btree ("blobHash");

CREATE UNIQUE INDEX skill_name_key ON skill USING btree (name);

CREATE INDEX "span_traceId_startedAt_id_idx" ON span USING btree ("traceId", "startedAt", id);

CREATE INDEX thread_board_idx ON thread USING btree ("boardId") WHERE ("boardId" IS NOT NULL);

CREATE INDEX thread_compacting_idx ON thread USING btree ("compactionUntil") WHERE ("compactionUntil" IS NOT NULL);

CREATE INDEX thread_deleted_idx ON thread USING btree ("deletedAt") WHERE ("deletedAt" IS NOT NULL);

CREATE INDEX thread_ephemeral_idx ON thread USING btree ("updatedAt") WHERE (ephemeral = true);

CREATE INDEX "thread_image_blobHash_idx" ON thread_image USING btree ("blobHash");

CREATE UNIQUE INDEX "thread_ownerId_agentId_clientId_key" ON thread USING btree ("ownerId", "agentId", "clientId");

CREATE INDEX "thread_ownerId_updatedAt_id_idx" ON thread USING btree ("ownerId", "updatedAt", id);

CREATE INDEX "thread_parentThreadId_idx" ON thread USING btree ("parentThreadId");

CREATE INDEX thread_project_idx ON thread USING btree ("projectId", "updatedAt", id) WHERE ("projectId" IS NOT NULL);

CREATE INDEX thread_unused_idx ON thread USING btree ("updatedAt") WHERE (("deletedAt" IS NULL) AND ("parentThreadId" IS NULL));

CREATE INDEX timer_at_idx ON timer USING btree (at);

CREATE INDEX "trace_agentId_startedAt_idx" ON trace USING btree ("agentId", "startedAt");

CREATE INDEX "trace_ownerId_startedAt_id_idx" ON trace USING btree ("ownerId", "startedAt", id);

CREATE UNIQUE INDEX "trace_runId_key" ON trace USING btree ("runId");

CREATE INDEX "trace_startedAt_id_idx" ON trace USING btree ("startedAt", id);

CREATE INDEX "trace_status_startedAt_id_idx" ON trace USING btree (status, "startedAt", id);

CREATE INDEX "trace_waitedMs_id_idx" ON trace USING btree ("waitedMs", id);

CREATE INDEX "trace_workedMs_id_idx" ON trace USING btree ("workedMs", id);

CREATE INDEX "transcript_message_runId_idx" ON transcript_message USING btree ("runId");

CREATE UNIQUE INDEX "transcript_message_threadId_position_key" ON transcript_message USING btree ("threadId", "position");

CREATE INDEX "trigger_agentId_idx" ON trigger USING btree ("agentId");

CREATE INDEX "trigger_apiKeyId_idx" ON trigger USING btree ("apiKeyId");

CREATE UNIQUE INDEX trigger_config_key ON trigger USING btree ("agentId", name) WHERE ("fromConfig" = true);

CREATE INDEX trigger_due_idx ON trigger USING btree ("nextDueAt") WHERE ("nextDueAt" IS NOT NULL);

CREATE UNIQUE INDEX trigger_heartbeat_key ON trigger USING btree ("ownerId", "agentId") WHERE (kind = 'heartbeat'::text);

CREATE INDEX "trigger_ownerId_idx" ON trigger USING btree ("ownerId");

CREATE UNIQUE INDEX user_email_key ON "user" USING btree (email);

CREATE INDEX "verification_expiresAt_idx" ON verification USING btree ("expiresAt");

CREATE INDEX verification_identifier_idx ON verification USING btree (identifier);

CREATE UNIQUE INDEX "webhook_secret_webhookId_number_key" ON webhook_secret USING btree ("webhookId", number);

CREATE INDEX "workspace_file_blobHash_idx" ON workspace_file USING btree ("blobHash");

CREATE INDEX workspace_project_idx ON workspace USING btree ("projectId") WHERE ("projectId" IS NOT NULL);

CREATE UNIQUE INDEX "workspace_scopeKey_key" ON workspace USING btree ("scopeKey");

CREATE INDEX "workspace_threadId_idx" ON workspace USING btree ("threadId");

CREATE TRIGGER audit_entry_fold_after_delete AFTER DELETE ON audit_entry FOR EACH ROW EXECUTE FUNCTION search_fold_gone();

CREATE TRIGGER audit_entry_fold_after_insert AFTER INSERT ON audit_entry FOR EACH ROW WHEN ((octet_length(((COALESCE(new.details, ''::text) || COALESCE(new.before, ''::text)) || COALESCE(new.after, ''::text))) <> length(((COALESCE(new.details, ''::text) || COALESCE(new.before, ''::text)) || COALESCE(new.after, ''::text))))) EXECUTE FUNCTION search_fold_missing();

CREATE TRIGGER audit_entry_fold_after_update AFTER UPDATE OF details, before, after ON audit_entry FOR EACH ROW WHEN (((octet_length(((COALESCE(new.details, ''::text) || COALESCE(new.before, ''::text)) || COALESCE(new.after, ''::text))) <> length(((COALESCE(new.details, ''::text) || COALESCE(new.before, ''::text)) || COALESCE(new.after, ''::text)))) OR (octet_length(((COALESCE(old.details, ''::text) || COALESCE(old.before, ''::text)) || COALESCE(old.after, ''::text))) <> length(((COALESCE(old.details, ''::text) || COALESCE(old.before, ''::text)) || COALESCE(old.after, ''::text)))))) EXECUTE FUNCTION search_fold_missing();

CREATE TRIGGER audit_entry_fold_before_update BEFORE UPDATE OF details, before, after ON audit_entry FOR EACH ROW EXECUTE FUNCTION search_fold_stale();

CREATE TRIGGER search_after_change AFTER INSERT OR DELETE OR UPDATE OF text ON transcript_message FOR EACH ROW EXECUTE FUNCTION search_message_changed();

CREATE TRIGGER search_trace_after_change AFTER INSERT OR DELETE OR UPDATE OF title, error, folded, model ON trace FOR EACH ROW EXECUTE FUNCTION search_trace_changed();

CREATE TRIGGER thread_fold_after_delete AFTER DELETE ON thread FOR EACH ROW EXECUTE FUNCTION search_fold_gone();

CREATE TRIGGER thread_fold_after_insert AFTER INSERT ON thread FOR EACH ROW WHEN ((octet_length(new.title) <> length(new.title))) EXECUTE FUNCTION search_fold_missing();

CREATE TRIGGER thread_fold_after_update AFTER UPDATE OF title ON thread FOR EACH ROW WHEN (((octet_length(new.title) <> length(new.title)) OR (octet_length(old.title) <> length(old.title)))) EXECUTE FUNCTION search_fold_missing();

CREATE TRIGGER thread_fold_before_update BEFORE UPDATE OF title ON thread FOR EACH ROW EXECUTE FUNCTION search_fold_stale();

CREATE TRIGGER trace_fold_after_delete AFTER DELETE ON trace FOR EACH ROW EXECUTE FUNCTION search_fold_gone();

CREATE TRIGGER trace_fold_after_insert AFTER INSERT ON trace FOR EACH ROW WHEN ((octet_length((COALESCE(new.title, ''::text) || COALESCE(new.error, ''::text))) <> length((COALESCE(new.title, ''::text) || COALESCE(new.error, ''::text))))) EXECUTE FUNCTION search_fold_missing();

CREATE TRIGGER trace_fold_after_update AFTER UPDATE OF title, error ON trace FOR EACH ROW WHEN (((octet_length((COALESCE(new.title, ''::text) || COALESCE(new.error, ''::text))) <> length((COALESCE(new.title, ''::text) || COALESCE(new.error, ''::text)))) OR (octet_length((COALESCE(old.title, ''::text) || COALESCE(old.error, ''::text))) <> length((COALESCE(old.title, ''::text) || COALESCE(old.error, ''::text)))))) EXECUTE FUNCTION search_fold_missing();

CREATE TRIGGER trace_fold_before_update BEFORE UPDATE OF title, error ON trace FOR EACH ROW EXECUTE FUNCTION search_fold_stale();

CREATE TRIGGER transcript_message_fold_after_delete AFTER DELETE ON transcript_message FOR EACH ROW EXECUTE FUNCTION search_fold_gone();

CREATE TRIGGER transcript_message_fold_after_insert AFTER INSERT ON transcript_message FOR EACH ROW WHEN ((octet_length(new.text) <> length(new.text))) EXECUTE FUNCTION search_fold_missing();

CREATE TRIGGER transcript_message_fold_after_update AFTER UPDATE OF text ON transcript_message FOR EACH ROW WHEN (((octet_length(new.text) <> length(new.text)) OR (octet_length(old.text) <> length(old.text)))) EXECUTE FUNCTION search_fold_missing();

CREATE TRIGGER transcript_message_fold_before_update BEFORE UPDATE OF text ON transcript_message FOR EACH ROW EXECUTE FUNCTION search_fold_stale();

ALTER TABLE account
    ADD CONSTRAINT "account_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE agent_alias
    ADD CONSTRAINT "agent_alias_agentId_fkey" FOREIGN KEY ("agentId") REFERENCES agent(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE agent_draft
    ADD CONSTRAINT "agent_draft_agentId_fkey" FOREIGN KEY ("agentId") REFERENCES agent(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE agent_version
    ADD CONSTRAINT "agent_version_agentId_fkey" FOREIGN KEY ("agentId") REFERENCES agent(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE agent_version_file
    ADD CONSTRAINT "agent_version_file_agentVersionId_fkey" FOREIGN KEY ("agentVersionId") REFERENCES agent_version(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE api_key
    ADD CONSTRAINT "api_key_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE approval
    ADD CONSTRAINT "approval_runId_fkey" FOREIGN KEY ("runId") REFERENCES run(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE board_card
    ADD CONSTRAINT "board_card_boardId_fkey" FOREIGN KEY ("boardId") REFERENCES board(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE board_run
    ADD CONSTRAINT "board_run_boardId_fkey" FOREIGN KEY ("boardId") REFERENCES board(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE channel_code
    ADD CONSTRAINT "channel_code_channelId_fkey" FOREIGN KEY ("channelId") REFERENCES channel(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE channel_code
    ADD CONSTRAINT "channel_code_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE channel_link
    ADD CONSTRAINT "channel_link_channelId_fkey" FOREIGN KEY ("channelId") REFERENCES channel(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE channel_link
    ADD CONSTRAINT "channel_link_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE channel_message
    ADD CONSTRAINT "channel_message_channelId_fkey" FOREIGN KEY ("channelId") REFERENCES channel(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE compaction
    ADD CONSTRAINT "compaction_threadId_fkey" FOREIGN KEY ("threadId") REFERENCES thread(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE delivery_attempt
    ADD CONSTRAINT "delivery_attempt_deliveryId_fkey" FOREIGN KEY ("deliveryId") REFERENCES delivery(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE file_version
    ADD CONSTRAINT "file_version_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES workspace(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE firing
    ADD CONSTRAINT "firing_triggerId_fkey" FOREIGN KEY ("triggerId") REFERENCES trigger(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE "grant"
    ADD CONSTRAINT "grant_threadId_fkey" FOREIGN KEY ("threadId") REFERENCES thread(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE group_agent
    ADD CONSTRAINT "group_agent_agentId_fkey" FOREIGN KEY ("agentId") REFERENCES agent(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE group_agent
    ADD CONSTRAINT "group_agent_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "group"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE group_member
    ADD CONSTRAINT "group_member_groupId_fkey" FOREIGN KEY ("groupId") REFERENCES "group"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE group_member
    ADD CONSTRAINT "group_member_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE inbox_note
    ADD CONSTRAINT "inbox_note_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE mcp_authorization
    ADD CONSTRAINT "mcp_authorization_serverId_fkey" FOREIGN KEY ("serverId") REFERENCES mcp_server(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE mcp_connection
    ADD CONSTRAINT "mcp_connection_serverId_fkey" FOREIGN KEY ("serverId") REFERENCES mcp_server(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE mcp_tool
    ADD CONSTRAINT "mcp_tool_serverId_fkey" FOREIGN KEY ("serverId") REFERENCES mcp_server(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE message
    ADD CONSTRAINT "message_threadId_fkey" FOREIGN KEY ("threadId") REFERENCES thread(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE notification_choice
    ADD CONSTRAINT "notification_choice_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE project_instructions
    ADD CONSTRAINT "project_instructions_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES project(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE project_member
    ADD CONSTRAINT "project_member_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES project(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE project_member
    ADD CONSTRAINT "project_member_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE push_subscription
    ADD CONSTRAINT "push_subscription_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE run
    ADD CONSTRAINT "run_agentVersionId_fkey" FOREIGN KEY ("agentVersionId") REFERENCES agent_version(id) ON UPDATE CASCADE ON DELETE RESTRICT;

ALTER TABLE run
    ADD CONSTRAINT "run_threadId_fkey" FOREIGN KEY ("threadId") REFERENCES thread(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE saved_prompt
    ADD CONSTRAINT "saved_prompt_ownerId_fkey" FOREIGN KEY ("ownerId") REFERENCES "user"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE score
    ADD CONSTRAINT "score_authorId_fkey" FOREIGN KEY ("authorId") REFERENCES "user"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE score
    ADD CONSTRAINT "score_traceId_fkey" FOREIGN KEY ("traceId") REFERENCES trace(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE session
    ADD CONSTRAINT "session_userId_fkey" FOREIGN KEY ("userId") REFERENCES "user"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE share
    ADD CONSTRAINT "share_threadId_fkey" FOREIGN KEY ("threadId") REFERENCES thread(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE skill_file
    ADD CONSTRAINT "skill_file_skillId_number_fkey" FOREIGN KEY ("skillId", number) REFERENCES skill_version("skillId", number) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE skill_version
    ADD CONSTRAINT "skill_version_skillId_fkey" FOREIGN KEY ("skillId") REFERENCES skill(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE thread
    ADD CONSTRAINT "thread_agentId_fkey" FOREIGN KEY ("agentId") REFERENCES agent(id) ON UPDATE CASCADE ON DELETE RESTRICT;

ALTER TABLE thread_image
    ADD CONSTRAINT "thread_image_threadId_fkey" FOREIGN KEY ("threadId") REFERENCES thread(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE thread
    ADD CONSTRAINT "thread_ownerId_fkey" FOREIGN KEY ("ownerId") REFERENCES "user"(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE thread
    ADD CONSTRAINT "thread_projectId_fkey" FOREIGN KEY ("projectId") REFERENCES project(id) ON UPDATE CASCADE ON DELETE SET NULL;

ALTER TABLE transcript_message
    ADD CONSTRAINT "transcript_message_threadId_fkey" FOREIGN KEY ("threadId") REFERENCES thread(id) ON UPDATE CASCADE ON DELETE CASCADE;

ALTER TABLE workspace_file
    ADD CONSTRAINT "workspace_file_workspaceId_fkey" FOREIGN KEY ("workspaceId") REFERENCES workspace(id) ON UPDATE CASCADE ON DELETE CASCADE;
