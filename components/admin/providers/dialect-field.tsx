import { Select } from "@/components/ui/controls/select";
import { errorMessage } from "@/lib/client/http/api";
import { useProviderChange } from "@/lib/client/providers/use-providers";
import { showToast } from "@/lib/client/ui/toast-store";
import { DialectChoice, type DialectId } from "@/lib/schema/dialect";
import type { Provider } from "@/lib/schema/provider";

const NAMES: Readonly<Record<DialectId, string>> = {
  standard: "As the format says",
  local: "A server of your own",
  vllm: "vLLM",
  "llama.cpp": "llama.cpp",
  ollama: "Ollama",
  "lm-studio": "LM Studio",
  openai: "OpenAI",
  azure: "Azure OpenAI",
  openrouter: "OpenRouter",
  mistral: "Mistral",
  deepseek: "DeepSeek",
  moonshot: "Moonshot",
  groq: "Groq",
  together: "Together",
  gemini: "Gemini",
};

/** Whose form of chat completions a compatible server speaks; nothing for the other kinds, which have one. */
export function DialectField({ provider: { id, dialect, guessedDialect } }: { provider: Provider }) {
  const change = useProviderChange();
  if (dialect === undefined) return null;
  const guessed = guessedDialect === undefined ? "" : ` (${NAMES[guessedDialect]})`;
  const options = DialectChoice.options.map((choice) =>
    choice === "auto" ? { id: choice, name: `By its address${guessed}` } : { id: choice, name: NAMES[choice] },
  );
  const pending = change.isPending ? change.variables.change.dialect : undefined;
  const save = (choice: string) =>
    change.mutate(
      { id, change: { dialect: DialectChoice.parse(choice) } },
      { onError: (error) => showToast({ title: errorMessage(error), tone: "error" }) },
    );
  return (
    <div className="flex flex-col gap-1">
      <Select label="Speaks like" options={options} value={pending ?? dialect} onChange={save} />
      <p className="text-xs text-muted">Compatible servers differ. Choose another if requests are refused.</p>
    </div>
  );
}
