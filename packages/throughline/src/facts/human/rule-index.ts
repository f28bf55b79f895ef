import type { RuleFact } from '../facts.ts'

/** The rules of a session by what they say, so that a sentence is compared with few of them. */
interface RuleIndex {
  /** How many rules it knows. */
  size: number
  byText: Map<string, RuleFact>
  /** The rules in force by each word that they contain. */
  byWord: Map<string, IndexedRule[]>
  /** How many rules' words it knows. */
  worded: number
  /** Rules, oldest first; those at the end that are withdrawn have been removed. */
  standing: RuleFact[]
}

interface IndexedRule {
  rule: RuleFact
  words: ReadonlySet<string>
  at: number
}

const indexes = new WeakMap<readonly RuleFact[], RuleIndex>()

/** The content words of a rule's text. */
export type WordsOf = (text: string) => ReadonlySet<string>

/** The rule in force that says the same. */
export function sameRule(rules: readonly RuleFact[], text: string): RuleFact | undefined {
  const rule = indexOf(rules).byText.get(plain(text))
  return rule?.retractedBy === undefined ? rule : undefined
}

/** The newest rule in force. */
export function newestRule(rules: readonly RuleFact[]): RuleFact | undefined {
  const { standing } = indexOf(rules)
  while (standing.at(-1)?.retractedBy !== undefined) standing.pop()
  return standing.at(-1)
}

/** More rules with the same word are too many for a sentence to mean one of the oldest. */
const MOST_COMPARED = 50

/** The rules in force that share a word with a sentence, oldest first; of each word the newest. */
export function rulesSharing(
  rules: readonly RuleFact[],
  said: ReadonlySet<string>,
  wordsOf: WordsOf,
): { rule: RuleFact; words: ReadonlySet<string> }[] {
  const index = indexOf(rules)
  addWords(index, rules, wordsOf)
  const found = new Set<IndexedRule>()
  for (const word of said) for (const one of inForce(index, word)) found.add(one)
  return [...found].toSorted((one, other) => one.at - other.at)
}

function indexOf(rules: readonly RuleFact[]): RuleIndex {
  let index = indexes.get(rules)
  if (!index || index.size > rules.length) {
    index = { size: 0, byText: new Map(), byWord: new Map(), worded: 0, standing: [] }
    indexes.set(rules, index)
  }
  for (; index.size < rules.length; index.size++) {
    const rule = rules[index.size] as RuleFact
    index.byText.set(plain(rule.text), rule)
    index.standing.push(rule)
  }
  return index
}

/** Words are read only when a rule is withdrawn. */
function addWords(index: RuleIndex, rules: readonly RuleFact[], wordsOf: WordsOf): void {
  for (; index.worded < rules.length; index.worded++) {
    const rule = rules[index.worded] as RuleFact
    const indexed = { rule, words: wordsOf(rule.text), at: index.worded }
    for (const word of indexed.words) {
      const list = index.byWord.get(word)
      if (list) list.push(indexed)
      else index.byWord.set(word, [indexed])
    }
  }
}

/** The newest rules with a word. Withdrawn rules leave the list, so that they are not looked at again. */
function inForce({ byWord }: RuleIndex, word: string): readonly IndexedRule[] {
  const list = byWord.get(word) ?? []
  for (;;) {
    const newest = list.slice(-MOST_COMPARED)
    const standing = newest.filter(stands)
    if (standing.length === newest.length) return newest
    list.splice(-newest.length, newest.length, ...standing)
  }
}

function stands({ rule }: IndexedRule): boolean {
  return rule.retractedBy === undefined
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[\s.!,"'*_`]+/g, ' ')
    .trim()
}
