-- DropIndex
DROP INDEX "run_event_createdAt_idx";
