import { fieldsOf, nameOf, objectsOf, textOf, type Fields } from '../../../json/fields.ts'
import { outputText } from '../../../log/message-text.ts'
import { ownSummaries } from '../../../formats/conversation/own-summary.ts'
import { partsOf, type Message, type Part, type ToolOutput } from '../../../log/message.ts'
import { recordOf } from '../../../hosts/hosted-session.ts'
import type { EntryDraft } from '../../../log/entry.ts'
import type { HostForms } from '../../../compaction/render/project.ts'
import type { MessageItem } from '../../../log/context-item.ts'
import type { V2Message } from './host.ts'

/** The name by which a message is known: the carriers of results are known by their first call. */
function keyOf({ id, content }: V2Message, index: number): string {
  const [first] = content
  return id ?? nameOf(first?.['id']) ?? `#${index}`
}

/** What the messages of a request are in a log. */
export function draftsOf(messages: readonly V2Message[]): EntryDraft[] {
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
    .map(ownSummaries())
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
export function v2Forms(originals: readonly V2Message[]): HostForms<V2Message> {
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
