/** How a file is looked at; `text` is anything that is read as it is written. */
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

/** For a file that is an image. Scripts in an SVG do not run where it is shown as one. */
export function imageType(path: string): string {
  const extension = extensionOf(path);
  return IMAGE_TYPES[extension] ?? `image/${extension}`;
}

/** Whether its characters can be read and compared. */
export function isTextual(path: string): boolean {
  const kind = artifactKind(path);
  return kind !== "pdf" && (kind !== "image" || extensionOf(path) === "svg");
}
