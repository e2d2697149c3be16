interface EndProps {
  id: string;
}

/** Lets a browser that opens a page by its address paint first when the `PageEnd` of the same id has arrived. */
export function WaitForEnd({ id }: EndProps) {
  return <link rel="expect" href={`#${id}`} blocking="render" />;
}

export function PageEnd({ id }: EndProps) {
  return <span id={id} hidden />;
}
