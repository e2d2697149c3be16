import { z } from "zod";

/** The names of both OpenAI APIs. */
const TextPart = z.looseObject({ type: z.enum(["text", "input_text", "output_text"]), text: z.string() });

/** A picture, in an object or as the address alone; only `data:` addresses are taken. */
const ImagePart = z.looseObject({
  type: z.enum(["image_url", "input_image"]),
  image_url: z.union([z.string(), z.looseObject({ url: z.string() })]),
});

const OtherPart = z.looseObject({ type: z.string(), refusal: z.string().nullish() });

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Some clients write a part as plain text, without its type, or a picture as other APIs do. */
function spelledOut(part: unknown): unknown {
  if (typeof part === "string") return { type: "text", text: part };
  if (!isFields(part)) return part;
  const { type, text } = part;
  if ((type === undefined || type === null) && typeof text === "string") return { ...part, type: "text" };
  const address = type === "image" ? addressOfImage(part) : undefined;
  return address === undefined ? part : { type: "image_url", image_url: address };
}

/** A picture in the forms of Anthropic and of the AI SDK. */
function addressOfImage({ source, image, data, mediaType, mimeType }: Fields): string | undefined {
  if (isFields(source)) {
    if (typeof source.url === "string") return source.url;
    return typeof source.data === "string"
      ? `data:${source.media_type ?? "image/png"};base64,${source.data}`
      : undefined;
  }
  const sent = image ?? data;
  if (typeof sent !== "string") return undefined;
  return /^(?:data|https?):/.test(sent) ? sent : `data:${mediaType ?? mimeType ?? "image/png"};base64,${sent}`;
}

/** Some clients send a single part instead of a list, and null for what a part does not have. */
function listed(sent: unknown): unknown {
  if (typeof sent === "number" || typeof sent === "boolean") return [String(sent)];
  const parts = isFields(sent) ? [sent] : sent;
  return Array.isArray(parts) ? parts.filter((part) => !isEmpty(part)) : parts;
}

function isEmpty(part: unknown): boolean {
  if (!isFields(part)) return part === null;
  const { type, text, image_url: address } = part;
  return (type === "text" && text === null) || (type === "image_url" && address === null);
}

/** Results of tools are whatever the tool gave. */
const resultText = (sent: unknown) =>
  typeof sent === "string" || sent === null || sent === undefined || isReply(sent) ? sent : JSON.stringify(sent);

function isReply(sent: unknown): boolean {
  const parts = Array.isArray(sent) ? sent : [sent];
  return parts.every(
    (part) => part === null || typeof part === "string" || (isFields(part) && typeof part.type === "string"),
  );
}

/** The sentence about a part of another type. */
const refusing = (taken: string) => ({
  error: ({ input }: { readonly input?: unknown }) => {
    const type = typeof input === "object" && input !== null && "type" in input ? String(input.type) : "none";
    return `A part of type ${JSON.stringify(type.slice(0, 100))} can't be sent here. Send ${taken}.`;
  },
});

/** A client's text, and the addresses of its pictures. */
export interface PartedText {
  readonly text: string;
  readonly pictures: readonly string[];
}

/** Text, or text parts; a part of another type is refused by name. */
export const TextContent = z
  .union([
    z.string(),
    z.preprocess(
      listed,
      z.array(z.preprocess(spelledOut, z.discriminatedUnion("type", [TextPart], refusing("text alone")))),
    ),
  ])
  .transform((content) => (typeof content === "string" ? content : content.map(({ text }) => text).join("")));

/** What a model wrote: text, or parts, of which thoughts and calls are no text; of a result any other value as JSON. */
export const ReplyContent = z.preprocess(
  resultText,
  z
    .union([z.string(), z.preprocess(listed, z.array(z.preprocess(spelledOut, z.union([TextPart, OtherPart]))))])
    .transform((content) => (typeof content === "string" ? content : content.map(replyText).join(""))),
);

function replyText(part: z.output<typeof TextPart> | z.output<typeof OtherPart>): string {
  if (TextPart.safeParse(part).success) return String(part.text);
  return part.type === "refusal" ? String(part.refusal ?? "") : "";
}

/** Text, or parts of text and pictures. */
export const PartedContent = z
  .union([
    z.string(),
    z.preprocess(
      listed,
      z.array(
        z.preprocess(spelledOut, z.discriminatedUnion("type", [TextPart, ImagePart], refusing("text and pictures"))),
      ),
    ),
  ])
  .transform((content): PartedText => {
    if (typeof content === "string") return { text: content, pictures: [] };
    return {
      text: content.map((part) => (isText(part) ? part.text : "")).join(""),
      pictures: content.flatMap((part) => (isText(part) ? [] : [addressOf(part.image_url)])),
    };
  });

type Part = z.output<typeof TextPart> | z.output<typeof ImagePart>;

function isText(part: Part): part is z.output<typeof TextPart> {
  return part.type !== "image_url" && part.type !== "input_image";
}

function addressOf(image: z.output<typeof ImagePart>["image_url"]): string {
  return typeof image === "string" ? image : image.url;
}
