/**
 * Measures what a compacted context still knows of the conversations of LoCoMo: two people talk for
 * months, without tools. `npm run bench:locomo -- FOLDER` reads data/locomo10.zip of
 * https://github.com/snap-research/locomo, unpacked; `--record` writes docs/evaluation.md. The first
 * speaker is the human, the second the model. Each question whose answer the conversation states in
 * the answer's own words, close together, is a fact.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  factsStated,
  lastTokens,
  measureFacts,
  measuredSession,
  pooledFacts,
  throughline,
  type ExamFact,
  type Sitting,
} from 'throughline/evaluation'
import { readSession } from 'throughline/formats'
import { fieldsOf, listOf } from '../../packages/throughline/src/json/fields.ts'
import { recordTable } from '../../clients/recorded-table.ts'
import { markdownTable } from '../compare/markdown.ts'
import { percent } from '../fidelity/goals.ts'

const command = 'bench:locomo -- FOLDER --record'
const sizes = [3_000, 8_000, 20_000]
/** These were read when another choice among the human's messages was tried. */
const wereRead = new Set(['26', '30', '41', '42', '43'])
/** Words of an answer that state nothing. */
const grammar = new Set(
  'a an and are as at be but by for from had has have he her him his in is it its of on or our she that the their them they this to was were which with you your'.split(
    ' ',
  ),
)

interface Turn {
  speaker: string
  id: string
  text: string
}

const [folder, ...options] = process.argv.slice(2)
if (folder === undefined) {
  console.error(`Usage: npm run ${command}`)
  process.exitCode = 2
} else await measure(folder, options.includes('--record'))

async function measure(folder: string, isRecorded: boolean): Promise<void> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  const all = await Promise.all(
    files.map((file) => sittingOf(file, JSON.parse(readFileSync(join(folder, file), 'utf8')))),
  )
  const isNew = ({ exam }: Sitting): boolean => !wereRead.has(exam.case)
  const sets = [all.filter(isNew), all.filter((one) => !isNew(one))]
  const rows: string[][] = []
  for (const compactor of [throughline, lastTokens]) {
    for (const keep of sizes) {
      const row = [`${compactor.name}, ${keep / 1_000}k`]
      for (const set of sets) {
        const pooled = pooledFacts(await measureFacts(compactor, set, keep))
        row.push(pooled ? percent(pooled.all) : '-', pooled ? percent(pooled.worst) : '-')
      }
      rows.push(row)
    }
  }
  const [unread = 0, read = 0] = sets.map((set) => set.flatMap(({ exam }) => exam.facts).length)
  const head = ['kept by', `${unread} unseen questions`, 'worst', `${read} seen ones`, 'worst seen']
  console.log(markdownTable({ head, rows }))
  if (isRecorded) await recordTable('docs/evaluation.md', command, { head, rows })
}

async function sittingOf(file: string, data: unknown): Promise<Sitting> {
  const conversation = fieldsOf(data) ?? {}
  const turns = turnsOf(conversation)
  const messages = turns.map(({ speaker, text }) => {
    return { role: speaker === conversation['speaker_a'] ? 'user' : 'assistant', content: text }
  })
  const name = file.replace('.json', '')
  const session = measuredSession(name, await readSession([Buffer.from(JSON.stringify(messages))]))
  const exam = {
    case: name,
    session: file,
    records: messages.length,
    facts: factsOf(conversation, turns),
  }
  const stated = new Set(factsStated(exam, turns.map(({ text }) => text).join('\n')))
  return { exam: { ...exam, facts: exam.facts.filter((fact) => stated.has(fact)) }, session }
}

function turnsOf(conversation: Record<string, unknown>): Turn[] {
  const turns: Turn[] = []
  for (let session = 1; ; session++) {
    const said = conversation[`session_${session}`]
    if (said === undefined) return turns
    for (const turn of listOf(said)) {
      const { speaker, dia_id: id, text } = fieldsOf(turn) ?? {}
      if (typeof text === 'string') turns.push({ speaker: String(speaker), id: String(id), text })
    }
  }
}

function factsOf({ qa }: Record<string, unknown>, turns: readonly Turn[]): ExamFact[] {
  const said = new Set(turns.map(({ id }) => id))
  return listOf(qa).flatMap((each, index): ExamFact[] => {
    const { question, answer, evidence } = fieldsOf(each) ?? {}
    const words = wordsOf(String(answer ?? ''))
    const where = String(listOf(evidence)[0] ?? '')
    if (words.length === 0 || !said.has(where)) return []
    const keys = words.map((word) => [word])
    const fact = `${String(question)} ${String(answer)}`
    return [{ id: `q${index}`, kind: 'recall', fact, where, keys, within: 400 }]
  })
}

/** Word for word, but for the ends that grammar gives them. */
function wordsOf(answer: string): string[] {
  const words = answer.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words
    .filter((word) => !grammar.has(word))
    .map((word) => (word.length > 5 ? word.replace(/(?:ing|ed|es|s)$/, '') : word))
}
