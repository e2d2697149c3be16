import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { GET as flow } from "@/app/agents/[id]/flow/route";
import { GET as info } from "@/app/agents/[id]/route";
import { DELETE as removeAlias, PUT as setAlias } from "@/app/api/agents/[agentId]/aliases/[name]/route";
import { GET as aliases } from "@/app/api/agents/[agentId]/aliases/route";
import { GET as compare } from "@/app/api/agents/[agentId]/compare/route";
import { PUT as saveDraft } from "@/app/api/agents/[agentId]/draft/route";
import { PUT as saveFiles } from "@/app/api/agents/[agentId]/prompt-files/route";
import { POST as publish } from "@/app/api/agents/[agentId]/publish/route";
import { PATCH as save } from "@/app/api/agents/[agentId]/route";
import { POST as restore } from "@/app/api/agents/[agentId]/versions/[number]/restore/route";
import { GET as versions } from "@/app/api/agents/[agentId]/versions/route";
import { POST as create } from "@/app/api/agents/route";
import { GET as audit } from "@/app/api/audit/route";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";

const ONE = "# First.\nname: Coder\nsystem_prompt: You write short and correct answers.\ntools: [calculate]\n";
const TWO = ONE.replace("short and correct", "correct").replace("tools", "max_tokens: 50\ntools");

