import { MessageConversionError } from '../../../wires/errors.ts'
import { mediumOf } from '../../../session/reconcile/medium.ts'
import type { FileUIPart } from 'ai'

/**
 * A medium as a user interface shows it: by its address, as a data URL, or by a provider's
 * reference.
 */
export function filePart(
  {
    data,
    mediaType,
    filename,
  }: { data: unknown; mediaType: string; filename?: string | undefined },
  place: string,
): FileUIPart {
  const named = { type: 'file' as const, mediaType, ...(filename !== undefined && { filename }) }
  const medium = mediumOf(data)
  if (typeof medium === 'string') return { ...named, url: urlOf(medium, mediaType) }
  if (isReference(medium)) return { ...named, url: '', providerReference: medium }
  throw new MessageConversionError({
    place,
    problem: 'a text file cannot be shown by a URL',
  })
}

function urlOf(medium: string, mediaType: string): string {
  return /^[a-z][a-z\d+.-]*:/i.test(medium) ? medium : `data:${mediaType};base64,${medium}`
}

function isReference(medium: unknown): medium is Record<string, string> {
  if (typeof medium !== 'object' || medium === null || 'type' in medium) return false
  return Object.values(medium).every((value) => typeof value === 'string')
}
