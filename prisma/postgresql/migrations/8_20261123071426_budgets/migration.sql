-- CreateTable
CREATE TABLE "budget" (
    "id" TEXT NOT NULL,
    "scope" TEXT NOT NULL,
    "scopeId" TEXT,
    "period" TEXT NOT NULL,
    "usd" DOUBLE PRECISION,
    "tokens" DOUBLE PRECISION,
    "onReach" TEXT NOT NULL,
    "createdById" TEXT NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "budget_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "budget_account" (
    "id" TEXT NOT NULL,
    "budgetId" TEXT,
    "usedUsd" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "usedTokens" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "reservedUsd" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "reservedTokens" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "addedUsd" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "addedTokens" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "addedByName" TEXT,
    "addedAt" TIMESTAMP(3),
    "reachedCount" INTEGER NOT NULL DEFAULT 0,
    "reachedAt" TIMESTAMP(3),
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "budget_account_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "budget_reservation" (
    "runId" TEXT NOT NULL,
    "epoch" INTEGER NOT NULL,
    "call" INTEGER NOT NULL,
    "accountId" TEXT NOT NULL,
    "usd" DOUBLE PRECISION NOT NULL,
    "tokens" DOUBLE PRECISION NOT NULL,
    "createdAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "budget_reservation_pkey" PRIMARY KEY ("runId","epoch","call","accountId")
);

-- CreateIndex
CREATE INDEX "budget_account_budgetId_updatedAt_idx" ON "budget_account"("budgetId", "updatedAt");
