"use client";
import { FolderUp, Upload } from "lucide-react";
import { type ReactNode, useState } from "react";
import { FileTrigger } from "react-aria-components/FileTrigger";
import { Button } from "@/components/ui/controls/button";
import { AriaTriggers } from "@/components/ui/overlays/aria-triggers";
import { Notice } from "@/components/ui/states/notice";
import { readPicked } from "@/lib/client/skills/skill-files";
import type { SkillUpload } from "@/lib/client/skills/use-skills";
import { classNames } from "@/lib/client/ui/class-names";
import { useFocusKeeper } from "@/lib/client/ui/input/use-focus-keeper";

/** A zip or a folder from the disk. */
export function SkillUploadButtons({ upload: { isBusy, upload } }: { upload: SkillUpload }) {
  const take = (files: FileList | null) => void upload(readPicked(files ?? []));
  return (
    <AriaTriggers>
      <FileTrigger acceptDirectory onSelect={take}>
        <Button isPending={isBusy} className="max-sm:hidden">
          <FolderUp aria-hidden />
          Upload folder
        </Button>
      </FileTrigger>
      <FileTrigger allowsMultiple acceptedFileTypes={[".zip", ".skill"]} onSelect={take}>
        <Button variant="primary" isPending={isBusy}>
          <Upload aria-hidden />
          Upload zip
        </Button>
      </FileTrigger>
    </AriaTriggers>
  );
}

/** The part of the page onto which skills can be dropped, with the last upload's problems above it. */
export function SkillDropArea({ upload, children }: { upload: SkillUpload; children: ReactNode }) {
  const [isOver, setOver] = useState(false);
  const area = useFocusKeeper<HTMLElement>();
  return (
    <section
      ref={area}
      tabIndex={-1}
      aria-label="Skills; drop a zip or a folder here"
      className={classNames(
        "min-h-0 flex-1 overflow-auto outline-none",
        isOver && "bg-selection outline-2 -outline-offset-4 outline-focus outline-dashed",
      )}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void upload.drop(event.dataTransfer);
      }}
    >
      {upload.problem === null ? null : (
        <div role="alert" className="p-4">
          <Notice
            status="failed"
            title="The skill was not installed"
            actions={<Button onPress={upload.closeProblem}>Close</Button>}
          >
            {upload.problem}
          </Notice>
        </div>
      )}
      {children}
    </section>
  );
}
