import { decodeForEditing, decodeForReading } from "@/lib/agent/workspace/file-text";
import { hasAddress, unknownAddress } from "@/lib/permissions/known-addresses";
import { compileGlob as compileRuleGlob } from "@/lib/permissions/match-glob";
import { wildcardMatches } from "@/lib/permissions/permission-rules";
import { escapeHtml } from "@/lib/schema/escape-html";
import { findAllFolded, fold, foldWithPlaces, isAscii } from "@/lib/schema/fold";
import { nameAttached, splitAttached } from "@/lib/schema/messages/attached-files";
import { explainPattern, patternMatches, simpleCommand, suggestPattern } from "@/lib/schema/tools/command-pattern";
import { oneLine, plainGist } from "@/lib/schema/tools/plain-gist";
import { callProblemKey, normalizeProblem } from "@/lib/schema/traces/problem-key";
import { readTimeText } from "@/lib/schema/triggers/schedule-time";
import { readConfigYaml } from "@/lib/server/agents/config/read-config";
import { readHtml } from "@/lib/server/files/documents/read-html";
import { patchOf } from "@/lib/server/files/file-patch";
import { lineHashes } from "@/lib/server/files/line-hashes";
import { resolveIn } from "@/lib/server/files/pages/addresses";
import { inlineFiles } from "@/lib/server/files/pages/inline-files";
import { framedDocument } from "@/lib/server/http/framed-page";
import { gramsOf } from "@/lib/server/platform/db/queries/search/grams";
import { hasSecret, maskText } from "@/lib/server/platform/masking";
import { createDumpFinder } from "@/lib/server/platform/secrets/dump-finder";
import { placeholdersIn, replacePlaceholders } from "@/lib/server/tools/http/fill-request";
import { whyCostly } from "@/lib/server/tools/http/path-cost";
import { compileResultPath, readAnswer } from "@/lib/server/tools/http/read-answer";
import { readableText } from "@/lib/server/tools/mcp/composer/composer-text";
import { partText } from "@/lib/server/tools/mcp/content";
import { failureMessage, plainMessage, withoutIssues } from "@/lib/server/tools/mcp/reading/failure-message";
import { createLineReader } from "@/lib/server/tools/mcp/reading/line-reader";
import { readTool } from "@/lib/server/tools/mcp/reading/read-tool";
import { headerValue } from "@/lib/server/tools/mcp/revisions/argument-headers";
import { compareTexts } from "@/lib/server/traces/compare/compare-steps";
import { parseSearch } from "@/lib/server/traces/list/parse-search";
import { commandMatches, parseAllowedTools } from "@/lib/skills/allowed-tools";
import { frontmatterProblem, parseSkillFrontmatter } from "@/lib/skills/skill-frontmatter";
import { withoutDatabase } from "@/lib/testing/databases/services-of";
import { parseMarkdown } from "@/lib/text/markdown/parse-markdown";
import { mergeYaml } from "@/lib/text/yaml/merge-yaml";
import { nestYaml } from "@/lib/text/yaml/nest-yaml";
import { evaluateExpression } from "@/lib/tools/evaluate-expression";
import { createSearchIndex, searchIndex } from "@/lib/tools/memory/search-index";
import { partsAbout } from "@/lib/tools/web/parts-about";
import { compileGlob } from "@/lib/workspaces/glob-pattern";
import type { Readers } from "./reader";

const SECRETS = ["sk-a1b2c3d4e5f6a7b8c9", "correct-horse-battery"];
const bytes = (text: string) => new TextEncoder().encode(text);
const nothingThere = async () => null;
const dumps = createDumpFinder(SECRETS);

function changedInTheMiddle(text: string): string {
  return `${text.slice(0, text.length / 2)}changed${text.slice(text.length / 2 + 1)}`;
}

