// Runs in its own process, started by receive-mail.ts: the mail comes in on stdin, what it says goes out on stdout.
import { buffer } from "node:stream/consumers";
import type { InboundFile } from "@/lib/server/triggers/channels/channel";
import { readMail } from "./read-mail";

const [channelId = "", address = "", authservId = "", offset = ""] = process.argv.slice(2);
const bytes = new Uint8Array(await buffer(process.stdin));
const update = await readMail({ channelId }, { address, authservId }, { bytes, offset });
const contents = await Promise.all((update.message?.files ?? []).map(contentOf));
process.stdout.write(JSON.stringify({ update, contents }));

/** As base64; null for a file that is too large. */
async function contentOf(file: InboundFile): Promise<string | null> {
  try {
    return Buffer.from(await file.read(new AbortController().signal)).toString("base64");
  } catch {
    return null;
  }
}
