import { contentWords, isName } from './content-words.ts'
import { newestRule, rulesSharing } from './rule-index.ts'
import { ownText } from '../own-text.ts'
import type { Said } from './own-word.ts'
import type { RuleFact } from '../facts.ts'
import type { Seq } from '../../log/entry.ts'

/** The label before words of the human that may change the rule above them. */
export const laterLabel = 'Later, on this:'

/** The label before words that may change some rule and do not say which. */
export const looseLabel = 'Later, perhaps on a rule here:'

/** More than this is recognised by its beginning, in characters. */
const longestQuoted = 160

/** A rule no longer holds: the words that say so are shown with it, so that a reader can judge them. */
export function withdraw(rule: RuleFact, words: string, seq: Seq): void {
  rule.retractedBy = seq
  addLater(rule, words, seq)
}

/** A rule is followed by no more of them. */
const mostLater = 2
/** Longer sentences speak of more than a rule. */
const longestLater = 160
/** … and without a word that allows or relieves, so do these. */
const longestPlain = 80

/**
 * Notes with a rule what the human said later of the same thing, in whatever language: code cannot
 * tell whether it changes the rule. Of words that allow or relieve, one in common is enough.
 */
export function noteLater(
  rules: readonly RuleFact[],
  { text, lower, mayTakeBack, seq }: Said & { mayTakeBack: boolean; seq: Seq },
): boolean {
  if (lower.length > (mayTakeBack ? longestLater : longestPlain)) return false
  let isNoted = false
  const said = contentWords(lower)
  for (const { rule, words } of rulesSharing(rules, said, contentWords)) {
    if (rule.seq === seq || !(mayTakeBack || isAbout(said, words) || sharesUnit(lower, rule.text)))
      continue
    addLater(rule, text, seq)
    isNoted = true
  }
  return isNoted || (mayTakeBack && noteReopened(rules, { text, said, seq }))
}

/** Later words about a rule that was taken back are shown with it: it may hold again. */
function noteReopened(
  rules: readonly RuleFact[],
  { text, said, seq }: { text: string; said: ReadonlySet<string>; seq: Seq },
): boolean {
  const rule = rules.findLast(
    (one) =>
      one.retractedBy !== undefined &&
      one.retractedBy !== seq &&
      [...contentWords(one.text)].some((word) => said.has(word)),
  )
  if (rule) addLater(rule, text, seq)
  return rule !== undefined
}

/** Notes with the newest rule a change that does not say which rule it is of. */
export function noteLoose(rules: readonly RuleFact[], { text, lower }: Said, seq: Seq): void {
  const rule = newestRule(rules)
  if (!rule || rule.seq === seq || lower.length > longestLater) return
  addLater(rule, text, seq, true)
}

/** It names what the rule names, or holds half of what the rule says. */
function isAbout(said: ReadonlySet<string>, rule: ReadonlySet<string>): boolean {
  const shared = [...rule].filter((word) => said.has(word))
  return shared.some((word) => isName.test(word)) || shared.length >= rule.size / 2
}

/** “Make that 60 lines” after “under 40 lines”. */
function sharesUnit(lower: string, rule: string): boolean {
  const units = lower.match(/(?<=\d )\p{L}{3,}/gu) ?? []
  return units.some((unit) => new RegExp(`\\d ${unit}`, 'iu').test(rule))
}

/** Of a rule with several demands, these words change one: the others still hold. */
export function addLater(rule: RuleFact, words: string, seq: Seq, loose?: true): void {
  const later = (rule.later ??= [])
  const text = quotable(words)
  if (later.some((one) => one.text === text)) return
  later.push({ text, seq, ...(loose && { loose }) })
  if (later.length > mostLater) later.shift()
}

function quotable(words: string): string {
  const line = words.replace(/\s+/g, ' ').replaceAll('”', '"').trim()
  const cut = line.length <= longestQuoted ? line : `${line.slice(0, longestQuoted)}…`
  return ownText(cut.toWellFormed())
}
