import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { parsedJson } from '../../json/fields.ts'
import { foldersOf } from '../../config/folders.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Through what the hooks of a session talk to the process that reads it ahead. */
export interface AheadPlaces {
  /** Which process that is. */
  reader: string
  question: string
  answer: string
}

/** `undefined` for a session whose name is no plain one: no path is made of it. */
export function placesOf(
  client: string,
  { session = '' }: { session: string | undefined },
  env: Environment,
): AheadPlaces | undefined {
  if (!/^[\w-]{1,100}$/.test(session)) return undefined
  const at = (what: string): string => placeToGive(`${client}-${session}-${what}`, env)
  return { reader: at('reader'), question: at('question'), answer: at('answer') }
}

/** What is left of a process that had ended is taken away after this time. In milliseconds. */
const oldest = 3_600_000

/** A file through which two processes of ours talk; what is in it is taken away by the reader. */
export function placeToGive(name: string, env: Environment): string {
  const { data, path } = foldersOf(env)
  if (data === undefined) throw new Error('no data folder is known')
  const folder = path.join(data, 'clients', 'given')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  for (const each of readdirSync(folder)) {
    const old = path.join(folder, each)
    if (Date.now() - statSync(old).mtimeMs > oldest) rmSync(old, { force: true })
  }
  return path.join(folder, `${name}.json`)
}

/** Writes what a process of ours reads; it reads nothing half written. */
export function give(file: string, given: unknown): void {
  writeFileSync(`${file}.new`, JSON.stringify(given), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

/** What was written into a file; one who is no process of ours may be writing it still. */
export function givenIn<Given>(file: string): Given | undefined {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const given = text.endsWith('}') ? (parsedJson(text) as Given | undefined) : undefined
  if (given !== undefined) rmSync(file, { force: true })
  return given
}

/** Milliseconds. */
export function rest(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/**
 * The same, as soon as it is there; `undefined` where it does not come in time.
 * @param from the process that is to write it
 */
export async function givenBy<Given>(
  file: string,
  { longest, pause = 10, from }: { longest: number; pause?: number; from?: number },
): Promise<Given | undefined> {
  for (const end = Date.now() + longest; Date.now() < end; await rest(pause)) {
    const given = givenIn<Given>(file)
    if (given) return given
    if (from !== undefined && !isThere(from)) return undefined
  }
  return undefined
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
