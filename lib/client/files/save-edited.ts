import { callApi } from "@/lib/client/ui/api";
import { contentUrl, readUtf8, uploadFile } from "./file-queries";

export interface EditedText {
  readonly threadId: string;
  readonly path: string;
  /** The file as it was when editing began. */
  readonly before: string;
  readonly text: string;
}

/** Writes an edited text. Does nothing and says "changed" when the file is no longer what was edited. */
export async function saveEdited({ threadId, path, before, text }: EditedText): Promise<"saved" | "changed"> {
  const bytes = await (await callApi(contentUrl(threadId, path))).blob();
  const now = await readUtf8(bytes).catch(() => null);
  if (now !== before) return "changed";
  await overwrite({ threadId, path, before, text });
  return "saved";
}

/** Writes it whatever the file holds by now; its versions keep what was there. */
export async function overwrite({ threadId, path, before, text }: EditedText): Promise<void> {
  await uploadFile(threadId, path, new Blob([withLineEnds(text, before)]));
}

/** A text field knows only \n; a file keeps the ends of line that it had. */
export function withLineEnds(text: string, like: string): string {
  return like.includes("\r\n") ? text.replaceAll("\n", "\r\n") : text;
}
