import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { countOf, fieldsOf, nameOf, objectsOf, parsedJson } from '../json/fields.ts'
import { normalizedText, type Ledger, type WrittenContext, type WrittenMessage } from './ledger.ts'
import type { Origin, Source } from '../log/entry.ts'

/**
 * A ledger in a folder of the user's, a small file for each summary, named by its hash. No text is
 * kept in it. Every process of this user on this machine knows again what another one wrote.
 * @example
 * const ledger = fileLedger('/home/me/.local/share/throughline/ledger')
 */
export function fileLedger(folder: string): Ledger {
  const fileOf = (summary: string): string => {
    const hash = createHash('sha256').update(normalizedText(summary)).digest('hex')
    return join(folder, hash.slice(0, 2), `${hash.slice(2, 40)}.json`)
  }
  return {
    find: (summary) => readContext(fileOf(summary)),
    add(summary, context) {
      const file = fileOf(summary)
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      // Renamed into place: a reader finds all of it or nothing.
      const written = `${file}.${process.pid}`
      writeFileSync(written, JSON.stringify(context), { mode: 0o600 })
      renameSync(written, file)
    },
  }
}

function readContext(file: string): WrittenContext | undefined {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  return contextIn(text)
}

/** A torn file still says that the summary is ours. */
function contextIn(text: string): WrittenContext {
  const fields = fieldsOf(parsedJson(text)) ?? {}
  const before = countOf(fields['before'])
  const after = countOf(fields['after'])
  const source = sourceIn(fields['source'])
  return {
    at: countOf(fields['at']) ?? 0,
    by: nameOf(fields['by']) ?? 'unknown',
    generation: countOf(fields['generation']) ?? 1,
    ...(before !== undefined && { before }),
    ...(after !== undefined && { after }),
    ...(source && { source }),
    messages: objectsOf(fields['messages']).flatMap(messageIn),
  }
}

function messageIn({ print, origin, record }: Record<string, unknown>): WrittenMessage[] {
  const name = nameOf(print)
  const by = nameOf(origin)
  if (name === undefined || by === undefined || !origins.has(by)) return []
  const from = nameOf(record)
  return [{ print: name, origin: by as Origin, ...(from !== undefined && { record: from }) }]
}

const origins: ReadonlySet<string> = new Set(['human', 'harness', 'model', 'tool', 'synthetic'])

function sourceIn(value: unknown): Source | undefined {
  const { kind, name } = fieldsOf(value) ?? {}
  if (kind !== 'session' && kind !== 'file') return undefined
  return typeof name === 'string' ? { kind, name } : undefined
}
