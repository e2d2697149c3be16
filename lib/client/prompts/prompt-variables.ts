/** `{{file}}`, or `{{kind=bugs}}` with the field's initial text. */
const VARIABLE = /\{\{\s*(\p{L}[\p{L}\p{N} _-]{0,39}?)\s*(?:=([^{}]*))?\}\}/gu;

interface PromptVariable {
  readonly name: string;
  readonly initial: string;
}

/** A prompt's variables, each once, in text order. */
export function variablesOf(text: string): PromptVariable[] {
  const found = new Map<string, string>();
  for (const [, name = "", initial = ""] of text.matchAll(VARIABLE)) {
    if (!found.has(name) || found.get(name) === "") found.set(name, initial.trim());
  }
  return [...found].map(([name, initial]) => ({ name, initial }));
}

/** The text with its variables replaced by `values`. */
export function fillPrompt(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(VARIABLE, (_, name: string) => values[name] ?? "");
}
