/** An error for people, without the words that tell only which part of the program it passed through. */
export function failureText(error: string): string {
  return error.replace(/^LLM call: /, "");
}
