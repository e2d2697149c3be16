import "server-only";
import { logger } from "@/lib/server/platform/logger";
import { processState } from "@/lib/server/platform/process-state";
import { EXTENSION_LOADER, type LoadExtensions } from "./loaded-extension";
import { type ExtensionRegistry, NO_EXTENSIONS, registerExtensions } from "./registry";

interface ExtensionState {
  registry: ExtensionRegistry;
  builtinHooks: readonly string[];
  /** Loads run one after the other: of two at once the later one counts. */
  loading: Promise<unknown>;
  readonly listeners: Set<() => void>;
}

function state(): ExtensionState {
  return processState<ExtensionState>("extensions", () => ({
    registry: NO_EXTENSIONS,
    builtinHooks: [],
    loading: Promise.resolve(),
    listeners: new Set(),
  }));
}

/** The extensions of this process as last loaded. */
export function extensions(): ExtensionRegistry {
  return state().registry;
}

/** Loads the extensions for the first time. `builtinHooks` are names that no extension may have. */
export function startExtensions(builtinHooks: readonly string[]): Promise<ExtensionRegistry> {
  state().builtinHooks = builtinHooks;
  return loadExtensions();
}

/**
 * Scans the folder again. Runs in progress keep what they have until their segment ends. Does nothing in a process
 * that was not started by the start script, such as a test.
 */
export function loadExtensions(): Promise<ExtensionRegistry> {
  const current = state();
  const load = async () => {
    const loader = processState<LoadExtensions | null>(EXTENSION_LOADER, () => null);
    if (!loader) return current.registry;
    current.registry = registerExtensions(await loader(), current.builtinHooks, current.registry);
    for (const { file, hash, error } of current.registry.files) {
      if (error) logger().warn({ file, line: error.line }, `extension could not be loaded: ${error.message}`);
      else logger().info({ file, hash }, "extension loaded");
    }
    return current.registry;
  };
  const loaded = current.loading.then(load, load);
  current.loading = loaded.catch(() => undefined);
  return loaded;
}
