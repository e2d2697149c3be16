import { type ConfigPath, valueAt } from "@/lib/client/agents/config-text/config-values";
import { AgentConfig } from "@/lib/schema/agents/agent-config";

export interface FieldOption {
  readonly id: string;
  readonly name: string;
  readonly help?: string;
}

/** The control for a config field. */
export type FieldControl =
  | { readonly kind: "text"; readonly isMono?: boolean }
  | { readonly kind: "long"; readonly rows: number }
  /** A list of texts, one per line. */
  | { readonly kind: "lines"; readonly rows: number }
  | { readonly kind: "number"; readonly unit?: string; readonly empty?: string }
  | { readonly kind: "switch" }
  | {
      readonly kind: "choice";
      readonly options: readonly FieldOption[];
      /** The option that leaves the field unset. */
      readonly unset?: string;
    }
  | {
      readonly kind: "words";
      readonly add: string;
      readonly all?: string;
    }
  /** The whole mapping of skills: a switch for each installed one. */
  | { readonly kind: "skills" }
  /** A mapping that is present or absent; its fields are other rows. */
  | { readonly kind: "block" }
  /** A heartbeat's `when`. */
  | { readonly kind: "checks" }
  | { readonly kind: "tools" }
  | { readonly kind: "workspace"; readonly options: readonly FieldOption[] }
  | { readonly kind: "model"; readonly empty?: string }
  | { readonly kind: "models" }
  | { readonly kind: "choices" }
  | { readonly kind: "subagents" }
  | { readonly kind: "rules" }
  | { readonly kind: "schedules" }
  | { readonly kind: "sections" };

export interface FormField {
  readonly path: ConfigPath;
  readonly label: string;
  readonly help?: string;
  readonly control: FieldControl;
  /** Shares a row with its neighbour if both are short. */
  readonly isHalf?: boolean;
  /** False if another field makes this one irrelevant. */
  readonly isShown?: (config: unknown) => boolean;
}

export interface FormGroup {
  /** Heading of the group; the first of a tab may have none. */
  readonly title?: string;
  readonly help?: string;
  /** Closed until somebody opens it. */
  readonly isFolded?: boolean;
  readonly fields: readonly FormField[];
}

export interface FormTab {
  readonly id: string;
  readonly label: string;
  readonly groups: readonly FormGroup[];
}

/** A config with only the required fields: the defaults that fields show. */
const DEFAULTS = AgentConfig.parse({ name: "agent", backend: { type: "local" }, heartbeat: {} });

/** A field's effective value while the config does not set it. */
export function defaultAt(path: ConfigPath): unknown {
  if (path.length === 1 && (path[0] === "backend" || path[0] === "heartbeat")) return null;
  return path.length === 1 && path[0] === "name" ? undefined : valueAt(DEFAULTS, path);
}
