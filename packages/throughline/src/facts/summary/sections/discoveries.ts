import { errorsLabel } from '../../labels.ts'
import { noteError } from '../../error-facts.ts'
import { itemAt, readStatement, withoutRef } from '../../statements/note-statements.ts'
import { quotedLines } from '../human-lines.ts'
import { unresolvedErrors } from '../unresolved-errors.ts'
import { statementLines } from './statement-lines.ts'
import type { FactsState } from '../../fold-memory.ts'
import type { Seq } from '../../../log/entry.ts'
import { leastOfPart, type Part, type SummarySection } from './section.ts'

/** Errors that nothing shows to be solved. */
export const errors: Part = {
  turn: 8,
  write: ({ facts, room, worth, tokens }) =>
    unresolvedErrors(facts, { room, worth, tokens: Math.floor(tokens * 0.03) }),
}

/** Where the beginning of the session is known from a summary alone, that is its only record. */
const shareOfInherited = 0.4

/** What only the summary before knows. */
const earlier: Part = {
  turn: 9,
  write({ facts, room, tokens, want, earlier: write }) {
    const inherited = Math.max(Math.floor(tokens * shareOfInherited), leastOfPart)
    return write(Math.min(facts.inherited === undefined ? want(0.14) : inherited, room.left))
  },
}

/** What the human quoted, under its label. */
const quoted: Part = {
  turn: 10,
  write({ facts, room, want }) {
    const lines = room.takeFitting(quotedLines(facts), want(0.08))
    return lines.length > 1 ? lines : []
  },
}

const found: Part = { turn: 13, write: (writing) => statementLines(writing).discoveries }

export const discoveries = {
  heading: 'Discoveries',
  guide:
    'Technical facts that were learned: files and their purpose, functions and types and what they do, patterns and decisions in the code base, versions, configuration, errors that are not solved yet.',
  otherNames: `
    discovery, findings, key findings, discovered, technical facts, what was learned, key
    discoveries, learnings, technical discoveries, facts, key technical concepts, khám phá,
    phát hiện, những phát hiện, các phát hiện, 发现, 發現, 発見, 発見事項, 判明したこと, 발견, 발견 사항, 발견사항,
    발견한 내용, открытия, находки, выводы, обнаружено, что обнаружено, descubrimientos,
    hallazgos, erkenntnisse, entdeckungen, befunde, découvertes, constats, constatations,
    scoperte, risultati dell'analisi, odkrycia, ustalenia, bevindingen, ontdekkingen, bulgular,
    keşifler, الاكتشافات, اكتشافات, النتائج, खोजें, खोज, निष्कर्ष, знахідки, відкриття, висновки,
    temuan, penemuan, descobertas, achados, upptäckter, zjištění, สิ่งที่ค้นพบ
  `,
  partNames: `
    errors and fixes, errors, problem solving, problem resolution, key decisions, decisions,
    decisions made, technical decisions, design decisions, key knowledge, critical data,
    critical context, important context, key technical details, technical details,
    technical context, technical foundation, codebase status, environment, open questions,
    known issues, gotchas, lessons learned, 关键决策, 決定事項, 主な決定, 주요 결정, quyết định
  `,
  parts: [earlier, quoted, found, errors],
  read: { own: readDiscoveries },
  cutAs: 2,
  givesReasons: true,
  isLasting: true,
} as const satisfies SummarySection

const olderErrorsLabel = 'Errors not seen to be solved:'

/** What an earlier summary's block quotes is carried with the summary itself. */
function readDiscoveries(facts: FactsState, body: string, seq: Seq): void {
  const lines = body.split('\n')
  let errors = false
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (line === errorsLabel || line === olderErrorsLabel) errors = true
    if (!line.startsWith('- ')) continue
    const item = itemAt(lines, at)
    at = item.last
    if (errors) noteError(facts, withoutRef(item.text), { owner: '' }, seq)
    else readStatement(facts, item.text, { seq, source: 'answer' })
  }
}
