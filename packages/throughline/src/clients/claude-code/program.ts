import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { askedIn } from '../asked.ts'
import { ledgerOf } from '../../config/ledger-of.ts'
import { foldersOf } from '../../config/folders.ts'
import { claudeCode } from '../../formats/claude-code/format.ts'
import { surroundingsOf } from '../../harnesses/find-program.ts'
import { hookProcess, standardInput } from '../hooks/hook-process.ts'
import { readClientRecords, writeClientRecord, type ClientRecord } from '../record.ts'
import { clientSettings } from '../settings.ts'
import { compactAnswer, instructionsAnswer, shrankIn } from './answer.ts'
import { doesNotShrink, isWorthwhile, type Around } from '../shrunk.ts'
import { callName } from '../summary-calls.ts'
import { recallTool, takes, tookTooLong } from './question.ts'
import { longestWait, writtenFor } from './written.ts'
import type { CompactQuestion, ModuleAnswer, ModuleQuestion } from './question.ts'

const client = 'claude-code'
const knownVersions = /^2\./
const rejected = 'what the client’s model wrote could not be used'

if (process.argv[2] === 'module') await moduleProcess()
else await hookProcess({ name: client, recallTool, before: 'text', takes, isReplaced, shows: true })

/** Whether the hooks module was loaded in a session: what it does not do is the client's own. */
function isReplaced(session: string): boolean {
  return readClientRecords(client, process.env).some(
    (record) => record.session === session && record.event === 'start',
  )
}

/** Answers the hooks module; `null` tells it to leave the compaction to the client. */
async function moduleProcess(): Promise<void> {
  let answer: ModuleAnswer = null
  let question: ModuleQuestion | undefined
  try {
    question = JSON.parse(await standardInput()) as ModuleQuestion
    answer = await answered(question)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    record({ event: 'step-aside', reason, ...(question && { session: question.session }) })
    if (question?.ask === 'compact') noteLeft(question)
  }
  process.stdout.write(JSON.stringify(answer), () => process.exit(0))
}

async function answered(question: ModuleQuestion): Promise<ModuleAnswer> {
  const { session } = question
  const { off, local, patience } = clientSettings(client, process.env)
  const ledger = ledgerOf(process.env)
  if (question.ask === 'start') {
    record({ event: 'start', session, version: question.version, reason: 'hooks module' })
    return { started: true }
  }
  if (off) {
    record({ event: 'step-aside', session, reason: 'it is switched off' })
    return null
  }
  if ('version' in question && !knownVersions.test(question.version)) {
    record({ event: 'step-aside', session, reason: `version ${question.version} is not known` })
    return null
  }
  const file = fileOf(session, question.directory)
  if (file === undefined) throw new Error(`the file of session ${session} was not found`)
  if (question.ask === 'instructions') {
    const answer = await instructionsAnswer(file, question.directory, {
      local,
      patience,
      ledger,
    })
    if (local) return answer
    // What comes back is what the module waits for before it asks the model.
    record({ event: 'call', session, call: callName() })
    const give = placeToGive()
    return { ...answer, ...(give !== undefined && { give }) }
  }
  const began = Date.now()
  const written = writtenFor(question)
  const plans = plannedIn(readClientRecords(client, process.env), session)
  if (!isWorthwhile(await shrankIn(file, plans))) {
    record({ event: 'step-aside', session, reason: doesNotShrink })
    Object.assign(question, await written?.())
    noteLeft(question)
    return null
  }
  const done = await compactAnswer(file, question, {
    written,
    asked: (since) => askedIn(client, process.env, { session, since }),
    ledger,
    now: Date.now(),
  })
  // Where nothing needed it, it may still be on its way.
  Object.assign(question, await written?.())
  const { version, noSummary } = question
  if ('aside' in done) {
    record({ event: 'step-aside', session, version, reason: done.aside })
    noteLeft(question)
    return null
  }
  noteCall(question, done.by === 'client-model' ? 'used' : 'rejected', rejected)
  record({
    event: 'compaction',
    session,
    version,
    by: done.by,
    before: done.answer.before,
    after: done.answer.after,
    kept: done.kept,
    ms: question.waited + Date.now() - (question.given ?? began),
    reason: noSummary ?? (done.by === 'local' ? rejected : 'hooks module'),
  })
  return done.answer
}

/** A file that is not there yet, for what the client's model will write. */
function placeToGive(): string | undefined {
  const { data, path } = foldersOf(process.env)
  if (data === undefined) return undefined
  const folder = path.join(data, 'clients', 'given')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // What was given to a process that had ended.
  for (const name of readdirSync(folder)) {
    const old = path.join(folder, name)
    if (Date.now() - statSync(old).mtimeMs > 2 * longestWait) rmSync(old, { force: true })
  }
  return path.join(folder, `${randomUUID()}.json`)
}

/** The client goes on with its own summary, or asks for another where that took too long. */
function noteLeft(question: CompactQuestion): void {
  const { session, noSummary } = question
  noteCall(question, 'used')
  if (noSummary === tookTooLong) record({ event: 'call', session, call: callName() })
}

/** What became of the request that the client has made for this compaction, if it has. */
function noteCall(
  { session, noSummary }: CompactQuestion,
  became: 'used' | 'rejected',
  problem?: string,
): void {
  const records = readClientRecords(client, process.env).filter((each) => each.session === session)
  const ended = new Set(records.flatMap((each) => (each.became ? (each.call ?? []) : [])))
  const open = records.findLast((each) => each.call !== undefined && !ended.has(each.call))
  if (open?.call === undefined) return
  const { call } = open
  if (noSummary !== undefined) {
    const late = noSummary === tookTooLong
    return record({
      event: 'call',
      session,
      call,
      became: late ? 'late' : 'failed',
      reason: noSummary,
    })
  }
  const why = became === 'rejected' && problem !== undefined ? { reason: problem } : {}
  record({ event: 'call', session, call, became, ...why })
}

/** The compactions of ours in a session, and what each was to bring. */
function plannedIn(records: readonly ClientRecord[], session: string): Around[] {
  return records.flatMap(({ event, before, after, ...record }) =>
    record.session === session && event === 'compaction' && before && after
      ? [{ before, after }]
      : [],
  )
}

/** Where Claude Code writes a session: below the folder of its directory, or of where it began. */
function fileOf(session: string, directory: string): string | undefined {
  const surroundings = surroundingsOf(process.env)
  for (const root of claudeCode.home.roots(surroundings)) {
    const usual = claudeCode.home.placeFor({ session, directory, now: 0 })
    if (usual !== undefined && existsSync(join(root, usual))) return join(root, usual)
    const found = readdirSync(root).map((folder) => join(root, folder, `${session}.jsonl`))
    const file = found.find((each) => existsSync(each))
    if (file !== undefined) return file
  }
  return undefined
}

function record(what: Omit<ClientRecord, 'at' | 'client'>): void {
  writeClientRecord({ at: Date.now(), client, ...what }, process.env)
}
