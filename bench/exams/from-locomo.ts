/**
 * Writes the conversations of LoCoMo (https://github.com/snap-research/locomo, data/locomo10.zip,
 * unpacked) as sessions with exams: `npm run bench:locomo -- FOLDER OUT`, and then
 * `npm run bench:facts -- --exams OUT --sessions OUT/sessions`. Two people talk for months; the first is the
 * human, the second the model. Each question with an answer that the conversation states in its own
 * words is a fact: the words of the answer, close together.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { factsStated, parseExam } from 'throughline/evaluation'
import { fieldsOf, listOf } from '../../packages/throughline/src/json/fields.ts'

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

interface Fact {
  id: string
  kind: 'recall'
  fact: string
  where: string
  keys: string[][]
  within: number
}

const [folder, out] = process.argv.slice(2)
if (folder === undefined || out === undefined) {
  console.error('Usage: node bench/exams/from-locomo.ts FOLDER OUT')
  process.exitCode = 2
} else {
  mkdirSync(join(out, 'sessions'), { recursive: true })
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  for (const file of files)
    convert(file, fieldsOf(JSON.parse(readFileSync(join(folder, file), 'utf8'))) ?? {}, out)
}

function convert(file: string, conversation: Record<string, unknown>, to: string): void {
  const turns = turnsOf(conversation)
  const messages = turns.map(({ speaker, text }) => {
    return { role: speaker === conversation['speaker_a'] ? 'user' : 'assistant', content: text }
  })
  writeFileSync(join(to, 'sessions', file), JSON.stringify(messages))
  const exam = {
    case: `L${file.replace('.json', '')}`,
    session: file,
    records: messages.length,
    facts: factsOf(listOf(conversation['qa']), turns),
  }
  const whole = turns.map(({ text }) => text).join('\n')
  const stated = new Set(factsStated(parseExam(JSON.stringify(exam)), whole).map(({ id }) => id))
  const facts = exam.facts.filter(({ id }) => stated.has(id))
  writeFileSync(join(to, `${exam.case}.json`), JSON.stringify({ ...exam, facts }, null, 1))
  console.log(
    `${exam.case}: ${messages.length} messages, ${facts.length} of ${exam.facts.length} questions`,
  )
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

function factsOf(questions: readonly unknown[], turns: readonly Turn[]): Fact[] {
  const said = new Set(turns.map(({ id }) => id))
  return questions.flatMap((each, index): Fact[] => {
    const { question, answer, evidence } = fieldsOf(each) ?? {}
    const words = wordsOf(String(answer ?? ''))
    const [where] = Array.isArray(evidence) ? evidence.map(String) : []
    if (words.length === 0 || where === undefined || !said.has(where)) return []
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
