import { z } from "zod";

/** Deeper nesting than Slack's own; what is below is left out. */
const MOST_DEPTH = 8;
const MOST_PARTS = 500;

const Node = z.object({
  type: z.string().catch(""),
  text: z.unknown().optional(),
  url: z.string().optional().catch(undefined),
  user_id: z.string().optional().catch(undefined),
  channel_id: z.string().optional().catch(undefined),
  usergroup_id: z.string().optional().catch(undefined),
  style: z.unknown().optional(),
  indent: z.number().optional().catch(undefined),
  offset: z.number().optional().catch(undefined),
  range: z.string().optional().catch(undefined),
  name: z.string().optional().catch(undefined),
  alt_text: z.string().optional().catch(undefined),
  title: z.unknown().optional(),
  label: z.unknown().optional(),
  description: z.unknown().optional(),
  fallback: z.string().optional().catch(undefined),
  value: z.string().optional().catch(undefined),
  rows: z.array(z.unknown()).optional().catch(undefined),
  accessory: z.unknown().optional(),
  elements: z.array(z.unknown()).optional().catch(undefined),
  fields: z.array(z.unknown()).optional().catch(undefined),
});
type Node = z.output<typeof Node>;

/** The text of a message's blocks as Slack's mrkdwn; blocks of unknown kinds are read by the text they hold. */
export function textOfBlocks(blocks: unknown): string {
  return partsOf(blocks, 0).join("\n").trim();
}

function partsOf(nodes: unknown, depth: number): string[] {
  if (!Array.isArray(nodes) || depth > MOST_DEPTH) return [];
  return nodes.slice(0, MOST_PARTS).flatMap((raw) => {
    const node = Node.safeParse(raw).data;
    const shown = node ? textOf(node, depth) : "";
    return shown === "" ? [] : [shown];
  });
}

function textOf(node: Node, depth: number): string {
  const parts = partsOf(node.elements, depth + 1);
  switch (node.type) {
    case "rich_text_section":
      return parts.join("");
    case "rich_text_list":
      return listText(node, parts);
    case "rich_text_quote":
      return parts
        .join("")
        .split("\n")
        .map((line) => `&gt; ${line}`)
        .join("\n");
    case "rich_text_preformatted":
      return `\`\`\`\n${parts.join("")}\n\`\`\``;
    case "link":
      return typeof node.text === "string" && node.text !== ""
        ? `<${node.url ?? ""}|${node.text}>`
        : `<${node.url ?? ""}>`;
    case "emoji":
      return `:${node.name ?? ""}:`;
    case "date":
    case "color":
      return node.fallback ?? node.value ?? "";
    case "table":
      return tableText(node, depth);
    case "image":
      return node.alt_text ? `[Picture: ${node.alt_text}]` : "";
    default:
      return (
        mentionOf(node) ??
        [...ownTexts(node, depth), ...parts, ...partsOf([node.accessory], depth + 1)].filter(Boolean).join("\n")
      );
  }
}

function mentionOf({ type, user_id: user, usergroup_id: group, channel_id: channel, range }: Node): string | null {
  if (type === "user") return `<@${user ?? ""}>`;
  if (type === "usergroup") return `<!subteam^${group ?? ""}>`;
  if (type === "channel") return `<#${channel ?? ""}>`;
  return type === "broadcast" ? `<!${range ?? "here"}>` : null;
}

function ownTexts({ title, label, text, description, fields }: Node, depth: number): string[] {
  return [...[title, label, text, description].map(ownText), ...partsOf(fields, depth + 1)];
}

/** Each level of a list is a list of its own, which says how far it is indented. */
function listText({ style, indent = 0, offset = 0 }: Node, parts: readonly string[]): string {
  const space = "  ".repeat(Math.min(Math.max(0, indent), MOST_DEPTH));
  const marker = (at: number) => (style === "ordered" ? `${offset + at + 1}.` : "•");
  return parts.map((part, at) => `${space}${marker(at)} ${part}`).join("\n");
}

function tableText({ rows = [] }: Node, depth: number): string {
  return rows
    .slice(0, MOST_PARTS)
    .map((row) => partsOf(row, depth + 1).join(" | "))
    .join("\n");
}

/** The text of an element, or that of the text object of a block. */
function ownText(text: unknown): string {
  if (typeof text === "string") return text;
  const inner = Node.safeParse(text).data?.text;
  return typeof inner === "string" ? inner : "";
}
