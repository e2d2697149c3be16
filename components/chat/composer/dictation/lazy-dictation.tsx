"use client";
import { Mic } from "lucide-react";
import { lazy, Suspense, useState, useSyncExternalStore } from "react";
import { ICON_BUTTON, ICON_BUTTON_SIZES } from "@/components/ui/controls/icon-button";
import { loadWithRetry } from "@/lib/client/http/load-with-retry";
import { classNames } from "@/lib/client/ui/class-names";

const Dictation = lazy(async () => ({ default: (await loadWithRetry(() => import("./dictation"))).Dictation }));

const never = () => () => undefined;
const hasDictation = () => "SpeechRecognition" in window || "webkitSpeechRecognition" in window;

interface DictationProps {
  text: string;
  onText: (text: string) => void;
  isDisabled?: boolean;
}

/**
 * A button if the browser supports dictation; its code is loaded when it is pressed. The button's place is kept in any
 * case: only the page knows what the browser supports, and nothing moves when it does.
 */
export function LazyDictation({ text, onText, isDisabled = false }: DictationProps) {
  const isOffered = useSyncExternalStore(never, hasDictation, () => false);
  const [isOn, setOn] = useState(false);
  return (
    <>
      <button
        type="button"
        aria-label={isOn ? "Stop dictation" : "Dictate"}
        title={isOn ? "Stop dictation" : "Dictate"}
        aria-pressed={isOn}
        disabled={isDisabled}
        style={isOffered ? undefined : { visibility: "hidden" }}
        onClick={() => setOn(!isOn)}
        className={classNames(ICON_BUTTON, ICON_BUTTON_SIZES.sm, isOn && "bg-default text-foreground")}
      >
        <Mic aria-hidden />
      </button>
      {isOn ? (
        <Suspense>
          <Dictation text={text} onText={onText} onEnd={() => setOn(false)} />
        </Suspense>
      ) : null}
    </>
  );
}
