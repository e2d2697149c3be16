import { fork } from "node:child_process";
import { once } from "node:events";

/** The scripted provider's addresses: everything in one write, or a piece of text every 20 ms. */
export interface ProviderAddresses {
  readonly baseUrl: string;
  readonly pacedUrl: string;
}

/** Starts the scripted provider; `steps` model calls per run, `tokens` pieces in the long reply. */
export async function startProvider(options: { steps: number; tokens: number }) {
  const child = fork(new URL("./scripted-child.ts", import.meta.url), [String(options.steps), String(options.tokens)], {
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  const [line] = (await once(child.stdout ?? process.stdin, "data")) as [Buffer];
  const [baseUrl = "", pacedUrl = ""] = line.toString().trim().split(" ");
  return { baseUrl, pacedUrl, stop: () => child.kill() };
}
