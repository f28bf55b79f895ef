import { existsSync, rmSync } from 'node:fs'
import { ledgerOf } from '../../config/ledger-of.ts'
import { readClientRecords, type ClientRecord } from '../record.ts'
import { doesNotShrink, isWorthwhile, sizesAround, tookAway } from '../shrunk.ts'
import { askedIn, type Asked } from '../asked.ts'
import { instructionsFor, instructionsMark } from './before-compaction.ts'
import { addedAfter, addedAtResume } from './after-compaction.ts'
import { chronological } from '../../log/order.ts'
import { clientSession, growingSession, newestCompaction } from './client-session.ts'
import { longestHook, type HookAnswer, type HookClient, type HookInput } from './hook-process.ts'
import { give, givenBy, placesOf, rest } from './read-ahead.ts'
import type { ClientSession, OwnCompaction } from './client-session.ts'
import type { Entry } from '../../log/entry.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Answers the next hook of a session in another process: what the session holds before its client
 * compacts is read while the client's model writes, and not while somebody waits.
 */
export async function answerAhead(
  before: HookInput,
  client: HookClient,
  env: Environment,
): Promise<void> {
  const places = placesOf(client.name, before, env)
  if (!places) return
  const growing = growingSession(before.file, ledgerOf(env))
  const read = await growing.read(before.directory)
  // All that an answer takes is done once, so that its code is compiled.
  await answerTo(afterCompaction(before), client, { env, now: 0 }, compactedNow(read))
  const said = await givenBy<HookInput>(places.question, { longest: longestHook, pause: 20 })
  if (!said) return
  const session = await growing.end(said.directory)
  give(places.answer, await answerTo(said, client, { env, now: Date.now() }, session))
  for (let left = 100; left > 0 && existsSync(places.answer); left--) await rest(100)
  rmSync(places.answer, { force: true })
}

function afterCompaction(before: HookInput): HookInput {
  return { ...before, event: 'SessionStart', compacted: true, instructions: '' }
}

/** A session as if its client had just compacted it. */
function compactedNow({ log, ...session }: ClientSession): ClientSession {
  const { seq = 0, at = 0 } = log.at(-1) ?? {}
  const checkpoint: Entry = {
    kind: 'checkpoint',
    seq: seq + 1,
    at,
    base: seq,
    summary: 'The work goes on.',
    summarizer: 'client',
    tail: [],
    continuation: null,
    metadata: {},
  }
  return { ...session, log: chronological([...log, checkpoint]) }
}

/** Steps aside where compactions of the client shrink nothing: what is added would only be more. */
export async function answerTo(
  said: HookInput,
  { name, recallTool, before, takes, forgets = false, isCostly = false }: HookClient,
  { env, now }: { env: Environment; now: number },
  read?: ClientSession,
): Promise<HookAnswer | { aside: string }> {
  const session = read ?? (await clientSession(said.file, ledgerOf(env)))
  const shrank = sizesAround(session.log).map(tookAway)
  if (!isWorthwhile(shrank)) return { aside: doesNotShrink }
  const asked: Asked =
    said.session === undefined
      ? { pins: [] }
      : askedIn(name, env, { session: said.session, since: since(session.log) })
  const frame = { directory: said.directory, recallTool, asked, takes: takes.after, isCostly }
  if (said.event === 'SessionStart') {
    const newest = newestCompaction(session.log)
    const isAgain = said.resumes && forgets
    const told = isAgain ? [] : toldOf(said, readClientRecords(name, env))
    if (newest?.isFresh && told.includes(newest.number)) {
      const untold = said.resumes ? undefined : untoldBefore(newest.number, told)
      return { text: '', ...(untold !== undefined && { tells: { compaction: untold } }) }
    }
    const isWritten = newest !== undefined && isUntold(newest, told, now)
    const added = said.resumes
      ? addedAtResume(session, { ...frame, forgets })
      : addedAfter(session, { ...frame, isWritten })
    if (added === undefined) return { text: '' }
    const tells = newest ? { compaction: newest.number } : {}
    const text = added === '' ? '' : asJson('SessionStart', added)
    return { text, ...(!isAgain && { tells }) }
  }
  // The hooks module has said it already.
  if (before === 'none' || said.instructions.includes(instructionsMark)) return { text: '' }
  const text = instructionsFor(session, { ...frame, takes: takes.before })
  return { text: text === '' || before === 'text' ? text : asJson('PreCompact', text) }
}

/**
 * The compactions of this session that were told of: Codex calls for the compaction and for the
 * resumption, where it compacts as it resumes. Times would not tell them apart: Qwen Code goes on
 * while a hook is at work, and may have compacted again before that hook writes its record.
 */
function toldOf({ session }: HookInput, records: readonly ClientRecord[]): number[] {
  if (session === undefined) return []
  return records.flatMap((record) =>
    record.event === 'compaction' && record.session === session ? (record.compaction ?? []) : [],
  )
}

/** A compaction of just now that no hook has told of is the one that this hook is called for. */
function isUntold({ number, at }: OwnCompaction, told: readonly number[], now: number): boolean {
  return !told.includes(number) && now - at < longestHook
}

/**
 * A compaction that no hook has told of, as the hook that was called for it read the file when the
 * next one stood there already, and told of that.
 */
function untoldBefore(newest: number, told: readonly number[]): number | undefined {
  const first = Math.min(...told)
  for (let number = newest - 1; number > first; number--) {
    if (!told.includes(number)) return number
  }
  return undefined
}

/** When the client compacted last. */
function since(log: readonly Entry[]): number | undefined {
  return log.findLast(({ kind }) => kind === 'checkpoint')?.at
}

function asJson(hookEventName: HookInput['event'], additionalContext: string): string {
  return JSON.stringify({ hookSpecificOutput: { hookEventName, additionalContext } })
}
