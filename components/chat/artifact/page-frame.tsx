"use client";
import { CircleX, Shield, Wrench } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/controls/button";
import {
  blockedTarget,
  fixRequest,
  linkedPath,
  type PageProblem,
  placeLabel,
  readFrameMessage,
} from "@/lib/client/files/artifact/frame-message";
import { framedPageUrl } from "@/lib/client/files/file-queries";
import type { ArtifactViewProps } from "./artifact-view";

type PageFrameProps = Omit<ArtifactViewProps, "kind" | "bytes">;

/** A page in a frame with its own origin, and what it reports. */
export function PageFrame({ threadId, path, version, onLine, onOpen, onAsk }: PageFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const { problem, blocked, noteLoad } = useFrameReports(frame, path, onOpen);
  return (
    <div className="m-3 flex min-h-0 flex-1 flex-col overflow-hidden rounded-lg border border-border bg-surface">
      <p className="flex min-h-7 shrink-0 items-center gap-2 border-b border-separator px-3 text-xs text-muted">
        <Shield className="size-3.5 shrink-0" aria-hidden />
        <span className="min-w-0 flex-1 py-1">Runs apart from Ringmaster: no cookies, no network, no storage</span>
        <FrameSize frame={frame} />
      </p>
      {/* A page keeps its own colours: it was designed for white. */}
      <iframe
        ref={frame}
        title={path}
        src={framedPageUrl(threadId, path, version)}
        sandbox="allow-scripts"
        referrerPolicy="no-referrer"
        onLoad={noteLoad}
        className="min-h-0 w-full flex-1 bg-white [color-scheme:light]"
      />
      <p role="status" className="sr-only">
        {problem === null ? "" : "The page reported an error."}
      </p>
      {blocked === null ? null : (
        <p className="shrink-0 border-t border-separator px-3 py-2 text-xs break-words text-muted">{blocked}</p>
      )}
      {problem === null ? null : <ProblemBar {...{ path, problem, onLine, onAsk }} />}
    </div>
  );
}

/** A second load that we did not request: the page tried to navigate away, which the surrounding page refuses. */
const LEFT = "The page tried to open another address, which is blocked. Reload it to see it again.";

function useFrameReports(
  frame: React.RefObject<HTMLIFrameElement | null>,
  path: string,
  onOpen: PageFrameProps["onOpen"],
) {
  const [problem, setProblem] = useState<PageProblem | null>(null);
  const [blocked, setBlocked] = useState<string | null>(null);
  const loads = useRef(0);
  useEffect(() => {
    const take = ({ source, data }: MessageEvent) => {
      if (source === null || source !== frame.current?.contentWindow) return;
      const message = readFrameMessage(data);
      if (message?.kind === "error") setProblem(message);
      if (message?.kind === "blocked") setBlocked((known) => blockedText(message.address) ?? known);
      if (message?.kind !== "link") return;
      const linked = linkedPath(path, message.href);
      if (linked === null) setBlocked(blockedText(message.href));
      else onOpen(linked);
    };
    window.addEventListener("message", take);
    return () => window.removeEventListener("message", take);
  }, [frame, path, onOpen]);
  const noteLoad = () => {
    loads.current += 1;
    if (loads.current > 1) setBlocked(LEFT);
  };
  return { problem, blocked, noteLoad };
}

function blockedText(address: string): string | null {
  const target = blockedTarget(address, window.location.host);
  if (target === null) return null;
  if ("host" in target) return `The page asked for ${target.host}; that is blocked.`;
  return `The page asked for ${target.file} with a script, which is blocked. Only files named in the HTML or CSS of the page are loaded.`;
}

function FrameSize({ frame }: { frame: React.RefObject<HTMLIFrameElement | null> }) {
  const [size, setSize] = useState("");
  useEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const { width = 0, height = 0 } = entry?.contentRect ?? {};
      setSize(`${Math.round(width)} × ${Math.round(height)}`);
    });
    if (frame.current !== null) observer.observe(frame.current);
    return () => observer.disconnect();
  }, [frame]);
  return <span className="tnum shrink-0 max-sm:hidden">{size}</span>;
}

interface ProblemBarProps extends Pick<PageFrameProps, "path" | "onLine" | "onAsk"> {
  problem: PageProblem;
}

function ProblemBar({ path, problem, onLine, onAsk }: ProblemBarProps) {
  const { action, message, line } = problem;
  const place = placeLabel(problem);
  return (
    <section aria-label="Error of the page" className="shrink-0 border-t-2 border-fail px-3 py-2.5">
      <h3 className="flex items-start gap-2 text-sm font-medium">
        <CircleX className="mt-0.5 size-4 shrink-0 text-fail-text" aria-hidden />
        <span className="min-w-0 break-words">
          The page stopped with an error{action === "" ? "" : ` when “${action}” was pressed`}
        </span>
      </h3>
      <p className="mt-1 max-h-24 overflow-auto pl-6 font-mono text-xs break-words text-muted" {...{ tabIndex: 0 }}>
        {message}
        {place === "" ? "" : `, ${place}`}
      </p>
      <div className="mt-2 flex flex-wrap items-center gap-2 pl-6">
        {onAsk === null ? null : (
          <Button variant="primary" onPress={() => onAsk(fixRequest(path, problem))}>
            <Wrench aria-hidden /> Fix what is wrong here
          </Button>
        )}
        {line === undefined ? null : <Button onPress={() => onLine(line, problem.path)}>Show line {line}</Button>}
        {onAsk === null ? null : <span className="text-xs text-muted">puts the error into your message</span>}
      </div>
    </section>
  );
}
