import "server-only";
import { imageInfo, MAX_IMAGE_BYTES } from "@/lib/agent/workspace/image-file";
import { checkPicture, PICTURE_PROBLEMS } from "@/lib/agent/workspace/pictures/check-picture";
import type { AgentConfig } from "@/lib/schema/agents/agent-config";
import { type AppError, invalidField } from "@/lib/schema/app-error";
import { formatSize } from "@/lib/schema/files/format-size";
import type { ImageRef } from "@/lib/schema/messages/message";
import { keepImage } from "@/lib/server/files/thread-images";
import type { Database } from "@/lib/server/platform/db/database";
import type { Services } from "@/lib/server/platform/services";
import { firstModel } from "@/lib/server/providers/first-model";
import { modelRegistry } from "@/lib/server/providers/models";

/** A picture sent with a request, not stored yet. */
export interface ReadPicture extends Omit<ImageRef, "hash"> {
  readonly bytes: Uint8Array;
}

interface Sent {
  readonly role: string;
  readonly pictures?: readonly string[] | undefined;
}

/** The maximum per message. */
const MAX_PICTURES = 20;
const DATA_URL = /^data:[^,]*;base64,/i;

/**
 * The pictures of each message. Throws `invalid_input` that names the message in `field` of the request: for a picture
 * that no model accepts, and for any picture if the agent's model has no vision.
 */
export async function readPictures(
  services: Services,
  messages: readonly Sent[],
  config: AgentConfig,
  field = "messages",
): Promise<ReadPicture[][]> {
  const first = messages.findIndex(({ pictures = [] }) => pictures.length > 0);
  if (first !== -1) await requireSight(services, `${field}.${first}`, config);
  return Promise.all(
    messages.map(({ role, pictures = [] }, index) => {
      const place = `${field}.${index}`;
      if (pictures.length > MAX_PICTURES) throw refused(place, `A message may have ${MAX_PICTURES} pictures at most.`);
      if (pictures.length > 0 && role !== "user") throw refused(place, "Only the user's messages may have pictures.");
      return Promise.all(pictures.map((url, nth) => readSent(url, place, nth + 1)));
    }),
  );
}

/**
 * The pictures of earlier messages, which a client sends again with each request and cannot take back: one that no
 * model accepts is left out, and all of them if the agent's model has no vision.
 */
export async function readEarlierPictures(
  services: Services,
  messages: readonly Sent[],
  config: AgentConfig,
): Promise<ReadPicture[][]> {
  const none = () => [];
  if (
    messages.every(({ pictures = [] }) => pictures.length === 0) ||
    !canSee(services, await firstModel(services, config))
  ) {
    return messages.map(none);
  }
  return Promise.all(
    messages.map(async ({ pictures = [] }) => {
      const read = pictures.slice(0, MAX_PICTURES).map((url, nth) => readSent(url, "", nth + 1).catch(none));
      return (await Promise.all(read)).flat();
    }),
  );
}

function canSee(services: Services, model: string): boolean {
  return modelRegistry(services).factsOf(model)?.vision === true;
}

async function requireSight(services: Services, place: string, config: AgentConfig): Promise<void> {
  const model = await firstModel(services, config);
  if (canSee(services, model)) return;
  const advice = "Send text alone, or ask an agent whose model does.";
  throw refused(place, `The model ${model} of this agent does not see pictures. ${advice}`);
}

async function readSent(url: string, place: string, nth: number): Promise<ReadPicture> {
  const [head] = DATA_URL.exec(url) ?? [];
  if (head === undefined) {
    throw refused(place, "Send the picture itself as a base64 data: URL. Addresses of pictures are not fetched.");
  }
  const bytes = Buffer.from(url.slice(head.length), "base64");
  const facts = imageInfo(bytes);
  if (facts === null) throw refused(place, `Picture ${nth} is no PNG, JPEG, GIF or WebP. Send one of these.`);
  if (bytes.byteLength > MAX_IMAGE_BYTES) {
    const most = formatSize(MAX_IMAGE_BYTES);
    throw refused(
      place,
      `Picture ${nth} has ${formatSize(bytes.byteLength)}; models take ${most} at most. Make it smaller.`,
    );
  }
  const problem = await checkPicture(bytes);
  if (problem !== null)
    throw refused(place, `Picture ${nth} ${PICTURE_PROBLEMS[problem]}. Send it again or without it.`);
  const path = `picture-${nth}.${facts.mediaType.slice("image/".length)}`;
  return { path, ...facts, sizeBytes: bytes.byteLength, bytes };
}

function refused(place: string, message: string): AppError {
  return invalidField(`${place}.content`, message);
}

/** Stores the pictures with the thread. */
export function keepPictures(
  database: Database,
  threadId: string,
  pictures: readonly ReadPicture[],
): Promise<ImageRef[]> {
  return Promise.all(
    pictures.map(async ({ bytes, ...picture }) => ({
      ...picture,
      hash: await keepImage(database, { threadId, bytes, mediaType: picture.mediaType }),
    })),
  );
}
