import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "ringmaster-restart-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a program prints that plans its restart and then runs `afterwards`. */
async function run(afterwards: string): Promise<string[]> {
  const file = path.join(folder, "program.ts");
  const text = `import { planRestart, stageOfStart } from ${JSON.stringify(path.resolve("scripts/server/restart-process.ts"))};
import { execFileSync } from "node:child_process";
const restart = planRestart();
console.log(process.pid, stageOfStart(), process.argv.slice(2).join(), process.cwd(), process.env.SECRET);
${afterwards}
`;
  writeFileSync(file, text);
  const { SECRET: _, ...environment } = process.env;
  const options = { cwd: folder, env: { ...environment, SECRET: "s" } };
  const { stdout } = await promisify(execFile)(process.execPath, [file, "--port", "1"], options);
  return stdout.trim().split("\n");
}

test.skipIf(process.platform === "win32")(
  "a start becomes a new process with its id, words, folder and environment at each stage, and no more when prepared",
  async () => {
    const next = 'stageOfStart() === null ? "begun" : "prepared"';
    const lines = await run(`delete process.env.SECRET; process.chdir("/"); restart?.(${next});`);
    const [pid = ""] = lines[0]?.split(" ") ?? [];
    const stages = ["null", "begun", "prepared"];
    expect(lines).toEqual(stages.map((stage) => `${pid} ${stage} --port,1 ${folder} s`));
  },
);

test.skipIf(process.platform === "win32")("a program that it starts prepares its own start", async () => {
  const again = `execFileSync(process.execPath, [process.argv[1], "--child"], { stdio: "inherit" })`;
  const lines = await run(`restart?.("prepared"); if (!process.argv.includes("--child")) ${again};`);
  expect(lines.map((line) => line.split(" ")[1])).toEqual(["null", "prepared", "null", "prepared"]);
});
