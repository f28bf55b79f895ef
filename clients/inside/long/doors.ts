import { runThroughline } from '../install-throughline.ts'
import { longPrompts } from './prompts.ts'

interface Doors {
  throughline: string
  home: string
}

interface Listed {
  sessions: { session: string }[]
}

interface Resumed {
  file: string
  session: string
}

interface Reported {
  compactions: { by: string; before: number; after: number; state: string }[]
}

/** Clients whose sessions Throughline writes, so that one can go on in another. */
const others = [
  'claude-code',
  'opencode',
  'codex',
  'pi',
  'gemini-cli',
  'qwen-code',
  'copilot-cli',
  'kimi-code',
  'cn',
  'cline',
]
const room = '12k'

/**
 * What is wrong with a session that a client has lived through, when it leaves by each door: into every
 * client, into the store, as a fork, as JSON, and back from before its compaction. In all of them, a
 * human has said what the human said, and nothing else.
 */
export async function doorProblems({ throughline, home }: Doors): Promise<string[]> {
  const run = (...args: string[]): Promise<string> => runThroughline(throughline, home, args)
  const asked = async <Answer>(...args: string[]): Promise<Answer> =>
    JSON.parse(await run(...args, '--json')) as Answer
  const problems: string[] = []
  const shows = async (door: string, session: string): Promise<void> => {
    const said = humansIn(await run('show', session))
    if (said.length === 0) problems.push(`${door}: no human said anything`)
    for (const text of said) {
      const isOwn = longPrompts.some(({ words }) => text.startsWith(firstLine(words)))
      if (!isOwn) problems.push(`${door}: the human said ${JSON.stringify(text.slice(0, 120))}`)
    }
  }
  const [own] = (await asked<Listed>('list')).sessions
  if (!own) return ['no session is listed']
  await shows('its own file', own.session)
  for (const client of others) {
    const made = await asked<Resumed>('resume', own.session, '--in', client, '--keep', room)
    await shows(`resume in ${client}`, made.file)
    const [newest] = (await asked<Reported>('report', made.file)).compactions.slice(-1)
    if (newest?.by !== 'throughline' || newest.before <= newest.after) {
      const { by, before, after } = newest ?? {}
      problems.push(`resume in ${client}: the report says ${by}, ${before} → ${after}`)
    }
  }
  await run('import', own.session)
  const id = own.session.slice(own.session.indexOf(':') + 1)
  await shows('the store', id)
  await run('fork', id, '--as', 'other')
  await shows('a fork', 'other')
  await run('undo', id)
  const back = await asked<Resumed>('resume', id)
  await shows('undone and resumed', back.file)
  return problems
}

function humansIn(shown: string): string[] {
  return shown.split(/^=== /m).flatMap((part) => {
    const [head = '', ...lines] = part.split('\n')
    return head.startsWith('user ') ? [lines.join('\n').trim()] : []
  })
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}
