import "server-only";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { makeDataDirectory } from "@/lib/server/platform/data-directory";
import { env } from "@/lib/server/platform/env";
import { logger } from "@/lib/server/platform/logger";

const FILE = "audit-end";

const KeptEnd = z.object({ number: z.number().int(), hash: z.string() });
type KeptEnd = z.infer<typeof KeptEnd>;

/**
 * The end of the chain as this machine last wrote it, outside the database: whoever empties the tables does not take it
 * along. Null if nothing was written yet; one that can't be read
 * belongs to no chain.
 */
export function readKeptEnd(): KeptEnd | null {
  const file = keptEndFile();
  if (!existsSync(file)) return null;
  try {
    return KeptEnd.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return { number: 0, hash: "" };
  }
}

/** A data directory that takes no file stops no entry from being linked. */
export function writeKeptEnd({ number, hash }: KeptEnd): void {
  const file = keptEndFile();
  const part = `${file}.${process.pid}.part`;
  try {
    makeDataDirectory(env().dataDirectory);
    writeFileSync(part, JSON.stringify({ number, hash }), { mode: 0o600 });
    renameSync(part, file);
  } catch (error) {
    logger().warn({ err: error, file }, "the end of the audit log could not be written beside the database");
  }
}

export function keptEndFile(): string {
  return path.join(env().dataDirectory, FILE);
}
