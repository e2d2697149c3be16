interface DocumentName {
  /** What it is called in a list. */
  readonly name: string;
  /** What stands in it, as a sentence. */
  readonly says: string;
}

/** The documents that an agent's prompt knows by their names. */
const DOCUMENTS: Readonly<Record<string, DocumentName>> = {
  "IDENTITY.md": { name: "Identity", says: "The agent's name, nature and look are written here." },
  "SOUL.md": { name: "Character", says: "Tone, values and limits are written here." },
  "USER.md": { name: "About you", says: "What the agent knows about the person is written here." },
  "AGENTS.md": { name: "Working rules", says: "How the agent works is written here, such as habits and conventions." },
  "TOOLS.md": { name: "Tool notes", says: "Notes about tools, hosts and devices are written here." },
  "BOOTSTRAP.md": { name: "First chat", says: "This is read in a person's first chat only." },
  "HEARTBEAT.md": { name: "Heartbeat", says: "What a heartbeat looks after is written here." },
  "MEMORY.md": { name: "Lasting facts", says: "Facts and decisions that should last are written here." },
};

/** Its plain name and sentence; null for a document of another name. */
export function documentName(path: string): DocumentName | null {
  return DOCUMENTS[path] ?? null;
}
