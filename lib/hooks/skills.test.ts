import { expect, test } from "vitest";
import type { z } from "zod";
import { BackendConfig } from "@/lib/schema/agents/agent-config-backend";
import { EvictionConfig } from "@/lib/schema/agents/agent-config-context";
import { SkillsConfig } from "@/lib/schema/agents/agent-config-texts";
import { parseSkillFrontmatter } from "@/lib/skills/skill-frontmatter";
import { createTestWorkspace } from "@/lib/testing/files/test-workspace";
import { runWith } from "@/lib/testing/scripted/run-with";
import { echoTool } from "@/lib/testing/scripted/test-tools";
import { filesystemHook } from "./filesystem";
import { narrowToolsHook } from "./narrow-tools";
import { skillsHook } from "./skills";

const skill = (name: string, description: string) => `---\nname: ${name}\ndescription: ${description}\n---\n# Body`;

async function catalogOf(files: Record<string, string>, enabled: string[] | null = null) {
  const hook = skillsHook({
    workspace: createTestWorkspace(files),
    workdir: "/workspace",
    settings: SkillsConfig.parse({ paths: ["/workspace/skills"], enabled }),
  });
  const { requests, logLines } = await runWith(["ok"], { hooks: [hook] });
  const catalog = requests[0]?.system.find((section) => section.name === "skills")?.text;
  return { catalog, logLines };
}

test("skills are listed with name, description and where to read them", async () => {
  const { catalog } = await catalogOf({
    "skills/csv-analyzer/SKILL.md": skill("csv-analyzer", "Analyze CSV files"),
    "skills/slides/SKILL.md": skill("Slide Deck Creator", "  Create presentations  "),
  });
  expect(catalog).toBe(
    [
      "Available Skills:",
      "- [csv-analyzer] Analyze CSV files → Read skills/csv-analyzer/SKILL.md for full instructions",
      "- [Slide Deck Creator] Create presentations → Read skills/slides/SKILL.md for full instructions",
    ].join("\n"),
  );
});

test("a skill without a name has its folder's", async () => {
  const { catalog } = await catalogOf({ "skills/research/SKILL.md": "# no frontmatter" });
  expect(catalog).toContain("- [research] → Read skills/research/SKILL.md");
});

test("a description of several lines is joined to one", async () => {
  const { catalog } = await catalogOf({ "skills/a/SKILL.md": skill("a", "|\n  first\n  second") });
  expect(catalog).toContain("[a] first second →");
});

test("a skill with broken frontmatter is skipped with a log line and the others stay", async () => {
  const { catalog, logLines } = await catalogOf({
    "skills/bad/SKILL.md": "---\nname: [unclosed\n---\n",
    "skills/good/SKILL.md": skill("good", "Works"),
  });
  expect(catalog).not.toContain("bad");
  expect(catalog).toContain("[good] Works");
  expect(logLines[0]).toMatch(/^warn skill skipped: /);
});

test("frontmatter of thousands of keys is skipped, and what was read once is not parsed again", async () => {
  const many = Array.from({ length: 1_900 }, (_, at) => `k${at}: 1`).join("\n");
  const { catalog, logLines } = await catalogOf({ "skills/many/SKILL.md": `---\n${many}\n---\n` });
  expect([catalog, logLines]).toEqual([undefined, [expect.stringContaining("2,000 tokens")]]);
  expect(parseSkillFrontmatter(skill("a", "b"))).toBe(parseSkillFrontmatter(skill("a", "b")));
});

test("frontmatter that is an alias bomb is skipped", async () => {
  const bomb = `---\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b,*b]\n---\n`;
  const { catalog, logLines } = await catalogOf({ "skills/bomb/SKILL.md": bomb });
  expect(catalog).toBeUndefined();
  expect(logLines).toHaveLength(1);
});

test("only enabled skills are listed", async () => {
  const files = { "skills/a/SKILL.md": skill("a", "A"), "skills/b/SKILL.md": skill("b", "B") };
  const { catalog } = await catalogOf(files, ["b"]);
  expect(catalog).toBe("Available Skills:\n- [b] B → Read skills/b/SKILL.md for full instructions");
});

