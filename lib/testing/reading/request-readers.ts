import { encodeText } from "@/lib/agent/workspace/file-text";
import { roughTokens } from "@/lib/client/agents/hooks/compare-messages";
import { withLineEnds } from "@/lib/client/files/use-file-edit";
import { withoutLines } from "@/lib/client/memory/blame-blocks";
import { isPageAddress, watchPrompt } from "@/lib/client/schedules/schedule-templates";
import { readKept } from "@/lib/client/settings/kept-for";
import { linesOf } from "@/lib/client/tools/mcp-server-form";
import { readAmount } from "@/lib/client/usage/budget-text";
import { traitsNamedIn } from "@/lib/models/dialects/learn-traits";
import { secretsOf, visibleAddress } from "@/lib/models/failures/redact";
import { redirectTarget } from "@/lib/models/failures/redirect-target";
import { isHttpAddress } from "@/lib/models/model-spec";
import { requestKey } from "@/lib/schema/apis/request-key";
import { readTraceparent } from "@/lib/schema/apis/traceparent";
import { isWithinMessage } from "@/lib/schema/messages/text-limits";
import { charsPerTokenOf } from "@/lib/schema/messages/token-estimate";
import { alertFilters, canMeasure, filtersOf, keptQuery } from "@/lib/schema/traces/alert-query";
import { limitProblemKey } from "@/lib/schema/traces/problem-key";
import { readInterval } from "@/lib/schema/triggers/interval";
import { trimEndOf, trimOf } from "@/lib/schema/trim-characters";
import { titleOf } from "@/lib/server/engine/accept";
import { lastLineOf } from "@/lib/server/engine/children/child-run";
import { blameNext } from "@/lib/server/file-access/memory/blame-lines";
import { lineHash } from "@/lib/server/files/line-hashes";
import { readAddress } from "@/lib/server/files/pages/replace-found";
import { foldedText } from "@/lib/server/platform/db/queries/search/fold-texts";
import { hasGrams } from "@/lib/server/platform/db/queries/search/grams";
import { isRevisionOf, nextRevision, revisionOf } from "@/lib/server/platform/db/queries/search/masking-revision";
import { isPublicAddress } from "@/lib/server/platform/safe-fetch";
import { isDumpLine } from "@/lib/server/platform/secrets/dump-finder";
import { isSameSecret } from "@/lib/server/platform/secrets/is-same-secret";
import { exampleAddress } from "@/lib/server/tools/http/check-request";
import { resourceBlock } from "@/lib/server/tools/mcp/composer/composer-text";
import { readDefinition } from "@/lib/server/tools/mcp/definitions";
import { readAttributes } from "@/lib/server/traces/to-span";
import { hasTasks } from "@/lib/server/triggers/heartbeat/heartbeat-file";
import { inlineSkill } from "@/lib/skills/describe-skills";
import { hasCostlyBlocks, isCostlyInline } from "@/lib/text/markdown/markdown-cost";
import { parseYamlDocument } from "@/lib/text/yaml/parse-document";
import { readListing, readMemoryKills } from "@/lib/workspaces/docker/exchange/remote-tree";
import { compileSearch, cutLine } from "@/lib/workspaces/line-search";
import { explainSandbox } from "@/lib/workspaces/sandbox/sandbox-remedies";
import type { Readers } from "./reader";

