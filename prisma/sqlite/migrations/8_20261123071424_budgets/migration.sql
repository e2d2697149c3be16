-- CreateTable
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

-- CreateTable
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

-- CreateTable
CREATE TABLE "budget_reservation" (
    "runId" TEXT NOT NULL,
    "epoch" INTEGER NOT NULL,
    "call" INTEGER NOT NULL,
    "accountId" TEXT NOT NULL,
    "usd" REAL NOT NULL,
    "tokens" REAL NOT NULL,
    "createdAt" DATETIME NOT NULL,

    PRIMARY KEY ("runId", "epoch", "call", "accountId")
);

-- CreateIndex
CREATE INDEX "budget_account_budgetId_updatedAt_idx" ON "budget_account"("budgetId", "updatedAt");
