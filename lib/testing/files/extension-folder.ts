import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { ALL_HOOKS } from "@/lib/server/agents/hooks/hook-table";
import { loadExtensions, startExtensions } from "@/lib/server/extensions/extensions";
import { createExtensionLoader } from "@/lib/server/extensions/load-natively";
import { EXTENSION_LOADER } from "@/lib/server/extensions/loaded-extension";
import { forgetProcessState, processState } from "@/lib/server/platform/process-state";
import { nativeImport } from "@/lib/testing/processes/native-import";

/** The extensions folder of this process, with these files, loaded as by the start script. */
export async function extensionFolder(files: Readonly<Record<string, string>>) {
  const directory = mkdtempSync(path.join(tmpdir(), "ringmaster-extensions-"));
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(directory, file)), { recursive: true });
    writeFileSync(path.join(directory, file), text);
  };
  for (const [file, text] of Object.entries(files)) write(file, text);
  forgetProcessState(EXTENSION_LOADER);
  forgetProcessState("extensions");
  processState(EXTENSION_LOADER, () => createExtensionLoader(directory, nativeImport));
  await startExtensions(ALL_HOOKS.map(({ name }) => name));
  return {
    directory,
    write,
    remove: (file: string) => rmSync(path.join(directory, file)),
    reload: loadExtensions,
    close() {
      forgetProcessState(EXTENSION_LOADER);
      forgetProcessState("extensions");
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
