import { z } from "zod";
import { defineTool, type Tool } from "@/lib/agent/tools/tool";
import { describeImage, imageInfo, MAX_IMAGE_BYTES } from "@/lib/agent/workspace/image-file";
import { checkPicture, PICTURE_PROBLEMS } from "@/lib/agent/workspace/pictures/check-picture";
import { WorkspaceError } from "@/lib/agent/workspace/workspace";
import { formatSize } from "@/lib/schema/files/format-size";
import type { ImageRef } from "@/lib/schema/messages/message";
import type { ToolDisplay } from "@/lib/schema/tools/tool-display";
import type { WorkspaceFiles } from "./workspace-files";

/** Stores an image for its thread and returns its content hash. */
export type KeepImage = (image: { threadId: string; bytes: Uint8Array; mediaType: string }) => Promise<string>;

export const VIEW_IMAGE = "view_image";

export function viewImageTool(files: WorkspaceFiles, keepImage: KeepImage): Tool {
  return defineTool({
    name: VIEW_IMAGE,
    kind: "read",
    pathArgument: "path",
    readsFiles: true,
    description: "Look at a picture of the workspace: PNG, JPEG, GIF or WebP.",
    input: z.object({ path: z.string().describe("Picture to look at.") }),
    annotations: { readOnly: true },
    argumentAliases: { file_path: "path" },
    async execute({ path }, { context }) {
      const file = files.resolveFile(path);
      const { bytes, sizeBytes } = await files.workspace.read(file, MAX_IMAGE_BYTES);
      const facts = imageInfo(bytes);
      if (facts === null) throw new WorkspaceError("failed", `${path} is no PNG, JPEG, GIF or WebP. ${READ_INSTEAD}`);
      if (bytes.byteLength < sizeBytes) throw new WorkspaceError("too_large", tooLarge(path, sizeBytes));
      const problem = await checkPicture(bytes);
      if (problem !== null) throw new WorkspaceError("failed", `${path} ${PICTURE_PROBLEMS[problem]}.`);
      const { threadId } = context;
      const hash = await keepImage({ threadId, bytes, mediaType: facts.mediaType });
      const image: ImageRef = { path: file, ...facts, hash, sizeBytes };
      const { width, height } = facts;
      const display: ToolDisplay = { kind: "image", path: file, hash, width, height };
      return { output: `${file}: ${describeImage(image)}`, images: [image], display };
    },
  });
}

const READ_INSTEAD = "If it is a document, use read_file.";

function tooLarge(path: string, sizeBytes: number): string {
  const most = formatSize(MAX_IMAGE_BYTES);
  return `${path} has ${formatSize(sizeBytes)}, and a picture may have ${most}. Make a smaller copy with a command and look at that.`;
}
