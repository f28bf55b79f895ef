import wrapAnsi from 'wrap-ansi'

/** A line divided at its spaces so that each piece fits, unless a single word is too long. */
export function wrap(text: string, width: number): string[] {
  return wrapAnsi(text, width).split('\n')
}