test("without skills nothing is added, even when the folder is missing", async () => {
  expect((await catalogOf({ "readme.md": "" })).catalog).toBeUndefined();
});

test("the catalog is in every request once and does not grow", async () => {
  const hook = skillsHook({
    workspace: createTestWorkspace({ "skills/a/SKILL.md": skill("a", "A") }),
    workdir: "/workspace",
    settings: SkillsConfig.parse({ paths: ["skills"] }),
  });
  const call = { calls: [{ name: "echo", args: { text: "x" } }] };
  const { requests } = await runWith([call, call, "ok"], { hooks: [hook], tools: [echoTool()] });
  expect(new Set(requests.map((request) => JSON.stringify(request.system))).size).toBe(1);
});

const many = (count: number, description = "About one thing") =>
  Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`skills/s${at}/SKILL.md`, skill(`s${at}`, `${description} ${at}`)]),
  );

async function sent(
  files: Record<string, string>,
  mode: "auto" | "catalog" | "search" | "inline" = "auto",
  limits: Pick<z.input<typeof SkillsConfig>, "catalog" | "search"> = {},
) {
  const workspace = createTestWorkspace(files);
  const settings = SkillsConfig.parse({ paths: ["skills"], mode, ...limits });
  const hook = skillsHook({ workspace, workdir: "/workspace", settings });
  const calls = [{ name: "skill_search", args: { query: "fill in a form about the tax thing" } }];
  const { requests, events } = await runWith([mode === "search" ? { calls } : "ok", "done"], { hooks: [hook] });
  const results = events.flatMap((event) => (event.type === "tool.result" ? [event.result.output] : []));
  const [request] = requests;
  return { results, tools: request?.tools.map(({ name }) => name), section: request?.system[1] };
}

test("twenty skills are listed, twenty-one are searched", async () => {
  expect(await sent(many(20))).toMatchObject({ tools: [], section: { name: "skills" } });
  expect(await sent(many(21))).toMatchObject({ tools: ["skill_search"], section: { name: "skill_search" } });
  expect(await sent(many(21), "catalog")).toMatchObject({ tools: [], section: { name: "skills" } });
});

test("a list of 3,500 tokens is sent, one token more is searched", async () => {
  const { section } = await sent(many(1));
  const rest = 3_500 * 4 - (section?.text.length ?? 0);
  expect((await sent(many(1, `About ${"x".repeat(rest + 6)}`))).section?.name).toBe("skills");
  expect((await sent(many(1, `About ${"x".repeat(rest + 13)}`))).section?.name).toBe("skill_search");
});

test("the search returns at most five matching skills, with where to read them", async () => {
  const files = { ...many(30), "skills/tax/SKILL.md": skill("tax", "Thing number seven, fill in tax forms") };
  const { results } = await sent(files, "search");
  const found = JSON.parse(results[0] ?? "");
  expect(found).toHaveLength(5);
  expect(found[0]).toEqual({
    name: "tax",
    description: "Thing number seven, fill in tax forms",
    path: "skills/tax/SKILL.md",
  });
});

test.each([
  [2, "skills"],
  [3, "skills"],
  [4, "skill_search"],
])("with catalog.max_skills 3, %i skills are sent as %s", async (count, name) => {
  expect((await sent(many(count), "auto", { catalog: { max_skills: 3 } })).section?.name).toBe(name);
});

test.each([
  [-1, "skill_search"],
  [0, "skills"],
  [1, "skills"],
])("with catalog.max_tokens of the list's own size and %i, it is sent as %s", async (more, name) => {
  const { section } = await sent(many(3));
  const max_tokens = Math.floor((section?.text.length ?? 0) / 4) + more;
  expect((await sent(many(3), "auto", { catalog: { max_tokens } })).section?.name).toBe(name);
});

test.each([
  [1, 1],
  [2, 2],
  [3, 2],
])("a search with top %i finds %i of two skills that fit", async (top, found) => {
  const { results } = await sent(many(2), "search", { search: { top } });
  expect(JSON.parse(results[0] ?? "")).toHaveLength(found);
});

