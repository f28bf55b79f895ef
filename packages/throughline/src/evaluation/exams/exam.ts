import { fieldsOf } from '../../json/fields.ts'

/** What a fact is about: the first two decide most whether the agent continues correctly. */
export const factKinds = ['continuation', 'constraint', 'decision', 'artifact', 'recall'] as const
/** What a fact of an exam is about. */
export type FactKind = (typeof factKinds)[number]

/** A statement about a session, and how a program sees whether a text makes it. */
export interface ExamFact {
  id: string
  kind: FactKind
  /** The statement, for a person. */
  fact: string
  /** In which part of the session it arose. */
  where: string
  /**
   * A text makes the statement if some stretch of it holds one alternative of every group; an
   * alternative between slashes is a regular expression.
   */
  keys: readonly (readonly string[])[]
  /** How long that stretch may be, in characters. */
  within: number
}

/** Facts that readers of a whole session wrote down, as they were at the moment of a compaction. */
export interface Exam {
  case: string
  /** The file of the session: its harness and its name. */
  session: string
  /** How many records of the file come before the compaction; in opencode's files, parts. */
  records: number
  facts: readonly ExamFact[]
}

const usualStretch = 400

/**
 * Reads an exam.
 * @throws Error that says what is missing, if the text is no exam
 */
export function parseExam(text: string): Exam {
  const fields = fieldsOf(JSON.parse(text) as unknown)
  const { case: name, session, records, facts } = fields ?? {}
  if (typeof name !== 'string' || typeof session !== 'string' || typeof records !== 'number') {
    throw new Error('An exam has the fields case, session, records and facts.')
  }
  if (!Array.isArray(facts) || facts.length === 0) throw new Error(`The exam ${name} has no facts.`)
  return { case: name, session, records, facts: facts.map(parseFact) }
}

function parseFact(value: unknown, index: number): ExamFact {
  const { id, kind, fact, where, keys, within } = fieldsOf(value) ?? {}
  const known = factKinds.find((one) => one === kind)
  if (typeof id !== 'string' || typeof fact !== 'string' || known === undefined) {
    throw new Error(
      `Fact ${index + 1} lacks an id, a sentence, or one of the kinds ${factKinds.join(', ')}.`,
    )
  }
  if (!isGroups(keys)) throw new Error(`Fact ${id} has no keys.`)
  return {
    id,
    kind: known,
    fact,
    where: typeof where === 'string' ? where : '',
    keys,
    within: typeof within === 'number' ? within : usualStretch,
  }
}

function isGroups(keys: unknown): keys is string[][] {
  const isGroup = (group: unknown): boolean =>
    Array.isArray(group) && group.length > 0 && group.every((key) => typeof key === 'string')
  return Array.isArray(keys) && keys.length > 0 && keys.every(isGroup)
}