describe("versions of an agent", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
    await server.call(create, { as: "admin", body: { id: "coder", yaml: ONE } });
    await server.call(save, { as: "admin", method: "PATCH", params, body: { yaml: TWO } });
  });
  afterEach(() => server.close());

  const params = { agentId: "coder" };
  const name = (alias: string, version: number) =>
    server.call(setAlias, { as: "admin", method: "PUT", params: { ...params, name: alias }, body: { version } });
  const infoOf = (version: string, as: "admin" | "member" = "member") =>
    server.call(info, { as, params: { id: "coder" }, path: `/?version=${version}` });
  const diff = async (query: string) =>
    (await server.call(compare, { as: "admin", params, path: `/?${query}` })).json();
  const restoreIt = (number: number, revision: number) =>
    server.call(restore, { as: "admin", params: { ...params, number: String(number) }, body: { revision } });

  test("get names, which move and are removed", async () => {
    expect(await (await name("prod", 1)).json()).toMatchObject({
      name: "prod",
      version: 1,
      updatedByName: "The admin",
    });
    await name("canary", 2);
    await name("prod", 2);
    const list = async () => (await (await server.call(aliases, { as: "member", params })).json()).aliases;
    expect((await list()).map((alias: { name: string; version: number }) => [alias.name, alias.version])).toEqual([
      ["canary", 2],
      ["prod", 2],
    ]);
    const { versions: listed } = await (await server.call(versions, { as: "admin", params })).json();
    expect(listed.map((one: { aliases: string[] }) => one.aliases)).toEqual([["canary", "prod"], []]);
    const drop = () =>
      server.call(removeAlias, { as: "admin", method: "DELETE", params: { ...params, name: "canary" } });
    expect([(await drop()).status, (await drop()).status]).toEqual([204, 404]);
    expect((await list()).length).toBe(1);
    const { entries } = await (await server.call(audit, { as: "admin" })).json();
    expect(entries.slice(0, 2)).toMatchObject([
      { action: "agent.alias_removed", before: { canary: 2 }, after: null },
      { action: "agent.alias_set", before: { prod: 1 }, after: { prod: 2 } },
    ]);
  });

  test("are not named like a number or a word that means something else, and only where they exist", async () => {
    for (const alias of ["2", "draft", "current", "Prod", "a b"]) expect((await name(alias, 1)).status).toBe(400);
    expect((await name("prod", 9)).status).toBe(404);
  });

  test("are asked for by alias by everybody, and by number by admins", async () => {
    await name("prod", 1);
    expect(await (await infoOf("prod")).json()).toMatchObject({ version: 1 });
    expect(await (await infoOf("1", "admin")).json()).toMatchObject({ version: 1 });
    expect([(await infoOf("1")).status, (await infoOf("draft")).status]).toEqual([403, 403]);
    const key = await server.addKey("admin", ["read"]);
    expect((await server.call(info, { key, params: { id: "coder" }, path: "/?version=1" })).status).toBe(403);
    expect((await server.call(flow, { as: "member", params: { id: "coder" }, path: "/?version=prod" })).status).toBe(
      200,
    );
  });

  test.each(["staging", "9", "draft", "-1", "1.0", "99999999999"])("%s is no version: 404", async (version) => {
    expect((await infoOf(version, "admin")).status).toBe(404);
  });

  test("are compared field by field, the prompt word by word", async () => {
    expect(await diff("from=1&to=2")).toEqual({
      changes: [
        {
          path: "system_prompt",
          before: "You write short and correct answers.",
          after: "You write correct answers.",
        },
        { path: "max_tokens", after: 50 },
      ],
      promptDiff: [
        { text: "You write ", change: "same" },
        { text: "short and ", change: "removed" },
        { text: "correct answers.", change: "same" },
      ],
    });
    expect(await diff("from=2&to=current")).toEqual({ changes: [], promptDiff: [] });
  });

  test("are compared with the draft, by name too", async () => {
    await name("prod", 1);
    const yaml = `${TWO}permissions: {enabled: true, ask: [execute]}\n`;
    await server.call(saveDraft, { as: "admin", method: "PUT", params, body: { yaml, revision: 0 } });
    expect((await diff("from=2&to=draft")).changes).toEqual([
      { path: "permissions", after: { enabled: true, ask: ["execute"] } },
    ]);
    expect((await diff("from=prod&to=draft")).changes).toHaveLength(3);
  });

  test("are not compared with what is not there or can't be read", async () => {
    const status = async (query: string) =>
      (await server.call(compare, { as: "admin", params, path: `/?${query}` })).status;
    expect([await status("from=1&to=9"), await status("from=1")]).toEqual([404, 400]);
    await server.call(saveDraft, { as: "admin", method: "PUT", params, body: { yaml: "name: [", revision: 0 } });
    expect(await diff("from=1&to=draft")).toMatchObject({ error: { message: expect.stringContaining("Line 1") } });
  });

  test("two prompts that have nothing in common are compared whole, and at once", async () => {
    const words = (salt: number) =>
      Array.from({ length: 6_000 }, (_, at) => `w${(at * 7 + salt) % 9973}x${salt}`).join(" ");
    for (const salt of [1, 2]) {
      const body = { config: { name: "Coder", system_prompt: words(salt) } };
      await server.call(save, { as: "admin", method: "PATCH", params, body });
    }
    const { promptDiff } = await diff("from=3&to=4");
    expect(promptDiff.map(({ change }: { change: string }) => change)).toEqual(["removed", "added"]);
  });

  test("are restored into the draft with text and prompt files, and published from there", async () => {
    const file = { files: { "SOUL.md": "Calm." } };
    await server.call(saveFiles, { as: "admin", method: "PUT", params, body: file });
    await server.call(saveFiles, { as: "admin", method: "PUT", params, body: { files: { "SOUL.md": "Loud." } } });
    expect(await (await restoreIt(3, 0)).json()).toMatchObject({
      revision: 1,
      yaml: TWO,
      baseVersion: 4,
      isBehind: false,
    });
    expect((await diff("from=4&to=draft")).changes).toEqual([
      { path: "prompt_files.SOUL.md", before: "Loud.", after: "Calm." },
    ]);
    const published = await server.call(publish, { as: "admin", params, body: { revision: 1 } });
    expect(await published.json()).toEqual({ number: 5 });
    expect(await diff("from=3&to=5")).toEqual({ changes: [], promptDiff: [] });
  });

  test("a restored version keeps its comments, and does not replace a draft of another revision", async () => {
    await restoreIt(2, 0);
    expect((await restoreIt(1, 0)).status).toBe(409);
    expect(await (await restoreIt(1, 1)).json()).toMatchObject({ yaml: ONE, revision: 2 });
    expect((await restoreIt(9, 2)).status).toBe(404);
  });
});
