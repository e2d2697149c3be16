import type {
  LanguageModelV4FilePart,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  SharedV4ProviderOptions,
} from "@ai-sdk/provider";
import type { ModelRequest } from "@/lib/agent/model";
import { shortId } from "@/lib/models/dialects/short-id";
import type { Traits } from "@/lib/schema/dialect";
import type {
  AssistantMessage,
  ImageRef,
  Message,
  ProviderMetadata,
  Reasoning,
  SystemMessage,
  ToolMessage,
  UserMessage,
} from "@/lib/schema/messages/message";
import { providerSchema } from "./provider-schema";
import { BLIND, describeUnseen, type ShownImages } from "./shown-images";

/** How providers differ in the history they accept. */
export interface PromptDialect {
  /**
   * Reasoning is sent back only with metadata under this key, because signatures of other providers are refused. Null:
   * send the text.
   */
  readonly reasoningNamespace: string | null;
  /**
   * Provider, origin and model: signatures and ids of another writer are left out, because only their writer can check
   * them. Null: the model itself sees to that.
   */
  readonly writer: string | null;
  /** Marks the end of the system prompt and of the history as prompt-cache breakpoints (Anthropic). */
  readonly cacheBreakpoints: boolean;
  /** Call ids may contain only letters, digits, `_` and `-` (Anthropic); another model may have written others. */
  readonly plainCallIds: boolean;
  /** The first turn must be a user's (Anthropic, Google), but earlier turns may have been summarised. */
  readonly beginsWithUser: boolean;
  /** Which JSON Schemas of tools it takes. */
  readonly schemas: Traits["schemas"];
}

/** For providers without special requirements. */
export const PLAIN_DIALECT: PromptDialect = {
  reasoningNamespace: null,
  writer: null,
  cacheBreakpoints: false,
  plainCallIds: false,
  beginsWithUser: false,
  schemas: "openai",
};

type Assistant = Extract<LanguageModelV4Message, { role: "assistant" }>;
type ToolTurn = Extract<LanguageModelV4Message, { role: "tool" }>;
type UserTurn = Extract<LanguageModelV4Message, { role: "user" }>;

const EARLIER_TURNS: LanguageModelV4Message = {
  role: "user",
  content: [{ type: "text", text: "[Earlier messages are left out.]" }],
};
/**
 * Stands where a run begins with instructions alone: they are part of the system prompt, and most servers take only a
 * request that ends with a turn of the user or a result.
 */
const NO_QUESTION: LanguageModelV4Message = {
  role: "user",
  content: [{ type: "text", text: "[There is no further message. Go on.]" }],
};
const CACHE_BREAKPOINT: SharedV4ProviderOptions = { anthropic: { cacheControl: { type: "ephemeral" } } };

/** The history as sent in one call. */
export function toProviderPrompt(request: ModelRequest, dialect: PromptDialect, images = BLIND): LanguageModelV4Prompt {
  const { system, turns } = convert(request.messages, { dialect, images });
  const systemText = [...request.system.map((section) => section.text), ...system]
    .filter((text) => text !== "")
    .join("\n\n");
  const prompt: LanguageModelV4Message[] = systemText === "" ? [] : [{ role: "system", content: systemText }];
  if (dialect.beginsWithUser && turns.length > 0 && turns[0]?.role !== "user") prompt.push(EARLIER_TURNS);
  for (const turn of turns) prompt.push(turn);
  if (endsWithAnswer(turns)) prompt.push(NO_QUESTION);
  return dialect.cacheBreakpoints ? withBreakpoints(prompt) : prompt;
}

function endsWithAnswer(turns: readonly LanguageModelV4Message[]): boolean {
  const last = turns.at(-1);
  if (last === undefined) return true;
  return last.role === "assistant" && last.content.every(({ type }) => type !== "tool-call");
}

/** The conversion settings, apart from the messages themselves. */
interface Manner {
  readonly dialect: PromptDialect;
  readonly images: ShownImages;
}

interface Converted extends Manner {
  readonly messages: readonly Message[];
  readonly system: readonly string[];
  readonly turns: readonly LanguageModelV4Message[];
}

