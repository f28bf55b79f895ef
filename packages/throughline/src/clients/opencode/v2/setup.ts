import { agentTools } from '../../agent-tools.ts'
import { clientSettings } from '../../settings.ts'
import { ClientSession, compactionRecord } from '../../client-session.ts'
import { openClientStore } from '../../client-store.ts'
import { countOf, fieldsOf, nameOf, objectsOf, textOf, type Fields } from '../../../json/fields.ts'
import { failedTooOften, Failures, writeClientRecord, type ClientRecord } from '../../record.ts'
import { summaryBlock } from '../../../compaction/render/summary-block.ts'
import { windowOf } from '../../../tokens/windows.ts'
import { outputText, partsOf } from '../../../log/message.ts'
import { ledgerOf } from '../../../config/ledger-of.ts'
import { noteSummary } from '../../note-summary.ts'
import { recognizeOwn } from '../../../ledger/recognize-own.ts'
import { recordOf } from '../../../hosts/hosted-session.ts'
import type { ClientFrame, Done } from '../../client-session.ts'
import type { V2Compaction, V2Context, V2Request, V2Message } from './host.ts'
import type { Window } from '../../../tokens/window.ts'
import type { Message, Part, ToolOutput } from '../../../log/message.ts'
import type { EntryDraft } from '../../../log/entry.ts'
import type { HostForms } from '../../../compaction/render/project.ts'
import type { Ledger } from '../../../ledger/ledger.ts'
import type { MessageItem } from '../../../log/context/context-item.ts'

/** The name by which a message is known: the carriers of results are known by their first call. */
function keyOf({ id, content }: V2Message, index: number): string {
  const [first] = content
  return id ?? nameOf(first?.['id']) ?? `#${index}`
}

/** What the messages of a request are in a log. */
function draftsOf(messages: readonly V2Message[], ledger: Ledger | undefined): EntryDraft[] {
  return messages
    .map((message, index): EntryDraft => {
      const metadata = { source: { records: [keyOf(message, index)] } }
      const summary = index === 0 ? checkpointIn(message) : undefined
      if (summary !== undefined) {
        const made = { base: 0, summary, summarizer: 'opencode', tail: [], continuation: null }
        return { kind: 'checkpoint', at: 0, ...made, metadata }
      }
      const said = messageOf(message)
      return { kind: 'message', at: 0, origin: originOf(said), message: said, metadata }
    })
    .map(recognizeOwn(ledger))
}

const checkpoint =
  /^<conversation-checkpoint>[\s\S]*?<summary>([\s\S]*)<\/summary>\s*(?:<recent-context>([\s\S]*)<\/recent-context>\s*)?<\/conversation-checkpoint>\s*$/

/** The summary that opencode puts in the place of what it has compacted, with what it kept beside. */
function checkpointIn({ role, content }: V2Message): string | undefined {
  const text = content.map((part) => textOf(part['text']) ?? '').join('')
  if (role !== 'user' || !text.startsWith('<conversation-checkpoint>')) return undefined
  const [, summary = text, recent = ''] = checkpoint.exec(text) ?? []
  return [summary.trim(), recent.trim()].filter((each) => each !== '').join('\n\n')
}

function originOf({ role }: Message) {
  if (role === 'user') return 'human'
  if (role === 'assistant') return 'model'
  return role === 'tool' ? 'tool' : 'harness'
}

function messageOf({ role, content }: V2Message): Message {
  switch (role) {
    case 'assistant':
      return { role, content: content.flatMap(partOf) as never }
    case 'tool':
      return { role, content: content.flatMap(partOf) as never }
    case 'system':
      return { role, content: content.map((part) => textOf(part['text']) ?? '').join('\n') }
    default:
      return { role: 'user', content: content.flatMap(partOf) as never }
  }
}

function partOf(part: Fields): Part[] {
  const { type, media } = part
  const [toolCallId = '', toolName = ''] = [nameOf(part['id']), nameOf(part['name'])]
  switch (type) {
    case 'text':
    case 'reasoning':
      return [{ type, text: textOf(part['text']) ?? '' }]
    case 'media': {
      const mediaType = mimeOf(media)
      if (mediaType.startsWith('image/')) return [{ type: 'image', image: media, mediaType }]
      return [{ type: 'file', data: media, mediaType }]
    }
    case 'tool-call':
      return [{ type, toolCallId, toolName, input: part['input'] }]
    case 'tool-result':
      return [{ type, toolCallId, toolName, output: outputOf(fieldsOf(part['result']) ?? {}) }]
    default:
      return []
  }
}

