import { existsSync, readdirSync, statSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { askedIn } from '../asked.ts'
import { ledgerOf } from '../../config/ledger-of.ts'
import { claudeCode } from '../../formats/claude-code/format.ts'
import { surroundingsOf } from '../../harnesses/find-program.ts'
import { readClientRecords, writeClientRecord, type ClientRecord } from '../record.ts'
import { clientSettings } from '../settings.ts'
import { givenBy, givenIn, placeToGive, rest } from '../hooks/read-ahead.ts'
import { growingSession, type GrowingSession } from '../hooks/client-session.ts'
import { openCompaction, sessionWith, shrankIn } from './answer.ts'
import { doesNotShrink, isWorthwhile, type Around } from '../shrunk.ts'
import { callName } from '../summary-calls.ts'
import { tookTooLong } from './question.ts'
import type { AheadQuestion, CompactQuestion, ModuleAnswer, WrittenByModel } from './question.ts'

const client = 'claude-code'
const rejected = 'what the client’s model wrote could not be used'

/** What surrounds a compaction. */
interface CompactionWorld {
  env: Readonly<Record<string, string | undefined>>
  /** Takes what the hooks module is told. */
  say: (answer: ModuleAnswer) => void
}

/**
 * A compaction from the first question to the context, in one process: the session is read before the
 * client's model is asked, and nothing has to be read again when it has answered.
 */
export async function compaction(
  question: CompactQuestion,
  { env, say }: CompactionWorld,
  growing?: GrowingSession,
): Promise<void> {
  const { session, version } = question
  const record = (what: Omit<ClientRecord, 'at' | 'client' | 'session'>): void => {
    writeClientRecord({ at: Date.now(), client, session, ...what }, env)
  }
  const { off, local, patience } = clientSettings(client, env)
  if (off) {
    record({ event: 'step-aside', reason: 'it is switched off' })
    return say(null)
  }
  // The client asks its model, with us or without.
  const call = local ? undefined : callName()
  if (call !== undefined) record({ event: 'call', call })
  /** What became of that request. */
  const became = (outcome: 'used' | 'rejected', { noSummary }: Partial<WrittenByModel>): void => {
    if (call === undefined) return
    if (noSummary !== undefined) {
      const late = noSummary === tookTooLong
      return record({ event: 'call', call, became: late ? 'late' : 'failed', reason: noSummary })
    }
    const why = outcome === 'rejected' ? { reason: rejected } : {}
    record({ event: 'call', call, became: outcome, ...why })
  }
  let written: WrittenByModel | undefined
  /** The client goes on with its own summary, or asks for another where that took too long. */
  const stepAside = (reason: string): void => {
    record({ event: 'step-aside', version, reason })
    became('used', written ?? {})
    if (written?.noSummary === tookTooLong) record({ event: 'call', call: callName() })
    say(null)
  }
  try {
    const ledger = ledgerOf(env)
    const file = fileOf(question, env)
    const read = await sessionWith(file, question, growing ?? growingSession(file, ledger))
    if (!read) return stepAside('the file of the session does not hold what the client compacts')
    const plans = plannedIn(readClientRecords(client, env), session)
    if (!isWorthwhile(shrankIn(read.log, plans))) return stepAside(doesNotShrink)
    const since = read.log.findLast(({ kind }) => kind === 'checkpoint')?.at
    const open = openCompaction(read, question, askedIn(client, env, { session, since }))
    if (local) {
      say({ instructions: '', patience })
      written = { noSummary: 'summaries by code alone were asked for', waited: 0 }
    } else {
      const give = placeToGive(randomUUID(), env)
      say({ instructions: open.instructions(), patience, give })
      // While the model writes, what its answer will need is compiled and read.
      await rest(pause)
      if (!growing && !existsSync(give)) await open.made(undefined).catch(() => undefined)
      written = await givenBy<WrittenByModel>(give, { longest: patience + longestHook })
      if (!written) throw new Error('the client did not say what its model wrote')
    }
    const began = Date.now()
    const done = await open.made(written, { ledger, now: began })
    if ('aside' in done) return stepAside(done.aside)
    became(done.by === 'client-model' ? 'used' : 'rejected', written)
    record({
      event: 'compaction',
      version,
      by: done.by,
      before: done.answer.before,
      after: done.answer.after,
      kept: done.kept,
      ms: written.waited + Date.now() - began,
      reason: written.noSummary ?? (done.by === 'local' ? rejected : 'hooks module'),
    })
    say(done.answer)
  } catch (error) {
    stepAside(error instanceof Error ? error.message : String(error))
  }
}

/**
 * The same, begun before it is due: what the session holds by then is read, and all that a compaction
 * does is done once, so that its code is compiled. Then the question is waited for, and what the client
 * writes meanwhile is read.
 */
export async function compactionAhead(
  { session, directory, window }: AheadQuestion,
  { env, say }: CompactionWorld,
): Promise<void> {
  const file = fileOf({ session, directory }, env)
  const growing = growingSession(file, ledgerOf(env))
  const read = await growing.read(directory)
  const tried = openCompaction(read, { directory, window })
  tried.instructions()
  await tried.made(undefined)
  const question = placeToGive(randomUUID(), env)
  say({ question })
  const parent = process.ppid
  let { size } = statSync(file)
  let grown = Date.now()
  for (let looked = grown; Date.now() - grown < longestIdle; await rest(pauseAhead)) {
    const asked = givenIn<CompactQuestion>(question)
    if (asked) return compaction(asked, { env, say }, growing)
    if (Date.now() - looked < pauseAround) continue
    looked = Date.now()
    if (process.ppid !== parent) return
    const now = statSync(file).size
    if (now === size) continue
    size = now
    grown = looked
    await growing.read(directory)
  }
}

// In milliseconds.
const pause = 10
const longestIdle = 1_800_000
const pauseAhead = 40
const pauseAround = 1_000

// In milliseconds; as long as the module itself waits for an answer.
const longestHook = 60_000

/** The compactions of ours in a session, and what each was to bring. */
function plannedIn(records: readonly ClientRecord[], session: string): Around[] {
  return records.flatMap(({ event, before, after, ...record }) =>
    record.session === session && event === 'compaction' && before && after
      ? [{ before, after }]
      : [],
  )
}

/**
 * Where Claude Code writes a session: below the folder of its directory, or of where it began.
 * @throws where it has written nothing of it
 */
function fileOf(
  { session, directory }: Pick<CompactQuestion, 'session' | 'directory'>,
  env: CompactionWorld['env'],
): string {
  for (const root of claudeCode.home.roots(surroundingsOf(env))) {
    const usual = claudeCode.home.placeFor({ session, directory, now: 0 })
    if (usual !== undefined && existsSync(join(root, usual))) return join(root, usual)
    const found = readdirSync(root).map((folder) => join(root, folder, `${session}.jsonl`))
    const file = found.find((each) => existsSync(each))
    if (file !== undefined) return file
  }
  throw new Error(`the file of session ${session} was not found`)
}
