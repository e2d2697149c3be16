"use client";
import { Square, Volume2 } from "lucide-react";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { ICON_BUTTON, ICON_BUTTON_SIZES } from "@/components/ui/controls/icon-button";
import { classNames } from "@/lib/client/ui/class-names";

const never = () => () => undefined;
const hasVoice = () => "speechSynthesis" in window;

/** Reads a reply aloud, as nearly every browser can; pressed again, or with the reply out of view, it stops. */
export function ReadAloudButton({ text }: { text: string }) {
  const isOffered = useSyncExternalStore(never, hasVoice, () => true);
  const [isReading, setReading] = useState(false);
  const stop = useRef(() => {});
  useEffect(() => () => stop.current(), []);
  if (!isOffered) return null;
  const toggle = async () => {
    if (isReading) return stop.current();
    setReading(true);
    let isWanted = true;
    stop.current = () => {
      isWanted = false;
      setReading(false);
    };
    const { readAloud } = await import("@/lib/client/ui/speech/read-aloud");
    if (isWanted) stop.current = readAloud(text, () => setReading(false));
  };
  const label = isReading ? "Stop reading" : "Read aloud";
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={label}
      title={label}
      onClick={() => void toggle()}
      className={classNames(ICON_BUTTON, ICON_BUTTON_SIZES.sm, "[&>svg]:size-3.5")}
    >
      {isReading ? <Square aria-hidden /> : <Volume2 aria-hidden />}
    </button>
  );
}
