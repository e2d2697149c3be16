// Runs in a document process started by inline-page.ts: the page comes in on stdin, its files by messages.
import { once } from "node:events";
import { buffer } from "node:stream/consumers";
import { z } from "zod";
import { DocumentRefused, type Refusal } from "@/lib/server/files/documents/document";
import { decodeText, type InlinedPage, inlineFiles } from "./inline-files";

const Answer = z.object({ bytes: z.instanceof(Uint8Array).nullable() });

async function read(path: string): Promise<Uint8Array | null> {
  process.send?.({ path });
  const [answer] = await once(process, "message");
  return Answer.parse(answer).bytes;
}

async function inline(html: string, path: string): Promise<InlinedPage | Refusal> {
  try {
    return await inlineFiles(html, path, read);
  } catch (error) {
    if (error instanceof DocumentRefused) return { refused: error.message };
    throw error;
  }
}

const [path = ""] = process.argv.slice(2);
process.stdout.write(JSON.stringify(await inline(decodeText(await buffer(process.stdin)), path)));
process.disconnect();
