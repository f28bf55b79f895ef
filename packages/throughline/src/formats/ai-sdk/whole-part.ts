import { boundedValue, type Fields } from '../../json/fields.ts'
import { binaryAsText } from './binary.ts'
import { optionsOf } from './provider-options.ts'

/** Parts of one message, and how many of them were of no kind that can be kept. */
export interface ReadParts<Part> {
  parts: Part[]
  unknown: number
}

/** Reads parts one by one; what `read` knows no part in is counted. */
export function readParts<Part>(
  content: readonly unknown[],
  read: (part: unknown) => Part | undefined,
): ReadParts<Part> {
  const found = content.map(read)
  const parts = found.filter((part) => part !== undefined)
  return { parts, unknown: found.length - parts.length }
}

/** A part with all the fields that it has, those that are not known too. */
export function wholePart(part: Fields): Record<string, unknown> {
  const whole: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(part)) {
    if (value === undefined || value === null || key === '__proto__') continue
    const kept = key === 'providerOptions' ? optionsOf(value) : boundedValue(binaryAsText(value))
    if (kept !== undefined) whole[key] = kept
  }
  return whole
}
