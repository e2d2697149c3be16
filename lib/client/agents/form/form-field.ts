import { type ConfigPath, valueAt } from "@/lib/client/agents/config-text/config-values";
import { AgentConfig } from "@/lib/schema/agents/agent-config";

export interface FieldOption {
  readonly id: string;
  readonly name: string;
  readonly help?: string;
}

/** How one field of a config is edited. */
export type FieldControl =
  | { readonly kind: "text"; readonly isMono?: boolean }
  | { readonly kind: "long"; readonly rows: number }
  | { readonly kind: "number"; readonly unit?: string; readonly empty?: string }
  | { readonly kind: "switch" }
  | {
      readonly kind: "choice";
      readonly options: readonly FieldOption[];
      /** The option that leaves the field out. */
      readonly unset?: string;
    }
  | {
      readonly kind: "words";
      readonly add: string;
      readonly suggest?: "skills" | "models" | "efforts";
      readonly all?: string;
    }
  /** A mapping that is there or not; its fields are other rows. */
  | { readonly kind: "block" }
  /** The `when` of a heartbeat. */
  | { readonly kind: "checks" }
  | { readonly kind: "tools" }
  | { readonly kind: "workspace"; readonly options: readonly FieldOption[] }
  | { readonly kind: "model"; readonly empty?: string }
  | { readonly kind: "models" }
  | { readonly kind: "subagents" }
  | { readonly kind: "rules" }
  | { readonly kind: "schedules" }
  | { readonly kind: "sections" };

export interface FormField {
  readonly path: ConfigPath;
  readonly label: string;
  readonly help?: string;
  readonly control: FieldControl;
  /** Beside its neighbour, where both are short. */
  readonly isHalf?: boolean;
  /** False where another field makes this one mean nothing. */
  readonly isShown?: (config: unknown) => boolean;
}

interface FormGroup {
  /** Above the group; the first one of a tab may have none. */
  readonly title?: string;
  readonly help?: string;
  readonly fields: readonly FormField[];
}

export interface FormTab {
  readonly id: string;
  readonly label: string;
  readonly groups: readonly FormGroup[];
}

/** A config with nothing but what it must have: the defaults that a field shows. */
const DEFAULTS = AgentConfig.parse({ name: "agent", backend: { type: "local" }, heartbeat: {} });

/** What a field means while the config does not set it. */
export function defaultAt(path: ConfigPath): unknown {
  if (path.length === 1 && (path[0] === "backend" || path[0] === "heartbeat")) return null;
  return path.length === 1 && path[0] === "name" ? undefined : valueAt(DEFAULTS, path);
}