const NOTHING = { messages: [], system: [], turns: [] } as const;

/** A cache keyed by the first message of a history: a run's next call has the same messages, plus a few. */
const lastConverted = new WeakMap<Message, Converted>();

function convert(messages: readonly Message[], manner: Manner): Pick<Converted, "system" | "turns"> {
  const [first] = messages;
  const known = (first && continued(lastConverted.get(first), messages, manner)) ?? NOTHING;
  const system = [...known.system];
  const turns = [...known.turns];
  for (const message of messages.slice(known.messages.length)) {
    if (message.role === "system") system.push(message.content);
    else addTurn(turns, message, manner);
  }
  // Copied, so that the cache does not change when a caller extends its list.
  if (first) lastConverted.set(first, { ...manner, messages: [...messages], system, turns });
  return { system, turns };
}

/** `known` if `messages` begins with all of it. */
function continued(known: Converted | undefined, messages: readonly Message[], { dialect, images }: Manner) {
  if (known?.dialect !== dialect || !isSameSight(known.images, images)) return undefined;
  return known.messages.every((message, at) => message === messages[at]) ? known : undefined;
}

function isSameSight(one: ShownImages, other: ShownImages): boolean {
  return one.canSee === other.canSee && one.leftOut === other.leftOut;
}

function addTurn(
  turns: LanguageModelV4Message[],
  message: Exclude<Message, SystemMessage>,
  { dialect, images }: Manner,
): void {
  if (message.role === "user") addUser(turns, message, images);
  else if (message.role === "assistant") addAssistant(turns, message, dialect);
  else addToolResult(turns, message, { dialect, images });
}

function addUser(turns: LanguageModelV4Message[], { content, images: own }: UserMessage, images: ShownImages): void {
  const { text, files } = showImages(content, own, images);
  // A picture may come without a word, and providers refuse a part of no text.
  const words = text.trim() === "" && files.length > 0 ? [] : [{ type: "text" as const, text }];
  turns.push({ role: "user", content: [...words, ...files] });
}

/** The text with a line for each image that the model is not shown, and parts for the other images. */
function showImages(text: string, own: readonly ImageRef[] | undefined, images: ShownImages) {
  if (!own || own.length === 0) return { text, files: [] };
  const unseen = own.flatMap((image) => describeUnseen(image, images) ?? []);
  const files = own.flatMap(({ hash, mediaType }): LanguageModelV4FilePart[] => {
    const data = hash === null ? undefined : images.bytes.get(hash);
    return data ? [{ type: "file", mediaType, data: { type: "data", data } }] : [];
  });
  return { text: [text, ...unseen].filter((line) => line !== "").join("\n"), files };
}

export function toProviderTools(
  request: ModelRequest,
  { schemas }: PromptDialect,
): LanguageModelV4FunctionTool[] | undefined {
  if (request.tools.length === 0) return undefined;
  return request.tools.map((tool) => ({
    type: "function",
    name: tool.name,
    description: tool.description,
    inputSchema: providerSchema(tool.parameters, schemas),
  }));
}

function addAssistant(turns: LanguageModelV4Message[], message: AssistantMessage, dialect: PromptDialect): void {
  const content: Assistant["content"] = [];
  for (const block of message.reasoning ?? []) {
    if (mayReturn(block, dialect)) {
      content.push({ type: "reasoning", text: block.text, ...providerOptions(block.providerMetadata, dialect) });
    }
  }
  const hasText = message.content.trim() !== "";
  if (hasText) content.push({ type: "text", text: message.content });
  for (const call of message.toolCalls) {
    content.push({
      type: "tool-call",
      toolCallId: callId(call.id, dialect),
      toolName: plainName(call.name),
      input: call.args,
      ...providerOptions(call.providerMetadata, dialect),
    });
  }
  // Most providers refuse a reply without text or calls, and it tells the model nothing.
  if (hasText || message.toolCalls.length > 0) turns.push({ role: "assistant", content });
}

