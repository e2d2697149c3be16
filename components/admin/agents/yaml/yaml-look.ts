import { type Extension, Prec, RangeSet, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, GutterMarker, gutter } from "@codemirror/view";
import type { LineRange } from "@/lib/client/agents/config-text/config-text";
import type { LineMark } from "@/lib/client/agents/config-text/merge-drafts";

/** The page's marks on lines: those of the focused field, those of the open tab, and what is not live. */
export interface YamlLook {
  readonly active: LineRange | null;
  readonly here: readonly LineRange[];
  readonly marks: ReadonlyMap<number, LineMark>;
}

export const setYamlLook = StateEffect.define<YamlLook>();

const NOTHING: YamlLook = { active: null, here: [], marks: new Map() };

const look = StateField.define<YamlLook>({
  create: () => NOTHING,
  update: (value, { effects }) => effects.findLast((effect) => effect.is(setYamlLook))?.value ?? value,
  provide: (field) =>
    EditorView.decorations.compute([field, "doc"], (state) => {
      const { doc } = state;
      const { active, here } = state.field(field);
      const classes = new Map<number, string>();
      const put = ({ first, last }: LineRange, name: string) => {
        for (let line = first; line <= Math.min(last, doc.lines); line += 1) classes.set(line, name);
      };
      for (const range of here) put(range, "cm-here");
      if (active !== null) put(active, "cm-active-field");
      const lines = [...classes].toSorted(([left], [right]) => left - right);
      return RangeSet.of(lines.map(([line, name]) => Decoration.line({ class: name }).range(doc.line(line).from)));
    }),
});

class EdgeMarker extends GutterMarker {
  override readonly elementClass: string;
  constructor(mark: LineMark) {
    super();
    this.elementClass = mark === "new" ? "cm-edge-new" : "cm-edge-changed";
  }
}

const EDGE: Readonly<Record<LineMark, EdgeMarker>> = { new: new EdgeMarker("new"), changed: new EdgeMarker("changed") };

/** The tints of lines, and the edge before those that are not live. */
export const YAML_LOOK: Extension = [
  look,
  // Before the line numbers.
  Prec.highest(
    gutter({
      class: "cm-edges",
      lineMarker: (view, { from }) => {
        const mark = view.state.field(look).marks.get(view.state.doc.lineAt(from).number);
        return mark === undefined ? null : EDGE[mark];
      },
      lineMarkerChange: ({ transactions }) =>
        transactions.some(({ effects }) => effects.some((effect) => effect.is(setYamlLook))),
    }),
  ),
  EditorView.theme({
    ".cm-here": { backgroundColor: "color-mix(in oklab, var(--selection) 55%, transparent)" },
    ".cm-active-field": { backgroundColor: "color-mix(in oklab, var(--live) 11%, var(--selection))" },
    ".cm-edges": { width: "3px" },
    ".cm-edge-new": { backgroundColor: "var(--ok)" },
    ".cm-edge-changed": { backgroundColor: "var(--live)" },
  }),
];
