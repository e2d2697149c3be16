import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeEach, describe, expect, test } from "vitest";
import { POST as invoke } from "@/app/agents/[id]/invoke/route";
import { PATCH as patchAgent } from "@/app/agents/[id]/route";
import { GET as getSkill } from "@/app/api/skills/[name]/route";
import { GET as listSkills } from "@/app/api/skills/route";
import type { InstalledSkill } from "@/lib/schema/skills/skill";
import { seedAgents } from "@/lib/server/agents/seed-agents";
import { type RunServer, startRunServer } from "@/lib/testing/servers/run-server";
import type { ScriptedServerOptions } from "@/lib/testing/servers/scripted-openai-server";
import { requireMachine } from "@/lib/testing/setup/require-machine";
import { seedSkills } from "./seed-skills";

const SAMPLES = ["data-summary", "document-writer", "review-checklist"];
const TABLE = `name;born;city;score
"Ada";1815-12-10;London;9.5
"O""Neil; Bo";1900-01-02;"New
York";-3
Cy;1999-05-05;London;
Di;2001-02-03;London;7;extra
`;
const SUMMARY = `4 rows, 4 columns

| column | type | filled | empty | distinct | min | max | mean | most frequent |
|---|---|---|---|---|---|---|---|---|
| name | text | 4 | 0 | 4 |  |  |  | Ada (1) |
| born | date | 4 | 0 | 4 | 1815-12-10 | 2001-02-03 |  | 1815-12-10 (1) |
| city | text | 4 | 0 | 2 |  |  |  | London (3) |
| score | number | 3 | 1 | 3 | -3 | 9.5 | 4.5 | 9.5 (1) |

1 row has more or fewer fields than the header.
`;

describe("seeding", () => {
  let server: RunServer;
  beforeEach(async () => {
    server = await startEmpty(() => ({ text: "fine" }));
  });
  afterEach(() => server.close());

  const installed = async () => {
    const reply = await server.call(listSkills, { as: "admin" });
    return ((await reply.json()) as { skills: InstalledSkill[] }).skills;
  };

  test("an empty database gets the samples, and the assistant uses them", async () => {
    await seedSkills(server.services);
    await seedAgents(server.services);
    const found = await installed();
    expect(found.map(({ name, version, source }) => [name, version, source])).toEqual(
      SAMPLES.map((name) => [name, 1, "sample"]),
    );
    expect(found.map(({ usedBy }) => usedBy.map(({ id }) => id))).toEqual(SAMPLES.map(() => ["default"]));
    const detail = await server.call(getSkill, { as: "admin", params: { name: "data-summary" } });
    expect((await detail.json()).files.map((file: { path: string }) => file.path)).toEqual([
      "SKILL.md",
      "scripts/summarize.awk",
    ]);
    await changeDefault(server, { model: "scripted:m" });
    const body = { messages: [{ role: "user", content: "hi" }] };
    expect((await server.call(invoke, { as: "member", params: { id: "default" }, body })).status).toBe(200);
    const prompt = JSON.stringify(server.provider.requests[0]?.body.messages?.[0]);
    for (const name of SAMPLES) expect(prompt).toContain(`/skills/${name}/SKILL.md`);
  });

  test("a deleted sample stays deleted, and a start cut off in the middle is finished by the next", async () => {
    await seedSkills(server.services);
    await server.database.skill.deleteMany({ where: { name: "document-writer" } });
    await seedSkills(server.services);
    expect((await installed()).map(({ name }) => name)).toEqual(["data-summary", "review-checklist"]);
    await server.database.setting.update({ where: { key: "skills_seeded" }, data: { value: "begun" } });
    await seedSkills(server.services);
    expect((await installed()).map(({ name }) => name)).toEqual(SAMPLES);
  });

  test("two processes that start at once install each sample once", async () => {
    await Promise.all([seedSkills(server.services), seedSkills(server.services)]);
    expect((await installed()).map(({ name, version }) => [name, version])).toEqual(SAMPLES.map((name) => [name, 1]));
  });

  test("a database that has agents gets none", async () => {
    await seedAgents(server.services);
    await seedSkills(server.services);
    expect(await installed()).toEqual([]);
  });
});

/** A server over a database without agents. */
async function startEmpty(script: ScriptedServerOptions["script"]): Promise<RunServer> {
  const server = await startRunServer(script);
  await server.database.agent.deleteMany();
  return server;
}

async function changeDefault(server: RunServer, body: object): Promise<void> {
  const reply = await server.call(patchAgent, { as: "admin", method: "PATCH", params: { id: "default" }, body });
  expect(reply.status).toBe(200);
}

describe("the script of data-summary", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "data-summary-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  const summarize = (text: string) => {
    const file = path.join(folder, "table.csv");
    writeFileSync(file, text);
    const script = path.resolve("examples/skills/data-summary/scripts/summarize.awk");
    return spawnSync("awk", ["-f", script, file], { encoding: "utf8" });
  };

  test("counts every row of a table with quotes, separators and line breaks in its fields", () => {
    expect(summarize(TABLE)).toMatchObject({ status: 0, stderr: "", stdout: SUMMARY });
  });

  test.each([
    ["", "The file has no rows.\n"],
    ["\uFEFFa,b\r\n1,2\r\n", "| a | number | 1 | 0 | 1 | 1 | 1 | 1 | 1 (1) |"],
    ["a\tb\n1\t\n", "| b | empty | 0 | 1 | 0 |  |  |  |  |"],
    ["a|b,c\n1,2\n", "| a\\|b | number |"],
    ['a,b\n"open,2\n', "A quoted field is never closed"],
  ])("%j", (text, expected) => {
    const { status, stderr, stdout } = summarize(text);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toContain(expected);
  });
});

describe.skipIf(!requireMachine("linux", "bubblewrap"))("in the sandbox", () => {
  let server: RunServer;
  afterEach(() => server.close());

  test("an agent runs the script where the skill is installed", async () => {
    const path = "table.csv";
    server = await startEmpty([
      { calls: [{ name: "write_file", args: { path, content: TABLE } }] },
      { calls: [{ name: "execute", args: { command: `awk -f /skills/data-summary/scripts/summarize.awk ${path}` } }] },
      { text: "Done." },
    ]);
    await seedSkills(server.services);
    await seedAgents(server.services);
    await changeDefault(server, { model: "scripted:m", permissions: { enabled: false } });
    const body = { messages: [{ role: "user", content: "What is in my table?" }] };
    expect((await server.call(invoke, { as: "member", params: { id: "default" }, body })).status).toBe(200);
    const read = server.provider.requests[2]?.body.messages?.at(-1)?.content;
    expect(read).toContain("| score | number | 3 | 1 | 3 | -3 | 9.5 | 4.5 | 9.5 (1) |");
  });
});
