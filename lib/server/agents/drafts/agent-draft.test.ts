import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { PATCH as patchFields } from "@/app/agents/[id]/route";
import { DELETE as discard, GET as read, PUT as save } from "@/app/api/agents/[agentId]/draft/route";
import { POST as publish } from "@/app/api/agents/[agentId]/publish/route";
import { GET as detail, DELETE as remove } from "@/app/api/agents/[agentId]/route";
import { GET as version } from "@/app/api/agents/[agentId]/versions/[number]/route";
import { POST as create } from "@/app/api/agents/route";
import { GET as audit } from "@/app/api/audit/route";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";

const YAML = `# Ours.
name: Coder   # who
model: demo:demo
# Not more.
max_tokens: 100
`;

describe("the draft of an agent", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
    await server.call(create, { as: "admin", body: { id: "coder", yaml: YAML } });
  });
  afterEach(() => server.close());

  const params = { agentId: "coder" };
  const draft = async (revision?: number) =>
    (
      await server.call(read, { as: "admin", params, path: revision === undefined ? "/" : `/?revision=${revision}` })
    ).json();
  const put = (body: object) => server.call(save, { as: "admin", method: "PUT", params, body });
  const saved = async (body: object) => (await put(body)).json();
  const publishIt = (body: object) => server.call(publish, { as: "admin", params, body });
  const problemOf = async (reply: Response) => ({ status: reply.status, ...(await reply.json()).error });

  test("is the published version with revision 0 until a draft is saved", async () => {
    expect(await draft()).toMatchObject({
      config: { name: "Coder", max_tokens: 100 },
      yaml: YAML,
      revision: 0,
      baseVersion: 1,
      isBehind: false,
      valid: true,
      problems: [],
      updatedByName: "The admin",
    });
  });

  test("takes a config into its text, whose comments and order stay", async () => {
    const reply = await saved({ config: { name: "Coder", model: "demo:demo", max_tokens: 200 }, revision: 0 });
    expect(reply).toMatchObject({ revision: 1, baseVersion: 1, config: { max_tokens: 200 } });
    expect(reply.yaml).toBe(YAML.replace("100", "200"));
    expect(await draft()).toEqual(reply);
  });

  test("keeps a text byte for byte, and a config that says the same changes nothing", async () => {
    const yaml = "name: 'Coder'\n\n\n# x\nmodel:   demo:demo #\tend";
    const { config } = await saved({ yaml, revision: 0 });
    expect((await saved({ config, revision: 1 })).yaml).toBe(yaml);
  });

  test("keeps a text that is invalid, with every problem and its line", async () => {
    const text = "name: 7\nmodle: x\nmax_tokens: many\n";
    expect(await saved({ yaml: text, revision: 0 })).toMatchObject({
      yaml: text,
      valid: false,
      config: { name: 7 },
      problems: [{ line: 1 }, { line: 2, message: expect.stringContaining('"model"') }, { line: 3 }],
    });
    expect(await saved({ yaml: "name: [", revision: 1 })).toMatchObject({
      yaml: "name: [",
      valid: false,
      config: null,
      problems: [{ line: 1 }],
    });
  });

  test("a config after a text that can't be read begins from the published text", async () => {
    await saved({ yaml: "name: [", revision: 0 });
    const { yaml } = await saved({ config: { name: "B", model: "demo:demo", max_tokens: 100 }, revision: 1 });
    expect(yaml).toBe(YAML.replace("Coder   #", "B #"));
  });

  test("of two people the second gets 409 with the draft of the first", async () => {
    const replies = await Promise.all([
      put({ yaml: "name: One\n", revision: 0 }),
      put({ yaml: "name: Two\n", revision: 0 }),
    ]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const current = await draft();
    expect(current.revision).toBe(1);
    const refused = await problemOf(await put({ yaml: "name: Three\n", revision: 0 }));
    expect(refused).toMatchObject({ status: 409, code: "conflict", details: { current } });
    expect((await put({ yaml: "name: Three\n", revision: 1 })).status).toBe(200);
  });

  test("needs a text or a config, not both, and no unknown field", async () => {
    const bodies = [
      { revision: 0 },
      { yaml: "", config: {}, revision: 0 },
      { yaml: "" },
      { yaml: "", revision: 0, x: 1 },
    ];
    for (const body of bodies) expect((await put(body)).status).toBe(400);
    expect((await put({ yaml: "name: a\0b", revision: 0 })).status).toBe(400);
  });

  test("is published as the next version, comments included, and is gone then", async () => {
    const yaml = YAML.replace("100", "300 # more");
    await saved({ yaml, revision: 0 });
    const reply = await publishIt({ revision: 1, note: "More" });
    expect([reply.status, await reply.json()]).toEqual([201, { number: 2 }]);
    expect(await draft()).toMatchObject({ revision: 0, baseVersion: 2, yaml });
    const two = await (await server.call(version, { as: "admin", params: { ...params, number: "2" } })).json();
    expect(two).toMatchObject({ number: 2, note: "More", current: true, yaml, config: { max_tokens: 300 } });
    expect((await (await server.call(detail, { as: "admin", params })).json()).yaml).toBe(yaml);
    const { entries } = await (await server.call(audit, { as: "admin" })).json();
    expect(entries[0]).toMatchObject({ action: "agent.published", details: { version: 2, revision: 1 } });
    expect([entries[0].before, entries[0].after]).toMatchObject([
      { version: 1, max_tokens: expect.toSatisfy((value) => value !== 300) },
      { version: 2, max_tokens: 300 },
    ]);
  });

  test("revisions never begin again", async () => {
    await saved({ yaml: "name: One\n", revision: 0 });
    await publishIt({ revision: 1 });
    expect((await saved({ yaml: "name: Two\n", revision: 0 })).revision).toBe(2);
    await server.call(discard, { as: "admin", method: "DELETE", params });
    expect((await saved({ yaml: "name: Three\n", revision: 0 })).revision).toBe(3);
    expect((await draft(2)).yaml).toBe("name: Two\n");
    expect((await server.call(read, { as: "admin", params, path: "/?revision=9" })).status).toBe(404);
  });

  test("an invalid draft is refused with its lines, and stays", async () => {
    await saved({ yaml: "name: A\nmax_tokens: -1\n", revision: 0 });
    expect(await problemOf(await publishIt({ revision: 1 }))).toMatchObject({
      status: 400,
      code: "invalid_input",
      details: [{ path: "max_tokens", line: 2 }],
    });
    expect((await draft()).revision).toBe(1);
  });

  test("another revision than the one that was read is not published", async () => {
    await saved({ yaml: "name: One\n", revision: 0 });
    await saved({ yaml: "name: Two\n", revision: 1 });
    const refused = await problemOf(await publishIt({ revision: 1 }));
    expect(refused).toMatchObject({ status: 409, details: { current: { revision: 2 } } });
    expect((await publishIt({ revision: 0 })).status).toBe(409);
  });

  test("a draft that is behind is published only by who names the current version", async () => {
    await saved({ yaml: "name: Mine\n", revision: 0 });
    await server.call(patchFields, { as: "admin", method: "PATCH", params: { id: "coder" }, body: { retries: 1 } });
    expect(await draft()).toMatchObject({ isBehind: true, baseVersion: 1, yaml: "name: Mine\n" });
    expect((await publishIt({ revision: 1 })).status).toBe(409);
    expect((await publishIt({ revision: 1, baseVersion: 1 })).status).toBe(409);
    expect(await (await publishIt({ revision: 1, baseVersion: 2 })).json()).toEqual({ number: 3 });
  });

  test("a text that was begun from an older version is behind from its first save", async () => {
    await server.call(patchFields, { as: "admin", method: "PATCH", params: { id: "coder" }, body: { retries: 1 } });
    expect(await saved({ yaml: "name: Old\n", revision: 0, baseVersion: 1 })).toMatchObject({ isBehind: true });
    expect(await saved({ yaml: "name: Old\n", revision: 1, baseVersion: 2 })).toMatchObject({ isBehind: false });
  });

  test("of two who publish at once, one does", async () => {
    await saved({ yaml: "name: One\n", revision: 0 });
    const replies = await Promise.all([publishIt({ revision: 1 }), publishIt({ revision: 1 })]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    expect(await server.database.agentVersion.count()).toBe(2);
  });

  test("publishing by force needs a reason, which the audit log keeps", async () => {
    await saved({ yaml: "name: One\n", revision: 0 });
    expect((await publishIt({ revision: 1, force: true })).status).toBe(400);
    expect((await publishIt({ revision: 1, force: true, reason: "It burns." })).status).toBe(201);
    const { entries } = await (await server.call(audit, { as: "admin" })).json();
    expect(entries[0].details).toMatchObject({ forced: true, reason: "It burns." });
  });

  test("is discarded once, and only the revision that is named", async () => {
    await saved({ yaml: "name: One\n", revision: 0 });
    const drop = (path: string) => server.call(discard, { as: "admin", method: "DELETE", params, path });
    expect((await drop("/?revision=7")).status).toBe(409);
    expect([(await drop("/?revision=1")).status, (await drop("/")).status]).toEqual([204, 204]);
    expect(await draft()).toMatchObject({ revision: 0, yaml: YAML });
    const { entries } = await (await server.call(audit, { as: "admin" })).json();
    expect(entries.filter(({ action }: { action: string }) => action === "agent.draft_discarded")).toHaveLength(1);
  });

  test("an agent that is made again does not have the draft of the one before", async () => {
    await saved({ yaml: "name: One\n", revision: 0 });
    await server.call(remove, { as: "admin", method: "DELETE", params });
    expect((await server.call(read, { as: "admin", params })).status).toBe(404);
    await server.call(create, { as: "admin", body: { id: "coder", yaml: "name: New\n" } });
    expect(await draft()).toMatchObject({ revision: 0, yaml: "name: New\n" });
  });

  test("a version from before texts were kept has the YAML of its config", async () => {
    await server.database.agentVersion.updateMany({ data: { yaml: null } });
    expect((await draft()).yaml).toBe("name: Coder\nmodel: demo:demo\nmax_tokens: 100\n");
  });
});
