-- AlterTable
ALTER TABLE "thread" ADD COLUMN "boardId" TEXT;

-- CreateTable
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
);

-- CreateTable
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
    "updatedAt" DATETIME NOT NULL,
    CONSTRAINT "board_card_boardId_fkey" FOREIGN KEY ("boardId") REFERENCES "board" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
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

-- CreateIndex
CREATE INDEX "board_ownerId_createdAt_id_idx" ON "board"("ownerId", "createdAt", "id");

-- CreateIndex
CREATE UNIQUE INDEX "board_card_boardId_number_key" ON "board_card"("boardId", "number");

-- CreateIndex
CREATE INDEX "board_run_boardId_createdAt_id_idx" ON "board_run"("boardId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "board_run_runId_idx" ON "board_run"("runId");

-- CreateIndex
CREATE INDEX "board_run_open_idx" ON "board_run"("boardId") WHERE ("outcome" IS NULL);

-- CreateIndex
CREATE INDEX "thread_board_idx" ON "thread"("boardId") WHERE ("boardId" IS NOT NULL);
