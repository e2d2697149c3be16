import type { ToolOutput } from "@/lib/agent/tools/tool";
import type { McpDisplay } from "@/lib/schema/tools/tool-display";
import { type KeepPicture, readPictures, type SentPicture } from "./pictures";
import { plainMessage, withoutIssues } from "./reading/failure-message";
import { BARE_RESULT, isObject, type JsonObject } from "./reading/read-message";

const MAX_TEXT_CHARS = 1_000_000;
/** The limit of content that is shown as its JSON. */
const MAX_JSON_CHARS = 4_000;

type Shown = McpDisplay["content"][number];

interface Part {
  readonly text: string;
  readonly shown: Shown;
  readonly picture?: SentPicture;
}

/**
 * A server's result: text, and pictures that can be decoded. Each part is read by itself, one of an unknown kind as its
 * JSON. Only a result that the server marks as an error fails the call.
 */
export async function toToolOutput(result: JsonObject, keep: KeepPicture): Promise<ToolOutput> {
  const parts = partsOf(result.content ?? bareContent(result))
    .flat()
    .map(readPart);
  const text = parts
    .map((part) => part.text)
    .filter((part) => part !== "")
    .join("\n\n");
  const output = (text || withoutContent(result)).slice(0, MAX_TEXT_CHARS);
  if (isMarkedAsError(result.isError ?? result.is_error)) {
    throw new Error(
      withoutIssues(text === "" ? plainMessage(output) : output) || "The MCP server says that the call failed.",
    );
  }
  const pictures = await readPictures(
    parts.map(({ picture }) => picture),
    keep,
  );
  const images = pictures.flatMap((picture) => picture?.image ?? []);
  const content = parts.map(({ shown }, index) => pictures[index]?.shown ?? shown);
  const hasMore = content.some(({ type }) => type !== "text");
  return {
    output,
    ...(hasMore ? { display: { kind: "mcp", content } } : {}),
    ...(images.length > 0 ? { images } : {}),
  };
}

function isMarkedAsError(flag: unknown): boolean {
  return flag === true || flag === 1 || (typeof flag === "string" && /^(?:true|1)$/i.test(flag));
}

function partsOf(content: unknown): readonly unknown[] {
  if (content === undefined || content === null) return [];
  return Array.isArray(content) ? content : [content];
}

/** A result that is nothing but its content. */
function bareContent({ [BARE_RESULT]: bare }: JsonObject): readonly unknown[] | undefined {
  const isContent = Array.isArray(bare) && bare.length > 0 && bare.every((part) => isObject(part) && isKind(part.type));
  return isContent ? bare : undefined;
}

/** A result without content: its structured part, or else whatever it has. */
function withoutContent(result: JsonObject): string {
  const { structuredContent, [BARE_RESULT]: bare, content: _content, isError: _mark, ...rest } = result;
  const { _meta, is_error: _otherMark, ...others } = rest;
  const structured = structuredContent ?? bare;
  if (structured !== undefined && structured !== null) return textOrJson(structured);
  return Object.keys(others).length === 0 ? "" : cutJson(others);
}

function textOrJson(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The model reads text; other content is described by its type and size. */
function readPart(content: unknown): Part {
  if (typeof content === "string") return textPart(content);
  if (!isObject(content)) return textPart(content === null ? "" : cutJson(content));
  const kind = typeof content.type === "string" ? content.type.toLowerCase() : undefined;
  const known = isKind(kind) ? READERS[kind](content) : null;
  if (known) return known;
  const isTextAlone = typeof content.text === "string" && Object.keys(content).every((name) => BESIDE_TEXT.has(name));
  return textPart(isTextAlone ? String(content.text) : cutJson(content));
}

/** What a text of an unknown kind may have and is still nothing but text. */
const BESIDE_TEXT = new Set(["type", "text", "annotations", "_meta", "mimeType"]);

/** What the model reads of one part of a result. */
export function partText(content: unknown): string {
  return readPart(content).text;
}

function textPart(text: string): Part {
  return { text, shown: { type: "text", text: text.slice(0, MAX_TEXT_CHARS) } };
}

function cutJson(value: unknown): string {
  const json = JSON.stringify(value);
  return json.length <= MAX_JSON_CHARS ? json : `${json.slice(0, MAX_JSON_CHARS)}… [${json.length} characters in all]`;
}

/** Each reads one kind of content; null if it lacks what the kind needs. */
const READERS = {
  text: ({ text }: JsonObject) => (typeof text === "string" || text === null ? textPart(text ?? "") : null),
  image: ({ mimeType, data, source }: JsonObject) => {
    // As Anthropic's API has it.
    const { media_type: sourceType, data: sourceData } = isObject(source) ? source : {};
    const sent = data ?? sourceData;
    return typeof sent === "string" ? imagePart(typeOr(mimeType ?? sourceType, "image"), sent) : null;
  },
  audio: ({ mimeType, data }: JsonObject) =>
    typeof data === "string" ? textPart(`[audio: ${typeOr(mimeType, "unknown type")}, ${kilobytes(data)}]`) : null,
  resource_link: linkPart,
  resource: ({ resource }: JsonObject) => (isObject(resource) ? resourcePart(resource) : null),
};

function isKind(type: unknown): type is keyof typeof READERS {
  return typeof type === "string" && Object.hasOwn(READERS, type);
}

function typeOr(mimeType: unknown, other: string): string {
  return typeof mimeType === "string" && mimeType !== "" ? mimeType.slice(0, 200) : other;
}

/** Some servers send the whole address of the data. */
function imagePart(givenType: string, given: string): Part {
  const [, addressType, addressData] = /^data:(image\/[a-z+.-]{1,40});base64,(.*)$/is.exec(given) ?? [];
  const data = addressData ?? given;
  const mediaType = (addressType ?? givenType).toLowerCase();
  return { ...textPart(`[image: ${mediaType}, ${kilobytes(data)}]`), picture: { mediaType, data } };
}

function linkPart({ uri, name, title, description }: JsonObject): Part | null {
  if (typeof uri !== "string") return null;
  const label = [name, title].find((word) => typeof word === "string" && word !== "") as string | undefined;
  const about = typeof description === "string" ? description : undefined;
  const text = [label === undefined ? uri : `${label}: ${uri}`, about].filter(Boolean).join("\n");
  return { text, shown: { type: "resource", uri, text: about ?? label ?? uri } };
}

function resourcePart({ uri: given, text, blob, mimeType }: JsonObject): Part | null {
  const uri = typeof given === "string" ? given : "";
  const isBinary = typeof text !== "string" && typeof blob === "string";
  const body = isBinary ? `[${typeOr(mimeType, "binary")}, ${kilobytes(blob)}]` : text;
  if (body === undefined || body === null) return null;
  const shown = typeof body === "string" ? body : cutJson(body);
  const part: Part = { text: [uri, shown].filter(Boolean).join("\n"), shown: { type: "resource", uri, text: shown } };
  const picture = { mediaType: typeOr(mimeType, "").toLowerCase(), data: blob as string };
  return isBinary ? { ...part, picture } : part;
}

function kilobytes(base64: string): string {
  return `${Math.ceil((base64.length * 3) / 4 / 1_000)} KB`;
}
