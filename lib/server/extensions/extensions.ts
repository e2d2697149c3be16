import "server-only";
import { messageOf } from "@/lib/agent/hooks/hook-chain";
import { AppError } from "@/lib/schema/app-error";
import { onExtensionsElsewhere } from "@/lib/server/engine/log/signals";
import { logger } from "@/lib/server/platform/logger";
import { processState } from "@/lib/server/platform/process-state";
import { EXTENSION_LOADER, type LoadExtensions } from "./loaded-extension";
import { type ExtensionRegistry, NO_EXTENSIONS, registerExtensions } from "./registry";

interface ExtensionState {
  registry: ExtensionRegistry;
  builtinHooks: readonly string[];
  /** Serializes loads: of two concurrent ones, the later wins. */
  loading: Promise<unknown>;
}

function state(): ExtensionState {
  return processState<ExtensionState>("extensions", () => ({
    registry: NO_EXTENSIONS,
    builtinHooks: [],
    loading: Promise.resolve(),
  }));
}

/** The extensions of this process, as last loaded. */
export function extensions(): ExtensionRegistry {
  return state().registry;
}

/** The extensions folder; null in a process not started by the start script, such as a test. */
export function extensionFolderPath(): string | null {
  return processState<LoadExtensions | null>(EXTENSION_LOADER, () => null)?.directory ?? null;
}

/**
 * Loads the extensions for the first time. `builtinHooks` are reserved names. A folder that can't be read does not
 * prevent the start.
 */
export function startExtensions(builtinHooks: readonly string[]): Promise<void> {
  state().builtinHooks = builtinHooks;
  return loadOrLog();
}

/** Reloads the extensions whenever another process has done so. */
export function followOtherProcesses(): void {
  onExtensionsElsewhere(() => void loadOrLog());
}

async function loadOrLog(): Promise<void> {
  try {
    await loadExtensions();
  } catch (error) {
    logger().error({ err: error }, "could not load the extensions");
  }
}

/**
 * Rescans the folder. Runs in progress keep the extensions they have until their segment ends. Does nothing in a
 * process not started by the start script, such as a test.
 */
export function loadExtensions(): Promise<ExtensionRegistry> {
  const current = state();
  const load = async () => {
    const loader = processState<LoadExtensions | null>(EXTENSION_LOADER, () => null);
    if (!loader) return current.registry;
    const loaded = await loader().catch((error: unknown) => {
      throw new AppError("unavailable", `The extensions folder could not be read: ${messageOf(error)}`);
    });
    current.registry = registerExtensions(loaded, current.builtinHooks, current.registry);
    for (const { file, hash, error } of current.registry.files) {
      if (error) logger().warn({ file, line: error.line }, `extension could not be loaded: ${error.message}`);
      else logger().info({ file, hash }, "extension loaded");
    }
    return current.registry;
  };
  const done = current.loading.then(load, load);
  current.loading = done.catch(() => undefined);
  return done;
}
