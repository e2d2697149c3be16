/** Browsers cut off longer ones. */
const MOST_CHARS = 200;

/** Reads a text aloud, piece by piece. The returned function stops it; `onEnd` is called once, however it ends. */
export function readAloud(text: string, onEnd: () => void): () => void {
  const { speechSynthesis } = window;
  const pieces = piecesOf(text);
  let isOver = pieces.length === 0;
  const end = () => {
    if (isOver) return;
    isOver = true;
    onEnd();
  };
  if (isOver) onEnd();
  speechSynthesis.cancel();
  pieces.forEach((piece, index) => {
    const utterance = new SpeechSynthesisUtterance(piece);
    utterance.lang = navigator.language;
    utterance.onerror = end;
    if (index === pieces.length - 1) utterance.onend = end;
    speechSynthesis.speak(utterance);
  });
  return () => {
    speechSynthesis.cancel();
    end();
  };
}

/** Sentences, joined or cut so that each piece is short; code is only named. */
export function piecesOf(markdown: string): string[] {
  const text = markdown
    .replace(/```[\s\S]*?(?:```|$)/gu, "\nA block of code.\n")
    .replace(/!?\[([^\][]*)\]\([^)[]*\)/gu, "$1")
    .replace(/^[ \t]*(?:#{1,6}|>|[-*+]|\d+\.)\s+/gmu, "")
    .replace(/\*\*|__|~~|[`|]/gu, " ");
  const pieces: string[] = [];
  for (const sentence of text.split(/(?<=[.!?…:;])\s+|\n+/u)) {
    const words = sentence.trim().split(/\s+/u).filter(Boolean);
    let piece = "";
    for (const word of words) {
      if (piece !== "" && piece.length + word.length >= MOST_CHARS) {
        pieces.push(piece);
        piece = "";
      }
      piece = piece === "" ? word : `${piece} ${word}`;
    }
    if (piece !== "") pieces.push(piece);
  }
  return pieces;
}
