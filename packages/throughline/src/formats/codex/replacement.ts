import { nameOf, objectsOf, textOf, type Fields } from '../../json/fields.ts'
import { partsOf } from '../../log/message.ts'
import { finish, newTranscript, readItem } from './transcript.ts'
import type { MessageDraft, Seq } from '../../log/entry.ts'

/** What a `compacted` record puts in place of everything before it. */
export interface Replacement {
  /** The summary in Codex's own words, if they can be read. */
  summary: string | undefined
  /** The provider's own summary, which only the provider can read. */
  encrypted: string | undefined
  /** What was kept word for word; `undefined` if the record doesn't list it. */
  messages: MessageDraft[] | undefined
}

const summaryStart = 'Another language model started to solve this problem'

export function replacementOf(
  payload: Fields,
  at: number,
  tools: ReadonlyMap<string, string>,
): Replacement {
  const history = payload['replacement_history']
  const items = objectsOf(history)
  const written = items.findLast(isSummary)
  const summary = nameOf(payload['message']) ?? (written && userText(written))
  const opaque = items.find((item) => opaqueTypes.has(item['type']))
  const kept = items.filter(
    (item) => !opaqueTypes.has(item['type']) && !(summary && repeats(item, summary)),
  )
  return {
    summary,
    encrypted: nameOf(opaque?.['encrypted_content']),
    messages: Array.isArray(history) ? messagesOf(kept, at, tools) : undefined,
  }
}

const opaqueTypes: ReadonlySet<unknown> = new Set([
  'compaction',
  'compaction_summary',
  'context_compaction',
])

function messagesOf(
  items: readonly Fields[],
  at: number,
  tools: ReadonlyMap<string, string>,
): MessageDraft[] {
  const messages: MessageDraft[] = []
  const known = new Map(tools)
  const transcript = newTranscript((draft) => messages.push(draft), known)
  for (const item of items) readItem(transcript, item, at)
  finish(transcript)
  return messages
}

function isSummary(item: Fields): boolean {
  return userText(item).trimStart().startsWith(summaryStart)
}

function repeats(item: Fields, summary: string): boolean {
  return isSummary(item) || (item['role'] === 'user' && userText(item).endsWith(summary))
}

function userText(item: Fields): string {
  if (item['role'] !== 'user') return ''
  const { content } = item
  if (typeof content === 'string') return content
  return objectsOf(content)
    .map((block) => textOf(block['text']) ?? '')
    .join('\n')
}

/** Finds the entries that messages of a replacement repeat. */
export interface Repeats {
  add: (seq: Seq, draft: MessageDraft) => void
  /** By message: the newest entry that says the same, each used once. */
  find: (drafts: readonly MessageDraft[]) => (Seq | undefined)[]
}

export function newRepeats(): Repeats {
  const seqs = new Map<string, Seq[]>()
  return {
    add(seq, draft) {
      for (const key of new Set([keyOf(draft), keyOf(answerOf(draft))])) {
        const list = seqs.get(key)
        if (list) list.push(seq)
        else seqs.set(key, [seq])
      }
    },
    find(drafts) {
      const used = new Map<string, number>()
      // Codex drops the oldest first, so equal messages are matched from the newest on.
      return drafts
        .toReversed()
        .map((draft) => {
          const key = keyOf(draft)
          const count = (used.get(key) ?? 0) + 1
          used.set(key, count)
          return seqs.get(key)?.at(-count)
        })
        .toReversed()
    },
  }
}

/** The answer alone, where a response without calls says something else before it. */
function answerOf(draft: MessageDraft): MessageDraft {
  const { message } = draft
  if (message.role !== 'assistant' || typeof message.content === 'string') return draft
  const called = message.content.some((part) => part.type === 'tool-call' && !part.providerExecuted)
  const answer = message.content.filter(
    (part) =>
      part.type === 'text' && part.providerOptions?.['openai']?.['phase'] === 'final_answer',
  )
  if (called || answer.length === 0) return draft
  return { ...draft, message: { ...message, content: answer } }
}

/**
 * Equal for messages that say the same to the model. A replacement repeats neither
 * reasoning nor what the provider ran itself.
 */
function keyOf({ message }: MessageDraft): string {
  const parts = partsOf(message).map((part) => {
    switch (part.type) {
      case 'text':
        return `text ${part.text}`
      case 'tool-call':
        return part.providerExecuted ? '' : `call ${part.toolCallId}`
      case 'tool-result':
        return message.role === 'tool' ? `result ${part.toolCallId}` : ''
      case 'reasoning':
        return ''
      default:
        return part.type
    }
  })
  return [message.role, ...parts.filter((part) => part !== '')].join('\u0000')
}
