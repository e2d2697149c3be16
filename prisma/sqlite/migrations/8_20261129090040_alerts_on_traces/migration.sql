-- Since 0.2.0

-- CreateTable
CREATE TABLE "alert" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "ownerId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "query" TEXT NOT NULL,
    "metric" TEXT NOT NULL,
    "threshold" REAL NOT NULL,
    "windowMinutes" INTEGER NOT NULL,
    "targets" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "isOwnOnly" BOOLEAN NOT NULL DEFAULT false,
    "armedAt" DATETIME NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'ok',
    "value" REAL,
    "isOfAll" BOOLEAN NOT NULL DEFAULT false,
    "checkedAt" DATETIME,
    "isTold" BOOLEAN NOT NULL DEFAULT false,
    "lastSentAt" DATETIME,
    "messages" INTEGER NOT NULL DEFAULT 0,
    "unsent" TEXT,
    "createdAt" DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" DATETIME NOT NULL,
    CONSTRAINT "alert_ownerId_fkey" FOREIGN KEY ("ownerId") REFERENCES "user" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "alert_ownerId_name_id_idx" ON "alert"("ownerId", "name", "id");

-- CreateIndex
CREATE INDEX "alert_on_idx" ON "alert"("checkedAt") WHERE ("enabled" = true);
