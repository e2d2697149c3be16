ALTER TABLE "provider" ADD COLUMN "anyAgent" BOOLEAN NOT NULL DEFAULT false;

-- From now on an agent without `choices` offers every model that is on. Those written before keep offering none.
UPDATE "agent_version" SET
  "yaml" = CASE
    WHEN ltrim("yaml", ' ' || char(9) || char(10) || char(13)) LIKE '{%' AND rtrim("yaml", ' ' || char(9) || char(10) || char(13)) LIKE '%}'
      THEN substr(rtrim("yaml", ' ' || char(9) || char(10) || char(13)), 1, length(rtrim("yaml", ' ' || char(9) || char(10) || char(13))) - 1) || ', "choices": {"models": [], "efforts": []}}'
    WHEN "yaml" = '' OR "yaml" LIKE '%' || char(10) THEN "yaml" || 'choices: {models: [], efforts: []}' || char(10)
    ELSE "yaml" || char(10) || 'choices: {models: [], efforts: []}' || char(10)
  END
WHERE "yaml" IS NOT NULL AND json_type("config", '$.choices') IS NULL;

UPDATE "agent_version" SET
  "config" = substr("config", 1, length("config") - 1) || CASE WHEN "config" = '{}' THEN '' ELSE ',' END || '"choices":{"models":[],"efforts":[]}}'
WHERE json_type("config", '$.choices') IS NULL;

UPDATE "agent_draft" SET
  "yaml" = CASE
    WHEN ltrim("yaml", ' ' || char(9) || char(10) || char(13)) LIKE '{%' AND rtrim("yaml", ' ' || char(9) || char(10) || char(13)) LIKE '%}'
      THEN substr(rtrim("yaml", ' ' || char(9) || char(10) || char(13)), 1, length(rtrim("yaml", ' ' || char(9) || char(10) || char(13))) - 1) || ', "choices": {"models": [], "efforts": []}}'
    WHEN "yaml" = '' OR "yaml" LIKE '%' || char(10) THEN "yaml" || 'choices: {models: [], efforts: []}' || char(10)
    ELSE "yaml" || char(10) || 'choices: {models: [], efforts: []}' || char(10)
  END
WHERE instr(char(10) || "yaml", char(10) || 'choices:') = 0 AND instr("yaml", '"choices"') = 0;
