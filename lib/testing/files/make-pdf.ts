import { deflateSync } from "node:zlib";

/** A PDF with one page per text. `unpackedBytes`: the unpacked size of the first page's content. */
export function makePdf(pages: readonly string[], { title = "", unpackedBytes = 0 } = {}): Buffer {
  const objects: Buffer[] = [];
  const add = (text: string | Buffer) => objects.push(Buffer.isBuffer(text) ? text : Buffer.from(text, "latin1"));
  const kids = pages.map((_, index) => `${4 + index * 2} 0 R`).join(" ");
  add("<< /Type /Catalog /Pages 2 0 R >>");
  add(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`);
  add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>");
  pages.forEach((text, index) => {
    const resources = "/Resources << /Font << /F1 3 0 R >> >>";
    add(`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] ${resources} /Contents ${5 + index * 2} 0 R >>`);
    const lines = text.split("\n").map((line) => `(${line}) Tj T*`);
    const content = `BT /F1 12 Tf 72 720 Td 14 TL ${lines.join(" ")} ET`;
    const padded = index === 0 ? Buffer.concat([Buffer.from(content), Buffer.alloc(unpackedBytes, " ")]) : content;
    const packed = deflateSync(padded);
    const head = `<< /Length ${packed.byteLength} /Filter /FlateDecode >>\nstream\n`;
    add(Buffer.concat([Buffer.from(head), packed, Buffer.from("\nendstream")]));
  });
  add(`<< /Title (${title}) >>`);
  return write(objects);
}

function write(objects: readonly Buffer[]): Buffer {
  const parts = [Buffer.from("%PDF-1.7\n")];
  const offsets: number[] = [];
  let at = parts[0]?.byteLength ?? 0;
  objects.forEach((object, index) => {
    const whole = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), object, Buffer.from("\nendobj\n")]);
    offsets.push(at);
    at += whole.byteLength;
    parts.push(whole);
  });
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R /Info ${objects.length} 0 R >>\nstartxref\n${at}\n%%EOF\n`;
  parts.push(Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${rows}${trailer}`));
  return Buffer.concat(parts);
}
