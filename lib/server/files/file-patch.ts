import { createTwoFilesPatch } from "diff";
import { decodeOrNull } from "@/lib/agent/workspace/file-text";

const TIMEOUT_MS = 500;

/** A unified diff of two contents; null if one is not text, or if comparing them takes more than 500 ms. */
export function patchOf(path: string, before: Uint8Array, after: Uint8Array): string | null {
  const [left, right] = [decodeOrNull(before), decodeOrNull(after)];
  if (left === null || right === null) return null;
  return createTwoFilesPatch(path, path, left, right, "", "", { context: 3, timeout: TIMEOUT_MS }) ?? null;
}