/** What comes with requests, from programs beside the server, and helpers of the other readers. */
export const REQUEST_READERS: Readers = {
  "lib/agent/workspace/file-text.ts#encodeText": encodeText,
  "lib/client/agents/hooks/compare-messages.ts#roughTokens": roughTokens,
  "lib/client/files/use-file-edit.ts#withLineEnds": (text) => withLineEnds(text, "a\r\n"),
  "lib/client/memory/blame-blocks.ts#withoutLines": (text) => withoutLines(text, 1, 1),
  "lib/client/schedules/schedule-templates.ts#isPageAddress": isPageAddress,
  "lib/client/schedules/schedule-templates.ts#watchPrompt": watchPrompt,
  "lib/client/settings/kept-for.ts#readKept": readKept,
  "lib/client/tools/mcp-server-form.ts#linesOf": linesOf,
  "lib/client/usage/budget-text.ts#readAmount": readAmount,
  "lib/models/dialects/learn-traits.ts#traitsNamedIn": (text) => traitsNamedIn(text, {} as never),
  "lib/models/failures/redact.ts#secretsOf": secretsOf,
  "lib/models/failures/redact.ts#visibleAddress": visibleAddress,
  "lib/models/failures/redirect-target.ts#redirectTarget": (text) => redirectTarget(302, text, "https://example.org"),
  "lib/models/model-spec.ts#isHttpAddress": isHttpAddress,
  "lib/schema/apis/request-key.ts#requestKey": (text) => requestKey(text, text),
  "lib/schema/apis/traceparent.ts#readTraceparent": readTraceparent,
  "lib/schema/messages/text-limits.ts#isWithinMessage": isWithinMessage,
  "lib/schema/messages/token-estimate.ts#charsPerTokenOf": (text) => charsPerTokenOf([text], 4),
  "lib/schema/traces/alert-query.ts#alertFilters": alertFilters,
  "lib/schema/traces/alert-query.ts#canMeasure": (text) => canMeasure(text, "error_rate"),
  "lib/schema/traces/alert-query.ts#filtersOf": filtersOf,
  "lib/schema/traces/alert-query.ts#keptQuery": (text) => keptQuery(text, "error_rate"),
  "lib/schema/traces/problem-key.ts#limitProblemKey": (text) => limitProblemKey(text, { isLoop: false }),
  "lib/schema/triggers/interval.ts#readInterval": readInterval,
  "lib/schema/trim-characters.ts#trimEndOf": (text) => trimEndOf(text, /\s/),
  "lib/schema/trim-characters.ts#trimOf": (text) => trimOf(text, /\s/),
  "lib/server/engine/accept.ts#titleOf": titleOf,
  "lib/server/engine/children/child-run.ts#lastLineOf": lastLineOf,
  "lib/server/file-access/memory/blame-lines.ts#blameNext": (text) =>
    blameNext(blameNext([], text, 1), `a\n${text}`, 2),
  "lib/server/files/line-hashes.ts#lineHash": lineHash,
  "lib/server/files/pages/replace-found.ts#readAddress": (text) => readAddress(text, 0),
  "lib/server/platform/db/queries/search/fold-texts.ts#foldedText": foldedText,
  "lib/server/platform/db/queries/search/grams.ts#hasGrams": hasGrams,
  "lib/server/platform/db/queries/search/masking-revision.ts#isRevisionOf": (text) => isRevisionOf(text, []),
  "lib/server/platform/db/queries/search/masking-revision.ts#nextRevision": (text) => nextRevision(text, []),
  "lib/server/platform/db/queries/search/masking-revision.ts#revisionOf": revisionOf,
  "lib/server/platform/safe-fetch.ts#isPublicAddress": isPublicAddress,
  "lib/server/platform/secrets/dump-finder.ts#isDumpLine": (text) =>
    isDumpLine(text, { from: 0, end: text.length, isCut: true }),
  "lib/server/platform/secrets/is-same-secret.ts#isSameSecret": (text) => isSameSecret(text, "a"),
  "lib/server/tools/http/check-request.ts#exampleAddress": exampleAddress,
  "lib/server/tools/mcp/composer/composer-text.ts#resourceBlock": (text) => resourceBlock("a", "b:c", text),
  "lib/server/tools/mcp/definitions.ts#readDefinition": readDefinition,
  "lib/server/traces/to-span.ts#readAttributes": readAttributes,
  "lib/server/triggers/heartbeat/heartbeat-file.ts#hasTasks": hasTasks,
  "lib/skills/describe-skills.ts#inlineSkill": (text) => inlineSkill({ name: "a", path: "a" } as never, text),
  "lib/text/markdown/markdown-cost.ts#hasCostlyBlocks": hasCostlyBlocks,
  "lib/text/markdown/markdown-cost.ts#isCostlyInline": isCostlyInline,
  "lib/text/yaml/parse-document.ts#parseYamlDocument": (text) =>
    // Its callers refuse texts that nest as deeply as these.
    /^[[{?-]/.test(text) ? null : parseYamlDocument(text, { uniqueKeys: false }),
  "lib/workspaces/docker/exchange/remote-tree.ts#readListing": readListing,
  "lib/workspaces/docker/exchange/remote-tree.ts#readMemoryKills": readMemoryKills,
  "lib/workspaces/line-search.ts#compileSearch": (text) => compileSearch(text, false),
  "lib/workspaces/line-search.ts#cutLine": cutLine,
  "lib/workspaces/sandbox/sandbox-remedies.ts#explainSandbox": explainSandbox,
};