test("inline puts whole skills into the prompt", async () => {
  const { section, tools } = await sent({ "skills/a/SKILL.md": skill("a", "A") }, "inline");
  expect(tools).toEqual([]);
  expect(section?.text).toContain(
    '<skill name="a" path="skills/a/SKILL.md">\n---\nname: a\ndescription: A\n---\n# Body\n</skill>',
  );
});

async function sectionFor(content: string, mode: "catalog" | "search" = "catalog") {
  const files = { "skills/a/SKILL.md": skill("a", "A"), "skills/b/SKILL.md": skill("Slide Deck", "B") };
  const hook = skillsHook({
    workspace: createTestWorkspace(files),
    workdir: "/workspace",
    settings: SkillsConfig.parse({ paths: ["skills"], mode }),
  });
  const { requests } = await runWith(["ok"], { hooks: [hook], input: [{ role: "user", content }] });
  return requests[0]?.system.at(-1)?.text ?? "";
}

test.each(["/slide-deck about bees", "  /SLIDE-DECK", "/slide-deck\nabout bees"])(
  "a message that begins with a skill's command (%j) has the model told to use it",
  async (content) => {
    const told = `it asks for the skill "Slide Deck". Read skills/b/SKILL.md with read_file before anything else`;
    expect(await sectionFor(content)).toContain(told);
    expect(await sectionFor(content, "search")).toContain(told);
  },
);

test.each(["/slide", "/slide-deck2", "use /slide-deck", "/stop", "hello"])("%j requests no skill", async (content) => {
  expect(await sectionFor(content)).not.toContain("asks for the skill");
});

/** The tools offered and refused in a run with the skill `git-helper` whose first message is `content`. */
async function narrowed(content: string, allowed: string) {
  const text = `---\nname: git-helper\ndescription: Helps\nallowed-tools: ${allowed}\n---\n# Body\n`;
  const workspace = createTestWorkspace({ "skills/git-helper/SKILL.md": text, "notes.md": "n" });
  const settings = SkillsConfig.parse({ paths: ["skills"] });
  const filesystem = filesystemHook({
    workspace,
    fileHistory: null,
    eviction: EvictionConfig.parse({}),
    backend: BackendConfig.parse({ type: "state" }),
    memoryPaths: [],
  });
  const hooks = [filesystem, skillsHook({ workspace, workdir: "/workspace", settings }), narrowToolsHook()];
  const calls = [
    { id: "own", name: "read_file", args: { path: "skills/git-helper/SKILL.md" } },
    { id: "other", name: "Read", args: { path: "notes.md" } },
    { id: "write", name: "write_file", args: { path: "out.md", content: "x" } },
    { id: "docs", name: "write_file", args: { path: "docs/a.md", content: "x" } },
  ];
  const { requests, events } = await runWith([{ calls }, "done"], {
    hooks,
    input: [{ role: "user", content }],
  });
  const results = events.flatMap((event) => (event.type === "tool.result" ? [event.result] : []));
  return {
    offered: requests[0]?.tools.map(({ name }) => name),
    told: requests[0]?.system.at(-1)?.text ?? "",
    refused: results.flatMap(({ toolCallId, refused }) => (refused ? [toolCallId] : [])).toSorted(),
  };
}

test("a run that a skill's command started has no other tools than the skill allows, but may read the skill", async () => {
  const only = await narrowed("/git-helper now", "Grep Write(docs/**)");
  expect(only.offered).toEqual(["read_file", "write_file", "grep"]);
  expect(only.refused).toEqual(["other", "write"]);
  expect(only.told).toContain("It allows these tools and no others: Grep, Write(docs/**).");
  expect((await narrowed("/git-helper now", "read_file *_file")).refused).toEqual([]);
});

test.each([
  ["a run that asks for no skill", "hello", "Grep"],
  ["a skill that names no tools", "/git-helper now", '""'],
])("%s has all its tools", async (_, content, allowed) => {
  const { offered, refused, told } = await narrowed(content, allowed);
  expect(offered?.length).toBeGreaterThan(3);
  expect(refused).toEqual([]);
  expect(told).not.toContain("no others");
});
