import { givesReason } from '../../../../facts/statements/announced.ts'
import { isSpace } from '../../../../facts/statements/prose.ts'
import { noSign, signOf } from '../beside.ts'
import { Vocabulary } from './terms.ts'
import { unitsOf } from '../../../../facts/statements/units.ts'
import { isTask, taskIn, traitsOf } from './weigh.ts'
import type { Unit } from '../../../../facts/statements/units.ts'
import type { CountTokens } from '../../../../tokens/message-tokens.ts'
import type { StatementFact } from '../../../../facts/facts.ts'

/** A list of numbers that only grows, in as little memory as they need. */
class Numbers {
  #all = new Float64Array(16)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** The number at a position; 0 where there is none. */
  at(position: number): number {
    return position < this.#length ? (this.#all[position] ?? 0) : 0
  }

  push(value: number): void {
    if (this.#length === this.#all.length) {
      const larger = new Float64Array(this.#length * 2)
      larger.set(this.#all)
      this.#all = larger
    }
    this.#all[this.#length++] = value
  }
}

/**
 * The statements of a session as what a summary chooses by: units with their sizes, and terms as
 * numbers. Each statement is read once, when it is new, and takes a few numbers of memory.
 */
export interface ReadStatements {
  /** How many statements have been read. */
  count: number
  /** The unit that follows a statement's last one, by the statement's position. */
  ends: Numbers
  /** What stands before a statement that needs no label, in tokens. */
  frames: Numbers
  /** What a statement's beginning is known by, as `signOf` tells. */
  signs: Numbers
  /** Of each unit: its tokens, its traits, and where its terms end in `terms`. */
  tokens: Numbers
  traits: Numbers
  termEnds: Numbers
  terms: Numbers
  /** What it says, as a number: units that say the same have the same. */
  says: Numbers
  /** What it says but for its one name, of a task or a short sentence of the agent; else 0. */
  series: Numbers
  /** The leads of units that have some, by their positions in the statement. */
  leads: Map<number, readonly number[]>
  /** Every term, by its number. */
  vocabulary: Vocabulary
}

/** A label that is empty is so whatever the facts say next. */
export function needsNoLabel({ source }: Pick<StatementFact, 'source'>): boolean {
  return source === 'answer' || source === 'remark' || source === 'thought'
}

const read = new WeakMap<
  readonly StatementFact[],
  { counter: CountTokens; statements: ReadStatements }
>()

/**
 * Reads on to the newest statement. The list only grows, and so does what is known of it: calling
 * this while a session grows spares its compactions the reading.
 */
export function readStatements(
  facts: readonly StatementFact[],
  counter: CountTokens,
  { upTo = facts.length, silent }: { upTo?: number; silent?: Uint8Array } = {},
): ReadStatements {
  let known = read.get(facts)
  if (known?.counter !== counter) read.set(facts, (known = { counter, statements: nothingRead() }))
  const { statements } = known
  while (statements.count < Math.min(upTo, facts.length)) {
    if (silent?.[statements.count] === 1) addSilent(statements)
    else add(statements, facts[statements.count] as StatementFact, counter)
  }
  return statements
}

function nothingRead(): ReadStatements {
  return {
    count: 0,
    ends: new Numbers(),
    frames: new Numbers(),
    signs: new Numbers(),
    tokens: new Numbers(),
    traits: new Numbers(),
    termEnds: new Numbers(),
    terms: new Numbers(),
    says: new Numbers(),
    series: new Numbers(),
    leads: new Map(),
    vocabulary: new Vocabulary(),
  }
}

function add(all: ReadStatements, fact: StatementFact, count: CountTokens): void {
  const units = unitsOf(fact.text)
  // A caller's counter may throw: nothing is half read.
  const tokens = units.map((unit) => costOf(unit, count))
  const frame = needsNoLabel(fact) ? frameOf(fact, '', count) : 0
  const take = (term: number): void => all.terms.push(term)
  for (const [at, unit] of units.entries()) {
    const isSpecific = !unit.isLead && all.vocabulary.read(unit.text, take)
    if (unit.leads.length > 0) all.leads.set(all.tokens.length, unit.leads)
    all.tokens.push(tokens[at] ?? 0)
    all.traits.push(traitsOf(unit, { isSpecific, source: fact.source }))
    const says = keyOf(isTask(unit.text) ? `task: ${taskIn(unit.text)}` : unit.text)
    all.says.push(says)
    all.series.push(isTask(unit.text) ? says : refrainOf(unit, fact))
    all.termEnds.push(all.terms.length)
  }
  all.ends.push(all.tokens.length)
  all.frames.push(frame)
  all.signs.push(signOf(beginningOf(fact.text)))
  all.count += 1
}

/** A longer sentence says more than how far the work is. In characters. */
const longestRefrain = 120

const named = /`[^`]*`|\S*[\p{N}_/\\]\S*|\S+[.:]\w\S*|\S*\p{Ll}\p{Lu}\S*/gu

/** “Next is src/a.ts.” and “Next is src/b.ts.” are one refrain: they differ by one name or number. */
function refrainOf({ text, isLead }: Unit, { source }: StatementFact): number {
  const mayRepeat = source === 'answer' || source === 'remark' || source === 'thought'
  if (!mayRepeat || isLead || text.length > longestRefrain || givesReason(text)) return 0
  const [before = '', after, ...more] = text.split(named)
  if (after === undefined || more.length > 0) return 0
  return /\p{L}{2}/u.test(before + after) ? keyOf(`${before}#${after}`) : 0
}

/** A statement that nobody asks for. */
function addSilent(all: ReadStatements): void {
  all.ends.push(all.tokens.length)
  all.frames.push(0)
  all.signs.push(noSign)
  all.count += 1
}

/** How much of a text to compare to see whether it appears next to the summary, maybe clipped. */
export function beginningOf(text: string): string {
  const newLine = text.slice(0, 80).indexOf('\n')
  return text.slice(0, newLine === -1 ? 80 : newLine)
}

/** What stands before a statement, in tokens. */
export function frameOf({ seq }: StatementFact, label: string, count: CountTokens): number {
  return count(`- [${seq}] ${label}\n`)
}

function costOf({ text, joins }: Unit, count: CountTokens): number {
  return count(joins ? `${text}\n` : `  ${text}\n`)
}

/** A number of 53 bits for what a text says, whatever its white space and a sign for what was cut. */
function keyOf(text: string): number {
  const end = text.endsWith('…') ? text.length - 1 : text.length
  let high = 0x811c9dc5
  let low = 0x1b873593
  let begun = false
  let gap = false
  for (let at = 0; at < end; at++) {
    const code = text.charCodeAt(at)
    if (isSpace(code)) {
      gap = true
      continue
    }
    if (gap && begun) {
      high = Math.imul(high ^ 32, 0x01000193)
      low = Math.imul(low ^ 32, 0x85ebca6b)
    }
    gap = false
    begun = true
    high = Math.imul(high ^ code, 0x01000193)
    low = Math.imul(low ^ code, 0x85ebca6b)
    low ^= low >>> 15
  }
  return ((high ^ (low >>> 7)) >>> 11) * 0x1_0000_0000 + (low >>> 0)
}
