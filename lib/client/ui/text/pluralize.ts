import { formatCount } from "./format";

/** "1 message", "2 messages". */
export function pluralize(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}
