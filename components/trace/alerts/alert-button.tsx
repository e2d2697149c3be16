"use client";
import { BellPlus } from "lucide-react";
import { useState } from "react";
import { useShell } from "@/components/shell/shell-context";
import { Button } from "@/components/ui/controls/button";
import { NewAlertDialog } from "./alert-dialog";

export interface AlertButtonProps {
  label: string;
  /** The filters of the list that it is about. */
  query: string;
  /** What the alert is called at first. */
  name?: string;
  look?: "ghost";
  className?: string;
}

/** Makes an alert on what is looked at; absent for somebody who may change nothing. */
export function AlertButton({ label, query, name, look, className }: AlertButtonProps) {
  const { viewer } = useShell();
  const [isOpen, setOpen] = useState(false);
  if (viewer.role === "viewer") return null;
  return (
    <>
      <Button variant={look} className={className} onPress={() => setOpen(true)}>
        <BellPlus aria-hidden />
        {label}
      </Button>
      {isOpen ? <NewAlertDialog query={query} name={name} onClose={() => setOpen(false)} /> : null}
    </>
  );
}
