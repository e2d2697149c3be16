"use client";
import { Columns3 } from "lucide-react";
import { Dialog, DialogTrigger } from "react-aria-components/Dialog";
import { Popover } from "react-aria-components/Popover";
import { Button } from "@/components/ui/controls/button";
import { CheckList } from "@/components/ui/controls/check-list";
import { AriaTriggers } from "@/components/ui/overlays/aria-triggers";
import { STANDARD_COLUMNS, TRACE_COLUMNS } from "@/lib/client/trace/list/list-columns";
import type { ChosenColumns } from "@/lib/client/trace/list/use-trace-columns";
import { COLUMNS } from "./trace-columns";

/** Which columns the list shows, kept by the browser and in the URL. */
export function ColumnsButton({ columns: { chosen, choose } }: { columns: ChosenColumns }) {
  return (
    <DialogTrigger>
      <AriaTriggers>
        <Button variant="ghost" className="max-md:hidden">
          <Columns3 aria-hidden />
          Columns
        </Button>
      </AriaTriggers>
      <Popover placement="bottom end" className="overlay-motion w-56 rounded-lg bg-overlay p-3 shadow-overlay">
        <Dialog aria-label="Columns" className="flex flex-col items-start gap-2 outline-none">
          <CheckList
            label="Columns"
            options={COLUMNS.map(({ id, label }) => ({ id, name: label }))}
            value={[...(chosen ?? STANDARD_COLUMNS)]}
            onChange={(ids) => choose(TRACE_COLUMNS.filter((id) => ids.includes(id)))}
          />
          <Button variant="ghost" isDisabled={chosen === null} onPress={() => choose(null)}>
            Show what fits
          </Button>
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
