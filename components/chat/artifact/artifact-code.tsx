"use client";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { CodeBlock } from "@/components/ui/code/code-block";
import { readUtf8 } from "@/lib/client/files/file-queries";

export interface ArtifactCodeProps {
  bytes: Blob;
  path: string;
  /** The line to scroll to. */
  line: number | null;
}

/** A file as plain source. */
export function ArtifactCode({ bytes, path, line }: ArtifactCodeProps) {
  const text = useFileText(bytes);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (line === null || typeof text !== "string") return;
    const row = place.current?.querySelector(`pre > :nth-child(${line})`);
    row?.scrollIntoView({ block: "center" });
    row?.classList.add("bg-selection");
    return () => row?.classList.remove("bg-selection");
  }, [line, text]);
  if (text === undefined) return null;
  if (text === null) return <p className="p-4 text-sm text-muted">The file is not text. Download it.</p>;
  if (text === "") return <p className="p-4 text-sm text-muted">The file is empty.</p>;
  return (
    <div ref={place} className="min-h-0 flex-1 overflow-auto bg-code">
      <CodeBlock isBare hasLineNumbers code={text} title={path} />
    </div>
  );
}

/** Its text, without a byte order mark; null if it is not UTF-8, undefined until it is read. */
export function useFileText(bytes: Blob): string | null | undefined {
  const { data } = useQuery({
    queryKey: ["file-text", ...identify(bytes)],
    queryFn: async () => {
      try {
        const text = (await readUtf8(bytes)).replace(/^\uFEFF/u, "");
        return text.includes("\0") ? null : text;
      } catch {
        return null;
      }
    },
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data;
}

const numbers = new WeakMap<Blob, number>();
let counted = 0;

/** A blob has no identity of its own. */
function identify(bytes: Blob): readonly [number] {
  const known = numbers.get(bytes) ?? ++counted;
  numbers.set(bytes, known);
  return [known];
}
