"use client";
import { useEffect, useRef, useState } from "react";
import { z } from "zod";
import { formatCount } from "@/lib/client/ui/text/format";

const Told = z.object({
  isReady: z.literal(true).optional(),
  pages: z.number().int().positive().optional(),
  problem: z.string().max(300).optional(),
});

/** As many as the frame draws. */
const MOST_PAGES = 500;

/** A PDF, drawn in a frame with its own origin. */
export function PdfFrame({ bytes, path }: { bytes: Blob; path: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [pages, setPages] = useState<number | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    const take = ({ source, data }: MessageEvent) => {
      const target = frame.current?.contentWindow;
      if (source === null || source !== target) return;
      const told = Told.safeParse(data).data;
      if (told?.isReady) void bytes.arrayBuffer().then((buffer) => target.postMessage({ bytes: buffer }, "*"));
      if (told?.pages !== undefined) setPages(told.pages);
      if (told?.problem !== undefined) setProblem(told.problem);
    };
    window.addEventListener("message", take);
    return () => window.removeEventListener("message", take);
  }, [bytes]);
  return (
    <>
      <p role="status" className="shrink-0 px-4 py-1.5 text-xs break-words text-muted">
        {problem === null ? pageText(pages) : `The PDF can't be shown in full: ${problem}`}
      </p>
      <iframe
        ref={frame}
        title={path}
        src="/api/frames/pdf"
        sandbox="allow-scripts"
        referrerPolicy="no-referrer"
        className="min-h-0 w-full flex-1 [color-scheme:light]"
      />
    </>
  );
}

function pageText(pages: number | null): string {
  if (pages === null) return "Loading the pages";
  if (pages > MOST_PAGES) return `${formatCount(pages)} pages, the first ${MOST_PAGES} are shown`;
  return pages === 1 ? "1 page" : `${formatCount(pages)} pages`;
}
