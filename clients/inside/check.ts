import { rule, task, type ScriptedAgent } from './agent.ts'
import type { SaidPart, ServedRequest } from 'throughline/testing/provider'

/** A line that a plugin wrote about what it did. */
export interface PluginRecord {
  event: string
  by?: string
  call?: string
  became?: string
  reason?: string
  session?: string
}

export interface Expectations {
  /** The fewest compactions that the plugin must have done. */
  compactions: number
  /** Whether the provider may refuse a request because of its size. */
  mayRefuse: boolean
  /** How many it may refuse: the limit that it names holds from then on. */
  mostRefused?: number
  /** Whether the plugin is at work: else the client does as it always does. */
  atWork: boolean
  /** How many of the client’s own summaries may be untold: it tells of them after the next request. */
  toldAfter: number
  /** A new process loses the cache by itself. */
  resumesInOtherWords: boolean
  /** How often the cache is lost for a compaction. */
  cacheLosses: number
}

/** What is wrong with a run of a client with our plugin, from the provider's side. */
export function insideProblems(
  { requests, kinds, heard, read }: Pick<ScriptedAgent, 'requests' | 'kinds' | 'heard' | 'read'>,
  records: readonly PluginRecord[],
  expected: Expectations,
): string[] {
  const main = requests.filter((_, index) => kinds[index] === 'main')
  const taken = main.filter(({ refused }) => refused === undefined)
  const problems: string[] = []
  if (read() === 0) problems.push('no file was read')
  const refused = requests.filter((request) => request.refused !== undefined)
  const kindsOfRefusal = [...new Set(refused.map((request) => request.refused))].join(', ')
  if (!expected.mayRefuse && refused.length > 0) {
    problems.push(`${refused.length} requests were refused: ${kindsOfRefusal}`)
  }
  const { mostRefused = Infinity } = expected
  if (refused.length > mostRefused) {
    problems.push(`${refused.length} requests were refused, and not at most ${mostRefused}`)
  }
  if (refused.some((request) => request.refused === 'illegal')) problems.push('one was illegal')
  for (const request of taken) problems.push(...pairProblems(request))
  if (!expected.atWork) return problems
  const compactions = records.filter(({ event }) => event === 'compaction')
  if (compactions.length < expected.compactions) {
    problems.push(`${compactions.length} compactions, and not at least ${expected.compactions}`)
  }
  for (const { event, reason } of records) {
    if (event === 'error' || event === 'step-aside') problems.push(`${event}: ${reason ?? ''}`)
  }
  for (const { number, said } of taken) {
    const text = said.map((part) => ('text' in part ? part.text : '')).join('\n')
    const { words = '' } = heard[number - 1] ?? {}
    if (!text.includes(words)) problems.push(`request ${number} lacks what was asked last`)
    if (!text.includes(task)) problems.push(`request ${number} lacks the task`)
    if (text.includes('&lt;prior-conversation-summary')) {
      problems.push(`request ${number} has a summary within a summary`)
    }
    if (!text.includes(rule)) problems.push(`request ${number} lacks the rule`)
  }
  const asked = kinds.filter((kind) => kind === 'summary').length
  problems.push(...callProblems(asked, records, expected))
  const processOf = ({ number }: ServedRequest): unknown =>
    expected.resumesInOtherWords && heard[number - 1]?.process
  const broken = brokenPrefixes(taken, processOf)
  // A client may end before it has told us of its own compaction.
  const done = Math.max(compactions.length, asked)
  if (broken > done * expected.cacheLosses) {
    problems.push(`the prompt cache was lost ${broken} times, in ${done} compactions`)
  }
  return problems
}

/** Each request for a summary costs the user money: the records tell of each. */
export function callProblems(
  asked: number,
  records: readonly PluginRecord[],
  { toldAfter }: Pick<Expectations, 'toldAfter'>,
): string[] {
  const became = new Map<string, string | undefined>()
  for (const record of records) {
    if (record.call !== undefined) became.set(record.call, record.became ?? became.get(record.call))
  }
  const own = records.filter(({ event, by }) => event === 'compaction' && by === 'client').length
  const told = became.size + own
  // What was given up, or killed, may have been given up before it was sent.
  const answered = [...became.values()].filter((each) => each === 'used' || each === 'rejected')
  const isTold = asked <= told + toldAfter && asked >= answered.length + own
  return isTold ? [] : [`${asked} requests for a summary, and the records tell of ${told}`]
}

export function pairProblems({ number, said }: ServedRequest): string[] {
  const open = new Set<string>()
  const problems: string[] = []
  for (const part of said as readonly SaidPart[]) {
    if (part.type === 'call') open.add(part.id)
    if (part.type === 'result' && !open.delete(part.id)) {
      problems.push(`request ${number}: the result ${part.id} has no call`)
    }
  }
  for (const id of open) problems.push(`request ${number}: the call ${id} has no result`)
  return problems
}

/** How often a request does not begin with the messages of the one before. */
function brokenPrefixes(
  requests: readonly ServedRequest[],
  processOf: (request: ServedRequest) => unknown,
): number {
  let broken = 0
  for (const [index, request] of requests.entries()) {
    const before = requests[index - 1]
    if (!before || processOf(before) !== processOf(request)) continue
    const [old, now] = [before, request].map(sentParts)
    if (!(old ?? []).every((message, place) => now?.[place] === message)) broken += 1
  }
  return broken
}

/** What providers keep of a prompt; where a mark for the cache may wander, the content alone. */
function sentParts({ wire, body, said }: ServedRequest): string[] {
  const parts = wire === 'chat-completions' ? (body['messages'] as unknown[]) : said
  return parts.map((part) => JSON.stringify(part))
}
