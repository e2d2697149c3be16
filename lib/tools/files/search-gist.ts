/** "TODO in src": the search text, and the place unless it searches everywhere. */
export function searchGist({ pattern, path, glob }: Readonly<Record<string, unknown>>): string {
  const place = [path, glob].find((value) => typeof value === "string" && value !== "");
  return [textOf(pattern), place === undefined ? "" : `in ${textOf(place)}`].filter(Boolean).join(" ");
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
