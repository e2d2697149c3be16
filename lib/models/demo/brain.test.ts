import { describe, expect, it } from "vitest";
import type { ToolCall } from "@/lib/schema/messages/message";
import { converseWithDemo as converse, DEMO_TOOLS } from "@/lib/testing/servers/converse-with-demo";

const named = (calls: readonly ToolCall[]) => calls.map((call) => call.name);

describe("demo model: one request, one tool", () => {
  it.each([
    ["Create hello.py with print('Hello')", "write_file", { path: "hello.py", content: "print('Hello')\n" }],
    [
      'please create a file called notes/a.txt with "one two"',
      "write_file",
      { path: "notes/a.txt", content: "one two\n" },
    ],
    ["create hello.py that prints Hello World", "write_file", { path: "hello.py", content: 'print("Hello World")\n' }],
    ["Create run.sh with:\n```sh\necho 1\necho 2\n```", "write_file", { path: "run.sh", content: "echo 1\necho 2\n" }],
    ["Create notes.valueOf", "write_file", { path: "notes.valueOf", content: "Hello from notes.valueOf\n" }],
    ["run x.toString", "execute", { command: "x.toString" }],
    ["write 'a and run b' to x.txt", "write_file", { path: "x.txt", content: "a and run b\n" }],
    [
      "Can you make a new file todo.md containing the text buy milk",
      "write_file",
      { path: "todo.md", content: "buy milk\n" },
    ],
    [
      "replace Hello with Welcome in hello.py",
      "edit_file",
      { path: "hello.py", old_text: "Hello", new_text: "Welcome" },
    ],
    ['change "a b" to "c d" in src/x.ts', "edit_file", { path: "src/x.ts", old_text: "a b", new_text: "c d" }],
    ["edit hello.py: replace 1 with 2", "edit_file", { path: "hello.py", old_text: "1", new_text: "2" }],
    ["list files", "ls", { path: "." }],
    ["List the files in src", "ls", { path: "src" }],
    ["what files are there?", "ls", { path: "." }],
    ["read hello.py", "read_file", { path: "hello.py" }],
    ["Show me the file src/a.ts please", "read_file", { path: "src/a.ts" }],
    ["search for TODO", "grep", { pattern: "TODO" }],
    ['find "a.b(" in src', "grep", { pattern: "a\\.b\\(", path: "src" }],
    ["find files named *.py", "glob", { pattern: "*.py" }],
    ["run ls -la | head", "execute", { command: "ls -la | head" }],
    ["Execute hello.py", "execute", { command: "python3 hello.py" }],
    ["Can you list my files, please?", "ls", { path: "." }],
    ["Run the command: uname -a", "execute", { command: "uname -a" }],
    ["what's 5 times 3?", "calculate", { expression: "5 * 3" }],
    ["delete hello.py", "execute", { command: "rm -- hello.py" }],
    ["rename a.txt to b.txt", "execute", { command: "mv -- a.txt b.txt" }],
    ["create a folder called src/lib", "execute", { command: "mkdir -p -- src/lib" }],
    ["write a python script that prints 42", "write_file", { path: "hello.py", content: 'print("42")\n' }],
    ["calculate (17 + 4) * 2", "calculate", { expression: "(17 + 4) * 2" }],
    ["what is 12% * 3?", "calculate", { expression: "12% * 3" }],
    ["2^10", "calculate", { expression: "2^10" }],
    ["What time is it?", "current_datetime", {}],
    ["what's the time in Tokyo?", "current_datetime", { timezone: "Asia/Tokyo" }],
    ["what do you remember about me?", "read_file", { path: "AGENTS.md" }],
  ])("%s → %s", async (text, tool, args) => {
    const { calls } = await converse(text);
    expect(calls[0]).toMatchObject({ name: tool, args });
    expect(JSON.parse(calls[0]?.rawArgs ?? "")).toEqual(args);
  });

  it.each([
    "hello",
    "Who are you?",
    "Tell me a story about dragons",
    "what is love",
    "plan",
    "",
    "search the web for bees",
    "write a poem to poem.txt",
    "find a job",
  ])("says what it is and what it understands: %j", async (text) => {
    const { calls, answer } = await converse(text);
    expect(calls).toEqual([]);
    expect(answer).toContain("demo model");
    expect(answer).toContain("no AI");
    expect(answer).toContain("connect one under Admin › Models");
    expect(answer).toContain("Create hello.py");
  });

  it("reads the files that came with a message, then does what it says", async () => {
    const block = "Attached files, in the workspace:\n- uploads/a (1).csv (4.0 KB)\n- uploads/b.txt (1 B)";
    const alone = await converse(`What is in these?\n\n${block}`);
    expect(alone.calls.map(({ name, args }) => [name, args])).toEqual([
      ["read_file", { path: "uploads/a (1).csv" }],
      ["read_file", { path: "uploads/b.txt" }],
    ]);
    expect(alone.answer).toContain("`uploads/b.txt`");
    expect(named((await converse(`list files\n\n${block}`)).calls)).toEqual(["read_file", "read_file", "ls"]);
  });

  it.each([
    [["calculate", "current_datetime", "write_todos"]],
    [["write_todos", "write_file"]],
    [["write_file"]],
    [["read_file", "write_file", "edit_file", "ls", "glob", "grep", "write_todos"]],
    [["task", "write_todos"]],
    [DEMO_TOOLS],
  ])("each phrase of its help does what it says with the tools %j", async (offered) => {
    const { answer } = await converse("hello", undefined, offered);
    const phrases = [...answer.matchAll(/^\| "(.+?)" \|/gm)].map(([, phrase = ""]) => phrase);
    expect(phrases.length).toBeGreaterThan(0);
    for (const phrase of phrases) {
      const { calls } = await converse(phrase, undefined, offered);
      expect([phrase, calls.length > 0]).toEqual([phrase, true]);
    }
  });

  it("suggests only what the offered tools can do", async () => {
    const { answer } = await converse("hello", undefined, ["calculate"]);
    expect(answer).toContain("Calculate");
    expect(answer).not.toContain("hello.py");
  });

  it("refuses a message that would keep its rules busy", async () => {
    const { calls, answer } = await converse(`plan ${"1+".repeat(16_000)}1`);
    expect(calls).toEqual([]);
    expect(answer).toContain("at most 4,000 characters");
  });

  it.each([
    ["run ls", "execute", "sandbox"],
    ["list files", "ls", "backend"],
    ["calculate 1+1", "calculate", "`tools`"],
  ])("says how to enable what is not offered: %s", async (text, tool, hint) => {
    const { calls, answer } = await converse(text, undefined, ["write_todos"]);
    expect(calls).toEqual([]);
    expect(answer).toContain(`\`${tool}\``);
    expect(answer).toContain(hint);
  });
});

