import { statesFinding } from './finding-cues.ts'
import { sentencesOf } from './human/sentences.ts'
import type { FactsState } from './fold-memory.ts'
import type { Seq } from '../log/entry.ts'

/** From a closing text, its first paragraphs; from a text along the way, single sentences. */
const LONGEST_CONCLUSION = 700
const LONGEST_FINDING = 320
const SHORTEST_FINDING = 24
const MOST_FINDINGS = 2
const JUST_SAID = 8
/** Texts that harnesses attribute to the assistant. */
const SAYS_NOTHING =
  /^(?:No response requested\.?|\(no content\)|Done\.?|API Error.*|\[Request interrupted.*)$/

/**
 * Notes the assistant's conclusions. A text without calls ends its turn and counts as a conclusion
 * unless the turn continues after all. In texts before calls, only sentences that state a finding,
 * a decision or a result count.
 */
export function noteConclusions(facts: FactsState, text: string, seq: Seq, ends: boolean): void {
  const findings = findingsIn(text)
  if (ends) {
    const closing = firstParagraphs(text)
    if (closing === '' || SAYS_NOTHING.test(closing)) return
    facts.conclusions.push({ text: closing, seq, final: true })
    facts.memory.provisional = findings
    return
  }
  for (const finding of findings) addFinding(facts, finding, seq)
}

/** The turn continued: its newest text didn't close it, so only its findings stay. */
export function continueTurn(facts: FactsState): void {
  const findings = facts.memory.provisional
  if (findings === undefined) return
  facts.memory.provisional = undefined
  const closing = facts.conclusions.pop()
  if (closing === undefined) return
  for (const text of findings) addFinding(facts, text, closing.seq)
}

/** Something that was just said is not repeated. */
function addFinding(facts: FactsState, text: string, seq: Seq): void {
  if (facts.conclusions.slice(-JUST_SAID).every((said) => said.text !== text)) {
    facts.conclusions.push({ text, seq })
  }
}

/** The human answered, so the text that closed the turn stays. */
export function endTurn(facts: FactsState): void {
  facts.memory.provisional = undefined
}

function findingsIn(text: string): string[] {
  const found: string[] = []
  for (const sentence of sentencesOf(text)) {
    if (found.length >= MOST_FINDINGS) break
    const { length } = sentence.text
    if (sentence.question || length < SHORTEST_FINDING || length > LONGEST_FINDING) continue
    if (statesFinding(sentence.text)) found.push(sentence.text)
  }
  return found
}

/** Whole paragraphs from the start, without code and tables, as many as are short enough. */
function firstParagraphs(text: string): string {
  const kept: string[] = []
  let size = 0
  let fenced = false
  for (const line of text.slice(0, 8 * LONGEST_CONCLUSION).split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) fenced = !fenced
    else if (!fenced && !/^\s*\|/.test(line)) {
      if (size > 0 && size + line.length > LONGEST_CONCLUSION) break
      if (line.trim() === '' && kept.at(-1) === '') continue
      kept.push(
        line.length > LONGEST_CONCLUSION
          ? `${line.slice(0, LONGEST_CONCLUSION - 1)}…`
          : line.trimEnd(),
      )
      size += line.length + 1
    }
  }
  return kept.join('\n').trim()
}
