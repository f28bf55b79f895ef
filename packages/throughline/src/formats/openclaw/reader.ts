import { fieldsOf, nameOf, objectsOf, textOf, type Fields } from '../../json/fields.ts'
import { labelOf, spokenBy, type Speaker } from '../../log/speaker.ts'
import { piReader } from '../pi/reader.ts'
import { recordOf } from '../../log/client-records.ts'
import type { EntryDraft, MessageDraft } from '../../log/entry.ts'
import type { Format } from '../format.ts'
import type { UserPart } from '../../log/message.ts'

/** pi's entries, in which the host says of each message in the user's place who wrote it. */
export const openclawReader: Format['reader'] = () => {
  const reader = piReader()
  const natives = new Map<string, Fields>()
  const whose = (draft: EntryDraft): EntryDraft => {
    const native = natives.get(recordOf(draft) ?? '')
    return native && draft.kind === 'message' && draft.origin === 'human'
      ? saidBy(native, draft)
      : draft
  }
  return {
    ...reader,
    push(record) {
      const { id, message } = fieldsOf(record) ?? {}
      const native = fieldsOf(message)
      if (native?.['role'] === 'user') natives.set(nameOf(id) ?? '', native)
      return reader.push(record).map(whose)
    },
    end: () => reader.end().map(whose),
  }
}

/** What stands in the user's place: of a person, who may be named, or of the host. */
function saidBy(native: Fields, message: MessageDraft): MessageDraft {
  if (isInternal(native) || isOfHost(nativeText(native))) {
    return { ...message, origin: 'harness' }
  }
  const speaker = personOf(native)
  if (!speaker) return message
  const { content } = message.message
  const label = labelOf(speaker)
  const named =
    typeof content === 'string'
      ? `${label}${content}`
      : [{ type: 'text', text: label } as const, ...(content as UserPart[])]
  return {
    ...message,
    message: { role: 'user', content: named },
    metadata: { ...message.metadata, ...spokenBy(speaker) },
  }
}

/** The host says of each message where it comes from: a heartbeat, a job, another session, a bot. */
export function isInternal(native: Fields): boolean {
  const kind = fieldsOf(native['provenance'])?.['kind']
  const sender = fieldsOf(fieldsOf(native['__openclaw'])?.['senderIdentity'])
  return (kind !== undefined && kind !== 'external_user') || sender?.['senderKind'] === 'bot'
}

export function personOf(native: Fields): Speaker | undefined {
  const about = fieldsOf(native['__openclaw'])
  const id = nameOf(about?.['senderId'])
  if (!about || id === undefined) return undefined
  const name = nameOf(about['senderName']) ?? nameOf(about['senderUsername']) ?? id
  return { id, name, isOwner: about['senderIsOwner'] === true }
}

/** Whether it is a wake or a command, which the host answers by itself. */
export function isForHost({ content }: Fields): boolean {
  const texts = typeof content === 'string' ? [{ text: content }] : objectsOf(content)
  return texts.length > 0 && texts.every(({ text }) => isOfHost(textOf(text) ?? ''))
}

const wake = /^\[OpenClaw (?:heartbeat poll|exec completion|cron wake|session event)\]/

// The host answers these by itself and keeps them under the user's role. Nothing else that begins with
// a slash is the host's: `/tmp is full`, `/new` with a request after it, and skills are the person's.
const commands = [
  /^\/(?:compact|throughline)(?: [^\n]*)?$/,
  /^\/(?:new|reset|stop|status|help|commands|whoami|id|context|restart)$/,
  /^\/(?:usage|think|fast|verbose|trace|reasoning|elevated|models?|queue|config|activation|send|approve|tts)(?: \S+)?$/,
]

/** What the host writes in the user's place for itself. */
export function isOfHost(text: string): boolean {
  const line = text.trim()
  return wake.test(line) || commands.some((command) => command.test(line))
}

/** The text of a message of the host. */
export function nativeText({ content }: Fields): string {
  if (typeof content === 'string') return content
  return objectsOf(content)
    .map(({ text }) => textOf(text) ?? '')
    .join('\n')
}
