import wrapAnsi from 'wrap-ansi'

/** A line divided at its spaces so that each piece fits, as far as its words do. */
export function wrap(text: string, width: number): string[] {
  return wrapAnsi(text, width).split('\n')
}
