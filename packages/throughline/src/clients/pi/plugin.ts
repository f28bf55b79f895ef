import { writeClientRecord, failedTooOften, Failures } from '../record.ts'
import { agentTools } from '../agent-tools.ts'
import { changeClientSettings, clientSettings } from '../settings.ts'
import { ClientSession, compactionRecord } from '../client-session.ts'
import { ledgerOf } from '../../config/ledger-of.ts'
import { noteSummary } from '../note-summary.ts'
import { openClientStore } from '../client-store.ts'
import { branchReader, compactionOf, newestError, ownCompactions } from './compaction.ts'
import { doesNotShrink } from '../shrunk.ts'
import { askPi } from './ask-pi.ts'
import { nameOf } from '../../json/fields.ts'
import { recordsOf } from '../../hosts/hosted-session.ts'
import { commandUsage, doneLine, ownSession, runCommand } from '../command.ts'
import type { Cold } from '../../compaction/cold-cache.ts'
import type { ClientRecord } from '../record.ts'
import type { ClientFrame, Done } from '../client-session.ts'
import type { PiApi, PiCommandContext, PiContext, PiEntry } from './api.ts'

const client = 'pi'
const commandName = 'throughline'
// In milliseconds.
const untilDrawn = 300

interface Open {
  id: string
  at: ClientSession
  context: PiContext
  ours: ReadonlySet<string>
  read: ReturnType<typeof branchReader>
  aside: boolean
}

/**
 * Throughline as pi's extension: pi decides when to compact, and the summary and what is kept are
 * ours. Whatever fails here, pi compacts by itself.
 */
