import { zipFile } from "./zip-file";

const escaped = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");

/** A Word file of these paragraphs. */
export function makeDocx(paragraphs: readonly string[]): Buffer {
  const body = paragraphs.map((text) => `<w:p><w:r><w:t>${escaped(text)}</w:t></w:r></w:p>`).join("");
  const content = `<w:document><w:body>${body}</w:body></w:document>`;
  return Buffer.from(zipFile([{ path: "word/document.xml", content }]));
}

/** An Excel file: rows of texts and numbers by the name of their sheet. */
export function makeXlsx(sheets: Readonly<Record<string, readonly (readonly (string | number)[])[]>>): Buffer {
  const names = Object.keys(sheets);
  const list = names.map((name, place) => `<sheet name="${name}" r:id="rId${place}"/>`).join("");
  const relations = names
    .map((_, place) => `<Relationship Id="rId${place}" Target="worksheets/${place}.xml"/>`)
    .join("");
  const cell = (value: string | number) =>
    typeof value === "number" ? `<c><v>${value}</v></c>` : `<c t="inlineStr"><is><t>${escaped(value)}</t></is></c>`;
  return Buffer.from(
    zipFile([
      { path: "xl/workbook.xml", content: `<workbook><sheets>${list}</sheets></workbook>` },
      { path: "xl/_rels/workbook.xml.rels", content: `<Relationships>${relations}</Relationships>` },
      ...Object.values(sheets).map((rows, place) => ({
        path: `xl/worksheets/${place}.xml`,
        content: `<worksheet><sheetData>${rows.map((row) => `<row>${row.map(cell).join("")}</row>`).join("")}</sheetData></worksheet>`,
      })),
    ]),
  );
}