/** What stands in files, pages, tools' results and what is found in them; commands, rules and configs. */
export const FILE_READERS: Readers = {
  "lib/agent/workspace/file-text.ts#decodeForEditing": (text) => decodeForEditing("a", bytes(text)),
  "lib/agent/workspace/file-text.ts#decodeForReading": (text) => decodeForReading("a", bytes(text)),
  "lib/permissions/known-addresses.ts#hasAddress": (text) => hasAddress({ a: text }),
  "lib/permissions/known-addresses.ts#unknownAddress": (text) =>
    unknownAddress({ a: text }, { texts: [text], found: new Map() } as never, []),
  "lib/permissions/match-glob.ts#compileGlob": (text) => compileRuleGlob(text),
  "lib/permissions/match-glob.ts#compileGlob of a path": (text) => compileRuleGlob("**/a/*b*/*.txt")?.matches(text),
  "lib/permissions/permission-rules.ts#wildcardMatches": (text) => wildcardMatches("*a*b*c", text),
  "lib/permissions/permission-rules.ts#wildcardMatches of a pattern": (text) => wildcardMatches(text, "a b c d"),
  "lib/schema/escape-html.ts#escapeHtml": escapeHtml,
  "lib/schema/fold.ts#findAllFolded": (text) => findAllFolded(foldWithPlaces(text), "a"),
  "lib/schema/fold.ts#fold": fold,
  "lib/schema/fold.ts#foldWithPlaces": foldWithPlaces,
  "lib/schema/fold.ts#isAscii": isAscii,
  "lib/schema/messages/attached-files.ts#nameAttached": (text) => nameAttached(text, []),
  "lib/schema/messages/attached-files.ts#splitAttached": splitAttached,
  "lib/schema/tools/command-pattern.ts#explainPattern": explainPattern,
  "lib/schema/tools/command-pattern.ts#patternMatches": (text) => patternMatches("ls *", text),
  "lib/schema/tools/command-pattern.ts#patternMatches of a pattern": (text) => patternMatches(text, "ls a b c"),
  "lib/schema/tools/command-pattern.ts#simpleCommand": simpleCommand,
  "lib/schema/tools/command-pattern.ts#suggestPattern": suggestPattern,
  "lib/schema/tools/plain-gist.ts#oneLine": oneLine,
  "lib/schema/tools/plain-gist.ts#plainGist": (text) => plainGist({ a: text }),
  "lib/schema/traces/problem-key.ts#callProblemKey": (text) => callProblemKey("a", text),
  "lib/schema/traces/problem-key.ts#normalizeProblem": (text) => normalizeProblem(text),
  "lib/schema/triggers/schedule-time.ts#readTimeText": readTimeText,
  "lib/server/agents/config/read-config.ts#readConfigYaml": (text) => readConfigYaml(withoutDatabase, text),
  "lib/server/files/documents/read-html.ts#readHtml": (text) => readHtml(bytes(text), "https://example.org/"),
  "lib/server/files/file-patch.ts#patchOf": (text) => patchOf("a", bytes(text), bytes(changedInTheMiddle(text))),
  "lib/server/files/line-hashes.ts#lineHashes": (text) => lineHashes(bytes(text)),
  "lib/server/files/pages/addresses.ts#resolveIn": (text) => resolveIn("a/b.html", text),
  "lib/server/files/pages/inline-files.ts#inlineFiles": (text) => inlineFiles(text, "a.html", nothingThere),
  "lib/server/files/pages/inline-files.ts#inlineFiles of a style": (text) =>
    inlineFiles(`<style>${text}</style>`, "a.html", nothingThere),
  "lib/server/files/pages/inline-files.ts#inlineFiles of a module": (text) =>
    inlineFiles(`<script type="module">${text}</script>`, "a.html", nothingThere),
  "lib/server/files/pages/inline-files.ts#inlineFiles of a file": (text) =>
    inlineFiles(
      '<script type="module" src="a.js"></script><link rel="stylesheet" href="a.css">',
      "a.html",
      async (path) => (path.startsWith("a.") ? bytes(text) : null),
    ),
  "lib/server/http/framed-page.ts#framedDocument": framedDocument,
  "lib/server/platform/db/queries/search/grams.ts#gramsOf": gramsOf,
  "lib/server/platform/masking.ts#maskText": maskText,
  "lib/server/platform/masking.ts#hasSecret": hasSecret,
  "lib/server/platform/secrets/dump-finder.ts#createDumpFinder": (text) => dumps(text, "x"),
  "lib/server/tools/http/fill-request.ts#placeholdersIn": placeholdersIn,
  "lib/server/tools/http/fill-request.ts#replacePlaceholders": (text) => replacePlaceholders(text, "x"),
  "lib/server/tools/http/path-cost.ts#whyCostly": whyCostly,
  "lib/server/tools/http/read-answer.ts#compileResultPath": compileResultPath,
  "lib/server/tools/http/read-answer.ts#readAnswer": (text) =>
    readAnswer({ status: 200, text, contentType: "application/json" } as never, null),
  "lib/server/tools/http/read-answer.ts#readAnswer of HTML": (text) =>
    readAnswer({ status: 400, text, contentType: "text/html" } as never, null),
  "lib/server/tools/mcp/composer/composer-text.ts#readableText": (text) => readableText(text, "a"),
  "lib/server/tools/mcp/content.ts#partText": (text) => partText({ type: "text", text }),
  "lib/server/tools/mcp/reading/failure-message.ts#failureMessage": (text) => failureMessage(new Error(text), text),
  "lib/server/tools/mcp/reading/failure-message.ts#plainMessage": plainMessage,
  "lib/server/tools/mcp/reading/failure-message.ts#withoutIssues": withoutIssues,
  "lib/server/tools/mcp/reading/line-reader.ts#createLineReader": (text) => {
    const reader = createLineReader();
    const all = bytes(text);
    for (let at = 0; at < all.length; at += 100) reader.read(all.subarray(at, at + 100));
  },
  "lib/server/tools/mcp/reading/read-tool.ts#readTool": (text) => readTool({ name: text, description: text }, 0),
  "lib/server/tools/mcp/revisions/argument-headers.ts#headerValue": headerValue,
  "lib/server/traces/compare/compare-steps.ts#compareTexts": (text) => compareTexts(text, changedInTheMiddle(text)),
  "lib/server/traces/list/parse-search.ts#parseSearch": (text) =>
    parseSearch(text, { agents: [{ id: "a", name: "A" }], people: [], tools: ["a"], models: ["m"] }, {
      now: new Date(0),
      timeZone: "UTC",
    } as never),
  "lib/skills/allowed-tools.ts#commandMatches": (text) => commandMatches("ls:*", text),
  "lib/skills/allowed-tools.ts#parseAllowedTools": parseAllowedTools,
  "lib/skills/skill-frontmatter.ts#frontmatterProblem": (text) => frontmatterProblem(`---\n${text}`),
  "lib/skills/skill-frontmatter.ts#parseSkillFrontmatter": (text) => parseSkillFrontmatter(`---\n${text}\n---\n`),
  "lib/skills/skill-frontmatter.ts#parseSkillFrontmatter of a body": (text) =>
    parseSkillFrontmatter(`---\nname: a\ndescription: b\n---\n${text}`),
  "lib/text/markdown/parse-markdown.ts#parseMarkdown": (text) => parseMarkdown(text),
  "lib/text/yaml/merge-yaml.ts#mergeYaml": (text) => mergeYaml(text, { a: "b" }),
  "lib/text/yaml/nest-yaml.ts#nestYaml": (text) => nestYaml("a", text),
  "lib/tools/evaluate-expression.ts#evaluateExpression": evaluateExpression,
  "lib/tools/memory/search-index.ts#searchIndex": (text) => {
    const index = createSearchIndex();
    index.add({ id: "a", text } as never);
    searchIndex(index, "a b");
  },
  "lib/tools/memory/search-index.ts#searchIndex for a long query": (text) => searchIndex(createSearchIndex(), text),
  "lib/tools/web/parts-about.ts#partsAbout": (text) => partsAbout(text, "what is a b?"),
  "lib/workspaces/glob-pattern.ts#compileGlob": compileGlob,
  "lib/workspaces/glob-pattern.ts#compileGlob of a path": (text) => compileGlob("**/a/*b*/{c,d}*.txt").matches(text),
};
