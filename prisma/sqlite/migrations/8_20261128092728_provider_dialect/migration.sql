-- RedefineTables
PRAGMA defer_foreign_keys=ON;
PRAGMA foreign_keys=OFF;
CREATE TABLE "new_provider" (
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
);
INSERT INTO "new_provider" ("allowedRoles", "baseUrl", "createdAt", "createdById", "id", "keyEncrypted", "keyEnding", "keySetAt", "keySetById", "kind", "models", "name", "updatedAt") SELECT "allowedRoles", "baseUrl", "createdAt", "createdById", "id", "keyEncrypted", "keyEnding", "keySetAt", "keySetById", "kind", "models", "name", "updatedAt" FROM "provider";
DROP TABLE "provider";
ALTER TABLE "new_provider" RENAME TO "provider";
PRAGMA foreign_keys=ON;
PRAGMA defer_foreign_keys=OFF;
