"use client";
import { ImageIcon } from "lucide-react";
import { useEffect, useRef, useState } from "react";

export interface RemoteImageProps {
  address: string;
  /** Its alternative text, in the author's words. */
  words: string;
}

/**
 * An image from another site says where it is and waits for a click: requesting it tells that site who reads this, and
 * its address could carry words of the conversation.
 */
export function RemoteImage({ address, words }: RemoteImageProps) {
  const [isWanted, setWanted] = useState(false);
  const url = remoteUrl(address);
  if (url === null) return <span className="text-muted">{words === "" ? "[image]" : `[image: ${words}]`}</span>;
  if (isWanted) return <ImageFrame url={url} words={words} />;
  return (
    <button
      type="button"
      title={url.href}
      onClick={() => setWanted(true)}
      className="inline-flex max-w-full items-center gap-1.5 rounded-md border border-border px-2 py-0.5 text-start text-xs text-muted touch-row hover:bg-default hover:text-foreground"
    >
      <ImageIcon className="size-3.5 shrink-0" aria-hidden />
      <span className="min-w-0 break-words">
        Show image from {url.host}
        {words === "" ? "" : `: ${words}`}
      </span>
    </button>
  );
}

function remoteUrl(address: string): URL | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  return url.protocol === "https:" || url.protocol === "http:" ? url : null;
}

type Loaded = { readonly width: number; readonly height: number } | "failed" | null;

/** The page itself may load nothing from elsewhere; a frame without rights, for this one host, may. */
function ImageFrame({ url, words }: { url: URL; words: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [loaded, setLoaded] = useState<Loaded>(null);
  useEffect(() => {
    const onMessage = ({ source, data }: MessageEvent) => {
      if (source !== null && source === frame.current?.contentWindow) setLoaded(readSize(data));
    };
    window.addEventListener("message", onMessage);
    return () => window.removeEventListener("message", onMessage);
  }, []);
  if (loaded === "failed") {
    return (
      <span className="text-muted">
        The image at {url.host} could not be loaded. Open it in a new tab to see what the site answers:{" "}
        <a
          href={url.href}
          target="_blank"
          rel="noopener noreferrer nofollow"
          className="text-link break-all underline-offset-2 hover:underline"
        >
          {url.href}
        </a>
      </span>
    );
  }
  return (
    <iframe
      ref={frame}
      title={words === "" ? `Image from ${url.host}` : words}
      src={`/api/frames/image?src=${encodeURIComponent(url.href)}`}
      sandbox="allow-scripts"
      referrerPolicy="no-referrer"
      className="my-2 block w-full max-w-full rounded-lg border border-border"
      style={loaded === null ? { height: 120 } : { maxWidth: loaded.width, aspectRatio: loaded.width / loaded.height }}
    />
  );
}

function readSize(data: unknown): Loaded {
  const { width, height } = (typeof data === "object" && data !== null ? data : {}) as {
    width?: unknown;
    height?: unknown;
  };
  const isSize = typeof width === "number" && typeof height === "number" && width > 0 && height > 0;
  return isSize ? { width, height } : "failed";
}