describe("demo model: results", () => {
  it("shows a listing as a table", async () => {
    const entries = JSON.stringify([
      { name: "a|b.txt", type: "file", size: 12 },
      { name: "src", type: "dir", size: 0 },
    ]);
    const { answer } = await converse("list files", () => entries);
    expect(answer).toContain("| `a\\|b.txt` | file | 12 |");
    expect(answer).toContain("| `src` | dir |");
  });

  it("shows what a command printed and how it ended", async () => {
    const result = JSON.stringify({ exit_code: 2, output: "boom\n", truncated: false, duration_ms: 5.4 });
    const { answer } = await converse("run false", () => result);
    expect(answer).toContain("exit code 2 after 5 ms");
    expect(answer).toContain("```text\nboom\n```");
  });

  it("fences file content that contains fences itself", async () => {
    const { answer } = await converse("read README.md", () => "```sh\nls\n```\n");
    expect(answer).toContain("````md\n```sh");
  });

  it("reports a failed tool with its words and stops", async () => {
    const { calls, answer } = await converse("create a.txt with x then list files", () => ({ error: "disk full" }));
    expect(named(calls)).toEqual(["write_file"]);
    expect(answer).toContain("`write_file` failed");
    expect(answer).toContain("> disk full");
  });
});

describe("demo model: several steps", () => {
  it("does the parts of a combined request in order", async () => {
    const { calls, answer } = await converse("Create hello.py that prints Hi and run it", (call) =>
      call.name === "execute" ? JSON.stringify({ exit_code: 0, output: "Hi\n" }) : "ok",
    );
    expect(named(calls)).toEqual(["write_file", "read_file", "execute"]);
    expect(calls[2]?.args).toEqual({ command: "python3 hello.py" });
    expect(answer).toContain("It succeeded");
  });

  it("takes code from a block and runs it", async () => {
    const { calls } = await converse(
      "Create fib.py with:\n```python\na = 1; b = 2\nprint(a) and run it\n```\nand run it",
    );
    expect(calls[0]?.args).toEqual({ path: "fib.py", content: "a = 1; b = 2\nprint(a) and run it\n" });
    expect(calls.at(-1)?.args).toEqual({ command: "python3 fib.py" });
  });

  it("creates several files at once", async () => {
    const { rounds } = await converse("create index.html, style.css and app.js");
    expect(rounds[0]?.map((call) => call.args.path)).toEqual(["index.html", "style.css", "app.js"]);
  });

  it("keeps todos for three parts or more and closes them as it goes", async () => {
    const { calls } = await converse("create a.txt with 1; create b.txt with 2; list files", () => "[]");
    const statuses = calls
      .filter((call) => call.name === "write_todos")
      .map((call) => (call.args.todos as { status: string }[]).map((todo) => todo.status).join(" "));
    expect(statuses).toEqual([
      "in_progress pending pending",
      "done in_progress pending",
      "done done in_progress",
      "done done done",
    ]);
  });

  it("plans a website: todos, two files at once, a look back, a summary in markdown", async () => {
    const { rounds, calls, answer } = await converse("Plan and create a small website about bees", (call) =>
      call.name === "write_file"
        ? JSON.stringify({ path: call.args.path, bytes_written: 42, message: "" })
        : "<!doctype html>",
    );
    expect(calls[0]?.name).toBe("write_todos");
    expect(rounds.some((round) => named(round).join() === "write_file,write_file")).toBe(true);
    expect(named(calls)).toContain("read_file");
    expect(calls.at(-1)?.args.todos).toSatisfy((todos: { status: string }[]) =>
      todos.every((todo) => todo.status === "done"),
    );
    expect(answer).toContain("| `bees/index.html` | 42 |");
    expect(answer).toContain("```html");
  });

  it("escapes a topic before it becomes a page", async () => {
    const { calls } = await converse("create a website about <b>x</b>");
    const page = calls.find((call) => String(call.args.path).endsWith("index.html"));
    expect(page?.args.content).toContain("&lt;b&gt;x");
    expect(page?.args.content).not.toContain("<b>x");
  });

  it("writes a plan down, checks it and closes its todos", async () => {
    const { calls, answer } = await converse("Plan a birthday party");
    expect(named(calls)).toEqual(["write_todos", "write_file", "write_todos", "read_file", "write_todos"]);
    expect(calls[1]?.args.path).toBe("plans/a-birthday-party.md");
    expect(answer).toContain("plans/a-birthday-party.md");
  });

  it("leaves tasks open that it cannot do", async () => {
    const { calls, answer } = await converse("plan: buy milk, call Bob, and water the plants");
    expect(calls).toHaveLength(1);
    expect(calls[0]?.args.todos).toEqual([
      { id: "1", title: "Buy milk", status: "pending" },
      { id: "2", title: "Call Bob", status: "pending" },
      { id: "3", title: "Water the plants", status: "pending" },
    ]);
    expect(answer).toContain("still open");
  });

  it("adds to its memory without losing its content", async () => {
    const { calls } = await converse("remember that I like tea", (call) =>
      call.name === "read_file" ? "# Notes\n\n- old\n" : "ok",
    );
    expect(calls[1]).toMatchObject({
      name: "write_file",
      args: { path: "AGENTS.md", content: "# Notes\n\n- old\n- I like tea\n" },
    });
  });

  it("begins its memory when there is none", async () => {
    const { calls, answer } = await converse("Remember: be brief", (call) =>
      call.name === "read_file" ? { error: "file not found" } : "ok",
    );
    expect(calls[1]?.args.content).toBe("# Notes\n\n- be brief\n");
    expect(answer).toContain("> be brief");
  });
});
