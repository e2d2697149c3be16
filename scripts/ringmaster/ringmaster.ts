// ringmaster <command>: the program that a release installs; in a clone `npm run ringmaster -- <command>`. It ends with 0,
// with 1 if the command failed, with 2 if it was not understood, with 78 if the database is a newer version's.
import { parseArgs } from "node:util";
import { nearestName } from "@/lib/schema/problems/nearest-name";
import { VERSION } from "@/lib/server/platform/version";
import { exitCodeOf, explainCommand } from "../explain-failure";
import { typed } from "../installation";
import { type Command, type CommandReport, type Given, UsageError } from "./command";
import { COMMANDS } from "./commands";

const EXIT_FAILED = 1;
const EXIT_MISUNDERSTOOD = 2;
const FOR_ALL = { data: { type: "string" }, help: { type: "boolean", short: "h" } } as const;

process.exitCode = await main(process.argv.slice(2));

async function main([name = "start", ...rest]: readonly string[]): Promise<number> {
  if (["--help", "-h", "help"].includes(name)) return show(listCommands());
  if (["--version", "-v"].includes(name)) return show([VERSION]);
  // An option first: a server is what is started.
  if (name.startsWith("-")) return main(["start", name, ...rest]);
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined) {
    const meant = guess(name, Object.keys(COMMANDS), "");
    return refuse([`There is no command ${JSON.stringify(name)}.${meant}`, "", ...listCommands()]);
  }
  try {
    const given = read(command, rest);
    if (given.has("help")) return show(describe(command));
    return print(await command.run(given));
  } catch (error) {
    if (error instanceof UsageError) return refuse([error.message, "", ...describe(command)]);
    process.stderr.write(`${explainCommand(error, command.failure)}\n`);
    return exitCodeOf(error);
  }
}

/** Node's own sentence advises how to pass it as a file's name. */
function unknownOption(command: Command, words: readonly string[]): string | null {
  const known = Object.keys({ ...FOR_ALL, ...command.options });
  const { tokens } = parseArgs({
    args: [...words],
    strict: false,
    tokens: true,
    options: { ...FOR_ALL, ...command.options },
  });
  const unknown = tokens.find((token) => token.kind === "option" && !known.includes(token.name));
  if (unknown?.kind !== "option") return null;
  return `There is no option ${unknown.rawName}.${guess(unknown.name, known, "--")}`;
}

function guess(name: string, known: readonly string[], prefix: string): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? "" : ` Did you mean ${prefix}${nearest}?`;
}

/** Throws UsageError. */
function read(command: Command, words: readonly string[]): Given {
  try {
    const options = { ...FOR_ALL, ...command.options };
    const { values, positionals } = parseArgs({ args: [...words], allowPositionals: true, options });
    const found = new Map<string, unknown>(Object.entries(values));
    return {
      words: positionals,
      has: (option) => found.get(option) === true,
      text: (option) => {
        const value = found.get(option);
        return typeof value === "string" ? value : undefined;
      },
    };
  } catch (error) {
    const problem = unknownOption(command, words) ?? (error instanceof Error ? error.message : String(error));
    throw new UsageError(problem, { cause: error });
  }
}

function describe(command: Command): string[] {
  return command.usage.map((line) => typed(line));
}

function listCommands(): string[] {
  const width = Math.max(...Object.keys(COMMANDS).map(({ length }) => length));
  const lines = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  return [`Ringmaster ${VERSION}`, "", ...lines, "", `${typed("<command> --help")} shows what a command takes.`];
}

function print(report: CommandReport | null): number {
  if (report === null) return 0;
  if (report.lines.length === 0) return report.ok ? 0 : EXIT_FAILED;
  if (report.ok) return show(report.lines);
  process.stderr.write(`${report.lines.join("\n")}\n`);
  return EXIT_FAILED;
}

function show(lines: readonly string[]): number {
  process.stdout.write(`${lines.join("\n")}\n`);
  return 0;
}

function refuse(lines: readonly string[]): number {
  process.stderr.write(`${lines.join("\n")}\n`);
  return EXIT_MISUNDERSTOOD;
}
