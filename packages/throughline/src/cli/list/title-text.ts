import { sanitizeLine } from '../../log/sanitize.ts'

// A title says enough in so many characters; its marks take some more.
const longest = 200
const looked = 1000

/** What a human said first, on one line: a command of Claude Code without its marks. */
export function titleText(title: string): string {
  const words = title.slice(0, looked).replace(/<\/?command-[a-z]+>/g, ' ')
  return sanitizeLine(words).replace(/\s+/g, ' ').trim().slice(0, longest)
}
