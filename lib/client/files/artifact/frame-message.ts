import { z } from "zod";

/** A framed page's reports about itself. The page is not trusted, so neither are its reports. */
const Told = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("error"),
    message: z.string().max(500),
    /** The action right before it. */
    action: z.string().max(60),
    line: z.number().int().positive().optional(),
    /** The file that the line belongs to, if not the page itself. */
    path: z.string().max(4096).optional(),
  }),
  z.object({ kind: z.literal("blocked"), address: z.string().max(2000), directive: z.string().max(100) }),
  z.object({ kind: z.literal("link"), href: z.string().max(2000) }),
]);
const FrameMessage = z.object({ ringmaster: Told });

export type FrameMessage = z.infer<typeof Told>;
export type PageProblem = Extract<FrameMessage, { kind: "error" }>;

export function readFrameMessage(data: unknown): FrameMessage | null {
  return FrameMessage.safeParse(data).data?.ringmaster ?? null;
}

/** The host that a page requested, or the file next to it; null if it is not an address. */
export function blockedTarget(
  address: string,
  ownHost: string,
): { readonly host: string } | { readonly file: string } | null {
  if (!URL.canParse(address)) return null;
  const { host, pathname } = new URL(address);
  if (host === "") return null;
  return host === ownHost ? { file: pathname.split("/").at(-1) ?? "" } : { host };
}

/** The file that a link of a page leads to; null for other hosts. */
export function linkedPath(from: string, href: string): string | null {
  if (/^(?:[a-z][a-z\d+.-]*:|\/\/)/iu.test(href)) return null;
  try {
    const { pathname } = new URL(
      href,
      `https://workspace.invalid/${from.split("/").map(encodeURIComponent).join("/")}`,
    );
    return decodeURIComponent(pathname.slice(1));
  } catch {
    return null;
  }
}

/** The location, in words. */
export function placeLabel({ path, line }: PageProblem): string {
  if (line === undefined) return "";
  return path === undefined ? `line ${line}` : `${path}, line ${line}`;
}

/**
 * The message with which a person can have a page fixed. The page's own words are quoted: they are data, not an order.
 */
export function fixRequest(path: string, problem: PageProblem): string {
  const action = problem.action === "" ? "" : `When “${problem.action}” was pressed:`;
  const place = problem.line === undefined ? "" : `(${placeLabel({ ...problem, path: problem.path ?? path })})`;
  const quoted = [action, problem.message, place].filter(Boolean).join("\n").slice(0, 500);
  const lines = quoted.split("\n").flatMap((line) => (line.trim() === "" ? [] : `> ${line.trim()}`));
  return `Fix what is wrong in ${path}. The page reported this error:\n\n${lines.join("\n")}\n`;
}
