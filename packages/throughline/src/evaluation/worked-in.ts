import type { Chronological } from '../log/order.ts'

/** Fields of a tool's input in which harnesses name the directory that a command runs in. */
const directoryFields: ReadonlySet<string> = new Set(['workdir', 'cwd'])

/** The directories that a session worked in, without those inside another; longest first. */
export function workedIn(log: Chronological, own: string | undefined): string[] {
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
