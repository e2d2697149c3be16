-- Since 0.2.0

-- CreateIndex
CREATE INDEX "call_rule_idx" ON "call"("traceId", "rule") WHERE ("rule" IS NOT NULL);
