import { changeStrings } from './change-strings.ts'
import { blankParts, textsOf } from './blank-part.ts'
import { blankStandIns } from './blank-stand-ins.ts'
import { lineForms, secretOf, wholeForms, withoutSecret } from './secret.ts'
import { readRef } from '../ref.ts'
import type { Entry } from '../entry.ts'
import type { Chronological } from '../order.ts'

/** What a redaction puts in the place of an entry; `undefined` where nothing is to be changed. */
export type Redaction = (entry: Entry) => Entry | undefined

/**
 * Takes a text out of every entry that holds it: as it is, escaped, in base64, and line by line.
 * @throws RedactionError if it is too short to be told from other text.
 */
export function redactText(text: string): Redaction {
  const secret = secretOf(text)
  return differing((entry) => changeStrings(entry, (each) => withoutSecret(each, secret)))
}

/**
 * Takes a part or a message out of the log: what it said, what stands in its place where it was
 * pruned or clipped, its copies elsewhere, and its lines in summaries.
 * @throws RefNotFoundError
 */
export function redactRef(log: Chronological, ref: string): Redaction {
  const texts = textsOf(readRef(log, ref))
  const copies = wholeForms(texts)
  const lines = lineForms(texts)
  return differing((entry) => {
    const blank = blankStandIns(blankParts(entry, ref), ref)
    const clean = changeStrings(blank, (each) => withoutSecret(each, copies))
    if (clean.kind !== 'checkpoint') return clean
    return { ...clean, summary: withoutSecret(clean.summary, lines) }
  })
}

/**
 * Takes what a ref names out of another log: its copies, as a fork holds them.
 * @throws RefNotFoundError
 */
export function redactCopies(log: Chronological, ref: string): Redaction {
  const copies = wholeForms(textsOf(readRef(log, ref)))
  return differing((entry) => changeStrings(entry, (each) => withoutSecret(each, copies)))
}

function differing(change: (entry: Entry) => Entry): Redaction {
  return (entry) => {
    const changed = change(entry)
    return JSON.stringify(changed) === JSON.stringify(entry) ? undefined : changed
  }
}
