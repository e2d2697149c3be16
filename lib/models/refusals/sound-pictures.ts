import type { ModelRequest } from "@/lib/agent/model";
import { checkKnownPicture, PICTURE_PROBLEMS } from "@/lib/agent/workspace/pictures/check-picture";
import type { ImageReader } from "@/lib/models/wire/shown-images";
import type { ImageRef, Message, PictureProblem } from "@/lib/schema/messages/message";

/** Pictures that are not shown, by hash. */
export type Unshown = ReadonlyMap<string, PictureProblem>;

/** So many of the newest sound pictures are sent; older ones need not be read. */
const MOST_SENT = 20;

function picturesOf(message: Message): readonly ImageRef[] {
  return "images" in message ? (message.images ?? []) : [];
}

/** The hashes of the request's pictures, the newest first. */
export function shownHashes({ messages }: ModelRequest): string[] {
  const hashes = messages.flatMap(picturesOf).flatMap(({ hash }) => hash ?? []);
  return [...new Set(hashes.reverse())];
}

export function hasPictures({ messages }: ModelRequest): boolean {
  return messages.some((message) => picturesOf(message).length > 0);
}

/** The pictures that cannot be decoded: a provider would refuse them with each request of the thread. */
export async function findUnsound(request: ModelRequest, readImage: ImageReader): Promise<Unshown> {
  const found = new Map<string, PictureProblem>();
  let sound = 0;
  for (const hash of shownHashes(request)) {
    if (sound === MOST_SENT) break;
    const bytes = await readImage(hash);
    if (bytes === null) continue;
    const problem = await checkKnownPicture(bytes, hash);
    if (problem === null) sound += 1;
    else found.set(hash, problem);
  }
  return found;
}

/** The messages with these pictures named instead of shown. Messages without any stay the same objects. */
export function withoutPictures(messages: readonly Message[], unshown: Unshown): readonly Message[] {
  if (unshown.size === 0) return messages;
  return messages.map((message) => {
    const isAffected = picturesOf(message).some(({ hash }) => hash !== null && unshown.has(hash));
    return isAffected ? named(message, unshown) : message;
  });
}

/** One copy per message and choice: a run's next call recognises a history by its objects. */
const copies = new WeakMap<Message, Map<string, Message>>();

function named(message: Message, unshown: Unshown): Message {
  const images = picturesOf(message).map((image) => {
    const problem = image.hash === null ? undefined : unshown.get(image.hash);
    return problem === undefined ? image : { ...image, hash: null, problem };
  });
  const key = images.map(({ problem = "" }) => problem).join(" ");
  const known = copies.get(message) ?? new Map<string, Message>();
  const copy = known.get(key) ?? ({ ...message, images } as Message);
  copies.set(message, known.set(key, copy));
  return copy;
}

/** The names of the pictures that no model is shown. */
export function unshownNames(messages: readonly Message[]): string[] {
  return messages.flatMap(picturesOf).flatMap(({ path, problem }) => (problem === undefined ? [] : nameOf(path)));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** One sentence for each picture sent since the last reply that the model is not shown. */
export function unshownNotices(messages: readonly Message[]): string[] {
  const lastReply = messages.findLastIndex(({ role }) => role === "assistant");
  return messages
    .slice(lastReply + 1)
    .flatMap(picturesOf)
    .flatMap(({ path, problem }) =>
      problem === undefined ? [] : [`${nameOf(path)} ${PICTURE_PROBLEMS[problem]}. The model was not shown it.`],
    );
}
