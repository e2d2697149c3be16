import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { GET as available } from "@/app/agents/skills/available/route";
import { POST as preview } from "@/app/api/agents/[agentId]/preview-prompt/route";
import { POST as install } from "@/app/api/skills/route";
import { AgentConfig } from "@/lib/schema/agents/agent-config";
import { createAgent } from "@/lib/server/agents/publish-version";
import { openWorkspace } from "@/lib/server/files/open-workspace";
import { createTestWorkspace, readText } from "@/lib/testing/files/test-workspace";
import { startTestServer, type TestServer } from "@/lib/testing/servers/test-server";
import { deleteSkill } from "./delete-skill";
import { withInstalledSkills } from "./open-skill-library";

const skill = (name: string, description: string) => `---\nname: ${name}\ndescription: ${description}\n---\n# ${name}`;
const config = (raw: object) => AgentConfig.parse({ name: "A", backend: { type: "state" }, ...raw });
const ALL = config({ skills: { paths: ["skills"] } });

describe("the library of installed skills", () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
    await put("pdf", { "SKILL.md": skill("pdf", "Fill in forms"), "fill.py": "print(1)" });
    await put("slides", { "SKILL.md": skill("slides", "Make slides") });
    const raw = { name: "Writer", backend: { type: "state" }, skills: { paths: ["skills"] } };
    await createAgent(server.services, { agentId: "writer", raw, createdById: null });
  });
  afterEach(() => server.close());

  const put = (_: string, contents: Record<string, string>) => {
    const files = Object.entries(contents).map(([path, content]) => ({ path, content }));
    return server.call(install, { as: "admin", body: { files } });
  };
  const ownWorkspace = () => {
    const { backend } = ALL;
    if (!backend) throw new Error("no backend");
    return openWorkspace(server.database, backend, { agentId: "writer", ownerId: "admin", threadId: null });
  };
  const open = (of = ALL) => withInstalledSkills(server.services, createTestWorkspace({}), of);

  test("is in the workspace of an agent with skills, with all files", async () => {
    const workspace = await open();
    expect((await workspace.list("skills/pdf")).map(({ name, size }) => [name, size])).toEqual([
      ["SKILL.md", 50],
      ["fill.py", 8],
    ]);
    expect(await readText(workspace, "skills/pdf/fill.py")).toBe("print(1)");
    expect(await workspace.glob("skills/*/SKILL.md", "", 10)).toMatchObject({
      files: ["/skills/pdf/SKILL.md", "/skills/slides/SKILL.md"],
    });
  });

  test("is not there for an agent without skills, and in part for one that names some", async () => {
    expect(await (await open(config({}))).stat("skills")).toBeNull();
    expect(
      await (await open(config({ skills: { paths: ["skills"] }, hooks: ["filesystem"] }))).stat("skills"),
    ).toBeNull();
    const some = await open(config({ skills: { paths: ["skills"], enabled: ["slides"] } }));
    expect((await some.list("skills")).map(({ name }) => name)).toEqual(["slides"]);
    const byHook = config({ hooks: [{ name: "skills", config: { paths: ["x"], enabled: ["pdf"] } }] });
    expect((await (await open(byHook)).list("skills")).map(({ name }) => name)).toEqual(["pdf"]);
  });

  test("stays the same for the whole segment of a run", async () => {
    const workspace = await open();
    await put("pdf", { "SKILL.md": skill("pdf", "Another version") });
    await deleteSkill(server.services, "slides", { id: "admin", name: "", email: "", role: "admin", scopes: [] });
    expect(await readText(workspace, "skills/pdf/fill.py")).toBe("print(1)");
    expect(await readText(workspace, "skills/slides/SKILL.md")).toContain("# slides");
    const next = await open();
    expect(await next.stat("skills/pdf/fill.py")).toBeNull();
    expect((await next.list("skills")).map(({ name }) => name)).toEqual(["pdf"]);
  });

  test("is in the prompt, where a skill of the workspace wins by its name", async () => {
    const { workspace } = await ownWorkspace();
    await workspace.write("skills/mine/SKILL.md", new TextEncoder().encode(skill("slides", "My own slides")));
    const reply = await server.call(preview, { as: "admin", params: { agentId: "writer" }, body: {} });
    const sections: { name: string; text: string }[] = (await reply.json()).sections;
    expect(sections.find(({ name }) => name === "skills")?.text.split("\n")).toEqual([
      "Available Skills:",
      "- [slides] My own slides → Read skills/mine/SKILL.md for full instructions",
      "- [pdf] Fill in forms → Read /skills/pdf/SKILL.md for full instructions",
    ]);
  });

  test("is among the available skills with its source, and so is what is wrong with others", async () => {
    const { workspace } = await ownWorkspace();
    await workspace.write("skills/bad/SKILL.md", new TextEncoder().encode("---\nname: [a\n---\n"));
    const call = { as: "admin", path: "/?agent_id=writer" } as const;
    const { skills, invalid } = await (await server.call(available, call)).json();
    const source = { source: "library", agent_id: "writer" };
    expect(skills).toEqual([
      { name: "pdf", description: "Fill in forms", path: "/skills/pdf/SKILL.md", ...source },
      { name: "slides", description: "Make slides", path: "/skills/slides/SKILL.md", ...source },
    ]);
    const problem = expect.stringContaining("A ] is missing.");
    expect(invalid).toEqual([{ path: "skills/bad/SKILL.md", problem, agent_id: "writer" }]);
  });
});
