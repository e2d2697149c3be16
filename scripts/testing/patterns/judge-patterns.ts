import { projectDirectory } from "@/scripts/project-directory";
import { findPatterns } from "./find-patterns";
import { judgePattern } from "./judge-pattern";
import { readVerdicts, writeVerdicts } from "./verdict-file";

// `npm run patterns`: judges the patterns without a verdict and forgets those that are gone.
const known = readVerdicts();
const verdicts: Record<string, (typeof known)[string]> = {};
for (const pattern of findPatterns(projectDirectory)) {
  const verdict = known[pattern.hash];
  const judgement = verdict === undefined ? judgePattern(pattern) : { verdict };
  if ("verdict" in judgement) verdicts[pattern.hash] = judgement.verdict;
  else {
    console.error(`${pattern.places.join(", ")}: /${pattern.source}/${pattern.flags} ${judgement.problem}`);
    process.exitCode = 1;
  }
}
writeVerdicts(verdicts);