export function extend(pi: PiApi, env = process.env): void {
  const settings = () => clientSettings(client, env)
  const { store, lost } = openClientStore(client, env)
  let open: Open | undefined
  /** Why nothing is done any more in this process. */
  let aside: string | undefined
  const failures = new Failures()
  /** Why the cache is cold, while pi compacts since we have asked it to, before it is due. */
  let early: Cold | undefined
  /** What a person is told of the compaction that is being made. */
  let line: string | undefined
  /** Whether pi has not refused to. */
  let mayBeEarly = true

  function record(entry: Omit<ClientRecord, 'at' | 'client'>): void {
    writeClientRecord({ at: Date.now(), client, ...entry }, env)
  }

  function noteDone(session: string, done: Done | undefined): void {
    if (done) record(compactionRecord(session, done))
  }

  function stepAside(reason: string): void {
    aside = reason
    record({ event: 'step-aside', reason })
  }

  /** pi is never stopped by what happens here. */
  async function guarded<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    if (aside !== undefined || settings().off) return undefined
    try {
      const result = await work()
      failures.over()
      return result
    } catch (error) {
      const { reason, isLast } = failures.add(error)
      record({ event: 'error', ...(open && { session: open.id }), reason })
      if (isLast) stepAside(failedTooOften(reason))
      return undefined
    }
  }

  /** The session with everything that pi has now; `undefined` where its window isn't known. */
  async function followed(
    context: PiContext,
    entries: readonly PiEntry[] = context.sessionManager.getBranch(),
  ): Promise<Open | undefined> {
    const id = context.sessionManager.getSessionId()
    const { model } = context
    if (!model?.contextWindow) return undefined
    const output = model.maxTokens
    const window = { context: model.contextWindow, ...(output && { output }) }
    const frame = { model: model.id, window, system: context.getSystemPrompt() }
    if (open?.id !== id) open = begin(id, context, frame)
    open.context = context
    open.at.frame(frame)
    open.ours = await ownCompactions(() => store.read(id, { kinds: ['checkpoint'] }), entries)
    await open.at.follow(open.read(entries))
    if (!open.aside && !(await open.at.shrinks())) {
      open.aside = true
      const reason = doesNotShrink
      record({ event: 'step-aside', session: id, reason })
    }
    return open.aside ? undefined : open
  }

  function begin(id: string, context: PiContext, frame: ClientFrame): Open {
    const { local, patience } = settings()
    const read = branchReader({ id, cwd: context.cwd }, ledgerOf(env))
    const opening = { id, context, ours: new Set<string>(), read, aside: false }
    const at = ClientSession.open({
      store,
      id,
      frame,
      directories: [context.cwd],
      patience,
      told: (call) => record({ event: 'call', session: id, ...call }),
      goesOn: true,
      // It may end before what was made ahead is due, and nobody waits at it.
      notAhead: context.mode === 'print' || context.mode === 'json',
      isOurs: (draft) => {
        const { ours } = made
        return draft.kind === 'checkpoint' && recordsOf(draft).some((one) => ours.has(one))
      },
      ...(!local && { ask: askPi(() => made.context) }),
    })
    const made: Open = { ...opening, at }
    return made
  }

  pi.on('session_start', () => {
    open = undefined
    record({ event: 'start', ...(lost !== undefined && { reason: `nothing is kept: ${lost}` }) })
    if (aside !== undefined) stepAside(aside)
    else if (settings().off) record({ event: 'step-aside', reason: 'it is switched off' })
  })

  // Before pi takes the request in, and where the cache is cold anyway.
  pi.on('input', async (_, context) =>
    guarded(async () => {
      if (!mayBeEarly || !context.compact || context.isIdle?.() === false) return
      const found = await followed(context)
      early = await found?.at.coldNow(Date.now)
      if (early === undefined) return
      const reason = await compactedBy(context).finally(() => (early = undefined))
      mayBeEarly = reason === undefined
    }),
  )

  // pi sends its own context, which is the same as ours.
  pi.on('context', async (_, context) =>
    guarded(async () => {
      const found = await followed(context)
      found?.at.hosted.served()
      found?.at.requested()
      return undefined
    }),
  )

  pi.on('turn_end', async (event, context) =>
    guarded(async () => {
      const found = await followed(context)
      if (!found) return undefined
      const asked = found.at.asked ?? (found.at.exceedsLearned() ? {} : undefined)
      if (!asked) {
        noteDone(found.id, await found.at.prepare())
        return undefined
      }
      found.at.asked = undefined
      const done = await found.at.compact('manual', asked)
      const compaction =
        done && (await compactionOf(found.at.session, context.sessionManager.getBranch()))
      if (!compaction) return undefined
      await noteSummary(found.at, { summary: compaction.summary, done }, { env, record })
      noteDone(found.id, done)
      const entries = [...(event.entries ?? []), { type: 'compaction', ...compaction }]
      return { entries, ...(event.continue !== undefined && { continue: event.continue }) }
    }),
  )

  pi.on('session_before_compact', async (event, context) =>
    guarded(async () => {
      const { branchEntries, customInstructions, preparation, reason } = event
      const found = await followed(context, branchEntries)
      if (!found) return undefined
      const trigger = reason === 'overflow' ? 'overflow' : 'manual'
      if (trigger === 'overflow') await found.at.refused(newestError(branchEntries))
      const focus = nameOf(customInstructions)
      const done = await found.at.compact(trigger, focus === undefined ? {} : { focus })
      const compaction = done && (await compactionOf(found.at.session, branchEntries))
      // It is not due yet: pi need not do what only we have asked for.
      if (!compaction) return early ? { cancel: true } : undefined
      await noteSummary(found.at, { summary: compaction.summary, done }, { env, record })
      noteDone(found.id, { ...done, ...(early && { early }) })
      line = await doneLine(found.at, done)
      const { tokensBefore } = preparation
      return { compaction: { ...compaction, tokensBefore } }
    }),
  )

  pi.on('session_compact', ({ fromExtension }, context) => {
    if (fromExtension) return tell(context)
    record({ event: 'compaction', session: context.sessionManager.getSessionId(), by: 'client' })
  })

  /** pi draws its screen anew behind a compaction: what was said before would go. */
  function tell({ ui }: PiContext): void {
    const said = line
    line = undefined
    if (said !== undefined) setTimeout(() => ui.notify(said, 'info'), untilDrawn).unref()
  }

  pi.on('session_shutdown', async () => {
    await open?.at.session.close()
  })

  for (const { name, description, schema, reply } of agentTools) {
    pi.registerTool({
      name,
      label: name,
      description,
      parameters: schema,
      async execute(_, input, __, ___, context) {
        const found = settings().off ? undefined : await followed(context)
        const said = found ? await reply(found.at, input) : { error: 'Throughline is off here.' }
        const text = 'text' in said ? said.text : said.error
        return { content: [{ type: 'text', text }], details: undefined }
      },
    })
  }

  pi.registerCommand(commandName, {
    description: commandUsage,
    async handler(words, context) {
      const found = await followed(context)
      const newest = context.sessionManager.getBranch().at(-1)
      if (/^\s*undo\b/.test(words) && newest?.['type'] !== 'compaction') {
        return context.ui.notify(
          'pi has gone on since: choose the entry before the compaction with /tree.',
        )
      }
      const text = await runCommand(words, {
        client,
        env,
        session: found && ownSession(found.at),
        isOff: settings().off,
        turn: (off) => changeClientSettings(client, env, { off }),
      })
      await afterCommand(words, newest, context)
      context.ui.notify(text, 'info')
    },
  })

  /** What pi itself has to do so that the command holds. */
  async function afterCommand(
    words: string,
    newest: PiEntry | undefined,
    context: PiCommandContext,
  ): Promise<void> {
    const [, verb, rest = ''] = /^\s*(\S*)\s*([\s\S]*)$/.exec(words) ?? []
    const before = nameOf(newest?.['parentId'])
    if (verb === 'undo' && before !== undefined) await context.navigateTree(before)
    if (verb !== 'pin' || rest.trim() === '') return
    const content = `[Pinned] ${rest.trim()}`
    pi.sendMessage({ customType: commandName, content, display: true }, { deliverAs: 'nextTurn' })
  }
}

/** Throughline as pi's extension. pi does not start with one that throws here. */
export default function throughline(pi: PiApi): void {
  try {
    extend(pi)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    writeClientRecord({ at: Date.now(), client: 'pi', event: 'error', reason }, process.env)
  }
}

/** Lets pi compact; says why it could not. */
function compactedBy(context: PiContext): Promise<string | undefined> {
  return new Promise((resolve) => {
    context.compact?.({
      onComplete: () => resolve(undefined),
      onError: (error) => resolve(error instanceof Error ? error.message : String(error)),
    })
  })
}
