import { runThroughline } from './install-throughline.ts'
import type { InsideClient } from './client-trial.ts'

interface Listed {
  sessions: { session: string; directory?: string }[]
  unreadable: { count: number }
}

interface Inspected {
  skipped: { count: number }
}

interface Place {
  throughline: string
  home: string
  directory: string
}

/** What is wrong with the session file that the client has written, as the command reads it. */
export async function readBackProblems(
  { client }: InsideClient,
  { throughline, home, directory }: Place,
): Promise<string[]> {
  const asked = async (...args: string[]): Promise<unknown> =>
    JSON.parse(await runThroughline(throughline, home, [...args, '--json']))
  const { sessions, unreadable } = (await asked('list')) as Listed
  const own = sessions.filter((session) => session.directory === directory)
  const [newest] = own
  if (unreadable.count > 0) return ['its session file cannot be read']
  if (!newest || own.length > 1) {
    return [`${own.length} sessions of ${client.name} are listed in place of one`]
  }
  const { skipped } = (await asked('report', '--fill', newest.session)) as Inspected
  return skipped.count > 0 ? [`${skipped.count} lines of its session file cannot be read`] : []
}
