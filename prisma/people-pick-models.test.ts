import { readFileSync } from "node:fs";
import Connection from "better-sqlite3";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { AgentConfig } from "@/lib/schema/agents/agent-config";
import { requireMachine } from "@/lib/testing/setup/require-machine";
import { listMigrations } from "../scripts/database/apply-migrations";
import { type PostgresServer, startPostgres } from "../scripts/database/postgres-server";

const TABLES = `
  create table "provider" ("id" text primary key);
  create table "agent_version" ("id" text primary key, "config" text not null, "yaml" text);
  create table "agent_draft" ("id" text primary key, "yaml" text not null);`;
const NONE = { models: [], efforts: [] };
const LISTED = { models: ["openai:one"], efforts: ["low"] };

/** What was written, and the choices that it has afterwards. */
const WRITTEN: Readonly<Record<string, readonly [yaml: string, choices: object]>> = {
  plain: ["name: A\nmax_iterations: 7\n", NONE],
  "without a last line break": ["name: A", NONE],
  "with a text at the end": ["name: A\nsystem_prompt: |\n  Be brief.\n  choices: none\n", NONE],
  "with comments": ["# Ours\nname: A # the name\n\n# end", NONE],
  JSON: ['{"name": "A", "max_iterations": 7}\n', NONE],
  "in braces": ["{name: A}", NONE],
  "with choices": ["name: A\nchoices:\n  models: [openai:one]\n  efforts: [low]\n", LISTED],
  "with choices first": ["choices: {models: [openai:one], efforts: [low]}\nname: A\n", LISTED],
  "JSON with choices": ['{"name": "A", "choices": {"models": ["openai:one"], "efforts": ["low"]}}', LISTED],
};

const inserts = Object.entries(WRITTEN).flatMap(([id, [yaml]]) => {
  const config = JSON.stringify(parseYaml(yaml));
  const quoted = [id, config, yaml].map((text) => `'${text.replaceAll("'", "''")}'`);
  return [
    `insert into "agent_version" values (${quoted.join(", ")})`,
    `insert into "agent_draft" values (${quoted[0]}, ${quoted[2]})`,
  ];
});
const others = [
  `insert into "agent_version" values ('empty', '{}', null)`,
  `insert into "agent_draft" values ('empty', '')`,
];
const SETUP = [TABLES, ...inserts, ...others].join(";\n");

interface Row {
  readonly id: string;
  readonly config?: string;
  readonly yaml: string | null;
}

function expectUnchangedMeaning(versions: readonly Row[], drafts: readonly Row[]): void {
  const of = (rows: readonly Row[], id: string) => rows.find((row) => row.id === id);
  expect(AgentConfig.parse({ name: "A", ...JSON.parse(of(versions, "empty")?.config ?? "") }).choices).toEqual(NONE);
  expect(parseYaml(of(drafts, "empty")?.yaml ?? "")).toEqual({ choices: NONE });
  for (const [id, [before, choices]] of Object.entries(WRITTEN)) {
    const version = of(versions, id);
    const stored = JSON.parse(version?.config ?? "");
    expect(AgentConfig.parse(stored).choices, id).toEqual(choices);
    expect(parseYaml(version?.yaml ?? ""), id).toEqual(stored);
    expect(parseYaml(of(drafts, id)?.yaml ?? ""), id).toEqual(stored);
    expect({ ...stored, choices: undefined }, id).toEqual({ ...(parseYaml(before) as object), choices: undefined });
    if (choices === LISTED) expect(version?.yaml, id).toBe(before);
  }
}

function migration(provider: "sqlite" | "postgresql"): string {
  const name = listMigrations(provider).find((entry) => entry.name.endsWith("_people_pick_models"))?.name;
  return readFileSync(`prisma/${provider}/migrations/${name}/migration.sql`, "utf8");
}

describe("an agent written before people could pick any model keeps its own", () => {
  test("on SQLite", () => {
    const connection = new Connection(":memory:");
    connection.exec(SETUP);
    connection.exec(migration("sqlite"));
    const rows = (table: string) => connection.prepare(`select * from "${table}"`).all() as Row[];
    expectUnchangedMeaning(rows("agent_version"), rows("agent_draft"));
    connection.close();
  });

  describe.skipIf(!requireMachine("postgresql"))("on Postgres", () => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(() => server.stop());

    test("too", async () => {
      const client = new pg.Client({ connectionString: server.url });
      await client.connect();
      await client.query(SETUP);
      await client.query(migration("postgresql"));
      const rows = async (table: string) => (await client.query<Row>(`select * from "${table}"`)).rows;
      expectUnchangedMeaning(await rows("agent_version"), await rows("agent_draft"));
      await client.end();
    });
  });
});
