import type { SessionRead } from '../formats/reading/read-session.ts'
import type { Chronological } from '../log/order.ts'

/** A session in the form that the measures need. */
export interface MeasuredSession {
  /** Its name in reports; for a file, the name without its extension. */
  name: string
  /** The repository it comes from; for a file, its name up to `__`. */
  repository: string
  /** The format it was read in. */
  harness: string
  /** Working directories that paths are relative to, longest first. */
  directories: readonly string[]
  log: Chronological
}

/**
 * A session that was read, in the form that the measures need.
 *
 * @example
 * const session = measuredSession('tool__1a2b', await readSession(createReadStream(path)))
 */
export function measuredSession(
  name: string,
  { log, format, facts }: Pick<SessionRead, 'log' | 'format' | 'facts'>,
): MeasuredSession {
  return {
    name,
    repository: name.split('__')[0] ?? name,
    harness: format,
    directories: workedIn(log, facts.directory),
    log,
  }
}

/** Fields of a tool's input in which harnesses name the directory that a command runs in. */
const directoryFields: ReadonlySet<string> = new Set(['workdir', 'cwd'])

/** The directories that a session worked in, without those inside another; longest first. */
function workedIn(log: Chronological, own: string | undefined): string[] {
  const named = new Set<string>(own === undefined ? [] : [own])
  for (const entry of log) {
    if (entry.kind !== 'message' || typeof entry.message.content === 'string') continue
    for (const part of entry.message.content) {
      if (part.type !== 'tool-call' || typeof part.input !== 'object' || part.input === null)
        continue
      for (const [field, value] of Object.entries(part.input)) {
        if (directoryFields.has(field) && isAbsolute(value)) named.add(value)
      }
    }
  }
  const all = [...named].map((path) => path.replaceAll('\\', '/').replace(/\/+$/, ''))
  const outermost = all.filter((inner) => !all.some((outer) => inner.startsWith(`${outer}/`)))
  return [...new Set(outermost)].sort((a, b) => b.length - a.length)
}

function isAbsolute(value: unknown): value is string {
  return typeof value === 'string' && value.length > 1 && value.startsWith('/')
}
