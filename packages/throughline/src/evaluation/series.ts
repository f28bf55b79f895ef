import { chronological, type Chronological } from '../log/order.ts'
import { mean } from './forward-need.ts'
import { keptText, type Compacted, type Compactor } from './throughline-compactor.ts'
import { namesOf } from './words.ts'
import { messageText } from '../log/message.ts'
import type { Entry } from '../log/entry.ts'
import type { MeasuredSession } from './measured-session.ts'

/** The rounds after which a series is measured. */
const roundsLookedAt = [1, 5, 20] as const

/** One of many compactions in a row. */
export interface Round {
  compacted: Compacted
  /** Everything that had been said by then. */
  heard: readonly Entry[]
}

/** The share of the session that precedes the first compaction. */
const before = 1 / 4

/**
 * Compacts a session again and again while it continues: first after a quarter of it, then after
 * equal portions of the rest. Each compaction builds on the previous one.
 */
export async function compactAgainAndAgain(
  compactor: Compactor,
  session: MeasuredSession,
  { keep, rounds }: { keep: number; rounds: number },
): Promise<Round[]> {
  const messages = session.log.filter(({ kind }) => kind === 'message')
  const all: Round[] = []
  let log = chronological([])
  let taken = 0
  for (let round = 0; round < rounds; round++) {
    const share = before + (1 - before) * (round / Math.max(rounds - 1, 1))
    const upTo = Math.max(Math.floor(messages.length * share), taken)
    log = append(log, messages.slice(taken, upTo))
    taken = upTo
    const compacted = await compactor.compact({ log, keep, directories: session.directories })
    all.push({ compacted, heard: messages.slice(0, taken) })
    log = compacted.log
  }
  return all
}

/** The entries with the seqs that follow those of the log. */
function append(log: Chronological, entries: readonly Entry[]): Chronological {
  const newest = log.at(-1)?.seq ?? 0
  return chronological([
    ...log,
    ...entries.map((entry, index) => ({ ...entry, seq: newest + index + 1 })),
  ])
}

/**
 * Of the facts kept after the first compaction: the share still kept after a later one, while the
 * session continues. A fact is a path or an identifier: something that can be checked without a
 * model. Facts may rightly fade as the work moves on, so read this together with forward need,
 * which says whether the needed ones were kept.
 */
export function stillHeld(
  first: Compacted,
  later: Compacted,
  directories: readonly string[],
): number {
  const facts = namesOf(keptText(first), directories)
  if (facts.size === 0) return 1
  const kept = namesOf(keptText(later), directories)
  return [...facts].filter((fact) => kept.has(fact)).length / facts.size
}

/** Standing rules as people write them, in eight languages. */
export const plantedRules = [
  'Never push to main.',
  'Always use pnpm, not npm.',
  'Trả lời bằng tiếng Việt.',
  'Không bao giờ xóa tệp migration cũ.',
  'Benutze immer UTC für Zeitstempel.',
  'Ändere niemals die öffentliche API.',
  'main 브랜치에 절대 푸시하지 마세요.',
  '커밋하기 전에 항상 테스트를 실행하세요.',
  'Nunca hagas commit sin ejecutar las pruebas.',
  'Usa siempre rutas relativas en los imports.',
  '必ずテストを実行してからコミットしてください。',
  '絶対に本番データベースに接続しないでください。',
  '永远不要修改 vendor 目录。',
  '所有提交信息必须用英文书写。',
  'Никогда не используй any в TypeScript.',
  'Всегда пиши комментарии на русском.',
]

interface Planted {
  session: MeasuredSession
  rules: readonly string[]
}

/**
 * The session with rules said by its human at known turns of its first quarter: alternately in a
 * separate message, or as the last line of a message that the human sent anyway.
 */
export function plantRules(
  session: MeasuredSession,
  rules: readonly string[] = plantedRules,
): Planted {
  const messages = session.log.filter(({ kind }) => kind === 'message')
  const turns = messages.slice(0, Math.floor(messages.length / 4)).filter(isHuman)
  const places = turns.length === 0 ? messages.slice(0, 1) : turns
  const planted = messages.flatMap((entry) => {
    const here = rules.filter((_, rule) => places[rule % places.length] === entry)
    const added = here.filter((rule) => rules.indexOf(rule) % 2 === 0)
    const own = here.filter((rule) => rules.indexOf(rule) % 2 === 1)
    return [withLines(entry, added), ...own.map((rule) => humanMessage(rule, entry.at))]
  })
  return { session: { ...session, log: renumbered(planted) }, rules }
}

function withLines(entry: Entry, lines: readonly string[]): Entry {
  if (entry.kind !== 'message' || entry.message.role !== 'user' || lines.length === 0) return entry
  const { content } = entry.message
  const added = lines.join('\n')
  const longer =
    typeof content === 'string'
      ? `${content}\n\n${added}`
      : [...content, { type: 'text' as const, text: added }]
  return { ...entry, message: { ...entry.message, content: longer } }
}

/** The rules that have been said by then. */
export function rulesSaid(rules: readonly string[], heard: readonly Entry[]): string[] {
  const said = heard
    .filter(isHuman)
    .map((entry) => (entry.kind === 'message' ? messageText(entry.message) : ''))
    .join('\n')
  return rules.filter((rule) => said.includes(rule))
}

/** The share of the rules that is word for word in what is kept. */
export function rulesHeld(rules: readonly string[], compacted: Compacted): number {
  const kept = keptText(compacted)
  return rules.filter((rule) => kept.includes(rule)).length / rules.length
}

function isHuman(entry: Entry): boolean {
  return entry.kind === 'message' && entry.origin === 'human' && entry.message.role === 'user'
}

function humanMessage(content: string, at: number): Entry {
  return { kind: 'message', seq: 0, at, origin: 'human', message: { role: 'user', content } }
}

function renumbered(entries: readonly Entry[]): Chronological {
  return chronological(entries.map((entry, index) => ({ ...entry, seq: index + 1 })))
}

/** The results of a compactor that compacted the same sessions again and again. */
export interface SeriesResult {
  compactor: string
  keep: number
  /** Per number of compactions in a row: rules word for word, first facts still held. */
  after: { rounds: number; rules: number; drift: number }[]
}

/** Measures what rules and first facts survive 1, 5 and 20 compactions in a row, each within `keep` tokens. */
export async function measureSeries(
  compactor: Compactor,
  sessions: readonly MeasuredSession[],
  keep: number,
): Promise<SeriesResult> {
  const rows: { rounds: number; rules: number; drift: number }[] = []
  for (const session of sessions) {
    const planted = plantRules(session)
    const rounds = Math.max(...roundsLookedAt)
    const all = await compactAgainAndAgain(compactor, planted.session, { keep, rounds })
    for (const rounds of roundsLookedAt) {
      const { compacted, heard } = all[rounds - 1] as Round
      const drift = stillHeld((all[0] as Round).compacted, compacted, session.directories)
      rows.push({ rounds, rules: rulesHeld(rulesSaid(planted.rules, heard), compacted), drift })
    }
  }
  const after = roundsLookedAt.map((rounds) => {
    const own = rows.filter((row) => row.rounds === rounds)
    return {
      rounds,
      rules: mean(own.map(({ rules }) => rules)),
      drift: mean(own.map(({ drift }) => drift)),
    }
  })
  return { compactor: compactor.name, keep, after }
}
