import { pino, type DestinationStream } from 'pino'
import { ThroughlineError } from 'throughline'

/** What a gateway says of itself, as lines of JSON. */
export interface Log {
  info: (fields: Fields, message: string) => void
  warn: (fields: Fields, message: string) => void
  problem: (problem: unknown, message: string) => void
}

type Fields = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

/**
 * Nothing in it is content: no body, no header, no query, no key. Of an error that isn't our own only
 * its kind and the place are written, because its message may quote what it could not read.
 */
export function createLog(
  level: 'debug' | 'info' | 'warn' | 'error' | 'silent',
  to?: DestinationStream,
  now: () => number = Date.now,
): Log {
  const options = { level, base: { name: 'throughline-gateway' } }
  const log = to ? pino(options, to) : pino(options)
  const said = new Map<string, { at: number; since: number }>()
  return {
    info: (fields, message) => log.info(fields, message),
    warn: (fields, message) => log.warn(fields, message),
    problem(problem, message) {
      const fields = described(problem)
      const what = JSON.stringify([message, fields])
      const before = said.get(what)
      if (before && now() - before.at < pause) return void (before.since += 1)
      if (said.size >= mostSaid) said.clear()
      said.set(what, { at: now(), since: 0 })
      log.error({ ...fields, ...(before?.since && { again: before.since }) }, message)
    },
  }
}

// What goes wrong for every request is said once in this time, and how often it was since.
const pause = 60_000
const mostSaid = 100

function described(problem: unknown): Fields {
  if (ThroughlineError.isInstance(problem)) {
    const { code } = problem
    return { code, ...(namesNoContent.has(code) && { problem: problem.message }) }
  }
  if (!(problem instanceof Error)) return { code: 'INTERNAL', kind: typeof problem }
  const frames = (problem.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return { code: 'INTERNAL', kind: problem.name, at: frames.slice(0, 8).map((line) => line.trim()) }
}

/** Errors whose messages hold addresses and codes alone. */
const namesNoContent = new Set(['POSTGRES', 'UPSTREAM', 'GATEWAY_CONFIG', 'SEAL', 'STORE_CONFLICT'])
