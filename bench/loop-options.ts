/** A message in the wire form of OpenAI's chat completions. */
export type ChatMessage = Readonly<Record<string, unknown>> & { readonly role: string };

/** What every competitor of the loop gets: where the scripted server is, and what precedes the question. */
export interface LoopOptions {
  readonly baseUrl: string;
  readonly history: readonly ChatMessage[];
}
