import { agentTools } from '../../agent-tools.ts'
import { clientSettings } from '../../settings.ts'
import { ClientSession, type ClientFrame, type Done } from '../../client-session.ts'
import { countOf, fieldsOf } from '../../../json/fields.ts'
import { draftsOf, v2Forms } from './messages.ts'
import { failedTooOften, Failures } from '../../failures.ts'
import { openClientStore } from '../../open-store.ts'
import { summaryBlock } from '../../../compaction/render/summary-block.ts'
import { windowOf } from '../../../tokens/windows.ts'
import { writeClientRecord, type ClientRecord } from '../../record.ts'
import type { V2Compaction, V2Context, V2Request } from './host.ts'
import type { Window } from '../../../tokens/window.ts'

const client = 'opencode'
const knownVersions = /^[02]\./

/**
 * Throughline in opencode 2: its requests carry our context, and its compactions ask no model.
 * Whatever fails here, opencode goes on with its own messages.
 */
export function setup(context: V2Context, env = process.env): (() => Promise<void>) | undefined {
  const { hook } = context.session ?? {}
  // opencode 1 and the terminal of opencode 2 call this, too, with less.
  if (typeof hook !== 'function') return undefined
  const settings = () => clientSettings(client, env)
  const { store, lost } = openClientStore(client, env)
  const opened = new Map<string, ClientSession>()
  const without = new Set<string>()
  const version = context.app?.version
  let aside: string | undefined
  const failures = new Failures()

  function record(entry: Omit<ClientRecord, 'at' | 'client'>): void {
    const known = version === undefined ? {} : { version }
    writeClientRecord({ at: Date.now(), client, ...known, ...entry }, env)
  }

  function stepAside(reason: string, session?: string): void {
    record({ event: 'step-aside', reason, ...(session !== undefined && { session }) })
  }

  /** opencode is never stopped by what happens here. */
  async function guarded(session: string, work: () => Promise<void>): Promise<void> {
    if (aside !== undefined || settings().off) return
    try {
      await work()
      failures.over()
    } catch (error) {
      const { reason, isLast } = failures.add(error)
      record({ event: 'error', session, reason })
      if (!isLast) return
      aside = failedTooOften(reason)
      stepAside(aside, session)
    }
  }

  function noteDone(session: string, done: Done | undefined): void {
    if (!done) return
    const { report, by, ms } = done
    record({ event: 'compaction', session, by, before: report.before, after: report.after, ms })
  }

  async function windowFor({ model }: V2Request): Promise<Window | undefined> {
    const limit = fieldsOf(fieldsOf(await context.model?.get?.(model))?.['limit'])
    const [tokens, input, output] = ['context', 'input', 'output'].map((field) =>
      countOf(limit?.[field]),
    )
    if (!tokens) return windowOf(model.id)
    return { context: tokens, ...(input && { input }), ...(output && { output }) }
  }

  async function sessionOf(request: V2Request): Promise<ClientSession | undefined> {
    const { sessionID: id, model, system = [], tools } = request
    const window = await windowFor(request)
    if (!window) {
      if (!without.has(id)) stepAside('the window of its model is not known', id)
      without.add(id)
      return undefined
    }
    const frame: ClientFrame = { model: model.id, window, system: systemText(system), tools }
    let at = opened.get(id)
    if (!at) {
      at = ClientSession.open({
        store,
        id,
        frame,
        directories: [context.location?.directory ?? '/'],
        patience: settings().patience,
        goesOn: true,
      })
      opened.set(id, at)
    }
    at.frame(frame)
    return at
  }

  async function onContext(request: V2Request): Promise<void> {
    const { messages, sessionID, options } = request
    const at = await sessionOf(request)
    if (!at) return
    await at.follow(draftsOf(messages))
    noteDone(sessionID, await at.gate(Date.now()))
    const shown = at.hosted.view(v2Forms(messages))
    const isAsItWas =
      shown.length === messages.length && shown.every((each, index) => each === messages[index])
    if (isAsItWas) return
    messages.splice(0, messages.length, ...shown)
    // It was made for the larger request: the answer would be cut.
    if (options?.maxTokens !== undefined) delete options.maxTokens
  }

  async function onCompaction(compaction: V2Compaction): Promise<void> {
    const at = await sessionOf(compaction)
    if (!at) return
    await at.follow(draftsOf(compaction.messages))
    const done = await at.compact('manual', {})
    const { checkpoint, pins, unpinned } = at.session.context()
    if (!done || !checkpoint) return
    noteDone(compaction.sessionID, done)
    const summary = summaryBlock({
      summary: checkpoint.summary,
      pins: [...pins.values()].map((pin) => pin.text),
      takenBack: unpinned.map((pin) => pin.text),
    })
    compaction.result = { summary, recent: '' }
  }

  record({ event: 'start', ...(lost !== undefined && { reason: `nothing is kept: ${lost}` }) })
  if (version !== undefined && !knownVersions.test(version)) {
    aside = `opencode ${version} is not known`
    stepAside(aside)
  } else if (settings().off) stepAside('it is off')
  hook('context', (request) => guarded(request.sessionID, () => onContext(request)))
  hook('compaction', (request) => guarded(request.sessionID, () => onCompaction(request)))
  context.tool?.transform?.((tools) => {
    for (const { name, description, schema, reply } of agentTools) {
      tools.add({
        name,
        description,
        input: schema,
        // Else the model reaches it only through code of its own.
        options: { codemode: false },
        async execute(input, { sessionID }) {
          const at = opened.get(sessionID)
          if (!at || settings().off) return { content: 'Throughline is off here.' }
          const said = await reply(at, input)
          return { content: 'text' in said ? said.text : said.error }
        },
      })
    }
  })
  return async () => {
    await Promise.allSettled([...opened.values()].map((at) => at.session.close()))
  }
}

function systemText(system: readonly unknown[]): string {
  const texts = system.map((part) =>
    typeof part === 'string' ? part : String(fieldsOf(part)?.['text'] ?? ''),
  )
  return texts.join('\n')
}
