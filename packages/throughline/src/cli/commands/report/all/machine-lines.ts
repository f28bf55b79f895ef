import { sanitizeLine } from '../../../../log/sanitize.ts'
import {
  compactionsOf,
  groupsOf,
  nearTheirLimit,
  projectOf,
  rulesByProject,
  tokensOf,
  type MachineReport,
  type SessionGroup,
} from '../../../../report/machine.ts'
import { formatTokens } from '../../../../tokens/windows.ts'
import { counted, dollarText, percent, whenText } from '../../../terminal/numbers.ts'
import {
  factLines,
  fieldTable,
  indentedText,
  section,
  type Fact,
  type Field,
} from '../../../terminal/table.ts'
import type { Screen } from '../../../terminal/colour.ts'

const most = 10

/** What is said about all sessions in a terminal. */
export function machineLines(machine: MachineReport, screen: Screen): string[] {
  const { sessions } = machine
  return [
    ...machineHeadLines(machine, screen),
    ...section(screen, 'By project', groupLines(groupsOf(sessions, projectOf), screen)),
    ...section(
      screen,
      'By client',
      groupLines(
        groupsOf(sessions, ({ client }) => client),
        screen,
      ),
    ),
    ...section(
      screen,
      'By model',
      groupLines(
        groupsOf(sessions, ({ model }) => model ?? 'no model recorded'),
        screen,
      ),
    ),
    ...section(screen, 'Near their limit', limitLines(machine, screen)),
    ...section(screen, 'The newest compactions', compactionLines(machine, screen)),
    ...section(screen, 'Your rules in force', ruleLines(machine, screen)),
  ]
}

/** The answers in a few lines. */
export function machineHeadLines(
  { sessions, unreadable }: MachineReport,
  { width, paint }: Screen,
): string[] {
  const dollars = sessions.reduce((sum, session) => sum + (session.dollars ?? 0), 0)
  const tokens = sessions.reduce((sum, session) => sum + tokensOf(session), 0)
  const unpriced = sessions.reduce((sum, session) => sum + session.unpriced, 0)
  const compactions = compactionsOf(sessions)
  const lost = compactions.filter(({ rules }) => rules.length > 0).length
  const facts: Fact[] = [
    ['sessions', counted(sessions.length, 'session')],
    [
      'cost',
      `${dollarText(dollars)} for ${formatTokens(tokens)} tokens${unpriced > 0 ? `; ${counted(unpriced, 'request')} without a known price` : ''}`,
    ],
    [
      'compacted',
      `${counted(compactions.length, 'compaction')}; ${lost} of them forgot a rule of yours`,
    ],
    ['full', `${counted(nearTheirLimit(sessions).length, 'session')} near the limit`],
    [
      'unread',
      unreadable.length > 0 ? `${counted(unreadable.length, 'file')} could not be read` : undefined,
    ],
  ]
  return factLines(facts, { width, paint })
}

function groupLines(groups: readonly SessionGroup[], { width }: Screen): string[] {
  const fields: Field<SessionGroup>[] = [
    { heading: 'cost', side: 'right', cell: ({ dollars }) => dollarText(dollars) },
    { heading: 'tokens', side: 'right', cell: ({ tokens }) => formatTokens(tokens) },
    { heading: 'sessions', side: 'right', cell: ({ sessions }) => String(sessions) },
    { heading: '', clip: 'start', cell: ({ name }) => sanitizeLine(name) },
  ]
  return [
    ...fieldTable(fields, groups.slice(0, most), width),
    ...(groups.length > most ? [`… and ${groups.length - most} more`] : []),
  ]
}

function limitLines({ sessions }: MachineReport, { width }: Screen): string[] {
  const fields: Field<MachineReport['sessions'][number]>[] = [
    { cell: ({ tokens, usable }) => percent(tokens, usable), side: 'right' },
    { cell: ({ name }) => name },
    { cell: ({ title }) => sanitizeLine(title ?? ''), clip: 'end' },
  ]
  return fieldTable(fields, nearTheirLimit(sessions).slice(0, most), width)
}

function compactionLines({ sessions, made }: MachineReport, { width }: Screen): string[] {
  const fields: Field<ReturnType<typeof compactionsOf>[number]>[] = [
    { cell: ({ at }) => whenText(at, made) },
    { cell: ({ before, after }) => `${formatTokens(before)} → ${formatTokens(after)}` },
    { cell: ({ by }) => sanitizeLine(by), clip: 'end' },
    { cell: ({ rules, changed, others }) => lostText(rules.length, changed.length, others) },
    { cell: ({ session }) => session.name, clip: 'end' },
  ]
  return fieldTable(fields, compactionsOf(sessions).slice(0, most), width)
}

function lostText(rules: number, changed: number, others: number): string {
  const parts = [
    rules > 0 && counted(rules, 'rule'),
    changed > 0 && counted(changed, 'changed file'),
    others > 0 && counted(others, 'other'),
  ].filter((part) => part !== false)
  return parts.length === 0 ? 'forgot nothing by name' : `forgot ${parts.join(', ')}`
}

function ruleLines({ sessions }: MachineReport, { width, paint }: Screen): string[] {
  return rulesByProject(sessions)
    .slice(0, most)
    .flatMap(({ project, rules }) => [
      paint('dim', sanitizeLine(project)),
      ...rules
        .slice(0, most)
        .flatMap(({ text }) => indentedText(`– ${sanitizeLine(text)}`, { width, indent: 2 })),
    ])
}
