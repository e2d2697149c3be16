/** Words in the names of models that do not chat: they embed, transcribe, speak, draw, rank or judge. */
const OTHER_PURPOSES = [
  ...["embed", "bge", "gte", "e5", "rerank", "reranker", "similarity"],
  ...["whisper", "transcribe", "tts", "speech", "audio", "realtime", "live", "voice"],
  ...["dall", "image", "imagen", "imagine", "veo", "sora", "flux", "diffusion", "video"],
  ...["moderation", "guard", "shield", "ocr", "aqa"],
];
const OTHER_PURPOSE_NAMES = new Set(OTHER_PURPOSES);

/** Judged by the words of its name alone, because lists of models seldom say what a model is for. */
export function isChatModel(name: string): boolean {
  const words = name.toLowerCase().split(/[^a-z0-9]+/);
  return !words.some((word) => OTHER_PURPOSE_NAMES.has(word) || word.startsWith("embed") || word.endsWith("embed"));
}
