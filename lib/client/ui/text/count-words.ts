import { formatCount } from "./format";

/** "1 message", "2 messages". */
export function countWords(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}
