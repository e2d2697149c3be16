/** The part of the browser's speech recognition that is used here; TypeScript has no types for it. */
interface Recognition {
  lang: string;
  continuous: boolean;
  interimResults: boolean;
  onresult: ((event: { resultIndex: number; results: ArrayLike<RecognitionResult> }) => void) | null;
  onerror: ((event: { error: string }) => void) | null;
  onend: (() => void) | null;
  start: () => void;
  stop: () => void;
  abort: () => void;
}

interface RecognitionResult extends ArrayLike<{ transcript: string }> {
  readonly isFinal: boolean;
}

type RecognitionClass = new () => Recognition;

function recognitionClass(): RecognitionClass | null {
  const { SpeechRecognition, webkitSpeechRecognition } = window as unknown as Record<
    "SpeechRecognition" | "webkitSpeechRecognition",
    RecognitionClass | undefined
  >;
  return SpeechRecognition ?? webkitSpeechRecognition ?? null;
}

interface DictationListener {
  /** Text recognised as final since the last call. */
  readonly onText: (text: string) => void;
  /** Text that may still change. */
  readonly onInterim: (text: string) => void;
  /** `problem` is a sentence for people; null if it was stopped. */
  readonly onEnd: (problem: string | null) => void;
}

const PROBLEMS: Readonly<Record<string, string>> = {
  "not-allowed": "The browser does not allow the microphone here. Allow it in the address bar, then dictate again.",
  "service-not-allowed": "The browser does not allow dictation here. Check its settings, then dictate again.",
  "audio-capture": "There is no microphone. Connect one, then dictate again.",
  network: "The browser's dictation can't be reached. Check the network, then dictate again.",
  "language-not-supported": "The browser can't dictate in this language. Choose another one.",
};

/** Neither silence nor a requested end is an error. */
const HARMLESS: ReadonlySet<string> = new Set(["no-speech", "aborted"]);

/** Listens until it is stopped. The returned function stops it; what was said by then still arrives. */
export function startDictation(language: string, { onText, onInterim, onEnd }: DictationListener): () => void {
  const Class = recognitionClass();
  if (Class === null) {
    onEnd("This browser can't take dictation.");
    return () => undefined;
  }
  const recognition = new Class();
  let problem: string | null = null;
  let isStopped = false;
  recognition.lang = language;
  recognition.continuous = true;
  recognition.interimResults = true;
  recognition.onresult = ({ resultIndex, results }) => {
    const fresh = Array.from(results).slice(resultIndex);
    const words = (isFinal: boolean) =>
      fresh.flatMap((result) => (result.isFinal === isFinal ? [result[0]?.transcript ?? ""] : [])).join("");
    const said = words(true).trim();
    if (said !== "") onText(said);
    onInterim(words(false).trim());
  };
  recognition.onerror = ({ error }) => {
    if (!HARMLESS.has(error)) problem = PROBLEMS[error] ?? "The dictation broke off. Start it again.";
  };
  recognition.onend = () => {
    // Browsers end recognition automatically after a silence.
    if (isStopped || problem !== null) onEnd(problem);
    else recognition.start();
  };
  recognition.start();
  return () => {
    isStopped = true;
    recognition.stop();
  };
}

/** Appended to what is in the field, with a space between them. */
export function appendSpoken(text: string, spoken: string): string {
  return text === "" || /\s$/u.test(text) ? text + spoken : `${text} ${spoken}`;
}
