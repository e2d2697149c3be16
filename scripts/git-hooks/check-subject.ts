// Refuses a commit whose subject does not follow the rule of CONTRIBUTING.md. Argument: the file with the message.
import { readFileSync } from "node:fs";

const MAX_CHARACTERS = 72;
/** Written by git itself. */
const BY_GIT = /^(Merge|Revert|fixup!|squash!|amend!) /;

const lines = readFileSync(process.argv[2] ?? "", "utf8").split("\n");
const subject = lines.find((line) => line.trim() !== "" && !line.startsWith("#")) ?? "";
const length = [...subject].length;

if (!BY_GIT.test(subject)) {
  if (length > MAX_CHARACTERS)
    refuse(`has ${length} characters. Shorten it to ${MAX_CHARACTERS}; what it leaves out may stand below it.`);
  if (subject.trimEnd().endsWith(".")) refuse("ends with a full stop. Leave it out.");
}

function refuse(problem: string): void {
  process.stderr.write(`The subject of the commit ${problem}\n`);
  process.exitCode = 1;
}
