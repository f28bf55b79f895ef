import { formatTokens } from '../tokens/windows.ts'
import type { Facts } from '../facts/facts.ts'
import type { Kept } from './record.ts'
import type { Report } from '../compaction/report.ts'

/** How many rules and changed files a summary keeps. */
export function keptIn({ rules, files }: Facts): Kept {
  return {
    rules: rules.filter(({ retractedBy }) => retractedBy === undefined).length,
    files: [...files.values()].filter(({ state }) => state !== 'read').length,
  }
}

/** The same line from what the record of a client tells. */
export function compactedLine(done: Told): string {
  const { rules = 0, files = 0 } = done.kept ?? {}
  const kept = !done.kept
    ? ''
    : `; ${counted(rules, 'rule')} and ${counted(files, 'changed file')} kept`
  const why = done.reason === undefined ? '' : ` Code wrote the summary (${done.reason}).`
  return `Throughline: ${sizesText(done)} tokens${kept}.${why} /throughline show says what.`
}

interface Told extends Sizes {
  kept?: Kept | undefined
  /** Why code wrote the summary, where a model should have. */
  reason?: string | undefined
}

type Sizes = Pick<Report, 'before' | 'after'>

export function sizesText({ before, after }: Sizes): string {
  return `${formatTokens(before)} → ${formatTokens(after)}`
}

export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
