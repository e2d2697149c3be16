import { fireEvent, screen } from "@testing-library/react";
import { useState } from "react";
import { Composer, type ComposerProps } from "@/components/chat/composer/composer";
import { ToastRegion } from "@/components/ui/overlays/toast";

/** A composer that keeps its own text, with the region that says what went wrong. */
export function ComposerHarness(props: Partial<ComposerProps>) {
  const [text, setText] = useState("");
  return (
    <>
      <Composer
        text={text}
        onText={setText}
        isRunning={false}
        onSend={async () => undefined}
        onStop={() => undefined}
        mayAttach
        pickers={null}
        {...props}
      />
      <ToastRegion />
    </>
  );
}

export function composerField(): HTMLTextAreaElement {
  return screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Message" });
}

/** The field then contains `text`. */
export function typeInComposer(text: string): void {
  fireEvent.change(composerField(), { target: { value: text } });
}
