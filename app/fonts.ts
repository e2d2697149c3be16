import localFont from "next/font/local";

// Geist in three files, so that a page waits for 29 KB and not for 140: the letters of most European languages come
// first; pages that show another character fetch the rest of the font, or its monospaced sister.

/** Letters, digits and punctuation; the file's other characters are left to the other font. */
const geistLatin = localFont({
  src: "../node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2",
  variable: "--font-geist-latin",
  weight: "100 900",
  adjustFontFallback: false,
  declarations: [{ prop: "unicode-range", value: "U+0000-00FF, U+2000-206F" }],
});

const geistSans = localFont({
  src: "../node_modules/geist/dist/fonts/geist-sans/Geist-Variable.woff2",
  variable: "--font-geist-sans",
  weight: "100 900",
  preload: false,
  declarations: [{ prop: "unicode-range", value: "U+0100-1FFF, U+2070-FFFD" }],
});

const geistMono = localFont({
  src: "../node_modules/geist/dist/fonts/geist-mono/GeistMono-Variable.woff2",
  variable: "--font-geist-mono",
  weight: "100 900",
  preload: false,
  adjustFontFallback: false,
});

/** The classes that define `--font-geist-latin`, `--font-geist-sans` and `--font-geist-mono`. */
export const fontVariables = [geistLatin, geistSans, geistMono].map(({ variable }) => variable).join(" ");
