import { messageText } from '../log/message.ts'
import { chronological } from '../log/order.ts'
import type { Entry } from '../log/entry.ts'
import type { Chronological } from '../log/order.ts'
import { keptText, type Compacted } from './throughline-compactor.ts'
import type { MeasuredSession } from './measured-session.ts'

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

export interface Planted {
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
