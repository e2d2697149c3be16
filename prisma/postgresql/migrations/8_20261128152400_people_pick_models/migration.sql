ALTER TABLE "provider" ADD COLUMN "anyAgent" BOOLEAN NOT NULL DEFAULT false;

-- From now on an agent without `choices` offers every model that is on. Those written before keep offering none.
UPDATE "agent_version" SET
  "yaml" = CASE
    WHEN ltrim("yaml", ' ' || chr(9) || chr(10) || chr(13)) LIKE '{%' AND rtrim("yaml", ' ' || chr(9) || chr(10) || chr(13)) LIKE '%}'
      THEN substr(rtrim("yaml", ' ' || chr(9) || chr(10) || chr(13)), 1, length(rtrim("yaml", ' ' || chr(9) || chr(10) || chr(13))) - 1) || ', "choices": {"models": [], "efforts": []}}'
    WHEN "yaml" = '' OR "yaml" LIKE '%' || chr(10) THEN "yaml" || 'choices: {models: [], efforts: []}' || chr(10)
    ELSE "yaml" || chr(10) || 'choices: {models: [], efforts: []}' || chr(10)
  END
WHERE "yaml" IS NOT NULL AND ("config"::json -> 'choices') IS NULL;

UPDATE "agent_version" SET
  "config" = substr("config", 1, length("config") - 1) || CASE WHEN "config" = '{}' THEN '' ELSE ',' END || '"choices":{"models":[],"efforts":[]}}'
WHERE ("config"::json -> 'choices') IS NULL;

UPDATE "agent_draft" SET
  "yaml" = CASE
    WHEN ltrim("yaml", ' ' || chr(9) || chr(10) || chr(13)) LIKE '{%' AND rtrim("yaml", ' ' || chr(9) || chr(10) || chr(13)) LIKE '%}'
      THEN substr(rtrim("yaml", ' ' || chr(9) || chr(10) || chr(13)), 1, length(rtrim("yaml", ' ' || chr(9) || chr(10) || chr(13))) - 1) || ', "choices": {"models": [], "efforts": []}}'
    WHEN "yaml" = '' OR "yaml" LIKE '%' || chr(10) THEN "yaml" || 'choices: {models: [], efforts: []}' || chr(10)
    ELSE "yaml" || chr(10) || 'choices: {models: [], efforts: []}' || chr(10)
  END
WHERE strpos(chr(10) || "yaml", chr(10) || 'choices:') = 0 AND strpos("yaml", '"choices"') = 0;
