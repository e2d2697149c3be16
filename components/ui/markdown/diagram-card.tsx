"use client";
import { Code, Maximize2 } from "lucide-react";
import { useTheme } from "next-themes";
import { useEffect, useState } from "react";
import { CodeBlock } from "@/components/ui/code/code-block";
import { CopyButton } from "@/components/ui/controls/copy-button";
import { IconButton } from "@/components/ui/controls/icon-button";
import { Dialog } from "@/components/ui/overlays/dialog";
import { ScrollArea } from "@/components/ui/scroll-area";
import { type DrawnDiagram, drawDiagram } from "@/lib/client/ui/markdown/draw-diagram";

/** A Mermaid diagram as an image; its source if it can't be drawn, or on request. */
export function DiagramCard({ source }: { source: string }) {
  const { resolvedTheme } = useTheme();
  const diagram = useDiagram(source, resolvedTheme === "dark");
  const [isSource, setSource] = useState(false);
  const [isLarge, setLarge] = useState(false);
  const isDrawn = diagram?.kind === "drawn";
  return (
    <figure className="my-3 overflow-hidden rounded-lg border border-border">
      <figcaption className="flex h-8 items-center gap-1 border-b border-separator bg-surface-secondary pr-1 pl-3 text-2xs text-muted">
        <span className="flex-1 font-mono">mermaid</span>
        <span role="status">{stateText(diagram)}</span>
        {isDrawn ? (
          <>
            <IconButton label="Source" size="xs" active={isSource} onPress={() => setSource(!isSource)}>
              <Code />
            </IconButton>
            <IconButton label="Large" size="xs" onPress={() => setLarge(true)}>
              <Maximize2 />
            </IconButton>
          </>
        ) : null}
        <CopyButton text={source} label="Copy source" />
      </figcaption>
      {diagram?.kind === "failed" && diagram.line === null && diagram.problem !== "" ? (
        <p className="border-b border-separator px-3 py-1.5 text-xs text-muted">{diagram.problem}</p>
      ) : null}
      {isDrawn && !isSource ? (
        <ScrollArea label="Diagram" className="flex bg-surface p-3">
          <DiagramImage diagram={diagram} className="m-auto h-auto max-w-full shrink-0" />
        </ScrollArea>
      ) : (
        <CodeBlock isBare hasLineNumbers={diagram?.kind === "failed"} code={source} title="mermaid" />
      )}
      {isDrawn && isLarge ? (
        <Dialog title="Diagram" isOpen onClose={() => setLarge(false)} size="xl">
          <ScrollArea label="Diagram" className="flex">
            <DiagramImage diagram={diagram} className="m-auto max-w-none" />
          </ScrollArea>
        </Dialog>
      ) : null}
    </figure>
  );
}

function stateText(diagram: DrawnDiagram | null): string {
  if (diagram === null) return "drawing";
  if (diagram.kind === "drawn") return "drawn in an isolated frame";
  return diagram.line === null ? "Can't be drawn" : `Line ${diagram.line} can't be drawn`;
}

function DiagramImage({
  diagram,
  className,
}: {
  diagram: Extract<DrawnDiagram, { kind: "drawn" }>;
  className: string;
}) {
  const { image, width, height, words } = diagram;
  return <img src={image} width={width} height={height} alt={`Diagram: ${words}`} className={className} />;
}

/** Null until it is drawn; the previous one while its replacement is drawn. */
function useDiagram(source: string, isDark: boolean): DrawnDiagram | null {
  const [diagram, setDiagram] = useState<DrawnDiagram | null>(null);
  useEffect(() => {
    let isGone = false;
    void drawDiagram(source, isDark).then((drawn) => isGone || setDiagram(drawn));
    return () => {
      isGone = true;
    };
  }, [source, isDark]);
  return diagram;
}
