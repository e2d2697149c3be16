/** A message in the wire form of OpenAI's chat completions. */
export type ChatMessage = Readonly<Record<string, unknown>> & { readonly role: string };

/** Input of every contender of the loop: the scripted server's address, and the history before the question. */
export interface LoopOptions {
  readonly baseUrl: string;
  readonly history: readonly ChatMessage[];
}
