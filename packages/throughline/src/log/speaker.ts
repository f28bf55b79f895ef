import { fieldsOf, nameOf } from '../json/fields.ts'
import type { Metadata, MessageDraft } from './entry.ts'

/** Who wrote a message where several people speak with one agent. Its text begins with the name. */
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

/** The name as it stands before the words of a person. */
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

export function speakerOf({ metadata }: Pick<MessageDraft, 'metadata'>): Speaker | undefined {
  const found = fieldsOf(metadata?.[key])
  const id = nameOf(found?.['id'])
  if (!found || id === undefined) return undefined
  return { id, name: nameOf(found['name']) ?? id, isOwner: found['isOwner'] === true }
}
