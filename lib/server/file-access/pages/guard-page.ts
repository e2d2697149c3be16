import type { InlinedLines } from "@/lib/server/files/pages/inline-files";

/**
 * Runs first in the frame of a page written by an agent; its source is sent with the page, so it uses nothing outside
 * itself. It blocks what the page's content policy does not cover (WebRTC, and links that look up or connect to hosts),
 * and reports errors, refused requests and followed links to the embedding page. A hostile page can run only after it,
 * in the same document. `ownLines` is the number of line breaks in this source, which precede those of the page.
 */
export function guardPage(inlined: readonly InlinedLines[], ownLines: number): void {
  const FORBIDDEN =
    "link,iframe,frame,frameset,object,embed,portal,fencedframe,base,meta[http-equiv],script[type='speculationrules' i]";
  const FORBIDDEN_TAG = /<(?=(?:link|iframe|frame|frameset|object|embed|portal|fencedframe|base)[\s/>])/giu;
  // The page may replace every method of its realm: these are the originals.
  const { apply, getOwnPropertyDescriptor, defineProperty } = Reflect;
  const { querySelectorAll, matches, remove } = Element.prototype;
  const { querySelectorAll: querySelectorAllInFragment } = DocumentFragment.prototype;
  const { replace } = String.prototype;
  const { createComment } = document;
  const { insertAdjacentHTML } = Element.prototype;
  const post = window.parent.postMessage.bind(window.parent);

  const tell = (told: Record<string, unknown>) => post({ ringmaster: told }, "*");

  const removeInside = (node: unknown): void => {
    const isFragment = node instanceof DocumentFragment;
    if (!isFragment && !(node instanceof Element)) return;
    const found = apply(isFragment ? querySelectorAllInFragment : querySelectorAll, node, [FORBIDDEN]);
    for (let index = 0; index < found.length; index += 1) apply(remove, found[index], []);
  };
  const isForbidden = (node: unknown) => node instanceof Element && apply(matches, node, [FORBIDDEN]);
  const clean = (value: unknown): unknown => {
    if (isForbidden(value)) return apply(createComment, document, [""]);
    removeInside(value);
    return value;
  };
  const cleanText = (value: unknown) => apply(replace, `${value ?? ""}`, [FORBIDDEN_TAG, "< "]);

  const guard = (owner: object | undefined, name: string, cleanArgument: (value: unknown) => unknown): void => {
    const known = owner && getOwnPropertyDescriptor(owner, name);
    if (owner === undefined || known === undefined) return;
    const own = known.value ?? known.set;
    if (typeof own !== "function") return;
    const guarded = function (this: unknown, ...given: unknown[]) {
      const cleaned: unknown[] = [];
      for (let index = 0; index < given.length; index += 1) cleaned[index] = cleanArgument(given[index]);
      return apply(own, this, cleaned);
    };
    const kept = { configurable: false, enumerable: known.enumerable ?? false };
    if (known.set) defineProperty(owner, name, { ...kept, get: known.get, set: guarded });
    else defineProperty(owner, name, { ...kept, writable: false, value: guarded });
  };

  const closeNetwork = () => {
    for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "RTCIceTransport", "WebTransport"]) {
      defineProperty(window, name, { value: undefined, writable: false, configurable: false });
    }
    const parents = [Element.prototype, Document.prototype, DocumentFragment.prototype, CharacterData.prototype];
    const inserting = "append prepend before after replaceWith replaceChildren insertAdjacentElement moveBefore";
    for (const owner of [...parents, DocumentType.prototype]) {
      for (const name of inserting.split(" ")) guard(owner, name, clean);
    }
    for (const name of ["appendChild", "insertBefore", "replaceChild"]) guard(Node.prototype, name, clean);
    for (const name of ["insertNode", "surroundContents"]) guard(Range.prototype, name, clean);
    for (const name of ["caption", "tHead", "tFoot"]) guard(HTMLTableElement.prototype, name, clean);
    guard(Document.prototype, "body", clean);
    guard(HTMLSelectElement.prototype, "add", clean);
    guard(HTMLOptionsCollection.prototype, "add", clean);
    for (const owner of [Element.prototype, ShadowRoot.prototype]) {
      for (const name of ["innerHTML", "outerHTML", "setHTMLUnsafe", "setHTML"]) guard(owner, name, cleanText);
    }
    guard(Element.prototype, "insertAdjacentHTML", cleanText);
    guard(Document.prototype, "execCommand", cleanText);
    // Text written in several pieces can't be checked piece by piece.
    const write = (...texts: unknown[]) => {
      const end = document.body ?? document.documentElement;
      apply(insertAdjacentHTML, end, ["beforeend", cleanText(texts.join(""))]);
    };
    for (const [name, value] of Object.entries({
      write,
      writeln: write,
      open: () => document,
      close: () => undefined,
    })) {
      defineProperty(Document.prototype, name, { value, writable: false, configurable: false });
    }
  };

  /** Keeps the focus where it is until a person has touched the page. */
  const keepFocus = () => {
    const isTouched = () => navigator.userActivation?.hasBeenActive ?? true;
    for (const owner of [HTMLElement.prototype, SVGElement.prototype]) {
      const { focus } = owner;
      const value = function (this: HTMLElement, options?: FocusOptions) {
        if (isTouched()) apply(focus, this, [options]);
      };
      defineProperty(owner, "focus", { value, writable: false, configurable: false });
    }
  };

  const placeOf = (lineInFrame: number) => {
    const line = lineInFrame - ownLines;
    let shift = 0;
    for (const { from, to, path, replaced } of inlined) {
      if (line < from) break;
      if (line <= to) return { path, line: line - from + 1 };
      shift += to - from - replaced;
    }
    return { line: line - shift };
  };

  let pressed = { words: "", at: 0 };
  const wordsOf = (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  const tellError = (message: string, line: number) => {
    const action = performance.now() - pressed.at < 1000 ? pressed.words : "";
    tell({ kind: "error", message: message.slice(0, 500), action, ...(line > 0 ? placeOf(line) : {}) });
  };
  /** A stack ends with the position of the throw, as `…:line:column`. */
  const lineOf = (error: unknown) => Number(/:(\d+):\d+\)?$/mu.exec((error as Error | null)?.stack ?? "")?.[1] ?? 0);

  const watch = () => {
    addEventListener(
      "click",
      (event) => {
        const target = event.target instanceof Element ? event.target : null;
        const control = target?.closest("button,a,summary,label,[role=button],input,select");
        const words = control?.getAttribute("aria-label") ?? control?.textContent ?? "";
        pressed = { words: words.trim().replaceAll(/\s+/gu, " ").slice(0, 60), at: performance.now() };
        const href = target?.closest("a[href]")?.getAttribute("href") ?? "";
        if (href === "" || href.startsWith("#")) return;
        event.preventDefault();
        tell({ kind: "link", href: href.slice(0, 2000) });
      },
      true,
    );
    addEventListener("error", ({ message, error, lineno }) =>
      tellError(error === null || error === undefined ? message.replace(/^Uncaught /u, "") : wordsOf(error), lineno),
    );
    addEventListener("unhandledrejection", ({ reason }) => tellError(wordsOf(reason), lineOf(reason)));
    addEventListener("securitypolicyviolation", ({ blockedURI, effectiveDirective }) =>
      tell({ kind: "blocked", address: blockedURI.slice(0, 2000), directive: effectiveDirective }),
    );
  };

  closeNetwork();
  keepFocus();
  watch();
  document.currentScript?.remove();
}
