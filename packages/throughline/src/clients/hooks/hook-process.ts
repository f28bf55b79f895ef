import { spawn } from 'node:child_process'
import { fieldsOf, nameOf, textOf, parsedJson } from '../../json/fields.ts'
import { modelTokens } from '../../tokens/units.ts'
import { readClientRecords, writeClientRecord, type ClientRecord } from '../record.ts'
import { clientSettings } from '../settings.ts'
import { compactedLine } from '../compacted-line.ts'
import { give, givenBy, givenIn, placesOf } from './read-ahead.ts'

/** A client that runs hooks: a command that reads JSON and prints what the model is told. */
export interface HookClient {
  name: string
  /** The name by which its model calls the recall tool. */
  recallTool: string
  /** How it takes what is printed before a compaction; `none` if it takes nothing. */
  before: 'text' | 'json' | 'none'
  /** The most that it takes whole before a compaction, in characters, and after it, in bytes. */
  takes: { before: number; after: number }
  /**
   * What it is told before a compaction stands in its summary, whatever its model writes; what is added
   * after it goes into its system prompt, so that its cache is lost.
   */
  isCostly?: boolean
  /** Whether it forgets what was added when a session is begun anew. */
  forgets?: boolean
  /** Whether something else of ours is at work in a session, so that the hooks have nothing to do. */
  isReplaced?: (session: string) => boolean
  /** It shows a line of a hook to the person in front of it. */
  shows?: boolean
}

interface HookWorld {
  env: Readonly<Record<string, string | undefined>>
  input: string
  now: () => number
  /** Starts a process that reads the session ahead, and says which it is. */
  begin?: (said: HookInput) => number | undefined
}

/** What a hook prints, and the compaction that its record tells of, if it tells of one. */
export interface HookAnswer {
  text: string
  tells?: Pick<ClientRecord, 'compaction'>
}

// More than a client waits for a hook. In milliseconds.
export const longestHook = 120_000

// A client waits a minute for a hook; whoever works in it should not.
const patience = 20_000

/**
 * What a hook prints; `''` means that the client does as it would without us. It never throws and
 * ends in time: what went wrong stands in the client's record, for `throughline status`.
 */
export async function runHook(
  client: HookClient,
  { env, input, now, begin }: HookWorld,
): Promise<string> {
  const began = now()
  const said = inputOf(input)
  const record = (what: Omit<ClientRecord, 'at' | 'client'>): void => {
    const session = said?.session
    writeClientRecord(
      { at: now(), client: client.name, ...(session !== undefined && { session }), ...what },
      env,
    )
  }
  /** Says why once, and not at each hook of a session. */
  const stepAside = (reason: string): '' => {
    const last = readClientRecords(client.name, env).at(-1)
    const isSaid = last?.event === 'step-aside' && last.reason === reason
    if (!isSaid || last.session !== said?.session) record({ event: 'step-aside', reason })
    return ''
  }
  if (clientSettings(client.name, env).off) return stepAside('it is switched off')
  if (!said) return stepAside('the client calls its hooks in a way that is not known')
  if (said.session !== undefined && client.isReplaced?.(said.session)) {
    return said.compacted && client.shows ? lineFor(said.session, client.name, { env, now }) : ''
  }
  const answered = async (): Promise<HookAnswer | { aside: string }> => {
    // Where there is nothing to do, nothing of it is loaded.
    const { answerTo } = await import('./hook-work.ts')
    return inTime(answerTo(said, client, { env, now: began }))
  }
  const leaveToRead = (pid: number | undefined): void => {
    const places = pid === undefined ? undefined : placesOf(client.name, said, env)
    if (places) give(places.reader, { pid })
  }
  try {
    const answer =
      said.event === 'PreCompact' && client.before === 'none'
        ? { text: '' }
        : ((await readAhead(said, client.name, env)) ?? (await answered()))
    if (said.event === 'PreCompact') leaveToRead(begin?.(said))
    if ('aside' in answer) return stepAside(answer.aside)
    const { text, tells } = answer
    if (tells !== undefined) {
      const ms = now() - began
      record({ event: 'compaction', by: 'client', ms, reason: 'hooks', ...tells })
    }
    return text
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    record({ event: 'step-aside', ms: now() - began, reason })
    return ''
  }
}

/** What the process says that has read the session ahead, if there is one. */
async function readAhead(
  said: HookInput,
  client: string,
  env: HookWorld['env'],
): Promise<HookAnswer | { aside: string } | undefined> {
  const places = said.compacted ? placesOf(client, said, env) : undefined
  const reader = places && givenIn<{ pid: number }>(places.reader)
  if (!reader) return undefined
  give(places.question, said)
  return givenBy(places.answer, { longest: patience / 2, pause: 5, from: reader.pid })
}

export interface HookInput {
  event: 'PreCompact' | 'SessionStart'
  /** The session begins again in a new process. */
  resumes: boolean
  compacted: boolean
  session: string | undefined
  file: string
  directory: string | undefined
  instructions: string
}

function inputOf(text: string): HookInput | undefined {
  const fields = fieldsOf(parsedJson(text))
  const event = fields?.['hook_event_name']
  const file = nameOf(fields?.['transcript_path'])
  if (!fields || file === undefined) return undefined
  if (event !== 'PreCompact' && event !== 'SessionStart') return undefined
  return {
    event,
    resumes: fields['source'] === 'resume',
    compacted: fields['source'] === 'compact',
    file,
    session: nameOf(fields['session_id']),
    directory: nameOf(fields['cwd']),
    instructions: textOf(fields['custom_instructions']) ?? '',
  }
}

/** What a person sees of a compaction of ours that has just been made. */
function lineFor(session: string, name: string, { env, now }: Omit<HookWorld, 'input'>): string {
  const newest = readClientRecords(name, env).findLast(
    (record) => record.event === 'compaction' && record.session === session,
  )
  if (newest?.before === undefined || newest.after === undefined) return ''
  if (newest.by === 'client' || now() - newest.at > longestHook) return ''
  const { before, after, kept } = newest
  const reason = newest.by === 'local' ? newest.reason : undefined
  const sizes = { before: modelTokens(before), after: modelTokens(after) }
  return JSON.stringify({ systemMessage: compactedLine({ ...sizes, kept, reason }) })
}

async function inTime<Result>(work: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Error(`it took longer than ${patience / 1000} seconds`)),
      patience,
    )
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Runs as the hook of a client: reads standard input, prints, and ends without an error; or as the
 * process that such a hook has left to read ahead.
 */
export async function hookProcess(client: HookClient): Promise<void> {
  const { env, argv } = process
  const [, program = '', task, about = ''] = argv
  if (task === 'ahead') {
    const { answerAhead } = await import('./hook-work.ts')
    await answerAhead(JSON.parse(about) as HookInput, client, env).catch(() => undefined)
    process.exit(0)
  }
  const input = await standardInput()
  const begin = (said: HookInput): number | undefined => {
    const args = [program, 'ahead', JSON.stringify(said)]
    const reader = spawn(process.execPath, args, {
      detached: true,
      stdio: 'ignore',
      windowsHide: true,
    })
    reader.unref()
    return reader.pid
  }
  const text = await runHook(client, { env, input, now: Date.now, begin })
  // A client that has gone reads nothing.
  process.stdout.on('error', () => {})
  if (text === '') process.exit(0)
  process.stdout.write(text, () => process.exit(0))
}

export async function standardInput(): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString('utf8')
}
