import { z } from "zod";

/** The names of both OpenAI APIs. */
const TextPart = z.looseObject({ type: z.enum(["text", "input_text", "output_text"]), text: z.string() });

/** A picture, in an object or as the address alone; only `data:` addresses are taken. */
const ImagePart = z.looseObject({
  type: z.enum(["image_url", "input_image"]),
  image_url: z.union([z.string(), z.looseObject({ url: z.string() })]),
});

const OtherPart = z.looseObject({ type: z.string(), refusal: z.string().nullish() });

/** Some clients write a part as plain text. */
const spelledOut = (part: unknown) => (typeof part === "string" ? { type: "text", text: part } : part);

/** Some clients send a single part instead of a list. */
const listed = (parts: unknown) =>
  typeof parts === "object" && parts !== null && !Array.isArray(parts) ? [parts] : parts;

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

/** What a model wrote: text, or parts, of which thoughts and calls are no text. */
export const ReplyContent = z
  .union([z.string(), z.preprocess(listed, z.array(z.preprocess(spelledOut, z.union([TextPart, OtherPart]))))])
  .transform((content) => (typeof content === "string" ? content : content.map(replyText).join("")));

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
