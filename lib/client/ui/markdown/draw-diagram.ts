import { z } from "zod";

export type DrawnDiagram =
  | {
      readonly kind: "drawn";
      readonly image: string;
      readonly width: number;
      readonly height: number;
      readonly words: string;
    }
  /** `line` counts from 1 in the source. */
  | { readonly kind: "failed"; readonly line: number | null; readonly problem: string };

const Answer = z.object({
  id: z.number(),
  svg: z.string().max(5_000_000).optional(),
  problem: z.string().max(500).optional(),
  line: z.number().int().positive().nullish(),
});
const Ready = z.object({ isReady: z.literal(true) });

const LONGEST_SOURCE = 20_000;
/** From when the frame is asked; the first time includes loading. */
const LONGEST_DRAWING_MS = 15_000;

interface Drawer {
  readonly frame: HTMLIFrameElement;
  readonly ready: Promise<void>;
  readonly waiting: Map<number, (answer: z.infer<typeof Answer>) => void>;
}

let drawer: Drawer | null = null;
let asked = 0;
/** Diagrams are drawn one at a time: the frame has one thread. */
let line: Promise<unknown> = Promise.resolve();
const drawn = new Map<string, Promise<DrawnDiagram>>();
const MOST_KEPT = 50;

/** Draws a diagram in a hidden frame with its own origin, which returns an image. The same diagram is drawn once. */
export function drawDiagram(source: string, isDark: boolean): Promise<DrawnDiagram> {
  const key = `${isDark} ${source}`;
  const known = drawn.get(key);
  if (known !== undefined) return known;
  const drawing = line.then(() => draw(source, isDark));
  line = drawing;
  drawn.set(key, drawing);
  const oldest = drawn.keys().next().value;
  if (drawn.size > MOST_KEPT && oldest !== undefined) drawn.delete(oldest);
  return drawing;
}

async function draw(source: string, isDark: boolean): Promise<DrawnDiagram> {
  if (source.length > LONGEST_SOURCE) return { kind: "failed", line: null, problem: "It is too long." };
  drawer ??= openDrawer();
  const { frame, ready, waiting } = drawer;
  const id = ++asked;
  const answered = new Promise<z.infer<typeof Answer>>((resolve) => void waiting.set(id, resolve));
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), LONGEST_DRAWING_MS));
  const send = () => frame.contentWindow?.postMessage({ id, source, isDark }, "*");
  const answer = await Promise.race([ready.then(send).then(() => answered), late]);
  waiting.delete(id);
  if (answer !== null) return readAnswer(answer, source);
  // It may be busy for ever: the next diagram gets another frame.
  frame.remove();
  drawer = null;
  return { kind: "failed", line: null, problem: "Drawing it took too long." };
}

function openDrawer(): Drawer {
  const frame = document.createElement("iframe");
  frame.src = "/api/frames/mermaid";
  frame.setAttribute("sandbox", "allow-scripts");
  frame.referrerPolicy = "no-referrer";
  frame.title = "Draws diagrams";
  frame.tabIndex = -1;
  frame.ariaHidden = "true";
  // It needs a layout, because texts are measured in it.
  frame.style.cssText = "position:fixed;inset:0 auto auto -3000px;width:1200px;height:900px;visibility:hidden;border:0";
  const waiting: Drawer["waiting"] = new Map();
  const ready = new Promise<void>((resolve) => {
    window.addEventListener("message", ({ source, data }) => {
      if (source === null || source !== frame.contentWindow) return;
      if (Ready.safeParse(data).success) resolve();
      const answer = Answer.safeParse(data).data;
      if (answer !== undefined) waiting.get(answer.id)?.(answer);
    });
  });
  document.body.append(frame);
  return { frame, ready, waiting };
}

/**
 * The common kinds; the drawer knows a few more. It is Mermaid's small build, without the kinds that need a large
 * library.
 */
const DRAWN_KINDS =
  "flowchart, sequence, class, state, entity relationship, user journey, gantt, pie, quadrant, requirement, git graph, C4, timeline, sankey, XY chart, block, packet, kanban, radar and treemap";

/** A diagram's problem, in words: for an unsupported kind, which ones are supported. */
export function problemText(problem: string): string {
  const [first = ""] = problem.split("\n", 1);
  const unknown = /^No diagram type detected.*for text: *(\S*)/u.exec(first);
  if (unknown === null) return first;
  const kind = unknown[1]
    ? `"${unknown[1]}" is not among the kinds of diagrams that are drawn here`
    : "It names no kind of diagram";
  return `${kind}: ${DRAWN_KINDS}.`;
}

function readAnswer({ svg, problem = "", line: found = null }: z.infer<typeof Answer>, source: string): DrawnDiagram {
  const size = svg === undefined ? null : /viewBox="[-\d.]+ [-\d.]+ ([\d.]+) ([\d.]+)"/u.exec(svg);
  if (svg === undefined || size === null) {
    return {
      kind: "failed",
      line: found === null ? null : lineInSource(source, found),
      problem: problemText(problem),
    };
  }
  const [width, height] = [Math.ceil(Number(size[1])), Math.ceil(Number(size[2]))];
  const sized = svg.replace(/ width="100%"/u, ` width="${width}" height="${height}"`);
  return {
    kind: "drawn",
    width,
    height,
    words: wordsOf(svg),
    image: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(sized)}`,
  };
}

/** Mermaid counts neither comments nor empty lines before the first word. */
function lineInSource(source: string, line: number): number {
  const lines = source.split("\n");
  const first = lines.findIndex((text) => text.trim() !== "");
  const counted = lines.flatMap((text, index) => (index < first || /^\s*%%(?!\{)/u.test(text) ? [] : [index + 1]));
  return counted[line - 1] ?? line;
}

/** The diagram's text, for those who do not see it. */
function wordsOf(svg: string): string {
  const texts = new DOMParser().parseFromString(svg, "image/svg+xml").querySelectorAll("text");
  return [...texts]
    .map(({ textContent }) => textContent.trim())
    .filter(Boolean)
    .join(", ")
    .slice(0, 500);
}
