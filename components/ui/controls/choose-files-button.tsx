"use client";
import { type ReactNode, useRef } from "react";
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

/** A button that opens the browser's file picker; the same file can be chosen again. */
export function ChooseFilesButton({
  label,
  fieldLabel,
  size,
  isDisabled = false,
  onFiles,
  children,
}: ChooseFilesButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={fieldLabel}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = "";
        }}
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
