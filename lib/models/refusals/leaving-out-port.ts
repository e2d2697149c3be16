import type { ModelCallOptions, ModelPort, ModelRequest } from "@/lib/agent/model";
import { ProviderFailure } from "@/lib/models/failures/provider-failure";
import type { ImageReader } from "@/lib/models/wire/shown-images";
import type { Message } from "@/lib/schema/messages/message";
import type { RefusedTool } from "@/lib/schema/providers/provider-refusals";
import type { ModelReply } from "@/lib/schema/runs/run-event";
import { writePlainly } from "./plain-history";
import type { ModelRefusals, RefusalMemory } from "./refusal-memory";
import { isStillRefused, type Remedy, remedyFor, type Sending } from "./remedies";
import { findUnsound, hasPictures, shownHashes, unshownNames, unshownNotices, withoutPictures } from "./sound-pictures";

interface LeavingOut {
  readonly provider: string;
  readonly model: string;
  readonly memory: RefusalMemory;
  /** Absent: the model sees no pictures. */
  readonly readImage?: ImageReader | undefined;
}

/** More attempts than there are remedies for most requests. */
const MOST_REMEDIES = 6;

/**
 * A port that does not send what the provider cannot read or has refused before, and that asks again without what a
 * refusal is about: otherwise one picture, call or tool would make a thread fail for good. What was left out is
 * remembered once that helped, and the reply says so.
 */
export function leavingOutPort(port: ModelPort, options: LeavingOut): ModelPort {
  return { ...port, call: (request, callOptions) => new Asking(port, options, callOptions).ask(request) };
}

class Asking {
  readonly #notices: string[] = [];
  readonly #refusals: ModelRefusals;

  private readonly port: ModelPort;
  private readonly options: LeavingOut;
  private readonly callOptions: ModelCallOptions;

  constructor(port: ModelPort, options: LeavingOut, callOptions: ModelCallOptions) {
    this.port = port;
    this.options = options;
    this.callOptions = callOptions;
    this.#refusals = options.memory.of(options.provider, options.model);
  }

  async ask(request: ModelRequest): Promise<ModelReply> {
    let sending = await this.#begin(request);
    const failures: ProviderFailure[] = [];
    for (;;) {
      const startedAtMs = Date.now();
      const outcome = await this.#attempt(request, sending);
      if (outcome.reply) return outcome.reply;
      failures.push(outcome.failure);
      const remedy = failures.length > MOST_REMEDIES ? null : this.#remedy(request, sending, outcome.failure);
      if (remedy === null) {
        this.#learnLimit(outcome.failure);
        throw mostTelling(failures);
      }
      this.#announce(outcome.failure, remedy, failures.length, startedAtMs);
      sending = remedy.sending;
    }
  }

  /** One attempt; a failure without a refusal is thrown. */
  async #attempt(request: ModelRequest, sending: Sending) {
    try {
      this.#tellChanges(request, sending);
      const reply = await this.port.call(this.#written(request, sending), this.callOptions);
      this.#remember(request, sending);
      const notices = [...this.#unshown(request, sending), ...this.#notices, ...this.#unable(request)];
      return { reply: notices.length === 0 ? reply : { ...reply, notices } };
    } catch (error) {
      if (!(error instanceof ProviderFailure) || error.refusal === null) throw error;
      return { reply: null, failure: error };
    }
  }

  async #begin(request: ModelRequest): Promise<Sending> {
    const { readImage } = this.options;
    const unsound = readImage && hasPictures(request) ? await findUnsound(request, readImage) : new Map();
    return { unshown: new Map([...this.#refusals.pictures, ...unsound]), plain: null, tools: [], maxTokens: null };
  }

  #remedy(request: ModelRequest, sending: Sending, failure: ProviderFailure): Remedy | null {
    const { refusal } = failure;
    const { provider, model, readImage } = this.options;
    const seesPictures = readImage !== undefined;
    return refusal && remedyFor({ refusal, request, sending, refusals: this.#refusals, provider, model, seesPictures });
  }

  /** Offered on the provider's page, never applied silently. */
  #learnLimit({ refusal, refusedLength }: ProviderFailure): void {
    const contextWindow = refusedLength?.limitTokens;
    if (!refusal || contextWindow === undefined) return;
    const { provider, model } = this.options;
    this.#refusals.learnLimit({ provider, model, contextWindow, words: refusal.words.slice(0, 500) });
  }

  #announce(failure: ProviderFailure, { how, notice }: Remedy, attempt: number, startedAtMs: number): void {
    if (notice !== "") this.#notices.push(notice);
    const message = `${failure.message} It is asked again ${how}.`;
    const nextModel = this.port.name;
    this.callOptions.onRetry?.({ attempt, error: { code: failure.code, message }, delayMs: 0, nextModel, startedAtMs });
  }

  #written(request: ModelRequest, sending: Sending): ModelRequest {
    const plain = new Set<Message>(sending.plain?.messages);
    const messages = writePlainly(request.messages, (message) =>
      plain.has(message) ? sending.plain?.plainness : this.#refusals.plainnessOf(message),
    );
    const maxTokens = sending.maxTokens ?? request.maxTokens;
    return this.#withoutTools({ ...request, maxTokens, messages: this.#withoutPictures(messages, sending) }, sending);
  }

  #withoutPictures(messages: readonly Message[], { unshown }: Sending): readonly Message[] {
    return this.options.readImage ? withoutPictures(messages, unshown) : messages;
  }

