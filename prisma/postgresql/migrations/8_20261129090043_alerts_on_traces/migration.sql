-- Since 0.2.0

-- CreateTable
CREATE TABLE "alert" (
    "id" TEXT NOT NULL,
    "ownerId" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "query" TEXT NOT NULL,
    "metric" TEXT NOT NULL,
    "threshold" DOUBLE PRECISION NOT NULL,
    "windowMinutes" INTEGER NOT NULL,
    "targets" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "isOwnOnly" BOOLEAN NOT NULL DEFAULT false,
    "armedAt" TIMESTAMP(3) NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'ok',
    "value" DOUBLE PRECISION,
    "isOfAll" BOOLEAN NOT NULL DEFAULT false,
    "checkedAt" TIMESTAMP(3),
    "isTold" BOOLEAN NOT NULL DEFAULT false,
    "lastSentAt" TIMESTAMP(3),
    "messages" INTEGER NOT NULL DEFAULT 0,
    "unsent" TEXT,
    "createdAt" TIMESTAMP(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "alert_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "alert_ownerId_name_id_idx" ON "alert"("ownerId", "name", "id");

-- CreateIndex
CREATE INDEX "alert_on_idx" ON "alert"("checkedAt") WHERE ("enabled" = true);

-- AddForeignKey
ALTER TABLE "alert" ADD CONSTRAINT "alert_ownerId_fkey" FOREIGN KEY ("ownerId") REFERENCES "user"("id") ON DELETE CASCADE ON UPDATE CASCADE;
