import { apiWriters } from '../harnesses.ts'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { corpusFiles, corpusFolder, readCorpusFile } from '../../testing/generate/corpus.ts'
import { fieldsOf, listOf } from '../../json/fields.ts'
import { harnesses } from '../harnesses.ts'
import { headerLine } from '../throughline/export-session.ts'
import { missing, rawDocument, rawLines } from './real-sessions.ts'
import { samples } from './samples.ts'
import { testIdentity } from '../../testing/conformance/writer-conformance.ts'
import { writtenSession } from '../writing/written-session.ts'
import type { Format } from '../format.ts'
import type { SessionRead } from '../reading/read-session.ts'

/**
 * Records of a format: from its samples and from real sessions, or from other formats' real
 * others in its form where something writes it. Of a document, what was said in it, one by one.
 */
export async function recordPool(format: Format): Promise<unknown[]> {
  const own = samples.filter((sample) => sample.format === format)
  const sampled = own.flatMap(({ records }) => records.flatMap(itemsOf))
  if (missing) return sampled
  const isRecorded = existsSync(join(corpusFolder, format.name))
  const real = isRecorded ? recordedIn(format.name) : await convertedTo(format.name)
  return [...sampled, ...real]
}

function recordedIn(format: string): unknown[] {
  return corpusFiles([format]).flatMap(({ name }) =>
    name.endsWith('.jsonl') ? rawLines(format, name) : itemsOf(rawDocument(format, name)),
  )
}

function itemsOf(document: unknown): readonly unknown[] {
  const fields = fieldsOf(document)
  const list = listOf(fields?.['messages'] ?? fields?.['history'] ?? fields?.['input'])
  return list.length > 0 ? list : [document]
}

/** None where nobody writes the format. */
async function convertedTo(format: string): Promise<unknown[]> {
  const records: unknown[] = []
  for (const file of corpusFiles(['claude-code', 'gemini-cli'])) {
    const read = await readCorpusFile(file)
    for (const record of recordsFor(format, read)) records.push(record)
  }
  return records
}

function recordsFor(format: string, { log, facts }: SessionRead): readonly unknown[] {
  if (format === 'throughline') return [JSON.parse(headerLine('s', log.length)), ...log]
  const writers = [...apiWriters, ...harnesses.map(({ writer }) => writer)]
  const writer = writers.find(({ name }) => name === format)
  if (!writer) return []
  const { text } = writer.write(writtenSession(log, facts), testIdentity())
  const isLines = text.startsWith('{"')
  const lines = isLines ? text.trim().split('\n') : [text]
  const documents = lines.flatMap((line) => JSON.parse(line) as unknown)
  return isLines ? documents : documents.flatMap(itemsOf)
}
