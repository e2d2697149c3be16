/** A shortcut that ignores the repeats of a held key, which would also answer the next question. */
export function unlessHeld(act: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    if (!event.repeat) act();
  };
}
