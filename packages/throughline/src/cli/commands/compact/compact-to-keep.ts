import { CompactionVetoedError, ContextFloorError } from '../../../compaction/errors.ts'
import { measureItems } from '../../../compaction/measure/measure.ts'
import { utf8Bytes } from '../../../compaction/prune/placeholder.ts'
import { summaryRoleOf } from '../../../compaction/render/summary-block.ts'
import { compactAs, type CompactedLog } from '../../../session/once/compact-log.ts'
import { formatTokens } from '../../../tokens/windows.ts'
import { CommandError } from '../../errors.ts'
import { withThousands } from '../../terminal/numbers.ts'
import { sessionFor, writtenTokens } from '../../written/install.ts'
import { optionsFor, type Compacted, type Work } from './work.ts'
import { renderContext } from '../../../compaction/render/render.ts'
import {
  travelingContext,
  withSourcesNamed,
  type Traveling,
} from '../../../compaction/render/travel.ts'
import { sanitize, sanitizeLine } from '../../../log/sanitize.ts'
import { shownName } from '../../store/session-name.ts'
import type { SessionInput } from '../../source/read-session.ts'
import type { Plan } from '../../../compaction/plan/plan.ts'
import { asMarkdown, asText } from '../../transcript/printed.ts'
import { passagesOf, type Passage } from '../../transcript/passages.ts'
import { safeJson } from '../../output/target.ts'
import { compactJson } from './compact-json.ts'
import { ledgerOf } from '../../../config/ledger-of.ts'
import { noteWritten } from '../../../formats/writing/note-written.ts'
import { writtenSession } from '../../../formats/writing/written-session.ts'
import type { Io } from '../../io.ts'

// Each attempt subtracts what the previous one had too much; more attempts don't help.
const tries = 6

/**
 * Compacts so that the output doesn't exceed the requested size.
 * @throws CommandError if the session needs more than that.
 */
export async function compactToKeep(work: Work, signal: AbortSignal): Promise<Compacted> {
  const { keep } = work.settings
  let allowed = keep
  let least: { holds: number; plan: Plan } | undefined
  for (let attempt = 0; attempt < tries; attempt++) {
    const compacted = await compactOnce(work, allowed, signal)
    if (keep === undefined || allowed === undefined) return compacted
    const { after, printedTokens } = compacted
    const holds = Math.max(after, printedTokens, textTokens(work, compacted))
    if (holds <= keep) return compacted
    if (holds < (least?.holds ?? Infinity)) least = { holds, plan: compacted.result.plan }
    // What a session has to say may be less than it was allowed to.
    allowed = Math.floor(Math.min(allowed, after) - (holds - keep) * 1.1)
    if (allowed <= 0 || compacted.result.report.action === 'none') break
  }
  throw tooLittle(keep ?? 0, least)
}

async function compactOnce(
  work: Work,
  allowed: number | undefined,
  signal: AbortSignal,
): Promise<Compacted> {
  const { session, input, handover, plugins } = work
  const options = optionsFor(work, allowed, signal)
  // Only a plugin's own lenses read other facts than the command has read.
  const hasLenses = plugins.some(({ lenses }) => lenses !== undefined)
  const result = await compactAs(session.log, options, (usual) =>
    hasLenses ? usual : { ...usual, facts: input.facts },
  ).catch((error: unknown) => {
    throw isRefusal(error)
      ? new CommandError(`${session.name}: ${error.message}`, { cause: error })
      : error
  })
  const summaryRole = summaryRoleOf(input.policy)
  const traveling = travelingContext(result.context.items, result.log, session.source)
  const after = measureItems(result.context.items, input.counter, summaryRole)
  const printedTokens = isMessages(work)
    ? measureItems(withSourcesNamed(traveling), input.counter, summaryRole)
    : after
  const written = handover && sessionFor(session, result, handover)
  const text = written ? '' : printed(work, { result, after, traveling })
  return { result, after, printedTokens, session: written, text }
}

function isRefusal(error: unknown): error is Error {
  return error instanceof ContextFloorError || error instanceof CompactionVetoedError
}

/**
 * A transcript is read as it is printed; JSON and a session are read as the messages in them. Neither
 * our estimate nor a quarter of the bytes, by which people weigh such texts, may pass the limit.
 */
function textTokens({ settings, counter }: Work, { text, session }: Compacted): number {
  if (session) return writtenTokens(session, counter)
  return settings.form === 'text' || settings.form === 'markdown'
    ? Math.max(Math.ceil(counter.text(text)), Math.ceil(utf8Bytes(text) / 4))
    : 0
}

function tooLittle(keep: number, least: { holds: number; plan: Plan } | undefined): CommandError {
  const holds = least?.holds ?? keep
  const enough = Math.ceil((holds * 1.05) / 100) * 100
  const floor = least && least.plan.action !== 'none' ? least.plan.floor : undefined
  const parts = floor
    ? ` (the newest request ${withThousands(floor.request)}, rules ${withThousands(floor.rules)})`
    : ''
  return new CommandError(
    `--keep ${formatTokens(keep)} is less than this session needs: it cannot be brought below ${withThousands(holds)} tokens${parts}. Use --keep ${enough} or more.`,
  )
}

interface Printed {
  result: CompactedLog
  after: number
  /** What is printed, which names the log that it leaves. */
  traveling: Traveling
}

/** Whether it is printed as messages that another session may begin with. */
function isMessages({ settings: { form }, handover }: Work): boolean {
  return !handover && (form === 'json' || form === 'ai-sdk')
}

/** The compacted context in the form that was asked for. */
function printed(work: Work, { result, after, traveling }: Printed): string {
  const { form } = work.settings
  const summaryRole = summaryRoleOf(work.input.policy)
  if (isMessages(work)) {
    const { messages } = renderContext(withSourcesNamed(traveling), summaryRole)
    const whole = form === 'json' ? compactJson(work, { result, after, messages }) : messages
    return `${safeJson(whole)}\n`
  }
  const { items, lines } = traveling
  const passages = [
    ...headOf(lines, work.session),
    ...passagesOf({ ...result.context, items }, result.log, summaryRole),
  ]
  return form === 'markdown' ? asMarkdown(passages) : asText(passages)
}

/** Where a transcript comes from, so that a reader finds what is left out of it. */
function headOf(lines: readonly string[], { source }: SessionInput): Passage[] {
  if (lines.length === 0) return []
  const from = source && `throughline recall ${shownName(source.name)} REF reads one back.`
  const text = [...lines, ...(from === undefined ? [] : [from])].join('\n')
  return [{ kind: 'note', text: sanitize(text) }]
}

/** Notes in the user's ledger that this session or these messages are ours, so that they are known again. */
export async function noteCompacted(
  work: Work,
  { result, after, session }: Compacted,
  { env, stderr }: Io,
): Promise<void> {
  const ledger = ledgerOf(env)
  if (!ledger || (!session && !isMessages(work))) return
  const { facts, source } = work.session
  const written = session ?? writtenSession(result.log, facts, source)
  try {
    const { before } = work
    noteWritten(ledger, written, { log: result.log, now: Date.now(), before, after, source })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    await stderr.write(
      `throughline: the ledger could not be written (${sanitizeLine(reason)}). When this session is read again, its summary will count as the words of a model.\n`,
    )
  }
}
