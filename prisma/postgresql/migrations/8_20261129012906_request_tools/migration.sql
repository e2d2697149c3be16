-- Since 0.2.0

-- AlterTable
ALTER TABLE "http_tool" ADD COLUMN     "request" TEXT;
