-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_budget_reservation" (
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
INSERT INTO "new_budget_reservation" ("accountId", "call", "createdAt", "epoch", "runId", "tokens", "usd") SELECT "accountId", "call", "createdAt", "epoch", "runId", "tokens", "usd" FROM "budget_reservation";
DROP TABLE "budget_reservation";
ALTER TABLE "new_budget_reservation" RENAME TO "budget_reservation";
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;
