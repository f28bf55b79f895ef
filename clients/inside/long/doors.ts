import { join } from 'node:path'
import { runThroughline } from '../install-throughline.ts'
import { afterwards, longPrompts, planted } from './prompts.ts'

interface Doors {
  /** The client's name. */
  client: string
  hasSlot: boolean
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
  compactions: {
    by: string
    before: number
    after: number
    detail?: { summary: { text: string; elsewhere: object[] }[] }
  }[]
}

interface Searched {
  sessions: { session: string; hits: { said: string; excerpt: { text: string }[] }[] }[]
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
 * client and from there into another, into the store, as a fork, as JSON, back from before its
 * compaction, and in a search. In all of them, a human has said what the human said, and nothing else,
 * and a compaction is known as what it was.
 */
export async function doorProblems({
  client,
  hasSlot,
  throughline,
  home,
}: Doors): Promise<string[]> {
  const run = (...args: string[]): Promise<string> => runThroughline(throughline, home, args)
  const asked = async <Answer>(...args: string[]): Promise<Answer> =>
    JSON.parse(await run(...args, '--json')) as Answer
  const problems: string[] = []
  const shows = async (door: string, session: string): Promise<string[]> => {
    const said = humansIn(await run('report', '--history', session))
    for (const text of said) {
      if (!isHumans(text)) problems.push(`${door}: the human said ${clipped(text)}`)
    }
    return said
  }
  const reported = async (session: string): Promise<Reported['compactions']> =>
    (await asked<Reported>('report', session)).compactions
  const isOurs = async (door: string, session: string): Promise<void> => {
    const newest = (await reported(session)).at(-1)
    const { by, before = 0, after = 0, detail } = newest ?? {}
    if (by !== 'throughline' || before <= after) {
      problems.push(`${door}: the report says ${by}, ${before} → ${after}`)
    }
    const unknown = detail?.summary.find(
      ({ text, elsewhere }) => /\[q[0-9a-z]{5}:\d/.test(text) && elsewhere.length === 0,
    )
    if (unknown)
      problems.push(`${door}: the report does not know what ${clipped(unknown.text)} cites`)
  }
  const [own] = (await asked<Listed>('list', client)).sessions
  if (!own) return ['no session is listed']
  const id = own.session.slice(own.session.indexOf(':') + 1)
  const said = await shows('its own file', own.session)
  const isWhole = async (door: string, session: string): Promise<void> => {
    const there = await shows(door, session)
    if (there.join() !== said.join()) problems.push(`${door}: the human said something else`)
  }
  if (said.length === 0) problems.push('its own file: no human said anything')
  if (!hasSlot && (await reported(own.session)).length === 0) {
    problems.push('its own file: the report knows of no compaction')
  }
  for (const [at, other] of others.entries()) {
    const door = `resume in ${other}`
    const made = await asked<Resumed>('resume', own.session, '--in', other, '--keep', room)
    await shows(door, made.file)
    await isOurs(door, made.file)
    const next = others[(at + 1) % others.length] ?? ''
    const copy = join(home, `copy-for-${next}`)
    await run('compact', '--if-needed', made.file, '--to', next, '-o', copy)
    await shows(`${door}, handed off to ${next}`, copy)
    await isOurs(`${door}, handed off to ${next}`, copy)
  }
  const found = async (words: string): Promise<Searched['sessions']> =>
    (await asked<Searched>('search', words, '--limit', '30')).sessions
  for (const { session, hits } of (await Promise.all([planted, 'ships'].map(found))).flat()) {
    for (const { said, excerpt } of hits) {
      const text = excerpt.map((piece) => piece.text).join('')
      if (said === 'you') problems.push(`search: in ${session} the human said ${clipped(text)}`)
    }
  }
  const mine = (await found('camelCase')).flatMap(({ hits }) => hits.map(({ said }) => said))
  if (!mine.includes('you')) problems.push('search: what the human said is not found as that')
  await run('import', own.session)
  await isWhole('the store', id)
  const file = join(home, 'exported.jsonl')
  await run('export', id, '-o', file)
  await run('import', file, '--as', 'back')
  await isWhole('as JSON and back', 'back')
  if ((await run('report', '--log', 'back')) !== (await run('report', '--log', id))) {
    problems.push('as JSON and back: it is another session')
  }
  if (hasSlot) return problems
  await run('undo', id)
  const back = await asked<Resumed>('resume', id)
  await shows('undone and resumed', back.file)
  return problems
}

/** opencode puts what it was started with between quotes. */
function isHumans(text: string): boolean {
  return [...longPrompts, afterwards].some(({ words }) =>
    text.replace(/^"/, '').startsWith(firstLine(words)),
  )
}

function clipped(text: string): string {
  return JSON.stringify(text.slice(0, 120))
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
