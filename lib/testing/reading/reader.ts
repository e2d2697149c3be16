import type { StreamStep } from "@/lib/text/sanitize/stream-step";

/** What reads a text from outside, without touching files, processes or the network. */
export type Reader = (text: string) => unknown;

/** Readers by `file#export`, with the way in which they are read behind a blank where there are several. */
export type Readers = Readonly<Record<string, Reader>>;

/** As tokens of a model come; larger ones, so that there are fewer. */
const TOKEN_CHARACTERS = 16;

export function inTokens(text: string, push: (piece: string) => unknown): void {
  for (let at = 0; at < text.length; at += TOKEN_CHARACTERS) push(text.slice(at, at + TOKEN_CHARACTERS));
}

export function throughStep(text: string, step: StreamStep): void {
  inTokens(text, (piece) => step.push(piece));
  step.end();
}
