import { type ConfigPath, isObject, valueAt } from "@/lib/client/agents/config-text/config-values";
import { defaultAt, type FieldControl, type FieldOption, type FormField } from "./form-field";

const at = (path: string): ConfigPath => path.split(".");

export function number(
  path: string,
  label: string,
  rest: Partial<FormField> & { unit?: string; empty?: string } = {},
): FormField {
  const { unit, empty, ...field } = rest;
  return { path: at(path), label, control: { kind: "number", unit, empty }, isHalf: true, ...field };
}

export function toggle(path: string, label: string, help?: string): FormField {
  return { path: at(path), label, help, control: { kind: "switch" } };
}

export function choice(path: string, label: string, options: readonly FieldOption[], help?: string): FormField {
  return { path: at(path), label, help, control: { kind: "choice", options } };
}

export function words(
  path: string,
  label: string,
  rest: Omit<Extract<FieldControl, { kind: "words" }>, "kind"> & { help?: string },
): FormField {
  const { help, ...control } = rest;
  return { path: at(path), label, help, control: { kind: "words", ...control } };
}

export function long(path: string, label: string, rows: number, help?: string): FormField {
  return { path: at(path), label, help, control: { kind: "long", rows } };
}

export const isOn = (path: string) => (config: unknown) => (valueAt(config, at(path)) ?? defaultAt(at(path))) !== false;
export const hasBackend = (config: unknown) => isObject(valueAt(config, ["backend"]));
export const hasCommands = (config: unknown) => hasBackend(config) && valueAt(config, ["backend", "type"]) !== "state";
export const when = (isShown: FormField["isShown"], fields: readonly FormField[]) =>
  fields.map((field) => ({ ...field, isShown }));
