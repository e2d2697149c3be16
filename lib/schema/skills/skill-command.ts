/** The start of a message that uses a skill: `/pdf`, or `/slide-deck` for "Slide Deck". */
export function skillCommand(name: string): string {
  return `/${name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")}`;
}
