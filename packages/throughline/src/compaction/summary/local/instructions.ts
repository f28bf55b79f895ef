import { clipEnd } from './clip-words.ts'
import type { RuleFact } from '../../../facts/facts.ts'
import type { Facts } from './request.ts'
import type { Room } from './room.ts'

/** The human's standing rules, word for word; withdrawn rules are listed as such. */
export function instructions(index: Facts, room: Room): readonly string[] {
  const { standing, retracted } = rulesOf(index)
  const inForce = standing.map(ruleLine)
  for (const lines of [[...inForce, ...retracted.map(retractedLine)], inForce]) {
    const cost = lines.reduce((sum, line) => sum + room.cost(line), 0)
    if (cost <= room.left) return room.take(lines)
  }
  return clippedRules(standing, room)
}

function rulesOf(index: Facts): { standing: RuleFact[]; retracted: RuleFact[] } {
  return {
    standing: index.rules.filter(({ retractedBy }) => retractedBy === undefined),
    retracted: index.rules.filter(({ retractedBy }) => retractedBy !== undefined),
  }
}

function ruleLine({ text, seq }: RuleFact): string {
  return `- ${asText(text)} [${seq}]`
}

function retractedLine({ text, seq, retractedBy }: RuleFact): string {
  return `- Taken back [${retractedBy}]: ${asText(text)} [${seq}]`
}

/** Used only if not even the rules fit: each keeps its beginning and its ref. */
function clippedRules(rules: readonly RuleFact[], room: Room): string[] {
  const each = Math.max(Math.floor(room.left / Math.max(rules.length, 1)) - 8, 4)
  const lines = rules.map(({ text, seq }) => {
    return `- ${asText(clipEnd(text, room.characters(text, each)))} [${seq}]`
  })
  return room.takeFitting(lines.toReversed(), room.left).toReversed()
}

/** A rule of several lines keeps them; no line can be mistaken for a heading or a fence. */
function asText(text: string): string {
  return text.trim().replace(/\n(?=#|\*\*|```)/g, '\n  ')
}