function mimeOf(media: unknown): string {
  const { mime, mediaType } = (media ?? {}) as { mime?: unknown; mediaType?: unknown }
  return nameOf(mime) ?? nameOf(mediaType) ?? 'application/octet-stream'
}

function outputOf({ type, value }: Fields): ToolOutput {
  if (type === 'text') return { type, value: textOf(value) ?? '' }
  if (type === 'error') return { type: 'error-text', value: textOf(value) ?? JSON.stringify(value) }
  if (type !== 'content') return { type: 'json', value }
  const pieces = objectsOf(value).map((piece) =>
    piece['type'] === 'text' ? { type: 'text' as const, text: textOf(piece['text']) ?? '' } : piece,
  )
  return { type: 'content', value: pieces as never }
}

/** How a context becomes opencode's messages again: what was kept is opencode's own object. */
function v2Forms(originals: readonly V2Message[]): HostForms<V2Message> {
  const byKey = new Map(originals.map((message, index) => [keyOf(message, index), message]))
  return {
    original: (item) => byKey.get(recordOf(item) ?? ''),
    say: (message) => ({ role: message.role, content: partsOf(message).flatMap(saidPart) }),
    replace,
  }
}

function saidPart(part: Part): Fields[] {
  if (part.type === 'text') return [{ type: 'text', text: part.text }]
  if (part.type === 'tool-result') return [{ type: 'text', text: outputText(part.output) }]
  if (part.type === 'image') return [{ type: 'media', media: part.image }]
  return part.type === 'file' ? [{ type: 'media', media: part.data }] : []
}

/** The host's parts that the model still sees, in their own form, with what stands in the place of others. */
function replace(native: V2Message, shown: readonly MessageItem[]): V2Message {
  const parts = shown.flatMap(({ message }) => partsOf(message))
  const content = parts.flatMap((part): Fields[] => {
    const same = native.content.find((each) => isSame(each, part))
    if (!same) return native.role === 'tool' ? [] : saidPart(part)
    return [changed(same, part)]
  })
  return { ...native, content }
}

function isSame(native: Fields, part: Part): boolean {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return native['type'] === part.type && native['text'] === part.text
    case 'image':
      return native['media'] === part.image
    case 'file':
      return native['media'] === part.data
    case 'tool-call':
    case 'tool-result':
      return native['type'] === part.type && native['id'] === part.toolCallId
    default:
      return false
  }
}

/** A failed result stays one: opencode checks the form of what comes back. */
function changed(native: Fields, part: Part): Fields {
  if (part.type === 'tool-call') return { ...native, input: part.input }
  if (part.type !== 'tool-result') return native
  const result = fieldsOf(native['result']) ?? {}
  const value = outputText(part.output)
  if (value === outputText(outputOf(result))) return native
  return { ...native, result: { type: result['type'] === 'error' ? 'error' : 'text', value } }
}

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
    if (done) record(compactionRecord(session, done))
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
    await at.follow(draftsOf(messages, ledgerOf(env)))
    noteDone(sessionID, await at.gate())
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
    await at.follow(draftsOf(compaction.messages, ledgerOf(env)))
    const done = await at.compact('manual', {})
    const { checkpoint, pins, unpinned } = at.session.context()
    if (!done || !checkpoint) return
    noteDone(compaction.sessionID, done)
    const summary = summaryBlock({
      summary: checkpoint.summary,
      pins: [...pins.values()].map((pin) => pin.text),
      takenBack: unpinned.map((pin) => pin.text),
    })
    await noteSummary(at, { summary, done }, { env, record })
    compaction.result = { summary, recent: '' }
  }

  record({ event: 'start', ...(lost !== undefined && { reason: `nothing is kept: ${lost}` }) })
  if (version !== undefined && !knownVersions.test(version)) {
    aside = `opencode ${version} is not known`
    stepAside(aside)
  } else if (settings().off) stepAside('it is switched off')
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
