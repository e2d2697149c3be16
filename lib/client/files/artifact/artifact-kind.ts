/** A file's display; `text` is anything shown as written. */
export type ArtifactKind =
  | "page"
  | "image"
  | "markdown"
  | "table"
  | "pdf"
  | "document"
  | "sheets"
  | "notebook"
  | "text";

const KINDS: Readonly<Record<string, ArtifactKind>> = {
  avif: "image",
  bmp: "image",
  csv: "table",
  docx: "document",
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
  xlsx: "sheets",
};

const IMAGE_TYPES: Readonly<Record<string, string>> = { jpg: "image/jpeg", svg: "image/svg+xml" };

export function extensionOf(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1).toLowerCase();
}

export function artifactKind(path: string): ArtifactKind {
  return KINDS[extensionOf(path)] ?? "text";
}

/** Kinds that are more than their text. */
const SEEN: ReadonlySet<ArtifactKind> = new Set(["page", "image", "table", "pdf", "document", "sheets", "notebook"]);

/** Whether it is better seen beside the conversation than read in a dialog. */
export function isSeen(path: string): boolean {
  return SEEN.has(artifactKind(path));
}

/** For an image file. Scripts in an SVG do not run if it is shown as an image. */
export function imageType(path: string): string {
  const extension = extensionOf(path);
  return IMAGE_TYPES[extension] ?? `image/${extension}`;
}

/** Whether the server reads its text, as it does for an agent. */
export function isReadByServer(kind: ArtifactKind): kind is "document" | "sheets" {
  return kind === "document" || kind === "sheets";
}

/** Whether its bytes are text that can be read and compared. */
export function isTextual(path: string): boolean {
  const kind = artifactKind(path);
  return kind !== "pdf" && !isReadByServer(kind) && (kind !== "image" || extensionOf(path) === "svg");
}
