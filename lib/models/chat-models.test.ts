import { expect, test } from "vitest";
import { isChatModel } from "./chat-models";

const CHAT = [
  ...["gpt-6-sol", "claude-sonnet-5-5", "gemini-2.5-flash", "llama3.2:3b", "qwen3-vl:8b", "o4-mini"],
  ...["mistral-large-latest", "deepseek/deepseek-r1:free", "Meta-Llama-3.1-8B-Instruct-Q4_K_M.gguf", "glm-4.6", "phi4"],
];
const OTHERS = [
  ...["text-embedding-3-small", "nomic-embed-text", "mxbai-embed-large:latest", "BAAI/bge-m3", "mistral-embed"],
  ...["whisper-1", "gpt-4o-transcribe", "tts-1-hd", "gpt-realtime", "gpt-4o-audio-preview", "gemini-2.5-flash-live"],
  ...["dall-e-3", "gpt-image-1", "imagen-4.0-generate-001", "veo-3.0", "sora-2", "black-forest-labs/FLUX.1-dev"],
  ...["omni-moderation-latest", "meta-llama/Llama-Guard-4-12B", "jina-reranker-v2", "mistral-ocr-latest"],
];

test.each(CHAT)("%s chats", (name) => expect(isChatModel(name)).toBe(true));
test.each(OTHERS)("%s does not chat", (name) => expect(isChatModel(name)).toBe(false));
