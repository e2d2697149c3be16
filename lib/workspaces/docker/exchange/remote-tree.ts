import { type Container, runTool, type ToolResult } from "@/lib/workspaces/docker/engine/container";
import { isUsableName } from "@/lib/workspaces/paths";

/** What the container's listing shows of one entry. */
export interface RemoteEntry {
  readonly kind: "file" | "folder" | "link";
  readonly sizeBytes: number;
  /** Changes with the content, the kind and the permissions. */
  readonly signature: string;
}

export type RemoteTree = ReadonlyMap<string, RemoteEntry>;

/** The state of the workspace in the container. */
export interface Listing {
  readonly entries: RemoteTree;
  /** How often the kernel has ended a process of the container for lack of memory. */
  readonly memoryKills: number;
}

/** Control groups of both versions. */
export const READ_MEMORY_KILLS =
  "cat /sys/fs/cgroup/memory.events /sys/fs/cgroup/memory/memory.oom_control 2>/dev/null";

export function readMemoryKills(output: string): number {
  return Number(/^oom_kill (\d+)$/m.exec(output)?.[1] ?? 0);
}

/**
 * The programs are the image's own, in a file system that nobody can write; only names come from the commands. Times are
 * compared with others of the same clock alone. An entry that its own user may not read is made readable first, or its
 * content would look deleted.
 */
const LIST = `
kill -9 -1 2>/dev/null
find . \\( -type d ! -perm -700 -o -type f ! -perm -400 \\) -exec chmod u+rwX {} \\; 2>/dev/null
${READ_MEMORY_KILLS}
echo "now $(date +%s)"
z=%Z; case $(stat -c %.9Z . 2>/dev/null) in *[0-9].[0-9]*) z=%.9Z;; esac
find . -exec stat -c "%f %i %s $z %n" {} +
`;

interface ListOptions {
  /** A step before the listing, for the shell. */
  readonly before?: string;
  readonly input?: AsyncIterable<Uint8Array>;
  readonly signal?: AbortSignal;
}

/** Ends everything that commands have left running, then lists the workspace. */
export async function listRemote(
  container: Container,
  { before = "", ...rest }: ListOptions = {},
): Promise<{ result: ToolResult; listing: Listing }> {
  const result = await runTool(container, { ...rest, user: "agent", argv: ["/bin/sh", "-c", `${before}${LIST}`] });
  return { result, listing: readListing(result.output) };
}

const FILE_TYPE = 0o170_000;
const KINDS = new Map<number, RemoteEntry["kind"]>([
  [0o100_000, "file"],
  [0o040_000, "folder"],
  [0o120_000, "link"],
]);

/** Lines that are not understood, such as parts of a name with line breaks, are left out; so is every FIFO and device. */
export function readListing(output: string): Listing {
  const lines = output.split("\n");
  const now = Number(lines.find((line) => line.startsWith("now "))?.slice("now ".length) ?? 0);
  const entries = new Map<string, RemoteEntry>();
  for (const line of lines) {
    const found = readLine(line, now);
    if (found) entries.set(found.path, found.entry);
  }
  return { entries, memoryKills: readMemoryKills(output) };
}

function readLine(line: string, now: number): { path: string; entry: RemoteEntry } | null {
  const [, modeText = "", inode, size, changed = "", path = ""] =
    /^([0-9a-f]+) (\d+) (\d+) (\d+(?:\.\d+)?) \.\/(.+)$/.exec(line) ?? [];
  const mode = Number.parseInt(modeText, 16);
  const kind = KINDS.get(mode & FILE_TYPE);
  if (kind === undefined || !isSafePath(path)) return null;
  const signature = kind === "folder" ? modeText : [modeText, inode, size, changed].join(" ");
  // Where the clock shows whole seconds, a later change in the same second would look the same.
  const isUncertain = kind !== "folder" && !changed.includes(".") && Number(changed) >= now;
  const entry = { kind, sizeBytes: Number(size), signature: isUncertain ? `${signature} uncertain` : signature };
  return { path, entry };
}

/** Whether two listings may show different content for an entry. */
export function isSame(before: RemoteEntry | undefined, after: RemoteEntry): boolean {
  return before !== undefined && before.signature === after.signature && !before.signature.endsWith("uncertain");
}

/** A path of a workspace, whoever wrote it: relative, without `..` and empty components. */
export function isSafePath(path: string): boolean {
  const names = path.split("/");
  return names.every((name) => name !== "" && name !== "." && name !== ".." && isUsableName(name));
}
