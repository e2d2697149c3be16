import { createHash } from "node:crypto";
import { escapeHtml } from "@/lib/schema/escape-html";
import { formatDuration } from "@/lib/schema/format-duration";
import { formatUsd } from "@/lib/schema/runs/format-usd";
import type { ReadTrace } from "@/lib/schema/traces/read-trace";
import type { Trace } from "@/lib/schema/traces/trace";
import { BUNDLE_STYLE } from "./bundle-style";
import { readPart } from "./read-part";
import { treePart, waterfallPart } from "./span-parts";

const LAYOUTS = { read: "Read", tree: "Tree", waterfall: "Waterfall" } as const;

/**
 * A trace as one HTML file that needs no server, no network and no script: the text of the run, its spans as a tree and
 * as a waterfall. `savedAt` is ISO 8601. Nothing in it can load or run anything.
 */
export function bundlePage(trace: Trace, read: ReadTrace, savedAt: string): string {
  const title = escapeHtml(trace.message ?? trace.title ?? "Untitled run");
  const style = createHash("sha256").update(BUNDLE_STYLE).digest("base64");
  const policy = `default-src 'none'; style-src 'sha256-${style}'; base-uri 'none'; form-action 'none'`;
  const names = Object.entries(LAYOUTS);
  const inputs = names.map(
    ([id, name]) =>
      `<input class="layout" type="radio" name="layout" id="${id}" aria-label="${name}"${id === "read" ? " checked" : ""}>`,
  );
  const labels = names.map(([id, name]) => `<label for="${id}" aria-hidden="true">${name}</label>`);
  return [
    '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
    `<meta http-equiv="content-security-policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${title}</title>\n<style>${BUNDLE_STYLE}</style>\n</head>\n<body>`,
    `<header><h1>${title}</h1>\n<p class="facts">${escapeHtml(factsOf(trace, savedAt))}</p></header>`,
    ...inputs,
    `<nav>${labels.join("")}</nav>\n<main>`,
    `<section class="read" aria-label="Read">${readPart(read)}</section>`,
    `<section class="tree" aria-label="Tree">${treePart(trace)}</section>`,
    `<section class="waterfall" aria-label="Waterfall">${waterfallPart(trace)}</section>`,
    "</main>\n</body>\n</html>\n",
  ].join("\n");
}

function factsOf(trace: Trace, savedAt: string): string {
  const { status, agentName, agentVersion, ownerName, startedAt, durationMs, waitedMs, costUsd, error } = trace;
  const facts = [
    `${agentName} v${agentVersion}, ${status}${error === null ? "" : `: ${error}`}`,
    `for ${ownerName}, ${startedAt}`,
    durationMs === null ? "not ended" : `worked ${formatDuration(Math.max(0, durationMs - waitedMs))}`,
    ...(waitedMs === 0 ? [] : [`waited ${formatDuration(waitedMs)}`]),
    costUsd === null ? "cost unknown" : formatUsd(costUsd),
    `saved ${savedAt}`,
  ];
  return facts.join(" · ");
}
