import { acceptedFor, pointsOf, regressions } from './accepted.ts'
import type { Figures } from './figures.ts'

/** Reports what has dropped since the accepted run, and fails the command. */
export function holdAgainstAccepted(figures: Figures): void {
  const { source } = figures.sessions
  const accepted = acceptedFor(source)
  if (!accepted) return console.log(`No run with sessions from ${source} has been accepted yet.`)
  const fallen = regressions(accepted, pointsOf(figures))
  if (fallen.length === 0) {
    return console.log(`No figure has dropped since the accepted run (${source}).`)
  }
  console.error(`DROPPED since the accepted run (${source}):\n- ${fallen.join('\n- ')}`)
  process.exitCode = 1
}
