import { realPath } from '../../harnesses/calling/project.ts'
import { realpathSync } from 'node:fs'
import { sources } from '../../formats/harnesses.ts'
import { notOneOf, usage } from '../parse-arguments.ts'
import { pathFrom } from '../paths.ts'
import { harnessNamed, harnessWords } from './session-found.ts'
import type { Harness } from '../../formats/writing/harness.ts'
import type { Options, ParsedArguments } from '../command.ts'
import type { Io } from '../io.ts'

/** Which sessions of this machine are meant. */
export interface SessionFilters {
  /** Of these clients. */
  harnesses: readonly Harness[]
  /** That worked in one of these directories or below; all if there is none. */
  directories: readonly string[]
  /** Written since, in milliseconds since 1970. */
  since: number | undefined
}

export const filterOptions: Options = {
  '--in WHERE':
    'Only sessions of this client (codex) or of this directory and those below it (~/code/app).',
  '--here': 'Only sessions of the working directory and those below it.',
  '--since WHEN':
    'Only what was written after this time: 12h, 7d, 2w, today, yesterday, or a date such as 2026-01-31.',
}

/** @throws UsageError */
export function filtersIn(
  command: string,
  { values, flags }: ParsedArguments,
  io: Io,
  now: number,
): SessionFilters {
  const where = values.get('in')
  const harness = where === undefined ? undefined : harnessNamed(where)
  const directories = [
    ...(flags.has('here') ? [io.cwd] : []),
    ...(where !== undefined && !harness ? [directoryIn(command, where, io)] : []),
  ]
  return {
    harnesses: harness ? [harness] : sources,
    directories: [...new Set(directories.flatMap((each) => [each, realPath(each)]))],
    since: sinceIn(command, values.get('since'), now),
  }
}

/** A session may name a directory that is gone, or one of another machine. */
function directoryIn(command: string, word: string, { cwd, env }: Io): string {
  const home = env['HOME']
  if (/[\\/]/.test(word) || /^[.~]/.test(word)) {
    const path = home !== undefined && /^~(?=$|\/)/.test(word) ? home + word.slice(1) : word
    return pathFrom(cwd, path).replace(/(?<=.)[\\/]+$/, '')
  }
  if (realPath(pathFrom(cwd, word)) !== pathFrom(cwd, word) || isThere(pathFrom(cwd, word))) {
    return pathFrom(cwd, word)
  }
  throw unknownHarness(command, '--in', word, ', or a directory')
}

function isThere(path: string): boolean {
  try {
    realpathSync(path)
    return true
  } catch {
    return false
  }
}

/** What to say about a word that names no client. */
export function unknownHarness(command: string, what: string, word: string, more = '') {
  return notOneOf(command, what, word, harnessWords(), {
    more,
    also: sources.map(({ prefix }) => prefix),
  })
}

const units: Readonly<Record<string, number>> = {
  h: 3_600_000,
  d: 86_400_000,
  w: 7 * 86_400_000,
}

function sinceIn(command: string, text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined
  const [, count, unit = ''] = /^(\d{1,5})([hdw])$/.exec(text) ?? []
  if (count !== undefined) return now - Number(count) * (units[unit] ?? 0)
  if (text === 'today' || text === 'yesterday') {
    const day = new Date(now)
    day.setHours(0, 0, 0, 0)
    if (text === 'yesterday') day.setDate(day.getDate() - 1)
    return day.getTime()
  }
  const date = /^\d{4}-\d{2}-\d{2}$/.test(text) ? new Date(`${text}T00:00:00`).getTime() : NaN
  if (Number.isFinite(date)) return date
  throw usage(
    command,
    `--since must be a time such as 12h, 7d, 2w, today, yesterday or 2026-01-31, not ${JSON.stringify(text.slice(0, 40))}`,
  )
}

/** Whether a session worked in one of the directories, or below. */
export function isIn(directory: string | undefined, directories: readonly string[]): boolean {
  if (directories.length === 0) return true
  if (directory === undefined) return false
  return directories.some((each) => directory === each || directory.startsWith(`${each}/`))
}
