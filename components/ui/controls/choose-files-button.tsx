"use client";
import { type ReactNode, useEffect, useEffectEvent, useRef } from "react";
import { IconButton } from "./icon-button";

interface ChooseFilesButtonProps {
  readonly label: string;
  /** The name of the browser's hidden field. */
  readonly fieldLabel: string;
  readonly size?: "xs";
  readonly isDisabled?: boolean | undefined;
  readonly onFiles: (files: readonly File[]) => void;
  readonly children: ReactNode;
}

/**
 * A button that opens the browser's file picker; the same file can be chosen again. What was chosen before the page was
 * alive is taken as soon as it is.
 */
export function ChooseFilesButton({
  label,
  fieldLabel,
  size,
  isDisabled = false,
  onFiles,
  children,
}: ChooseFilesButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  const take = (field: HTMLInputElement) => {
    const files = [...(field.files ?? [])];
    field.value = "";
    if (files.length > 0) onFiles(files);
  };
  const takeEarly = useEffectEvent(() => {
    if (input.current) take(input.current);
  });
  useEffect(() => takeEarly(), []);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={fieldLabel}
        autoComplete="off"
        onChange={(event) => take(event.target)}
      />
      <IconButton
        label={label}
        isDisabled={isDisabled}
        {...(size ? { size } : {})}
        onPress={() => input.current?.click()}
      >
        {children}
      </IconButton>
    </>
  );
}
