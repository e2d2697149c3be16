import type { ExternalReplyInfo, Message } from "grammy/types";

/** What a message, or one that is answered, may consist of besides text. */
export type Content = Partial<Message> | ExternalReplyInfo;

/** The largest number of choices of a poll, or of items of a list, that is shown. */
const MOST_ITEMS = 30;

/** What a message is that is neither text nor only a file, in words: "[Location: 52.5, 13.4]"; empty for any other. */
export function describeContent(content: Content): string {
  const found = [placeIn(content), contactIn(content), stickerIn(content), soundIn(content), filmIn(content)];
  found.push(pollIn(content), checklistIn(content), playIn(content), otherIn(content));
  return found
    .filter((words) => words !== null)
    .map((words) => `[${words}]`)
    .join("\n");
}

function joined(separator: string, parts: readonly (string | undefined)[]): string {
  return parts.filter(Boolean).join(separator);
}

function placeIn({ venue, location }: Content): string | null {
  if (venue) {
    const { latitude, longitude } = venue.location;
    return `Place: ${joined(", ", [venue.title, venue.address])} (${latitude}, ${longitude})`;
  }
  if (!location) return null;
  const kind = location.live_period === undefined ? "Location" : "Live location";
  return `${kind}: ${location.latitude}, ${location.longitude}`;
}

function contactIn({ contact }: Content): string | null {
  if (!contact) return null;
  return `Contact: ${joined(" ", [contact.first_name, contact.last_name])}, ${contact.phone_number}`;
}

function stickerIn({ sticker }: Content): string | null {
  if (!sticker) return null;
  return joined(" ", ["Sticker", sticker.emoji, sticker.set_name && `of the set ${sticker.set_name}`]);
}

function soundIn({ voice, audio }: Content): string | null {
  if (voice) return lasting("Voice message", voice.duration);
  if (!audio) return null;
  const title = joined(" – ", [audio.performer, audio.title]);
  return lasting(title === "" ? "Audio" : `Audio: ${title}`, audio.duration);
}

function filmIn({ video, video_note: note, animation, live_photo: live }: Content): string | null {
  if (note) return lasting("Video message", note.duration);
  if (animation) return lasting("Animation", animation.duration);
  if (live) return "Live photo";
  return video ? lasting("Video", video.duration) : null;
}

function lasting(what: string, seconds: number | undefined): string {
  return seconds === undefined ? what : `${what}, ${seconds} s`;
}

function pollIn({ poll }: Content): string | null {
  if (!poll) return null;
  const kind = poll.type === "quiz" ? "Quiz" : "Poll";
  const choices = poll.options.slice(0, MOST_ITEMS).map(({ text }) => `\n- ${text}`);
  return `${kind}: ${poll.question}${choices.join("")}`;
}

function checklistIn({ checklist }: Content): string | null {
  if (!checklist) return null;
  const tasks = checklist.tasks.slice(0, MOST_ITEMS).map(({ text, completion_date: doneAt }) => {
    return `\n- [${doneAt === undefined ? " " : "x"}] ${text}`;
  });
  return `Checklist: ${checklist.title}${tasks.join("")}`;
}

function playIn({ dice, game }: Content): string | null {
  if (dice) return `Dice ${dice.emoji}: ${dice.value}`;
  return game ? `Game: ${game.title}` : null;
}

function otherIn({ story, invoice, paid_media: paid, giveaway }: Content): string | null {
  if (story) return "Story, which bots can’t open";
  if (invoice) return `Invoice: ${joined(". ", [invoice.title, invoice.description])}`;
  if (giveaway) return "Giveaway";
  return paid ? "Paid media, which bots can’t open" : null;
}
