import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { ToolOutput } from "@/lib/agent/tools/tool";
import type { McpDisplay } from "@/lib/schema/tools/tool-display";

const MAX_TEXT_CHARS = 1_000_000;
/** The limit of one image as base64; a larger one is described and not stored in the run's log. */
const MAX_IMAGE_CHARS = 1_400_000;
const IMAGE_TYPES = /^image\/(?:png|jpeg|gif|webp)$/;

type Content = CallToolResult["content"][number];
type Shown = McpDisplay["content"][number];

/** A server's result: text for the model, images for people. A result marked as an error fails the call. */
export function toToolOutput(result: CallToolResult): ToolOutput {
  const parts = result.content.map(readPart);
  const text = parts
    .map((part) => part.text)
    .filter((part) => part !== "")
    .join("\n\n");
  const { structuredContent } = result;
  const output = (text || (structuredContent ? JSON.stringify(structuredContent) : "")).slice(0, MAX_TEXT_CHARS);
  if (result.isError) throw new Error(output || "The MCP server says that the call failed.");
  const hasMore = parts.some(({ shown }) => shown.type !== "text");
  return { output, ...(hasMore ? { display: { kind: "mcp", content: parts.map(({ shown }) => shown) } } : {}) };
}

/** The model reads text; other content is described by its type and size. */
function readPart(content: Content): { text: string; shown: Shown } {
  switch (content.type) {
    case "text":
      return { text: content.text, shown: { type: "text", text: content.text.slice(0, MAX_TEXT_CHARS) } };
    case "image": {
      const { mimeType, data } = content;
      const text = `[image: ${mimeType}, ${kilobytes(data)}]`;
      const isShown = IMAGE_TYPES.test(mimeType) && data.length <= MAX_IMAGE_CHARS && /^[A-Za-z0-9+/=\s]*$/.test(data);
      return { text, shown: isShown ? { type: "image", mediaType: mimeType, data } : { type: "text", text } };
    }
    case "audio": {
      const text = `[audio: ${content.mimeType}, ${kilobytes(content.data)}]`;
      return { text, shown: { type: "text", text } };
    }
    case "resource_link": {
      const { uri, name, description } = content;
      const text = [`${name}: ${uri}`, description].filter(Boolean).join("\n");
      return { text, shown: { type: "resource", uri, text: description ?? name } };
    }
    case "resource": {
      const { resource } = content;
      const isText = "text" in resource;
      const body = isText ? resource.text : `[${resource.mimeType ?? "binary"}, ${kilobytes(resource.blob)}]`;
      return { text: `${resource.uri}\n${body}`, shown: { type: "resource", uri: resource.uri, text: body } };
    }
  }
}

function kilobytes(base64: string): string {
  return `${Math.ceil((base64.length * 3) / 4 / 1_000)} KB`;
}