/** Some servers refuse a result without text. */
const NOTHING_RETURNED = "[The tool returned nothing.]";

function addToolResult(turns: LanguageModelV4Message[], message: ToolMessage, { dialect, images }: Manner): void {
  const { text, files } = showImages(message.content, message.images, images);
  const part: ToolTurn["content"][number] = {
    type: "tool-result",
    toolCallId: callId(message.toolCallId, dialect),
    toolName: plainName(message.name),
    output: { type: message.isError ? "error-text" : "text", value: text.trim() === "" ? NOTHING_RETURNED : text },
  };
  // Results of one reply stay together; their images all follow, because most providers accept none in a result.
  const shown = turns.at(-1)?.role === "user" ? takePictures(turns) : [];
  const last = turns.at(-1);
  // Replaces the turn instead of changing it, because an earlier call may have cached it.
  if (last?.role === "tool") turns[turns.length - 1] = { role: "tool", content: [...last.content, part] };
  else turns.push({ role: "tool", content: [part] });
  const named = files.length === 0 ? [] : [{ type: "text" as const, text: `[Shown by ${part.toolName}]` }, ...files];
  if (shown.length + named.length > 0) {
    const pictures: UserTurn = { role: "user", content: [...shown, ...named] };
    ofResults.add(pictures);
    turns.push(pictures);
  }
}

/** The turns with images of tool results, which no person sent. */
const ofResults = new WeakSet<LanguageModelV4Message>();

/** Removes the last turn if it contains the images of tool results, and returns them. */
function takePictures(turns: LanguageModelV4Message[]): UserTurn["content"] {
  const last = turns.at(-1);
  if (last?.role !== "user" || !ofResults.has(last)) return [];
  turns.pop();
  return last.content;
}

/** The key of our own metadata beside that of a provider whose model does not name its writer itself. */
const WRITTEN_BY = "ringmaster";

/** The metadata of something that was just written, with its writer. */
export function signed(metadata: ProviderMetadata | undefined, writer: string | null): ProviderMetadata | undefined {
  return metadata && writer !== null ? { ...metadata, [WRITTEN_BY]: { writer } } : metadata;
}

/** Metadata from before writers were kept may be anybody's, and is sent as it always was. */
function isOwn(metadata: ProviderMetadata | undefined, { writer }: PromptDialect): boolean {
  const other = metadata?.[WRITTEN_BY]?.writer;
  return writer === null || other === undefined || other === writer;
}

function mayReturn({ text, providerMetadata }: Reasoning, dialect: PromptDialect): boolean {
  if (dialect.reasoningNamespace === null) return text !== "";
  return providerMetadata?.[dialect.reasoningNamespace] !== undefined && isOwn(providerMetadata, dialect);
}

function providerOptions(
  metadata: ProviderMetadata | undefined,
  dialect: PromptDialect,
): { providerOptions?: SharedV4ProviderOptions } {
  if (!metadata || !isOwn(metadata, dialect)) return {};
  const { [WRITTEN_BY]: _, ...given } = metadata;
  // The metadata came from the provider as JSON and is returned unchanged.
  return { providerOptions: given as SharedV4ProviderOptions };
}

const LONGEST_ID = 64;

function callId(id: string, dialect: PromptDialect): string {
  // Gateways put whole signatures into ids, which no other provider takes.
  if (dialect.writer !== null && id.length > LONGEST_ID) return shortId(id);
  return dialect.plainCallIds ? id.replace(/[^a-zA-Z0-9_-]/g, "_") : id;
}

const PLAIN_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/**
 * Sanitises a tool name: real names are already valid, but a provider would permanently refuse a thread that contains
 * an invalid name invented by a model.
 */
function plainName(name: string): string {
  return PLAIN_NAME.test(name) ? name : name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64) || "_";
}

function withBreakpoints(prompt: LanguageModelV4Prompt): LanguageModelV4Prompt {
  const last = prompt.length - 1;
  return prompt.map((message, index) =>
    message.role === "system" || index === last ? { ...message, providerOptions: CACHE_BREAKPOINT } : message,
  );
}
