import "server-only";
import type { ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import { promises as fs } from "node:fs";
import path from "node:path";
import { processState } from "@/lib/server/platform/process-state";
import { DOCUMENT_LIMITS, type DocumentKind, DocumentRefused, DocumentReply, type DocumentText } from "./document";

interface DocumentSource {
  readonly kind: DocumentKind;
  readonly bytes: Uint8Array;
  /** The page's address, used to make its links absolute. */
  readonly address?: string;
  readonly signal?: AbortSignal;
  readonly limits?: { readonly timeMs: number; readonly memoryBytes: number };
}

/**
 * The text of a document, or of a web page as markdown, read in a separate process: it may read no files but the
 * program's, is limited to 512 MB and 20 s, and is killed beyond that. Results are cached by content. Throws
 * DocumentRefused.
 */
export async function readDocument(source: DocumentSource): Promise<DocumentText> {
  const { kind, bytes, address = "" } = source;
  const key = [kind, address, createHash("sha256").update(bytes).digest("hex")].join(" ");
  const cache = knownTexts();
  const known = cache.get(key);
  if (known) return known;
  const text = await inTurn(() => ask(source), source.signal);
  cache.keep(key, text);
  return text;
}

const KINDS = new Map<string, DocumentKind>([
  ["pdf", "pdf"],
  ["docx", "docx"],
  ["xlsx", "xlsx"],
]);
const BEGINNINGS: Readonly<Record<DocumentKind, string>> = { pdf: "%PDF-", docx: "PK", xlsx: "PK", html: "" };

/** The text of a file whose content matches its name; null if it is no document. Throws DocumentRefused. */
export async function readFileDocument(
  { path: name, bytes }: { readonly path: string; readonly bytes: Uint8Array },
  signal: AbortSignal,
): Promise<string | null> {
  const kind = KINDS.get(name.slice(name.lastIndexOf(".") + 1).toLowerCase());
  const start = Buffer.from(bytes.subarray(0, 1_024)).toString("latin1");
  if (kind === undefined || !start.includes(BEGINNINGS[kind])) return null;
  try {
    const { title, text } = await readDocument({ kind, bytes, signal });
    return title === null ? text : `[Title] ${title}\n\n${text}`;
  } catch (error) {
    if (error instanceof DocumentRefused) throw new DocumentRefused(`${name} can't be read. ${error.message}`);
    throw error;
  }
}

/** The limit of characters over all cached texts. */
const KEPT_CHARACTERS = 20_000_000;

function knownTexts() {
  return processState("document-texts", () => {
    const texts = new Map<string, DocumentText>();
    let characters = 0;
    return {
      get: (key: string) => texts.get(key),
      keep(key: string, text: DocumentText) {
        if (texts.has(key)) return;
        texts.set(key, text);
        characters += text.text.length;
        for (const [oldest, { text: old }] of texts) {
          if (characters <= KEPT_CHARACTERS) return;
          texts.delete(oldest);
          characters -= old.length;
        }
      },
    };
  });
}

/** Limits concurrent processes, so that documents don't take up the whole machine. */
const MAX_BUSY = 2;

async function inTurn<Result>(work: () => Promise<Result>, signal: AbortSignal | undefined): Promise<Result> {
  const turns = processState("document-turns", () => ({ busy: 0, waiting: [] as (() => void)[] }));
  while (turns.busy >= MAX_BUSY) await new Promise<void>((resolve) => turns.waiting.push(resolve));
  turns.busy += 1;
  try {
    signal?.throwIfAborted();
    return await work();
  } finally {
    turns.busy -= 1;
    turns.waiting.shift()?.();
  }
}

/** Relative to the server's working directory: a bundle of the server does not contain these files. */
const WORKER_FILE = path.join("lib", "server", "files", "documents", "document-worker.ts");
const RESOLVER_FILE = path.join("scripts", "resolve-imports.ts");
/** The program's own files; not its data, and nothing else on the machine. */
const READABLE = ["lib/*", "scripts/*", "node_modules/*", "package.json"];
const HEAP_MEGABYTES = 400;
const LOOK_EVERY_MS = 50;

function start(kind: DocumentKind, address: string): ChildProcess {
  // With a normal import, a bundler would look for the file and bundle it.
  const { spawn } = process.getBuiltinModule("node:child_process");
  const root = process.cwd();
  const options = [
    "--permission",
    ...READABLE.map((name) => `--allow-fs-read=${path.join(root, name)}`),
    ...[`--max-old-space-size=${HEAP_MEGABYTES}`, "--disable-warning=ExperimentalWarning"],
    ...["--import", `./${RESOLVER_FILE}`],
  ];
  return spawn(process.execPath, [...options, path.join(root, WORKER_FILE), kind, address], {
    cwd: root,
    env: { NODE_ENV: "production" },
    stdio: ["pipe", "pipe", "ignore"],
  });
}

async function ask({ kind, bytes, address = "", signal, limits = DOCUMENT_LIMITS }: DocumentSource) {
  const child = start(kind, address);
  const stop: { why: string | null } = { why: null };
  const kill = (why: string) => {
    stop.why ??= why;
    child.kill("SIGKILL");
  };
  const abort = () => kill("aborted");
  signal?.addEventListener("abort", abort, { once: true });
  const deadline = setTimeout(() => kill(tookTooLong(limits.timeMs)), limits.timeMs);
  const watch = setInterval(() => {
    void memoryOf(child.pid).then((used) => (used > limits.memoryBytes ? kill(NEEDS_MEMORY) : undefined));
  }, LOOK_EVERY_MS);
  try {
    const said = await conversation(child, bytes);
    signal?.throwIfAborted();
    if (stop.why !== null) throw new DocumentRefused(stop.why);
    // Node exits like this when its heap is full.
    if (said === "") throw new DocumentRefused(NEEDS_MEMORY);
    const reply = DocumentReply.parse(JSON.parse(said));
    if ("refused" in reply) throw new DocumentRefused(reply.refused);
    return reply;
  } finally {
    clearTimeout(deadline);
    clearInterval(watch);
    signal?.removeEventListener("abort", abort);
  }
}

const NEEDS_MEMORY = "Reading it needs more than 512 MB of memory, so it was stopped. Split it.";

function tookTooLong(timeMs: number): string {
  return `Reading it took longer than ${timeMs / 1_000} s, so it was stopped. Split it.`;
}

/** The complete output of the process once it has ended. */
function conversation(child: ChildProcess, bytes: Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    child.stdout?.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.on("error", reject);
    child.on("close", () => resolve(Buffer.concat(chunks).toString("utf8")));
    // The process may end before it has read everything.
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(bytes);
  });
}

/** 0 if the system doesn't report it (no /proc): then only the heap limit applies. */
async function memoryOf(pid: number | undefined): Promise<number> {
  try {
    const status = await fs.readFile(`/proc/${pid}/status`, "utf8");
    return Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1_024;
  } catch {
    return 0;
  }
}
