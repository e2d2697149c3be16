import type { McpDefinition } from "@/lib/schema/tools/mcp-server";
import { scanInput } from "@/lib/text/scan/scan-input";

/** Content that tool descriptions do not need: orders about other work, silence, secrets and where they are stored. */
const ORDERS = [
  /\b(?:do not|don't|never|without) (?:tell|mention|inform|notify|show|telling|mentioning|informing|showing)\b/i,
  /\b(?:before|after|when|whenever) (?:using|calling|you (?:use|call)) (?:this|any|another|other)\b/i,
  /\b(?:always|first|also|must) (?:read|send|include|add|pass|call|use|copy)\b.{0,60}\b(?:file|secret|key|token|password|credential|contents?)/i,
  /(?:^|[\s"'`(/])(?:\.env|\.ssh|\.aws|id_rsa|\.npmrc|mcp\.json|credentials?\.json)\b/i,
  /<\/?(?:important|system|instructions?)>/i,
];

/** The sentence of a definition that reads like an instruction to the model; null if there is none. */
export function suspiciousText({ title = "", description, schema }: McpDefinition): string | null {
  for (const text of [title, description, ...descriptionsIn(schema, 0)]) {
    const sentence = text.split(/(?<=[.!?])\s+|\n+/).find(isOrder);
    if (sentence !== undefined) return sentence.trim().slice(0, 300);
  }
  return null;
}

function isOrder(sentence: string): boolean {
  return ORDERS.some((order) => order.test(sentence)) || scanInput(sentence).length > 0;
}

const MAX_DEPTH = 12;

/** Parameter descriptions are shown to the model too. */
function descriptionsIn(schema: unknown, depth: number): string[] {
  if (typeof schema !== "object" || schema === null || depth > MAX_DEPTH) return [];
  return Object.entries(schema).flatMap(([key, value]) => {
    if (key === "description" && typeof value === "string") return [value];
    return descriptionsIn(value, depth + 1);
  });
}
