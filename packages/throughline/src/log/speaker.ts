import { fieldsOf, nameOf } from '../json/fields.ts'
import type { Message } from './message.ts'
import type { Metadata, MessageDraft } from './entry.ts'

/** Who wrote a message where several people speak with one agent. */
export interface Speaker {
  id: string
  /** The name before the text: `[Ann] Never push.` */
  name: string
  /** Only the owner's words change what another person has said. */
  isOwner: boolean
}

const key = 'speaker'

// The name of a person is chosen by that person: it is short, and ends where its bracket does.
const longestName = 40
const label = new RegExp(String.raw`^\[[^\]]{1,${longestName}}\] `)

/** The name as it is written before the words of a person. */
export function labelOf({ name }: Pick<Speaker, 'name'>): string {
  const plain = name.replaceAll(/[\p{C}\p{Z}[\]]+/gu, ' ').trim()
  return plain === '' ? '' : `[${[...plain].slice(0, longestName - 1).join('')}] `
}

/** The words without the name of who says them. */
export function unlabeled(text: string): string {
  return text.replace(label, '')
}

/** What a message's metadata say of its speaker. */
export function spokenBy(speaker: Speaker): Metadata {
  return { [key]: speaker }
}

/**
 * Who wrote a message: as its host says, or by the name that stands beside the text in its API. A name
 * in the text says nothing.
 */
export function speakerOf({
  metadata,
  message,
}: Pick<MessageDraft, 'metadata' | 'message'>): Speaker | undefined {
  const found = fieldsOf(metadata?.[key])
  const id = nameOf(found?.['id'])
  if (!found || id === undefined) return namedIn(message)
  return { id, name: nameOf(found['name']) ?? id, isOwner: found['isOwner'] === true }
}

/** The APIs whose messages have a name, which their wires keep among the fields we have no use for. */
const apis = ['openai-chat', 'langchain']
/** They name the role, and no person. */
const roles: ReadonlySet<string> = new Set(['user', 'human'])

/** Nothing tells who of them is the owner: each may change what another one has said. */
function namedIn({ role, providerOptions }: Message): Speaker | undefined {
  if (role !== 'user') return undefined
  for (const api of apis) {
    const name = nameOf(fieldsOf(fieldsOf(providerOptions?.[api])?.['rest'])?.['name'])
    if (name !== undefined && !roles.has(name)) return { id: name, name, isOwner: true }
  }
  return undefined
}

/** The words of a person after their name, where the text does not begin with it. */
export function labeled(text: string, { name = '' }: { name?: string } = {}): string {
  const label = labelOf({ name })
  return text.startsWith(label) ? text : `${label}${text}`
}
