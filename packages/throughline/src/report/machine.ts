import { kinds, type Forgotten, type KindTokens, type ReportModel } from './model.ts'

/**
 * What a page about all sessions of a machine shows of one: plain data, a few kilobytes, made once
 * from its report. Tokens are the model's, money is in US dollars, times are in milliseconds since
 * 1970.
 */
export interface SessionDigest {
  title?: string
  directory?: string
  model?: string
  from: number
  to: number
  requests: number
  /** How large the next request is. */
  tokens: number
  counted: boolean
  /** Its window as the session or its model has it, less the room for the answer. */
  usable: number
  /** Everything sent and answered. */
  sent: { input: number; cacheRead: number; cacheWrite: number; output: number }
  /** Null where no request has a known price. Summaries are included. */
  dollars: number | null
  /** Requests whose model has no known price. */
  unpriced: number
  /** What the input cost, by what it held; in tokens sent where no price is known. */
  kinds: KindTokens
  /** Dollars by day (UTC): `2026-01-31`. */
  days: Readonly<Record<string, number>>
  compactions: DigestedCompaction[]
  /** The human’s rules that are in force. */
  rules: { text: string; at: number }[]
}

export interface DigestedCompaction {
  at: number
  /** Who wrote the summary: `local`, a client, a model. */
  by: string
  before: number
  after: number
  /** The rules and changed files that were in the context before it and not after. */
  rules: string[]
  changed: string[]
  /** How many requests, files read, checks and errors it forgot. */
  others: number
}

export interface MachineSession extends SessionDigest {
  /** As commands accept it: `claude:f4237e82-…`. */
  name: string
  client: string
  /** When its file was last written. */
  written: number
}

/** Everything that the page about a machine shows. */
export interface MachineReport {
  version: 1
  made: number
  sessions: MachineSession[]
  /** Files that could not be read, with the reason. */
  unreadable: { file: string; reason: string }[]
}

const longestTitle = 160
const longestRule = 400
const mostNames = 12
const dayLength = 10

/** The part of a report that a page about many sessions shows. */
export function digestOf({ session, ...model }: ReportModel): SessionDigest {
  const { money, now, requests } = model
  const times = new Map(model.entries.map(({ seq, at }) => [seq, at]))
  const days: Record<string, number> = {}
  for (const [index, at] of requests.at.entries()) {
    const dollars = requests.dollars[index]
    if (typeof dollars !== 'number' || dollars === 0 || !isDate(at)) continue
    const day = new Date(at).toISOString().slice(0, dayLength)
    days[day] = (days[day] ?? 0) + dollars
  }
  return {
    ...(session.title !== undefined && { title: clipped(session.title, longestTitle) }),
    ...(session.directory !== undefined && { directory: session.directory }),
    ...(session.model !== undefined && { model: session.model }),
    from: session.from,
    to: session.to,
    requests: money.requests,
    tokens: now.tokens,
    counted: now.counted,
    usable: model.window.usable,
    sent: {
      input: money.input.tokens,
      cacheRead: money.cacheRead.tokens,
      cacheWrite: money.cacheWrite.tokens,
      output: money.output.tokens,
    },
    dollars: money.dollars === null ? null : money.dollars + money.summaries,
    unpriced: money.unpriced,
    kinds: money.kinds,
    days,
    compactions: model.compactions
      .filter(({ kind }) => kind === 'summary')
      .map(({ at, by, before, after, detail }) => ({
        at,
        by,
        before,
        after,
        ...forgottenOf(detail?.forgot),
      })),
    rules: model.standing.rules
      .filter(({ retractedBy }) => retractedBy === undefined)
      .map(({ text, seq }) => ({ text: clipped(text, longestRule), at: times.get(seq) ?? 0 })),
  }
}

function forgottenOf(
  forgot: Forgotten | undefined,
): Pick<DigestedCompaction, 'rules' | 'changed' | 'others'> {
  if (!forgot) return { rules: [], changed: [], others: 0 }
  const { rules, changed, requests, read, commands, errors } = forgot
  const names = (lost: Forgotten['rules']): string[] =>
    lost.slice(0, mostNames).map(({ name }) => clipped(name, longestRule))
  return {
    rules: names(rules),
    changed: names(changed),
    others: requests.length + read.length + commands.length + errors.length,
  }
}

// The last day that a date can have.
const latest = 8.64e15

function isDate(at: number): boolean {
  return at > 0 && at <= latest
}

function clipped(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).toWellFormed()}…` : text
}

/** Sessions that have something in common, and what they used together. */
export interface SessionGroup {
  name: string
  sessions: number
  dollars: number
  /** Sent and answered. */
  tokens: number
}

/** Sessions by project, client or model, those first that cost the most. */
export function groupsOf(
  sessions: readonly MachineSession[],
  nameOf: (session: MachineSession) => string,
): SessionGroup[] {
  const groups = new Map<string, SessionGroup>()
  for (const session of sessions) {
    const name = nameOf(session)
    const group = groups.get(name) ?? { name, sessions: 0, dollars: 0, tokens: 0 }
    group.sessions++
    group.dollars += session.dollars ?? 0
    group.tokens += tokensOf(session)
    groups.set(name, group)
  }
  return [...groups.values()].sort(
    (one, other) => other.dollars - one.dollars || other.tokens - one.tokens,
  )
}

/** All tokens that a session sent and received. */
export function tokensOf({ sent }: SessionDigest): number {
  return sent.input + sent.cacheRead + sent.cacheWrite + sent.output
}

export function kindsOf(sessions: readonly SessionDigest[]): KindTokens {
  return Object.fromEntries(
    kinds.map((kind) => [kind, sessions.reduce((sum, session) => sum + session.kinds[kind], 0)]),
  ) as KindTokens
}

// From here on a session compacts or fails within a few steps.
const nearlyFull = 0.9

/** Sessions whose next request nearly fills the window, the fullest first. */
export function nearTheirLimit(sessions: readonly MachineSession[]): MachineSession[] {
  return sessions
    .filter(({ tokens, usable }) => tokens > nearlyFull * usable)
    .sort((one, other) => other.tokens / other.usable - one.tokens / one.usable)
}

/** A rule of a project, and in how many of its sessions it is in force. */
interface ProjectRule {
  text: string
  sessions: number
  /** When the human said it last. */
  at: number
}

export interface ProjectRules {
  project: string
  rules: ProjectRule[]
}

/** The rules in force by project: the project that was worked on last first, and its newest rule. */
export function rulesByProject(sessions: readonly MachineSession[]): ProjectRules[] {
  const projects = new Map<string, Map<string, ProjectRule>>()
  for (const session of [...sessions].sort((one, other) => other.written - one.written)) {
    if (session.rules.length === 0) continue
    const project = projectOf(session)
    const rules = projects.get(project) ?? new Map<string, ProjectRule>()
    projects.set(project, rules)
    for (const { text, at } of session.rules) {
      const known = rules.get(text) ?? { text, sessions: 0, at: 0 }
      rules.set(text, { text, sessions: known.sessions + 1, at: Math.max(known.at, at) })
    }
  }
  return [...projects].map(([project, rules]) => ({
    project,
    rules: [...rules.values()].sort((one, other) => other.at - one.at),
  }))
}

export function projectOf({ directory }: SessionDigest): string {
  return directory ?? 'no directory recorded'
}

/** A compaction with its session, newest first. */
export function compactionsOf(
  sessions: readonly MachineSession[],
): (DigestedCompaction & { session: MachineSession })[] {
  return sessions
    .flatMap((session) => session.compactions.map((compaction) => ({ ...compaction, session })))
    .sort((one, other) => other.at - one.at)
}
