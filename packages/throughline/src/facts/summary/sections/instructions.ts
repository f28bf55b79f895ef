import { modelsLabel, rulesHeading } from '../../labels.ts'
import { laterLabel, looseLabel } from '../../human/withdraw.ts'
import { refMark, withoutRef } from '../../statements/note-statements.ts'
import { ruleLines } from '../human-lines.ts'
import { addRule } from '../read-lines.ts'
import type { LaterWords } from '../../facts.ts'
import type { FactsState } from '../../fold-memory.ts'
import type { Seq } from '../../../log/entry.ts'
import type { Part, SummarySection } from './section.ts'

/** The human's standing rules, word for word. */
export const rules: Part = {
  turn: 1,
  write({ facts, room, count, standing = room.left }) {
    return room.take(ruleLines(facts, { tokens: Math.min(standing, room.left), count }))
  },
}

export const instructions = {
  heading: rulesHeading,
  guide:
    'A list of the rules, constraints and preferences that the user has stated: style, naming, forbidden approaches. In the user’s words, in quotation marks; then what files such as AGENTS.md demand, named as theirs.',
  otherNames: `
    instruction, rules, constraints, constraints and preferences, user instructions,
    constraints & preferences, rules and constraints, preferences, user preferences, chỉ
    dẫn, hướng dẫn, chỉ thị, yêu cầu, quy tắc, 指令, 指示, 说明, 說明, 规则, 要求, 規則, 手順, ルール, 지침, 지시,
    지시사항, 지시 사항, 규칙, инструкции, указания, правила, instrucciones, reglas, anweisungen,
    anleitung, vorgaben, regeln, consignes, règles, directives,
    istruzioni, regole, instrukcje, zasady, wytyczne, instructies, regels, richtlijnen,
    talimatlar, kurallar, التعليمات, تعليمات, القواعد, निर्देश, नियम, інструкції, вказівки,
    instruksi, aturan, petunjuk, instruções, regras, instruktioner, regler, pokyny, คำสั่ง,
    คำแนะนำ
  `,
  partNames: `
    all user messages, user messages, active constraints, constraints / user preferences,
    important context constraints or user preferences, style, guardrails
  `,
  parts: [rules],
  read: { any: readRules },
  cutAs: 4,
} as const satisfies SummarySection

/** Rules, which a summary holds word for word, some over several lines. */
function readRules(facts: FactsState, body: string, seq: Seq): void {
  for (const line of ruleLinesIn(body)) {
    const later = [...line.matchAll(laterLines)].map(([, label, text = '']): LaterWords => ({
      text,
      seq,
      ...(label === looseLabel && { loose: true }),
    }))
    const text = withoutRef(line.replace(laterLines, ''))
    const takenBack = /^Taken back(?: \[[^\]\n]{1,40}\])?: ([^]*)$/.exec(text)?.[1]
    addRule(facts, {
      text: takenBack ?? text,
      seq,
      ...(takenBack !== undefined && { retractedBy: seq }),
      ...(later.length > 0 && { later }),
    })
  }
}

const laterLines = new RegExp(
  `\n(${laterLabel}|${looseLabel}) “([^”\n]*)”(?:${refMark})?(?=\n|$)`,
  'g',
)

/** The lines in which code states rules: all before the label of what a model wrote. */
function ruleLinesIn(body: string): string[] {
  const rules: string[] = []
  for (const line of body.split('\n')) {
    if (line === modelsLabel) break
    if (line.startsWith('- ')) rules.push(line.slice(2))
    else if (line.startsWith('  ') && rules.length > 0)
      rules.push(`${rules.pop()}\n${line.slice(2)}`)
  }
  return rules
}
