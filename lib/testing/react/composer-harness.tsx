import { fireEvent, screen } from "@testing-library/react";
import { useState } from "react";
import { Composer, type ComposerProps } from "@/components/chat/composer/composer";
import { ToastRegion } from "@/components/ui/overlays/toast";

/** A composer with its own text state, and the region for error messages. */
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

/** Types `text` into the field, replacing its content. */
export function typeInComposer(text: string): void {
  fireEvent.change(composerField(), { target: { value: text } });
}