  /** The model is told, because the prompt may speak of the tool. */
  #withoutTools(request: ModelRequest, { tools }: Sending): ModelRequest {
    const names = this.#leftOut(request, tools);
    if (names.length === 0) return request;
    const text = `These tools are not available with this model, because its provider does not accept them: ${names.join(", ")}.`;
    return {
      ...request,
      system: [...request.system, { name: "refused-tools", text }],
      tools: request.tools.filter(({ name }) => !names.includes(name)),
    };
  }

  #leftOut(request: ModelRequest, tools: readonly RefusedTool[]): string[] {
    return leftOutTools(request, [...this.#refusals.tools, ...tools]);
  }

  #tellChanges(request: ModelRequest, { unshown, plain, tools, maxTokens }: Sending): void {
    const { onSent } = this.callOptions;
    if (!onSent) return;
    const plainly = new Set<Message>(plain?.messages);
    const written = request.messages.map((message) =>
      plainly.has(message) ? plain?.plainness : this.#refusals.plainnessOf(message),
    );
    onSent({
      left_out: {
        pictures: this.options.readImage ? unshownNames(withoutPictures(request.messages, unshown)) : [],
        tools: this.#leftOut(request, tools),
        refused_thoughts: written.filter((plainness) => plainness === "bare").length,
      },
      rewritten: {
        messages_as_text: written.filter((plainness) => plainness === "text").length,
        max_tokens: maxTokens,
      },
    });
  }

  #unshown(request: ModelRequest, { unshown }: Sending): string[] {
    return this.options.readImage ? unshownNotices(withoutPictures(request.messages, unshown)) : [];
  }

  /** In each run: an agent that cannot ask must not seem to have nothing to ask. */
  #unable(request: ModelRequest): string[] {
    const { provider, model } = this.options;
    const isFirst = request.messages.at(-1)?.role === "user";
    const isKnown = leftOutTools(request, this.#refusals.tools).includes(ASK_USER);
    return isFirst && isKnown
      ? [`The agent can ask you nothing: the provider ${provider} does not accept the tool ${ASK_USER} for ${model}.`]
      : [];
  }

  #remember(request: ModelRequest, { unshown, plain, tools }: Sending): void {
    const refusals = this.#refusals;
    if (this.options.readImage && hasPictures(request)) {
      const refused = [...unshown].filter(([hash, problem]) => problem === "refused" && !refusals.pictures.has(hash));
      refusals.refusePictures(refused.map(([hash]) => hash));
      refusals.takePictures(shownHashes(request).filter((hash) => !unshown.has(hash)));
    }
    if (plain) refusals.writePlainly(plain.messages, plain.plainness);
    if (tools.length > 0) refusals.refuseTools(tools);
  }
}

const ASK_USER = "ask_user";

function leftOutTools({ tools }: ModelRequest, refused: readonly RefusedTool[]): string[] {
  return tools.filter((tool) => refused.some((entry) => isStillRefused(entry, tool))).map(({ name }) => name);
}

/** A failure that passes is the run's to wait for; otherwise the first one says best what is wrong. */
function mostTelling(failures: readonly ProviderFailure[]): ProviderFailure | undefined {
  const last = failures.at(-1);
  return last?.retryable ? last : failures[0];
}
