import { commandLine, rankedCommands } from './commands.ts'
import { oneLine } from './one-line.ts'
import type { Facts } from './request.ts'
import type { Room } from './room.ts'
import type { Worth } from './worth.ts'

/** Findings are looked through from the newest on, so many of them. */
const mostFindings = 200

/**
 * What the index can say under a heading that a template adds to the core ones: commands,
 * findings and files that speak of what the heading names.
 */
export function otherSection(
  heading: string,
  index: Facts,
  { room, tokens, worth }: { room: Room; tokens: number; worth: Worth },
): string[] {
  const words = wordsOf(heading)
  const speaks = (text: string): boolean => {
    const lower = text.toLowerCase()
    return words.some((word) => lower.includes(word))
  }
  const ran = rankedCommands(index, worth).map(commandLine)
  const found = index.conclusions
    .slice(-mostFindings)
    .toReversed()
    .map(({ text, seq }) => `- ${room.clip(oneLine(text), tokens / 4)} [${seq}]`)
  const files = [...index.files.values()].map(({ path, seqs }) => `- ${path} [${seqs.at(-1)}]`)
  return room.takeFitting(new Set([...ran, ...found, ...files].filter(speaks)), tokens)
}

/** Words of four letters or more, without the ending of the plural. */
function wordsOf(heading: string): string[] {
  const words = heading.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words.filter((word) => word.length >= 4).map((word) => word.replace(/s$/, ''))
}
