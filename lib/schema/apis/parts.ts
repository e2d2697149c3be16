import { z } from "zod";

const TextPart = z.looseObject({ type: z.literal("text"), text: z.string() });

/** A picture as OpenAI's clients send it; only `data:` addresses are taken. */
const ImagePart = z.looseObject({ type: z.literal("image_url"), image_url: z.looseObject({ url: z.string() }) });

/** A client's text, and the addresses of its pictures. */
export interface PartedText {
  readonly text: string;
  readonly pictures: readonly string[];
}

/** Text, or text parts; a part of another type is refused by name. */
export const TextContent = z
  .union([z.string(), z.array(TextPart)])
  .transform((content) => (typeof content === "string" ? content : content.map(({ text }) => text).join("")));

/** Text, or parts of text and pictures. */
export const PartedContent = z
  .union([z.string(), z.array(z.discriminatedUnion("type", [TextPart, ImagePart]))])
  .transform((content): PartedText => {
    if (typeof content === "string") return { text: content, pictures: [] };
    return {
      text: content.map((part) => (part.type === "text" ? part.text : "")).join(""),
      pictures: content.flatMap((part) => (part.type === "image_url" ? [part.image_url.url] : [])),
    };
  });
