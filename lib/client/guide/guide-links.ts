/** Where a link of the documentation file `from` leads in the product; null if an installation does not bring it. */
export function guideHref(from: string, target: string): string | null {
  if (!URL.canParse(target, `http://docs/${from}`)) return null;
  const { origin, pathname, hash } = new URL(target, `http://docs/${from}`);
  if (origin !== "http://docs") return null;
  if (pathname === "/README.md") return `/guide${hash}`;
  const [, folder, page] = /^\/(guide|reference)\/(.+)\.md$/.exec(pathname) ?? [];
  if (page === undefined) return null;
  return `/guide/${folder === "reference" ? "reference/" : ""}${page}${hash}`;
}

/** A heading's anchor, as GitHub makes it: "Two runs, side by side" is `two-runs-side-by-side`. */
export function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/gu, "-");
}
