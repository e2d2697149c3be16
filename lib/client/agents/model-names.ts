export function isDemoModel(model: string): boolean {
  return model === "demo" || model.startsWith("demo:");
}

/** A model without its provider. The demo model is identified as such wherever it appears. */
export function modelLabel(model: string): string {
  return isDemoModel(model) ? "demo model" : model.slice(model.indexOf(":") + 1);
}
