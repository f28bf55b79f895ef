import { dataOf, fieldsOf, nameOf, objectsOf, textOf, type Fields } from '../../json/fields.ts'
import { opencode } from '../../formats/opencode/format.ts'
import {
  outputText,
  partsOf,
  type Message,
  type Part,
  type ToolResultPart,
} from '../../log/message.ts'
import { recognizeOwn } from '../../ledger/recognize-own.ts'
import { recordOf } from '../../hosts/hosted-session.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { ContextItem, MessageItem } from '../../log/context/context-item.ts'
import type { EntryDraft } from '../../log/entry.ts'
import type { HostForms } from '../../compaction/render/project.ts'

export interface OpencodeMessage {
  info: Fields
  parts: Fields[]
}

/** What opencode's messages are in a log. */
export function draftsOf(
  session: string,
  messages: readonly OpencodeMessage[],
  ledger: Ledger | undefined,
): EntryDraft[] {
  const reader = opencode.reader(ledger)
  const drafts = reader.push({ info: { id: session }, messages })
  return [...drafts, ...reader.end()].map(recognizeOwn(ledger)).map(withRecordOfCalls())
}

/** opencode keeps a result in the message that holds its call. */
export function withRecordOfCalls(): (draft: EntryDraft) => EntryDraft {
  let record: string | undefined
  return (draft) => {
    if (draft.kind !== 'message') return draft
    const own = recordOf(draft)
    if (draft.message.role !== 'tool' || own !== undefined) {
      record = own
      return draft
    }
    if (record === undefined) return draft
    return { ...draft, metadata: { ...draft.metadata, source: { records: [record] } } }
  }
}

/** How a context becomes opencode's messages again: what was kept is opencode's own object. */
export function opencodeForms(
  originals: readonly OpencodeMessage[],
  drafts: readonly EntryDraft[],
): HostForms<OpencodeMessage> {
  const byId = new Map(originals.map((message) => [nameOf(message.info['id']), message]))
  const counts = new Map<string | undefined, number>()
  for (const draft of drafts) {
    if (draft.kind !== 'message') continue
    const record = recordOf(draft)
    counts.set(record, (counts.get(record) ?? 0) + 1)
  }
  const speaker = originals.findLast(({ info }) => info['role'] === 'user')?.info ?? {}
  let said = 0
  return {
    original: (item) => byId.get(recordOf(item)),
    holds: ({ info }) => counts.get(nameOf(info['id'])) ?? 0,
    say: (message, item) => saidAs(speaker, message, item, said++),
    replace,
  }
}

function saidAs(
  speaker: Fields,
  message: Message,
  { seq }: ContextItem,
  count: number,
): OpencodeMessage {
  const id = `msg_throughline_${seq}_${count}`
  const parts = partsOf(message).flatMap((part, index): Fields[] => {
    const place = { id: `prt_throughline_${seq}_${count}_${index}`, messageID: id }
    const made = partOf(part)
    return made ? [{ ...place, sessionID: speaker['sessionID'], ...made }] : []
  })
  return { info: { ...speaker, id }, parts }
}

function partOf(part: Part): Fields | undefined {
  if (part.type === 'text') return { type: 'text', text: part.text, synthetic: true }
  if (part.type === 'tool-result') {
    return { type: 'text', text: outputText(part.output), synthetic: true }
  }
  const media = part.type === 'image' ? part.image : part.type === 'file' ? part.data : undefined
  if (typeof media !== 'string' || !('mediaType' in part)) return undefined
  const mime = part.mediaType ?? 'image/png'
  const url = dataOf(media) || /^https?:/.test(media) ? media : `data:${mime};base64,${media}`
  return { type: 'file', mime, url }
}

/** A copy of an answer or of the human's words that shows these messages alone. */
function replace(native: OpencodeMessage, shown: readonly MessageItem[]): OpencodeMessage {
  const { info, parts } = native
  return info['role'] === 'assistant'
    ? { info, parts: answered(parts, shown) }
    : { info, parts: saidByUser(parts, shown) }
}

function saidByUser(parts: readonly Fields[], shown: readonly MessageItem[]): Fields[] {
  const [first = {}] = parts
  const { id, messageID, sessionID } = first
  return shown.flatMap((item, at) =>
    partsOf(item.message).flatMap((part, index): Fields[] => {
      const same = parts.find((native) => isSame(native, part))
      if (same) return [same]
      const made = partOf(part)
      const place = { id: `${nameOf(id) ?? 'prt'}_${at}_${index}`, messageID, sessionID }
      return made ? [{ ...place, ...made }] : []
    }),
  )
}

function isSame(native: Fields, part: Part): boolean {
  if (part.type === 'text') return native['type'] === 'text' && native['text'] === part.text
  if (part.type !== 'image' && part.type !== 'file') return false
  const media = part.type === 'image' ? part.image : part.data
  const url = nameOf(native['url'])
  return url !== undefined && (url === media || dataOf(url)?.data === media)
}

/** The parts of an answer that the model still sees, with what stands in the place of others. */
function answered(parts: readonly Fields[], shown: readonly MessageItem[]): Fields[] {
  const calls = new Map<string, { input?: unknown; result?: ToolResultPart }>()
  const texts: string[] = []
  const thoughts = new Set<string>()
  for (const part of shown.flatMap(({ message }) => partsOf(message))) {
    if (part.type === 'tool-call') {
      calls.set(part.toolCallId, { ...calls.get(part.toolCallId), input: part.input })
    } else if (part.type === 'tool-result') {
      calls.set(part.toolCallId, { ...calls.get(part.toolCallId), result: part })
    } else if (part.type === 'text') texts.push(part.text)
    else if (part.type === 'reasoning') thoughts.add(part.text)
  }
  const changed = texts.filter((text) => !parts.some((native) => native['text'] === text))
  return parts.flatMap((native): Fields[] => {
    switch (native['type']) {
      case 'tool': {
        const call = calls.get(nameOf(native['callID']) ?? '')
        return call ? [toolAs(native, call)] : []
      }
      case 'text': {
        const text = textOf(native['text']) ?? ''
        if (texts.includes(text)) return [native]
        const instead = changed.shift()
        return instead === undefined ? [] : [{ ...native, text: instead }]
      }
      case 'reasoning':
        return thoughts.has(textOf(native['text']) ?? '') ? [native] : []
      default:
        return [native]
    }
  })
}

function toolAs(
  native: Fields,
  { input, result }: { input?: unknown; result?: ToolResultPart },
): Fields {
  const state = fieldsOf(native['state']) ?? {}
  const output = result && outputText(result.output)
  const field = state['status'] === 'error' ? 'error' : 'output'
  const files = objectsOf(state['attachments'])
  const isShorter = output !== undefined && files.length === 0 && output !== textOf(state[field])
  const isText = files.length > 0 && result?.output.type !== 'content'
  return {
    ...native,
    state: {
      ...state,
      ...(input !== undefined && { input }),
      ...((isShorter || isText) && { [field]: output }),
      ...(isText && { attachments: [] }),
    },
  }
}
