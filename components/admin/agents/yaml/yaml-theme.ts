import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const COLORS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--code-key)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: "var(--code-number)" },
  { tag: [tags.comment, tags.lineComment], color: "var(--code-comment)" },
]);

const LOOK = EditorView.theme({
  "&": { backgroundColor: "var(--code-bg)", color: "var(--foreground)", fontSize: "12px" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--font-geist-mono), ui-monospace, monospace", lineHeight: "20px" },
  ".cm-content": { padding: "8px 0", caretColor: "var(--foreground)" },
  ".cm-cursor": { borderLeftColor: "var(--foreground)" },
  ".cm-gutters": { backgroundColor: "var(--code-bg)", color: "var(--subtle)", border: "none", fontSize: "11px" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "color-mix(in oklch, var(--selection) 55%, transparent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "color-mix(in oklch, var(--signal) 30%, transparent)",
  },
  ".cm-tooltip": {
    backgroundColor: "var(--overlay)",
    color: "var(--foreground)",
    border: "none",
    borderRadius: "6px",
    boxShadow: "var(--overlay-shadow)",
    overflow: "hidden",
  },
  ".cm-tooltip-autocomplete > ul > li": { padding: "3px 8px", fontSize: "12px" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--default)",
    color: "var(--foreground)",
  },
  ".cm-completionDetail": { color: "var(--muted)", fontStyle: "normal" },
  ".cm-diagnostic": { padding: "6px 10px", fontSize: "12px", borderLeft: "2px solid var(--fail)" },
  ".cm-diagnostic-warning": { borderLeftColor: "var(--limit)" },
  ".cm-panels": { backgroundColor: "var(--surface-secondary)", color: "var(--foreground)" },
});

/** The product's code colours, which follow the theme through variables. */
export const YAML_THEME = [syntaxHighlighting(COLORS), LOOK];
