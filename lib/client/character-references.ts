/** The named references that people and models write; others stay as they are written. */
const NAMED: Readonly<Record<string, string>> = {
  ...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0", shy: "\u00ad" },
  ...{ ensp: "\u2002", emsp: "\u2003", thinsp: "\u2009", zwnj: "\u200c", zwj: "\u200d" },
  ...{ copy: "©", reg: "®", trade: "™", sect: "§", para: "¶", bull: "•", middot: "·", deg: "°", micro: "µ" },
  ...{ ndash: "–", mdash: "—", hellip: "…", laquo: "«", raquo: "»", lsquo: "‘", rsquo: "’" },
  ...{ ldquo: "“", rdquo: "”", sbquo: "‚", bdquo: "„", prime: "′", Prime: "″" },
  ...{ times: "×", divide: "÷", plusmn: "±", minus: "−", ne: "≠", le: "≤", ge: "≥", asymp: "≈", infin: "∞" },
  ...{ frac12: "½", frac14: "¼", frac34: "¾", sup1: "¹", sup2: "²", sup3: "³", radic: "√", sum: "∑", prod: "∏" },
  ...{ larr: "←", uarr: "↑", rarr: "→", darr: "↓", harr: "↔", lArr: "⇐", rArr: "⇒", hArr: "⇔" },
  ...{ euro: "€", pound: "£", yen: "¥", cent: "¢", check: "✓", cross: "✗", hearts: "♥", star: "☆" },
  ...{ alpha: "α", beta: "β", gamma: "γ", delta: "δ", epsilon: "ε", lambda: "λ", mu: "μ", pi: "π", sigma: "σ" },
  ...{ omega: "ω", Delta: "Δ", Sigma: "Σ", Omega: "Ω", isin: "∈", forall: "∀", exist: "∃", and: "∧", or: "∨" },
  ...{ auml: "ä", ouml: "ö", uuml: "ü", Auml: "Ä", Ouml: "Ö", Uuml: "Ü", szlig: "ß", eacute: "é", egrave: "è" },
  ...{ agrave: "à", ccedil: "ç", ntilde: "ñ", iquest: "¿", iexcl: "¡" },
};

const REFERENCE = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([A-Za-z][A-Za-z\d]{1,31}));/gu;
const HIGHEST = 0x10_ff_ff;

/** `&amp;`, `&#35;` and `&#x22;` as the characters they stand for. */
export function decodeReferences(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(REFERENCE, (whole: string, decimal?: string, hex?: string, name?: string) => {
    if (name !== undefined) return Object.hasOwn(NAMED, name) ? (NAMED[name] ?? whole) : whole;
    return character(decimal === undefined ? Number.parseInt(hex ?? "", 16) : Number.parseInt(decimal, 10));
  });
}

function character(point: number): string {
  const isLone = point >= 0xd8_00 && point <= 0xdf_ff;
  return point === 0 || point > HIGHEST || isLone ? "\ufffd" : String.fromCodePoint(point);
}
