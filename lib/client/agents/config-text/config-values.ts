import type { RawConfig } from "@/lib/schema/agents/agent-api";

/** The path of keys to a value in a config. */
export type ConfigPath = readonly string[];

/** A difference between two configs at one path; undefined if the field is not set. */
export interface ConfigChange {
  readonly path: ConfigPath;
  readonly before: unknown;
  readonly after: unknown;
}

export function isObject(value: unknown): value is RawConfig {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Equality as in YAML: the key order of a mapping makes no difference. */
export function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => isSame(item, right[index]));
  }
  if (!isObject(left) || !isObject(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length && keys.every((key) => key in right && isSame(left[key], right[key]))
  );
}

/** The value at a path; undefined if there is none. */
export function valueAt(config: unknown, path: ConfigPath): unknown {
  return path.reduce<unknown>((value, key) => (isObject(value) ? value[key] : undefined), config);
}

/** The same config with another value at a path. Undefined removes the field, and any mapping left empty. */
export function withValue(config: RawConfig, path: ConfigPath, value: unknown): RawConfig {
  const [key, ...rest] = path;
  if (key === undefined) return config;
  const { [key]: old, ...others } = config;
  const below = rest.length === 0 ? value : withValue(isObject(old) ? old : {}, rest, value);
  const isGone = below === undefined || (rest.length > 0 && isObject(below) && Object.keys(below).length === 0);
  if (isGone) return others;
  return { ...config, [key]: below };
}

/** The changes from one config to another: the smallest fields that differ, lists as a whole. */
export function changedPaths(before: unknown, after: unknown, path: ConfigPath = []): ConfigChange[] {
  if (isSame(before, after)) return [];
  const areMappings = isObject(before) && isObject(after);
  if (!areMappings && path.length > 0) return [{ path, before, after }];
  const [left, right] = [isObject(before) ? before : {}, isObject(after) ? after : {}];
  const keys = new Set([...Object.keys(left), ...Object.keys(right)]);
  return [...keys].flatMap((key) => changedPaths(left[key], right[key], [...path, key]));
}

/** Whether one path is a prefix of the other, or both are the same. */
export function overlaps(left: ConfigPath, right: ConfigPath): boolean {
  return left.slice(0, right.length).every((key, index) => key === right[index]);
}
