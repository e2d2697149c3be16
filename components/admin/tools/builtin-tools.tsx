"use client";
import { useQuery } from "@tanstack/react-query";
import { QueryState } from "@/components/ui/states/query-state";
import { Table, TableCell, TableHead, TableRow } from "@/components/ui/table";
import { Tag } from "@/components/ui/tag";
import { annotationText } from "@/lib/client/tools/tool-labels";
import { availableToolsQuery } from "@/lib/client/tools/tool-queries";

const COLUMNS = [
  { id: "name", label: "Tool" },
  { id: "description", label: "What it does", className: "w-full max-md:hidden" },
  { id: "says", label: "Declared as", className: "max-lg:hidden" },
  { id: "offered", label: "Offered", className: "max-sm:hidden" },
] as const;

/** The built-in tools of this version and those of its extensions. */
export function BuiltinTools() {
  const tools = useQuery(availableToolsQuery);
  return (
    <QueryState what="tools" query={tools}>
      {(found) => (
        <Table label="Built-in tools">
          <TableHead columns={COLUMNS} />
          <tbody>
            {found
              .filter(({ source }) => source !== "http" && source !== "mcp")
              .map(({ name, description, source, annotations, offered }) => (
                <TableRow key={name}>
                  <TableCell className="max-md:w-full max-md:max-w-0 max-md:py-1.5">
                    <span className="flex items-center gap-2 font-mono text-xs font-medium">
                      {name} {source === "extension" ? <Tag>extension</Tag> : null}
                    </span>
                    <span className="block truncate text-xs text-muted md:hidden">{description}</span>
                  </TableCell>
                  <TableCell className="max-w-0 truncate text-muted max-md:hidden">
                    <span title={description}>{description}</span>
                  </TableCell>
                  <TableCell className="text-muted max-lg:hidden">{annotationText(annotations)}</TableCell>
                  <TableCell className="text-muted max-sm:hidden">{offered}</TableCell>
                </TableRow>
              ))}
          </tbody>
        </Table>
      )}
    </QueryState>
  );
}
