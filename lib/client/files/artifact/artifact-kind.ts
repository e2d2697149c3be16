/** A file's display; `text` is anything shown as written. */
export type ArtifactKind = "page" | "image" | "markdown" | "table" | "pdf" | "notebook" | "text";

const KINDS: Readonly<Record<string, ArtifactKind>> = {
  avif: "image",
  bmp: "image",
  csv: "table",
  gif: "image",
  htm: "page",
  html: "page",
  ipynb: "notebook",
  jpeg: "image",
  jpg: "image",
  markdown: "markdown",
  md: "markdown",
  pdf: "pdf",
  png: "image",
  svg: "image",
  tsv: "table",
  webp: "image",
};

const IMAGE_TYPES: Readonly<Record<string, string>> = { jpg: "image/jpeg", svg: "image/svg+xml" };

export function extensionOf(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1).toLowerCase();
}

export function artifactKind(path: string): ArtifactKind {
  return KINDS[extensionOf(path)] ?? "text";
}

/** Kinds that are more than their text. */
const SEEN: ReadonlySet<ArtifactKind> = new Set(["page", "image", "table", "pdf", "notebook"]);

/** Whether it is better seen beside the conversation than read in a dialog. */
export function isSeen(path: string): boolean {
  return SEEN.has(artifactKind(path));
}

/** For an image file. Scripts in an SVG do not run if it is shown as an image. */
export function imageType(path: string): string {
  const extension = extensionOf(path);
  return IMAGE_TYPES[extension] ?? `image/${extension}`;
}

/** Whether it has text that can be read and compared. */
export function isTextual(path: string): boolean {
  const kind = artifactKind(path);
  return kind !== "pdf" && (kind !== "image" || extensionOf(path) === "svg");
}
