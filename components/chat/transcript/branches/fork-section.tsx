"use client";
import { GitFork } from "lucide-react";
import { useShell } from "@/components/shell/shell-context";
import { Button } from "@/components/ui/controls/button";
import { Section } from "@/components/ui/section";
import type { MessagePlace } from "@/lib/client/chat/branches/branch-actions";
import { useFork } from "@/lib/client/chat/branches/use-fork";
import { ForkFields } from "./fork-fields";

/** In the panel: a new thread from the end of the shown version on. */
export function ForkSection({ place, isRunning }: { place: MessagePlace; isRunning: boolean }) {
  const { go } = useShell();
  const fork = useFork(place, (id) => go(`/threads/${id}`));
  return (
    <Section title="Fork">
      <ForkFields fork={fork} />
      <Button className="mt-2.5" isDisabled={isRunning} isPending={fork.isPending} onPress={() => void fork.start()}>
        <GitFork aria-hidden /> Fork to a new thread
      </Button>
      {isRunning ? <p className="pt-2 text-xs text-muted">Possible once the reply has ended.</p> : null}
    </Section>
  );
}
