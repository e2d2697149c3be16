-- AlterTable
ALTER TABLE "thread" ADD COLUMN "activeAgentId" TEXT;
