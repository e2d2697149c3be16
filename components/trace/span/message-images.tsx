import Image from "next/image";
import { formatBytes } from "@/lib/client/ui/text/format";
import type { ImageRef } from "@/lib/schema/messages/message";

/** A message's pictures: those that a model could be shown, and the names of the others. */
export function MessageImages({ traceId, images = [] }: { traceId: string; images?: readonly ImageRef[] | undefined }) {
  if (images.length === 0) return null;
  return (
    <ul aria-label="Pictures" className="flex flex-wrap gap-2">
      {images.map(({ path, hash, sizeBytes, width = 320, height = 240 }) => (
        <li key={path} className="max-w-full text-2xs text-muted">
          {hash === null ? null : (
            <Image
              unoptimized
              src={`/api/traces/${encodeURIComponent(traceId)}/images/${hash}`}
              {...{ width, height }}
              alt={path}
              className="max-h-48 w-auto max-w-full rounded border border-border object-contain"
            />
          )}
          <span className="font-mono">{path}</span> {formatBytes(sizeBytes)}
          {hash === null ? ", too large for a model" : ""}
        </li>
      ))}
    </ul>
  );
}
