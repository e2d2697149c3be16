/** A shortcut that ignores the repeats of a key that is held down, which would also answer the next question. */
export function unlessHeld(act: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    if (!event.repeat) act();
  };
}
