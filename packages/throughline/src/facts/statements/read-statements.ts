import { announcedIn, isOffer, isWeighty, muses } from './says-little.ts'
import { Vocabulary } from './terms.ts'
import { FENCE, unitsOf, type Unit } from './units.ts'
import type { StatementFact, StatementSource } from '../facts.ts'
import type { CountTokens } from '../../tokens/message-tokens.ts'

/** What the words of a unit say about it. */
export interface ReadUnit extends Unit {
  kind: 'silent' | 'musing' | 'doing' | 'offer' | 'code' | undefined
  refrain: string | undefined
  /** What is to be done, or is done: it is an item of a list of tasks. */
  task: string | undefined
}

/** The units of a statement, with what depends on who counts and on what else was said. */
export interface ReadStatement {
  units: readonly ReadUnit[]
  tokens: readonly number[]
  terms: readonly (readonly number[])[]
  /** When a summary may tell anything of it: what was only being done, if that changed something. */
  tells: 'always' | 'if it worked' | 'never'
  /** Its terms are among those that are shared. */
  isShared: boolean
  /** What its label costs, which names a file from this root. */
  frame?: { root: string; tokens: number }
}

interface Read {
  counter: CountTokens
  vocabulary: Vocabulary
  statements: ReadStatement[]
  /** In how many of the statements that hold now each term stands. */
  shared: number[]
}

const known = new WeakMap<readonly StatementFact[], Read>()

/**
 * Reads the statements of a session, each once. Calling this while a session grows spares its
 * compactions the reading.
 * @param most how many more are read.
 */
export function readStatements(
  statements: readonly StatementFact[],
  counter: CountTokens,
  most = Infinity,
): Read {
  let read = known.get(statements)
  if (read?.counter !== counter) {
    read = { counter, vocabulary: new Vocabulary(), statements: [], shared: [] }
    known.set(statements, read)
  }
  const { vocabulary, shared } = read
  const end = Math.min(statements.length, read.statements.length + most)
  while (read.statements.length < end) {
    const units = unitsIn(statements[read.statements.length] as StatementFact)
    let line = -1
    // A caller's counter may throw: nothing is half read.
    const tokens = units.map((unit): number => {
      const joins = unit.line === line
      line = unit.line
      return counter(joins ? `${unit.text}\n` : `  ${unit.text}\n`)
    })
    const terms = units.map(({ text }) => vocabulary.read(text))
    const statement = { units, tokens, terms, tells: tellsOf(units), isShared: false }
    share(statement, true, shared)
    read.statements.push(statement)
  }
  return read
}

function tellsOf(units: readonly ReadUnit[]): ReadStatement['tells'] {
  // A task that says nothing still takes the place of an older one.
  const isTold = ({ kind, task }: ReadUnit): boolean =>
    task !== undefined || kind === undefined || kind === 'offer' || kind === 'code'
  if (units.some(isTold)) return 'always'
  return units.some(({ kind }) => kind === 'doing') ? 'if it worked' : 'never'
}

/** Adds the terms of a statement to those that are shared, or takes them away, as it holds or not. */
export function share(statement: ReadStatement, holds: boolean, shared: number[]): void {
  if (statement.isShared === holds) return
  statement.isShared = holds
  for (const term of new Set(statement.terms.flat())) {
    shared[term] = (shared[term] ?? 0) + (holds ? 1 : -1)
  }
}

const units = new WeakMap<StatementFact, readonly ReadUnit[]>()

/** The units of a statement, read once, whoever asks first. */
function unitsIn(fact: StatementFact): readonly ReadUnit[] {
  const known = units.get(fact)
  if (known) return known
  const read = unitsOf(fact.text).map((unit): ReadUnit => ({
    ...unit,
    kind: unit.isLead ? 'silent' : kindOf(unit.text, fact.source),
    refrain: unit.isLead ? undefined : refrainOf(unit.text, fact.source),
    task: TASK.test(unit.text) ? unit.text.replace(TASK, '') : undefined,
  }))
  units.set(fact, read)
  return read
}

/** `- [ ] Write the parser`, open or done: where it stands again, only the newest says what holds. */
const TASK = /^\s{0,12}(?:[-*+] |\d{1,3}[.)] )?\[[ xX]\] /

function kindOf(text: string, source: StatementSource): ReadUnit['kind'] {
  const isMusing = source === 'thought' && muses(text)
  const announced = announcedIn(text)
  if (announced !== undefined) return announced === 'doing' && !isMusing ? announced : 'silent'
  if (isMusing) return 'musing'
  if (FENCE.test(text)) return 'code'
  return (source === 'answer' || source === 'remark') && isOffer(text) ? 'offer' : undefined
}

/** Whether no summary tells anything of a statement: it only announces what is done next. */
export function saysNothing(fact: StatementFact): boolean {
  return unitsIn(fact).every(({ kind }) => kind === 'silent' || kind === 'doing')
}

const NAME = /`[^`]*`|\S*[\p{N}_/\\]\S*|\S+[.:]\w\S*|\S*\p{Ll}\p{Lu}\S*/gu

/** A short sentence without its one name or number, which alone may differ when it is said again. */
function refrainOf(text: string, source: StatementSource): string | undefined {
  const isSaid = source === 'answer' || source === 'remark' || source === 'thought'
  if (!isSaid || isWeighty(text)) return undefined
  const [before = '', after, ...more] = text.split(NAME)
  if (after === undefined || more.length > 0) return undefined
  return /\p{L}{2}/u.test(before + after) ? `${before}#${after}` : undefined
}
